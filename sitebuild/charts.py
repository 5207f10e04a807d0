"""Charts at build: the calculators' plain specs -> SVG, drawn by the same script as in the reader's page.

In: chart specs as `calculators` give them. Out: one `<svg>` each, in order. One node process draws all that are new;
what was drawn before comes from a cache whose keys are the spec, the script and the library.
"""

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from sitebuild.python_assets.inside import node
from sitebuild.python_assets.pin import ROOT

CACHE = ROOT / "build" / "cache" / "charts"
LIBRARIES = (Path("node_modules/d3/dist/d3.min.js"), Path("node_modules/@observablehq/plot/dist/plot.umd.min.js"))
"""What a page loads, in this order, before it draws its first live chart."""

SCRIPTS = (ROOT / "browser" / "chart.js", ROOT / "browser" / "chart-range.js")
"""What draws, in this order: at build and in the page."""

_SCRIPT = Path(__file__).with_suffix(".mjs")


class ChartError(RuntimeError):
    """A chart could not be drawn; the message holds what the drawing library said."""


def render(specs: list[dict[str, Any]], cache: Path = CACHE) -> list[str]:
    """One SVG for each spec. Raises ChartError."""
    base = b"\0".join(p.read_bytes() for p in (_SCRIPT, *SCRIPTS, ROOT / "package.json"))
    lines = [json.dumps(spec, ensure_ascii=False, sort_keys=True) for spec in specs]
    kept = [cache / f"{hashlib.sha256(base + line.encode()).hexdigest()[:24]}.svg" for line in lines]
    fresh = {path: line for path, line in zip(kept, lines, strict=True) if not path.is_file()}
    if fresh:
        cache.mkdir(parents=True, exist_ok=True)
        for path, svg in zip(fresh, _draw(list(fresh.values())), strict=True):
            path.write_text(svg, "utf-8")
    return [path.read_text("utf-8") for path in kept]


def _draw(lines: list[str]) -> list[str]:
    done = subprocess.run([node(), str(_SCRIPT)], check=False, input="\n".join(lines).encode(), capture_output=True)
    if done.returncode != 0:
        raise ChartError(f"a chart could not be drawn:\n{done.stderr.decode('utf-8', 'replace')[-2000:]}")
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
