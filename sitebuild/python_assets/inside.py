"""The calculators inside Pyodide, under node.

In: an installed Pyodide, a library zip (or none: the whole one) or a snapshot of its memory, requests. Out: the answers and what was loaded.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitebuild.python_assets.pin import Pyodide
from sitebuild.python_assets.requests import Request

_SCRIPT = Path(__file__).with_name("inside.mjs")


class PyodideError(RuntimeError):
    """Python in the browser could not do what it must."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run inside Pyodide gave."""

    magic: str
    modules: tuple[str, ...]
    responses: tuple[str, ...]
    errors: tuple[str, ...]
    generated: tuple[str, ...]
    """Source that `dataclass` wrote and compiled for the modules that were loaded."""
    ms: dict[str, float]


def node() -> str:
    """The node program that `make setup` found or installed."""
    beside = Path(sys.executable).with_name("node")
    found = os.environ.get("NODE") or (str(beside) if beside.exists() else shutil.which("node"))
    if not found:
        raise PyodideError("node was not found: run `make setup`")
    return found


def run(
    package: Pyodide,
    requests: list[Request],
    *,
    entry: str,
    library: Path | None = None,
    app: Path | None = None,
    snapshot: Path | None = None,
) -> Run:
    """Starts Pyodide, asks all requests, provokes all kinds of errors. Raises PyodideError where it does not start.

    With a `snapshot` (gzip) that memory is restored; `library` is then what it finds on disk.
    """
    job: dict[str, Any] = {
        "pyodide": str(package.folder),
        "lock": package.lock,
        "library": str(library) if library else None,
        "app": str(app) if app else None,
        "snapshot": str(snapshot) if snapshot else None,
        "entry": entry,
        "requests": requests,
    }
    done = subprocess.run([node(), str(_SCRIPT)], check=False, input=json.dumps(job).encode(), capture_output=True)
    if done.returncode != 0:
        told = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise PyodideError(f"the calculators did not run inside Pyodide:\n{told[-3000:]}")
    data = json.loads(done.stdout)
    return Run(
        data["magic"],
        tuple(data["modules"]),
        tuple(data["responses"]),
        tuple(data["errors"]),
        tuple(data["generated"]),
        data["ms"],
    )
