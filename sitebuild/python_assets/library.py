"""The browser's library: the modules of the standard library that the calculators load, and the calculators, as bytecode.

In: an installed Pyodide, the sources of `calculators` and `catalog.model`. Out: `{name in the zip: bytes}`, in two parts
that are kept apart in a cache: the standard library's (which changes when an import does) and the calculators' own.
Which modules are needed is measured: every calculator is run inside the stock Pyodide, with everything that can go wrong.
"""

import ast
import hashlib
import io
import json
import marshal
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from sitebuild.python_assets.compile import compiled, table
from sitebuild.python_assets.inside import PyodideError, Run, run
from sitebuild.python_assets.pin import ROOT, Pyodide, check_magic
from sitebuild.python_assets.requests import Request, requests

ENTRY = "guide_entry"
CATALOG = "catalog/compiled.json"
GENERATED = "generated.marshal"
_OWN = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Library:
    """Bytecode by its name in the zip."""

    standard: Mapping[str, bytes]
    own: Mapping[str, bytes]

    def zip(self, catalog_json: str) -> bytes:
        """One zip, stored: hosts and gzip compress it better as a whole."""
        return stored({**self.standard, **self.own, CATALOG: catalog_json.encode("utf-8")})


def stored(files: Mapping[str, bytes]) -> bytes:
    """An uncompressed zip, the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
    return out.getvalue()


def replace(path: Path, content: bytes) -> None:
    """Writes a file in one go: a build beside this one finds all of it or none."""
    with NamedTemporaryFile(dir=path.parent, delete=False) as fresh:
        fresh.write(content)
    Path(fresh.name).replace(path)


def sources(root: Path = ROOT) -> dict[str, str]:
    """The browser's own modules: all of `calculators`, the modules of the catalog that they import, the entry."""
    paths = _with_imports(root, sorted((root / "calculators").rglob("*.py")))
    found = {str(path.relative_to(root)): path for path in [root / "catalog" / "__init__.py", *paths]}
    found[f"{ENTRY}.py"] = _OWN / "entry.py"
    return {name: path.read_text("utf-8") for name, path in found.items()}


def _with_imports(root: Path, paths: list[Path]) -> list[Path]:
    """These modules and those of the catalog that they import, directly or not."""
    found: dict[Path, None] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = None
        imports = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom))
        names = [node.module for node in imports if node.module and node.module.startswith("catalog.")]
        waiting += [root / f"{module.replace('.', '/')}.py" for module in names]
    return sorted(found)


def make(package: Pyodide, catalog_json: str, cache: Path, root: Path = ROOT) -> Library:
    """Both parts, from the cache where neither the sources nor the pin have changed. Raises PyodideError, PinError."""
    cache.mkdir(parents=True, exist_ok=True)
    own = sources(root)
    kept = cache / f"{_digest(package.version, json.dumps(own), *_own_code())}.library"
    if kept.is_file():
        standard, compiled_own = marshal.loads(kept.read_bytes())  # noqa: S302 - written below, by this build
        return Library(standard, compiled_own)
    asked = requests()
    measured = _measure(package, own, catalog_json, asked)
    check_magic(measured.magic)
    compiled_own = compiled((name, text, 0) for name, text in own.items()) | {GENERATED: table(measured.generated)}
    made = Library(_standard(package, measured.modules), compiled_own)
    _prove(package, made, catalog_json, asked, measured)
    for old in cache.glob("*.library"):
        old.unlink(missing_ok=True)
    replace(kept, marshal.dumps((dict(made.standard), dict(made.own))))
    return made


def _own_code() -> list[str]:
    return [p.read_text("utf-8") for p in sorted(_OWN.iterdir()) if p.suffix in (".py", ".mjs")]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _measure(package: Pyodide, own: Mapping[str, str], catalog_json: str, asked: list[Request]) -> Run:
    with TemporaryDirectory() as folder:
        app = Path(folder) / "sources.zip"
        files = {name: text.encode() for name, text in own.items()}
        app.write_bytes(stored(files | {CATALOG: catalog_json.encode(), GENERATED: table([])}))
        return run(package, asked, entry=ENTRY, app=app)


def _standard(package: Pyodide, modules: tuple[str, ...]) -> dict[str, bytes]:
    """The needed modules without docstrings and asserts, but for Pyodide's own, which read their docstrings."""
    with zipfile.ZipFile(package.file("python_stdlib.zip")) as archive:
        return compiled(
            (name, archive.read(name).decode("utf-8"), 0 if name.startswith(("_pyodide", "pyodide")) else 2) for name in modules
        )


def _prove(package: Pyodide, made: Library, catalog_json: str, asked: list[Request], measured: Run) -> None:
    """The very zip that ships gives the same answers and tells the same errors as the whole library did."""
    with TemporaryDirectory() as folder:
        trimmed = Path(folder) / "library.zip"
        trimmed.write_bytes(made.zip(catalog_json))
        again = run(package, asked, entry=ENTRY, library=trimmed)
    for request, whole, small in zip(asked, measured.responses, again.responses, strict=True):
        if whole != small:
            raise PyodideError(
                f"{request} is answered otherwise by the trimmed library:\n{small[:500]}\nbut should be\n{whole[:500]}"
            )
    for whole, small in zip(measured.errors, again.errors, strict=True):
        if whole != small:
            raise PyodideError(f"an error is told otherwise by the trimmed library: {small!r}, not {whole!r}")
