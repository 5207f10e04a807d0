"""Where a measurement ran and with what: a figure without this says nothing.

In: the machine, the programs, the installed packages. Out: two plain objects for `build/bench.json`.
"""

import json
import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

from catalog.model import Catalog
from sitebuild.python_assets.inside import node
from sitebuild.python_assets.pin import ROOT, pyodide
from tools import browsers


def machine() -> dict[str, Any]:
    """The processor, how many of it, memory, system, and how busy it was."""
    page = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gib": round(page / 2**30, 1),
        "os": platform.platform(),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


def _cpu() -> str:
    listed = Path("/proc/cpuinfo")
    names = (
        [line.split(":", 1)[1].strip() for line in listed.read_text().splitlines() if line.startswith("model name")]
        if listed.is_file()
        else []
    )
    return names[0] if names else platform.processor() or platform.machine()


def versions(catalog: Catalog) -> dict[str, str]:
    """Every program that a figure depends on."""
    driver = json.loads((ROOT / "node_modules" / "puppeteer-core" / "package.json").read_text("utf-8"))
    return {
        "guide": metadata.version("gpu-server-guide"),
        "catalog": catalog.version,
        "python": platform.python_version(),
        "pyodide": pyodide().version,
        "node": subprocess.run([node(), "--version"], capture_output=True, text=True, check=True)
        .stdout.strip()
        .removeprefix("v"),
        "mkdocs": metadata.version("mkdocs"),
        "material": metadata.version("mkdocs-material"),
        "puppeteer": str(driver["version"]),
        **{key: browsers.version(found) or "" for key in browsers.BROWSERS if (found := browsers.find(key))},
    }
