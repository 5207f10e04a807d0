"""What calls cost: one fresh answer of each calculator on this Python; in a page a sweep, an answer with draws, a long run.

In: a `Place`, how many runs. Out: figures in ms or s. Goals: `call_ms` of vram-inference 5, `sweep_ms` 300, `tco_ms` 75, `monte_carlo_s` 1.5.
"""

import json
import subprocess
import sys
from statistics import median
from typing import Any

from calculators import bridge, registry
from calculators.framework.validate import check
from sitebuild.python_assets.pin import ROOT
from tests.bench.figures import Figure
from tests.bench.place import STEPS, Place
from tests.bench.task import find
from tests.bench.visits import Setting, Visit, session

POINTS = 1000
SWEPT = "vram-inference"
DRAWN = "tco"
LONG_RUN = 10_000


def call_ms(place: Place, runs: int) -> Figure:
    """One fresh call of `calculators.bridge.call` on this Python, for the calculator that takes longest. Goal for vram-inference: 5.

    Each run is a process of its own that asks every calculator for the catalog's largest model and for its own default one, a
    changed value each time, as a page asks: nothing is remembered from the same inputs. A sample is the largest of the
    medians; `parts` hold each one's medians, `worst` its slowest call, which also reads the model for the first time.
    """
    medians: dict[str, list[float]] = {}
    worst: dict[str, list[float]] = {}
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.fresh"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"tests.bench.fresh\n{done.stdout}{done.stderr}")
        for id, times in json.loads(done.stdout).items():
            medians.setdefault(id, []).append(median(times))
            worst.setdefault(id, []).append(max(times))
    return Figure([max(run) for run in zip(*medians.values(), strict=True)], "ms", {**medians, "worst": worst})


def sweep_ms(place: Place, runs: int) -> Figure:
    """A thousand contexts of vram-inference in one request in a live page: from the message to the worker to the answer. Goal: 300.

    The page's own `gpuguide.runtime.call` sends it with the key `sweep`; each sample asks for other contexts. The answer must
    have every point, and its first one must be this Python's.
    """
    task = next(t for t in place.tasks if t.id == SWEPT)
    asked = [_sweep(n) for n in range(runs)]
    expected = [_points(json.loads(bridge.call(SWEPT, json.dumps(request)))) for request in asked]
    probe = task.probe() | {"requests": asked}
    found = session(place.server, Setting(), [Visit(place.page(place.tasks.index(task)), probe, settle=0)])
    for told, points in zip(found[0].result["requests"], expected, strict=True):
        if _points(told["answer"]) != points:
            raise RuntimeError("the page's sweep is not what this Python computes")
    return Figure([told["ms"] for told in found[0].result["requests"]], "ms")


def _sweep(n: int) -> dict[str, object]:
    return {"lang": "en", "sweep": {"field": "context", "values": [1024 + n + 64 * i for i in range(POINTS)]}}


def _points(answer: dict[str, dict[str, dict[str, list[float]]]]) -> tuple[int, float]:
    """How many, and the first."""
    curve = answer["sweep"]["outputs"]["per_gpu_gib_high"]
    return len(curve), float(f"{curve[0]:.12g}")


def tco_ms(place: Place, runs: int) -> Figure:
    """One answer of tco in a live page, its few hundred draws included: from the message to the worker to the answer. Goal: 75.

    Each asks for another value of an input, with the view that a page shows; its outputs must be this Python's.
    """
    task = find(DRAWN, place.catalog, STEPS)
    asked = [json.loads(task.request(step)) for step in range(1, STEPS)] * max(1, runs // 5)
    found = session(place.server, Setting(), [Visit(_page(place), task.probe() | {"requests": asked}, settle=0)])
    told = found[0].result["requests"]
    for one, (_, expected) in zip(told, task.steps[1:], strict=False):
        if not _same(one["answer"]["outputs"][task.output], expected):
            raise RuntimeError("the page's answer is not what this Python computes")
    return Figure([one["ms"] for one in told], "ms")


def monte_carlo_s(place: Place, runs: int) -> Figure:
    """Ten thousand draws of tco in a live page: from the press of the button until the answer that rests on them stands there.

    Goal: 1.5. Of the calculator's presets and examples the one with the most variables and options is run. The progress that is told on the way, the tables and the parts of the page are in it. An output that depends on
    the draws must be this Python's, all of them made at once.
    """
    task = find(DRAWN, place.catalog, STEPS)
    change = _widest(place)
    few = json.loads(bridge.call(DRAWN, json.dumps(change)))
    answer = json.loads(bridge.call(DRAWN, json.dumps(change | {"simulate": True})))
    if answer["simulation"]["draws"] != LONG_RUN:
        raise RuntimeError(f"the long run is {answer['simulation']['draws']} draws, not {LONG_RUN}")
    drawn = next(n for n, v in answer["outputs"].items() if isinstance(v, float) and v != few["outputs"][n])
    probe = task.probe() | {"runs": runs, "change": change, "drawn": drawn}
    found = session(place.server, Setting(), [Visit(_page(place), probe, settle=0)])
    for told in found[0].result["runs"]:
        if f"{LONG_RUN:,}" not in told["said"] or not _same(told["shown"], answer["outputs"][drawn]):
            raise RuntimeError(f"the page's long run is not what this Python draws: {told}")
    return Figure([told["ms"] / 1e3 for told in found[0].result["runs"]], "s")


def _widest(place: Place) -> dict[str, Any]:
    """The inputs whose draws are the most work."""
    calculator = registry.find(DRAWN)
    if calculator is None or calculator.study is None:
        raise RuntimeError(f"{DRAWN} draws nothing")
    sizes = []
    for change in ({}, *(dict(p.change) for p in calculator.presets), *(dict(e.inputs) for e in calculator.examples)):
        study = calculator.study(check(calculator, change, place.catalog), place.catalog)
        if study.asked == LONG_RUN:
            sizes.append((len(study.variables) * len(study.options), change))
    return max(sizes, key=lambda size: size[0])[1]


def _page(place: Place) -> str:
    return f"{place.server.origin}/calculators/{DRAWN}/"


def _same(one: float, other: float) -> bool:
    """Equal to nine significant digits: the math libraries of both differ in the last bits."""
    return f"{one:.9g}" == f"{other:.9g}"
