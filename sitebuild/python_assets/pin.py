"""The one pinned Pyodide: `package.json` names the version, everything else asks here.

In: `package.json` and `node_modules/pyodide`. Out: the package's folder and its interpreter's facts. Raises `PinError`
where what is installed is not what is pinned.
"""

import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE_FILES = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")


class PinError(RuntimeError):
    """What is installed does not fit the pin; the message says how to mend it."""


@dataclass(frozen=True, slots=True)
class Pyodide:
    """An installed Pyodide package."""

    folder: Path
    version: str
    lock: str
    """Its lock file without packages: the calculators need none, and so none can be asked for."""

    def file(self, name: str) -> Path:
        """One of the package's files."""
        return self.folder / name


def pyodide(root: Path = ROOT) -> Pyodide:
    """The installed package, checked against the pin."""
    wanted = json.loads((root / "package.json").read_text("utf-8"))["dependencies"]["pyodide"]
    folder = root / "node_modules" / "pyodide"
    if not (folder / "package.json").is_file():
        raise PinError(f"node_modules/pyodide is missing: run `make setup`, which installs pyodide {wanted}")
    found = json.loads((folder / "package.json").read_text("utf-8"))["version"]
    if found != wanted:
        raise PinError(f"package.json pins pyodide {wanted}, node_modules holds {found}: run `make setup`")
    info = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))["info"]
    return Pyodide(folder, found, json.dumps({"info": info, "packages": {}}, separators=(",", ":")))


def check_magic(browser: str) -> None:
    """Bytecode compiled here must be what the browser's interpreter reads: a wrong magic number is fatal there."""
    here = importlib.util.MAGIC_NUMBER.hex()
    if here != browser:
        raise PinError(
            f"this Python writes bytecode {here}, the pinned Pyodide reads {browser}: "
            "build with the Python version that Pyodide embeds"
        )
