"""Python sources -> bytecode, in a process of its own with a fixed hash seed, so that equal sources give equal bytes.

In, on standard input: JSON `[[name, source, optimize], ...]`. Out, on standard output: marshalled `{name: pyc bytes}`.
The bytecode carries the flag "unchecked hash": the browser has no sources to compare it with. It knows lines but not columns,
which are a quarter of its bytes on the line.
"""

import importlib.util
import json
import marshal
import os
import subprocess
import sys
from collections.abc import Iterable

_UNCHECKED_HASH = (1).to_bytes(4, "little")


def compiled(sources: Iterable[tuple[str, str, int]]) -> dict[str, bytes]:
    """(name, source, optimisation level) each -> name ending in .pyc -> bytes."""
    done = subprocess.run(
        [sys.executable, "-B", "-X", "no_debug_ranges", __file__],
        input=json.dumps(list(sources)).encode(),
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    result: dict[str, bytes] = marshal.loads(done.stdout)  # noqa: S302 - written by the child process below
    return result


def _pyc(name: str, source: str, optimize: int) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH + importlib.util.source_hash(source.encode()) + marshal.dumps(code)


if __name__ == "__main__":
    made = {f"{name}c": _pyc(name, source, optimize) for name, source, optimize in json.load(sys.stdin.buffer)}
    sys.stdout.buffer.write(marshal.dumps(made))
