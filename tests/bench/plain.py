"""The other half of the ratios: a bare page that uses Pyodide as its documentation shows.

In: `node_modules/pyodide`, the sources of `calculators` and `catalog.model`, the compiled catalog. Out, in a folder: the
package's files as published; a wheel of the same calculators and the same catalog; `index.html`, which calls
`loadPyodide()` on its main thread from its first script, loads the wheel with `pyodide.loadPackage` and writes the answer
into the page. Nothing on it waits for a reader.
"""

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

from sitebuild.python_assets.library import ENTRY, sources
from sitebuild.python_assets.pin import pyodide
from tests.bench.task import Task

FILES = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WHEEL = "gpu_server_guide-1-py3-none-any.whl"
METADATA = "gpu_server_guide-1.dist-info"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Plain Pyodide</title><link rel="icon" href="data:,">
<script src="FOLDER/pyodide.js"></script>
<script>
(async () => {
  const pyodide = await loadPyodide();
  await pyodide.loadPackage("FOLDER/WHEEL");
  pyodide.runPython(`
from importlib.resources import files
from calculators import bridge
bridge.use_json(files("catalog").joinpath("compiled.json").read_text("utf-8"))
`);
  const answer = JSON.parse(pyodide.pyimport("calculators.bridge").call(ID, REQUEST));
  const place = document.querySelector("[data-output]");
  place.textContent = answer.view.display[OUTPUT];
  place.setAttribute("data-value", answer.outputs[OUTPUT]);
})();
</script></head>
<body><h1>Plain Pyodide</h1><p><output data-output="NAME"></output></p></body></html>
"""


def write(www: Path, catalog_json: str, task: Task) -> str:
    """The page and what it loads, under names that the server lets browsers keep; gives the page's path."""
    package = pyodide()
    folder = f"/assets/python/plain-{package.version}"
    target = www / folder.removeprefix("/")
    target.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(package.file(name), target / name)
    _wheel(target / WHEEL, catalog_json)
    values = {
        "FOLDER": folder,
        "WHEEL": WHEEL,
        "ID": json.dumps(task.id),
        "REQUEST": json.dumps(task.request()),
        "OUTPUT": json.dumps(task.output),
        "NAME": task.output,
    }
    page = PAGE
    for name, value in values.items():
        page = page.replace(name, value)
    path = f"/plain/{task.id}/"
    (www / path.strip("/")).mkdir(parents=True, exist_ok=True)
    (www / path.strip("/") / "index.html").write_text(page, "utf-8")
    return path


def _wheel(path: Path, catalog_json: str) -> None:
    """A pure wheel as `pip wheel` makes one: sources, deflated."""
    files = {name: text for name, text in sources().items() if name != f"{ENTRY}.py"}
    files["catalog/compiled.json"] = catalog_json
    files[f"{METADATA}/METADATA"] = "Metadata-Version: 2.1\nName: gpu-server-guide\nVersion: 1\n"
    files[f"{METADATA}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(
        f"{name},sha256={hashlib.sha256(text.encode()).hexdigest()},{len(text.encode())}\n" for name, text in files.items()
    )
    files[f"{METADATA}/RECORD"] = f"{record}{METADATA}/RECORD,,\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
