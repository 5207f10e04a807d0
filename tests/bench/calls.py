"""What calls cost: one fresh answer of each calculator on this Python, and a sweep of a thousand points in a page.

In: a `Place`, how many runs. Out: figures in ms. Goals: `call_ms` of vram-inference 5, `sweep_ms` 300.
"""

import json
import subprocess
import sys
from statistics import median

from calculators import bridge
from sitebuild.python_assets.pin import ROOT
from tests.bench.figures import Figure
from tests.bench.place import Place
from tests.bench.visits import Setting, Visit, session

POINTS = 1000
SWEPT = "vram-inference"


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
    probe = task.probe() | {"sweeps": asked}
    found = session(place.server, Setting(), [Visit(place.page(place.tasks.index(task)), probe, settle=0)])
    for told, points in zip(found[0].result["sweeps"], expected, strict=True):
        if _points(told["answer"]) != points:
            raise RuntimeError("the page's sweep is not what this Python computes")
    return Figure([told["ms"] for told in found[0].result["sweeps"]], "ms")


def _sweep(n: int) -> dict[str, object]:
    return {"lang": "en", "sweep": {"field": "context", "values": [1024 + n + 64 * i for i in range(POINTS)]}}


def _points(answer: dict[str, dict[str, dict[str, list[float]]]]) -> tuple[int, float]:
    """How many, and the first."""
    curve = answer["sweep"]["outputs"]["per_gpu_gib_high"]
    return len(curve), float(f"{curve[0]:.12g}")
