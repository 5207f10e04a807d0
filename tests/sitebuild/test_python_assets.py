"""The browser's Python as files: the pin, the cache, the same bytes twice, and what is refused."""

import gzip
import importlib.util
import json
import zipfile
from pathlib import Path

import pytest

from calculators import bridge
from catalog.model import Catalog, to_json
from sitebuild import python_assets
from sitebuild.python_assets import compile as compiling
from sitebuild.python_assets import inside, library, pin, snapshot


def pinned(root: Path, wanted: str, found: str | None) -> None:
    """A folder that pins one version and holds another, or none."""
    (root / "package.json").write_text(json.dumps({"dependencies": {"pyodide": wanted}}))
    if found:
        package = root / "node_modules" / "pyodide"
        package.mkdir(parents=True)
        (package / "package.json").write_text(json.dumps({"version": found}))


@pytest.mark.parametrize(("wanted", "found", "words"), [("1.0", None, "is missing"), ("1.0", "1.1", "holds 1.1")])
def test_what_is_not_pinned_is_refused(tmp_path: Path, wanted: str, found: str | None, words: str) -> None:
    pinned(tmp_path, wanted, found)
    with pytest.raises(pin.PinError, match=words):
        pin.pyodide(tmp_path)


def test_bytecode_of_another_python_is_refused() -> None:
    pin.check_magic(importlib.util.MAGIC_NUMBER.hex())
    with pytest.raises(pin.PinError, match="2b0e0d0a"):
        pin.check_magic("2b0e0d0a")


def test_the_same_sources_give_the_same_bytes() -> None:
    sources = [("a.py", "x = {'one', 'two', 'three'}\ny = 1 in {4, 5}\nz = 'a' in {'b', 'c', 'd'}\n", 0)]
    assert compiling.compiled(sources) == compiling.compiled(sources)


def test_hosts_and_folders_get_what_they_can_load(tmp_path: Path, catalog: Catalog) -> None:
    text = to_json(catalog)
    built = python_assets.build(tmp_path, text, local=True)
    assert built["python"].startswith("assets/python/")
    own = tmp_path / built["python"]
    worker = (own / "worker.js").read_text("utf-8")
    first, _, rest = worker.partition("\n")
    assert rest == (pin.ROOT / "browser" / "worker.js").read_text("utf-8")
    manifest = json.loads(first.removeprefix("self.GPUGUIDE_RUNTIME = ").removesuffix(";"))
    assert (own / manifest["core"] / "pyodide.asm.wasm").is_file()
    with zipfile.ZipFile(own / manifest["zip"]) as archive:
        assert archive.read(library.CATALOG).decode("utf-8") == text
        assert {i.compress_type for i in archive.infolist()} == {zipfile.ZIP_STORED}
        assert not [n for n in archive.namelist() if n.endswith(".py")]
    handed = (own / "local" / "worker.js").read_text("utf-8")
    parts = json.loads(handed.removeprefix("gpuguide.localRuntime = ").removesuffix(";\n"))["parts"]
    assert set(parts) == {"glue", "wasm", "zip", "memory"}
    scripts = [name for names in parts.values() for name in names]
    assert sorted(p.name for p in (own / "local").iterdir()) == sorted([*scripts, "worker.js"])
    assert max((own / "local" / name).stat().st_size for name in scripts) < 1_100_000  # one never holds up a page
    assert python_assets.build(tmp_path, text, local=True) == built


def test_what_restores_answers_as_what_starts(catalog: Catalog, tmp_path: Path) -> None:
    text, package = to_json(catalog), pin.pyodide()
    made = library.make(package, text, python_assets.CACHE)
    taken = snapshot.make(package, made, made.zip(text), python_assets.CACHE)
    assert snapshot.make(package, made, made.zip(text), python_assets.CACHE) == taken
    assert len(gzip.decompress(taken.packed)) == taken.size
    memory, nothing = tmp_path / "memory.gz", tmp_path / "empty.zip"
    memory.write_bytes(taken.packed)
    nothing.write_bytes(library.stored({}))
    asked = [("vram-inference", "{}"), ("vram-inference", '{"context": "much"}')]
    restored = inside.run(package, asked, entry=library.ENTRY, library=nothing, snapshot=memory)
    bridge.use(catalog)
    assert [json.loads(r) for r in restored.responses] == [json.loads(bridge.call(id, r)) for id, r in asked]


def test_memory_of_another_build_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    text, package = to_json(catalog), pin.pyodide()
    made = library.make(package, text, python_assets.CACHE)
    memory = bytearray(gzip.decompress(snapshot.make(package, made, made.zip(text), python_assets.CACHE).packed))
    memory[16] ^= 255  # the first byte of the build's name
    other = tmp_path / "memory.gz"
    other.write_bytes(gzip.compress(memory, 1))
    with pytest.raises(inside.PyodideError, match="build id mismatch"):
        inside.run(package, [], entry=library.ENTRY, snapshot=other)


def test_a_new_catalog_changes_the_library_alone(tmp_path: Path, catalog: Catalog) -> None:
    text = to_json(catalog)
    first = python_assets.build(tmp_path, text)
    second = python_assets.build(tmp_path, text.replace(catalog.version, "another"))
    assert first["python"] != second["python"]
    assert first["core"] == second["core"]
    assert not (tmp_path / first["python"]).exists()  # runtimes of earlier builds are swept


def test_a_library_that_lacks_a_module_is_caught(tmp_path: Path, catalog: Catalog) -> None:
    made = library.make(pin.pyodide(), to_json(catalog), python_assets.CACHE)
    lacking = library.Library({k: v for k, v in made.standard.items() if k != "difflib.pyc"}, made.own)
    trimmed = tmp_path / "lacking.zip"
    trimmed.write_bytes(lacking.zip(to_json(catalog)))
    with pytest.raises(inside.PyodideError, match="difflib"):
        inside.run(pin.pyodide(), [], entry=library.ENTRY, library=trimmed)
