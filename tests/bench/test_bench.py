"""The bench runs and its file has the shape that is promised; no test here asserts a time.

In: the built site. Out: a run of the two quickest rows, and of the parts that turn measurements into figures.
"""

import json
import threading
import time
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

import pytest

from catalog.model import Catalog
from tests.bench import __main__ as bench
from tests.bench.figures import Figure, ratio
from tests.bench.server import SCRIPTS_OFF, Line, Sent, Server
from tests.bench.task import NoTask, find

DESIGNED = {
    "start_cold", "start_warm", "start_next_page", "start_slow_line", "start_slow_cpu", "start_cold_firefox", "start_file",
    "start_file_firefox", "answer_visible", "page_kb", "runtime_mb", "recalc", "call_ms", "sweep_ms",
    "tco_ms", "monte_carlo_s", "stall_ms", "build_full",
}  # fmt: skip


def test_every_row_has_a_measurement() -> None:
    assert set(bench.KEYS) == DESIGNED
    assert len(bench.KEYS) == len(DESIGNED)


def test_a_small_run_writes_the_promised_shape(tmp_path: Path, chromium: str, built_site: Path) -> None:
    out = tmp_path / "bench.json"
    assert bench.main(["--runs", "1", "--only", "page_kb,recalc", "--no-build", "--out", str(out)]) == 0
    told = json.loads(out.read_text("utf-8"))
    assert set(told["figures"]) == {"page_kb", "recalc"}
    for figure in told["figures"].values():
        assert figure["median"] == pytest.approx(median(figure["samples"]), rel=1e-3)
        assert figure["samples"]
        assert figure["unit"]
    assert set(told["figures"]["recalc"]["parts"]) == {"ours_ms", "plain_ms"}
    assert told["machine"]["cpu"]
    assert told["machine"]["cores"] >= 1
    for name in ("chromium", "firefox", "python", "node", "pyodide", "guide", "catalog"):
        assert told["versions"][name], name


def test_an_unknown_row_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["--only", "start_hot"])
    assert "start_hot is none of" in capsys.readouterr().err


def test_ratio_is_taken_pair_by_pair() -> None:
    figure = ratio([1.0, 3.0, 2.0], [2.0, 3.0, 8.0])
    assert list(figure.samples) == [0.5, 1.0, 0.25]
    assert figure.data() == {
        "median": 0.5,
        "samples": [0.5, 1.0, 0.25],
        "unit": "ratio",
        "parts": {"ours_ms": [1.0, 3.0, 2.0], "plain_ms": [2.0, 3.0, 8.0]},
    }
    assert Figure([1.23456], "KB").data() == {"median": 1.235, "samples": [1.235], "unit": "KB"}


@pytest.mark.parametrize("id", ["vram-inference", "rent-or-buy"])
def test_each_step_of_a_task_has_its_own_answer(id: str, catalog: Catalog) -> None:
    task = find(id, catalog, 4)
    answers = [expect for _, expect in task.steps]
    assert len(set(answers)) == len(answers) == 4
    assert task.probe(3, ticks=True)["more"] == [{"value": v, "expect": e} for v, e in task.steps[1:3]]


def test_no_task_without_a_calculator(catalog: Catalog) -> None:
    with pytest.raises(NoTask):
        find("no-such-calculator", catalog, 2)


def test_the_server_counts_slows_and_silences_scripts(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>" + "x" * 100 + "</p>", "utf-8")
    (tmp_path / "big.bin").write_bytes(bytes(range(256)) * 400)
    with Server(tmp_path).running() as server:
        server.warm(["*"])
        with urlopen(f"{server.origin}/page.html?{SCRIPTS_OFF}") as answer:  # noqa: S310 - the server above
            body = answer.read()
            assert answer.headers["Content-Security-Policy"] == "script-src 'none'"
        sent = _taken(server)
        assert sent.path.startswith("/page.html")
        assert sent.bytes > len(body)
        server.line = Line(mbps=8, rtt_ms=50)
        begun = time.perf_counter()
        with urlopen(Request(f"{server.origin}/big.bin")) as answer:  # noqa: S310 - the server above
            answer.read()
        assert time.perf_counter() - begun >= 0.050 + 0.9 * 102_400 * 8 / 8e6
        assert _taken(server).bytes > 102_400


def _taken(server: Server) -> Sent:
    """The one request; the server's thread notes it just after the last byte has left."""
    for _ in range(200):
        if sent := server.take():
            return sent[0]
        threading.Event().wait(0.01)
    raise AssertionError("nothing was noted")
