"""The memory of a Pyodide that has the calculators imported: what a browser restores instead of starting Python anew.

In: an installed Pyodide, the trimmed library as it ships. Out: a `Snapshot`, kept in the cache under the library's hash.
Making and loading one are options of Pyodide that its documentation does not promise (`_makeSnapshot`, `_loadSnapshot`):
they hold for the pinned version, Pyodide itself refuses memory of another build, each snapshot made here has to answer as
the library does, and a page that cannot restore one starts from the library.
"""

import gzip
import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sitebuild.python_assets.inside import PyodideError, node, run
from sitebuild.python_assets.library import ENTRY, Library, replace, stored
from sitebuild.python_assets.pin import Pyodide
from sitebuild.python_assets.requests import first_requests

_SCRIPT = Path(__file__).with_suffix(".mjs")
KEPT = 4
"""Snapshots in the cache: of the catalogs that were built last."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Memory, packed by gzip, and its size unpacked."""

    packed: bytes
    size: int


def modules(library: Library) -> list[str]:
    """The names of all modules in the library, in a fixed order; a package stands before what is in it."""
    names = (
        name.removesuffix(".pyc").removesuffix("/__init__")
        for name in {**library.standard, **library.own}
        if name.endswith(".pyc")
    )
    return sorted(name.replace("/", ".") for name in names)


def make(package: Pyodide, library: Library, archive: bytes, cache: Path) -> Snapshot:
    """From the cache, where this library has been started before. Raises PyodideError where it cannot be made or answers otherwise."""
    own = _SCRIPT.read_bytes() + Path(__file__).read_bytes()
    kept = cache / f"{hashlib.sha256(archive + own).hexdigest()[:16]}.snapshot"
    if kept.is_file():
        packed = kept.read_bytes()
        return Snapshot(packed, len(gzip.decompress(packed)))
    with TemporaryDirectory() as folder:
        zipped, out = Path(folder) / "library.zip", Path(folder) / "memory.gz"
        zipped.write_bytes(archive)
        job = {
            "pyodide": str(package.folder),
            "lock": package.lock,
            "library": str(zipped),
            "modules": modules(library),
            "out": str(out),
        }
        done = subprocess.run([node(), str(_SCRIPT)], check=False, input=json.dumps(job).encode(), capture_output=True)
        if done.returncode != 0:
            told = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
            raise PyodideError(f"no memory snapshot could be made:\n{told[-3000:]}")
        made = Snapshot(out.read_bytes(), int(json.loads(done.stdout)["size"]))
        _prove(package, zipped, out)
    for old in sorted(cache.glob("*.snapshot"), key=lambda p: p.stat().st_mtime)[: -KEPT + 1]:
        old.unlink(missing_ok=True)
    replace(kept, made.packed)
    return made


def _prove(package: Pyodide, library: Path, snapshot: Path) -> None:
    """What is restored answers, and tells errors, as what was started from the library."""
    asked = first_requests()
    started = run(package, asked, entry=ENTRY, library=library)
    nothing = snapshot.with_name("empty.zip")
    nothing.write_bytes(stored({}))
    restored = run(package, asked, entry=ENTRY, library=nothing, snapshot=snapshot)
    if (started.responses, started.errors) != (restored.responses, restored.errors):
        pairs = zip([*started.responses, *started.errors], [*restored.responses, *restored.errors], strict=True)
        right, wrong = next((a, b) for a, b in pairs if a != b)
        raise PyodideError(f"a restored Python answers otherwise:\n{wrong[:500]}\nbut should be\n{right[:500]}")
