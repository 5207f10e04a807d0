"""The Python that runs in the reader's browser, as files to host.

In: `node_modules/pyodide` (the pin), `calculators`, `catalog.model`, the compiled catalog. Out, under `assets/python/`:

    pyodide-<version>/   Pyodide's glue and WebAssembly as published: changes with the pin alone
    <hash>/worker.js     one line that names the files and their sizes, then `browser/worker.js`
    <hash>/guide.zip.txt the trimmed library, the calculators and the catalog: changes with any of them
    <hash>/memory.gz     a Python that has read all of that, as its memory stands: for browsers that start sooner from it
    <hash>/local/        for a page opened from a folder: all of it as base64(gzip) in script files

All names are immutable: they may be cached for ever. The library's name ends in `.txt` because hosts compress text by
themselves and zips never; it is stored uncompressed for the same reason, and three times smaller on the line.
"""

import base64
import gzip
import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitebuild.python_assets import snapshot
from sitebuild.python_assets.library import ENTRY, make, replace
from sitebuild.python_assets.pin import CORE_FILES, ROOT, Pyodide, pyodide
from sitebuild.python_assets.snapshot import Snapshot

FOLDER = "assets/python"
ZIP = "guide.zip.txt"
MEMORY = "memory.gz"
CACHE = ROOT / "build" / "cache" / "python"
PART = 3 << 18
"""Bytes in one local part: small enough that reading one never holds up the page."""

NOTICE = """Pyodide {version} (https://github.com/pyodide/pyodide, Mozilla Public License 2.0), as published in the npm package
"pyodide". It contains CPython (https://www.python.org, Python Software Foundation License 2). The files are unchanged.
"""


def build(
    out: Path, catalog_json: str, *, http: bool = True, local: bool = False, cache: Path = CACHE, root: Path = ROOT
) -> dict[str, Any]:
    """Writes the runtime under `out`; `http` for a host, `local` for a folder that is opened without one.

    Gives `{"python": "assets/python/<hash>/", "core": ..., "version": ..., "files": {path: bytes}}`; `python` is what a
    page's configuration names. Raises PinError and PyodideError.
    """
    package = pyodide(root)
    made = make(package, catalog_json, cache, root)
    archive = made.zip(catalog_json)
    worker = (root / "browser" / "worker.js").read_text("utf-8")
    plan = Plan(package, worker, archive, snapshot.make(package, made, archive, cache), cache)
    core, own = f"{FOLDER}/pyodide-{package.version}", f"{FOLDER}/{plan.digest()}"
    files: dict[str, bytes | Path] = {}
    if http:
        files |= {f"{core}/{name}": package.file(name) for name in CORE_FILES}
        files |= {f"{own}/worker.js": plan.worker(f"../pyodide-{package.version}/").encode(), f"{own}/{ZIP}": archive}
        files[f"{own}/{MEMORY}"] = plan.memory.packed
    if local:
        files |= {f"{own}/local/{name}": text.encode() for name, text in plan.local().items()}
    files[f"{core}/NOTICE.txt"] = NOTICE.format(version=package.version).encode()
    _sweep(out / FOLDER, {core.rpartition("/")[2], own.rpartition("/")[2]})
    for name, content in files.items():
        _write(out / name, content)
    return {
        "python": f"{own}/",
        "core": f"{core}/",
        "version": package.version,
        "files": {name: (out / name).stat().st_size for name in sorted(files)},
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes into the files, before they have names."""

    package: Pyodide
    source: str
    archive: bytes
    memory: Snapshot
    cache: Path

    def digest(self) -> str:
        """The folder's name: what the worker, the library and the snapshot are, in 16 hexadecimal digits."""
        whole = hashlib.sha256(self.archive + self.memory.packed)
        for part in (self.source, self.package.version, self.package.lock, str(PART)):
            whole.update(part.encode() + b"\0")
        return whole.hexdigest()[:16]

    def worker(self, core: str, sizes: Mapping[str, int] | None = None) -> str:
        """The worker with its line of names and sizes, `sizes` in the units in which its files are counted."""
        plain = {
            "wasm": self.package.file("pyodide.asm.wasm").stat().st_size,
            "zip": len(self.archive),
            "memory": len(self.memory.packed),
        }
        manifest = {
            "core": core,
            "zip": ZIP,
            "memory": MEMORY,
            "memorySize": self.memory.size,
            "entry": ENTRY,
            "sizes": sizes or plain,
            "lock": self.package.lock,
        }
        return f"self.GPUGUIDE_RUNTIME = {json.dumps(manifest)};\n{self.source}"

    def local(self) -> dict[str, str]:
        """Script files that hand the runtime over as text, because a page from a folder may not fetch."""
        texts = {
            "glue": self._packed("glue", b"\n;".join(self.package.file(n).read_bytes() for n in CORE_FILES[:2])),
            "wasm": self._packed("wasm", self.package.file("pyodide.asm.wasm").read_bytes()),
            "zip": base64.b64encode(gzip.compress(self.archive, 9, mtime=0)).decode(),
            "memory": base64.b64encode(self.memory.packed).decode(),
        }
        step = PART // 3 * 4
        files: dict[str, str] = {}
        parts: dict[str, list[str]] = {}
        for name, text in texts.items():
            starts = range(0, len(text), step)
            parts[name] = [f"{name}-{i}.js" for i in range(len(starts))]
            for file, at in zip(parts[name], starts, strict=True):
                files[file] = f'gpuguide.part("{name}", "{text[at : at + step]}", {json.dumps(at == starts[-1])});\n'
        source = self.worker("", {name: len(text) for name, text in texts.items()})
        handed = json.dumps({"source": source, "parts": parts})
        return files | {"worker.js": f"gpuguide.localRuntime = {handed};\n"}

    def _packed(self, name: str, content: bytes) -> str:
        """base64(gzip), kept in the cache: it changes with the pin alone and takes a second to make."""
        kept = self.cache / f"{name}-{hashlib.sha256(content).hexdigest()[:16]}.b64"
        if not kept.is_file():
            replace(kept, base64.b64encode(gzip.compress(content, 9, mtime=0)))
        return kept.read_text("ascii")


def _write(path: Path, content: bytes | Path) -> None:
    """Writes a file unless it already stands there: its name says what is in it."""
    size = content.stat().st_size if isinstance(content, Path) else len(content)
    if path.is_file() and path.stat().st_size == size:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, path)
    else:
        path.write_bytes(content)


def _sweep(folder: Path, keep: set[str]) -> None:
    """Removes the runtimes of earlier builds."""
    if folder.is_dir():
        for old in folder.iterdir():
            if old.is_dir() and old.name not in keep:
                shutil.rmtree(old)
