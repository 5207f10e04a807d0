"""Python sources -> bytecode, in a process of its own with a fixed hash seed, so that equal sources give equal bytes.

In, on standard input: JSON `[[name, source, optimize], ...]` or `[text, ...]`. Out, on standard output: marshalled
`{name: pyc bytes}` or `{text: code}`.
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
from typing import Any

_UNCHECKED_HASH = (1).to_bytes(4, "little")


def compiled(sources: Iterable[tuple[str, str, int]]) -> dict[str, bytes]:
    """(name, source, optimisation level) each -> name ending in .pyc -> bytes."""
    result: dict[str, bytes] = marshal.loads(_child("modules", list(sources)))  # noqa: S302 - written by the child process below
    return result


def table(texts: Iterable[str]) -> bytes:
    """Texts that a module gives to `exec` -> marshalled `{text: code}`."""
    return _child("table", list(texts))


def _child(wanted: str, job: object) -> bytes:
    done = subprocess.run(
        [sys.executable, "-B", "-X", "no_debug_ranges", __file__, wanted],
        input=json.dumps(job).encode(),
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    return done.stdout


def _pyc(name: str, source: str, optimize: int) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH + importlib.util.source_hash(source.encode()) + marshal.dumps(code)


if __name__ == "__main__":
    job = json.load(sys.stdin.buffer)
    made: dict[str, Any] = {}
    if sys.argv[1] == "table":
        made = {text: compile(text, "<string>", "exec", dont_inherit=True) for text in job}
    else:
        made = {f"{name}c": _pyc(name, source, optimize) for name, source, optimize in job}
    sys.stdout.buffer.write(marshal.dumps(made))
