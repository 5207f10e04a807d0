"""The figures that are no start: bytes, the printed answer, recalculations, stalls, the build.

In: a `Place`, how many runs. Out: a figure a function. `ROWS` names them.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from calculators import bridge
from sitebuild.python_assets.pin import ROOT
from tests.bench.calls import call_ms, monte_carlo_s, sweep_ms, tco_ms
from tests.bench.figures import Figure, ratio
from tests.bench.place import STEPS, Place
from tests.bench.server import SCRIPTS_OFF
from tests.bench.starts import SLOW_LINE
from tests.bench.visits import Setting, Visit, session

TALL = Setting(viewport=(1280, 4000))
"""A window in which the whole calculator stands, so that the answer is painted as soon as it can be."""
RUNTIME = "/assets/python/"
BUILDS = 3


def page_kb(place: Place, runs: int) -> Figure:
    """Every byte that the server sent for a calculator's page before anyone turned to it, headers and all, in KB of 1000.

    One sample a calculator and language, each with a fresh profile and two quiet seconds after loading.
    """
    sizes = {}
    for path in place.paths():
        found = session(place.server, Setting(), [Visit(place.server.origin + path, {"want": "quiet"}, settle=0)])
        sizes[path] = [(sent.path, sent.bytes / 1e3) for sent in found[0].sent]
    totals = {path: sum(size for _, size in sent) for path, sent in sizes.items()}
    return Figure(list(totals.values()), "KB", {"pages": totals, "requests": dict(sizes[place.paths()[0]])})


def runtime_mb(place: Place, runs: int) -> Figure:
    """Bytes of Python's runtime that a first visit on a slow line sends for, in MB of 10^6, compressed, headers included.

    The bytes do not depend on chance: two samples show it.
    """
    samples, files = [], {}
    for _ in range(min(runs, 2)):
        found = session(place.server, SLOW_LINE, [Visit(place.page(), place.tasks[0].probe())])
        files = {sent.path: sent.bytes / 1e6 for sent in found[0].sent if sent.path.startswith(RUNTIME)}
        samples.append(sum(files.values()))
    return Figure(samples, "MB", {"files": files})


def answer_visible(place: Place, runs: int) -> Figure:
    """Navigation start -> first paint of the printed answer, with the page's scripts and with none, each with a fresh profile.

    "Off" is the same file under a policy that runs none of its scripts; the browser's element timing tells the paint of both.
    """
    probe = {"want": "visible", "id": place.tasks[0].id}
    sides = {"ours": place.page(), "plain": f"{place.page()}?{SCRIPTS_OFF}"}
    times: dict[str, list[float]] = {side: [] for side in sides}
    for run in range(runs):
        for side in list(sides)[:: -1 if run % 2 else 1]:
            found = session(place.server, TALL, [Visit(sides[side], probe, settle=0)])
            times[side].append(found[0].result["visible"])
    return ratio(times["ours"], times["plain"])


def recalc(place: Place, runs: int) -> Figure:
    """One recalculation in a live page: from the message to the worker until the answer stands in the document.

    Divided by `calculators.bridge.call` with the same requests on this Python. A sample is the median of fifteen changes of
    one input over the median of the same fifteen calls. The pause that the page makes after a key is in neither.
    """
    task = place.tasks[0]
    requests = [task.request(step) for step in range(STEPS)]
    page, here = [], []
    for _ in range(runs):
        found = session(place.server, Setting(), [Visit(place.page(), task.probe(STEPS), settle=0)])
        page.append(median(found[0].result["again"]))
        here.append(median(_call(task.id, request) for request in requests[1:]))
    return ratio(page, here)


def _call(id: str, request: str) -> float:
    begun = time.perf_counter()
    bridge.call(id, request)
    return (time.perf_counter() - begun) * 1e3


def stall_ms(place: Place, runs: int) -> Figure:
    """The longest time for which the page's main thread did nothing else, from the reader's intent until 0.3 s after the answer.

    A timer that should come every 4 ms tells it; what the browser calls a long task (50 ms or more) stands beside it.
    """
    gaps, long = [], []
    for _ in range(runs):
        found = session(place.server, Setting(), [Visit(place.page(), place.tasks[0].probe(ticks=True))])
        gaps.append(found[0].result["gap"])
        long.append(found[0].result["long"])
    return Figure(gaps, "ms", {"long_task_ms": long})


def build_full(place: Place, runs: int) -> Figure:
    """The whole online site from a cold cache over a bare `mkdocs build` of the same Markdown, in a copy of the sources."""
    copy = place.layout.build / "bench" / "sources"
    shutil.rmtree(copy, ignore_errors=True)
    skipped = shutil.ignore_patterns("build", "site", "dist", "node_modules", ".venv", ".git", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, copy, ignore=skipped)
    (copy / "node_modules").symlink_to(ROOT / "node_modules")
    ours, bare = [], []
    for _ in range(min(runs, BUILDS)):
        for folder in ("build", "site"):
            shutil.rmtree(copy / folder, ignore_errors=True)
        begun = time.perf_counter()
        _python(copy, "-m", "sitebuild.build", "--fresh")
        ours.append(time.perf_counter() - begun)
        bare.append(float(_python(copy, "-c", BARE)))
    shutil.rmtree(copy)
    return ratio(ours, bare, "s")


BARE = """
from datetime import UTC, datetime
from sitebuild.engine import bare_build
from sitebuild.layout import Layout
print(bare_build(Layout(), datetime.now(UTC).date()))
"""


def _python(root: Path, *arguments: str) -> str:
    """Runs this Python in `root`, whose packages come first; gives the last line that it printed."""
    done = subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip().splitlines()[-1]


ROWS: dict[str, Callable[[Place, int], Figure]] = {
    "answer_visible": answer_visible,
    "page_kb": page_kb,
    "runtime_mb": runtime_mb,
    "recalc": recalc,
    "call_ms": call_ms,
    "sweep_ms": sweep_ms,
    "tco_ms": tco_ms,
    "monte_carlo_s": monte_carlo_s,
    "stall_ms": stall_ms,
    "build_full": build_full,
}
