"""A long run through the bridge: in steps or at once, the same answer; a new one takes its place."""

import json
from typing import Any

import pytest

from calculators import bridge, registry
from catalog.model import Catalog
from tests.calculators.uncertainty import tiny


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    bridge.use(catalog)
    real = registry.find
    monkeypatch.setattr(registry, "find", lambda id: tiny.CALCULATOR if id == "tiny" else real(id))


def ask(**request: Any) -> Any:
    return json.loads(bridge.call("tiny", json.dumps(request)))


def run_to_the_end(at_once: int, **inputs: Any) -> Any:
    begun = ask(simulate="begin", **inputs)["simulation"]
    told = [begun["done"]]
    while True:
        data = ask(simulate={"run": begun["run"], "draws": at_once}, **inputs)
        if "outputs" in data:
            return told, data
        told.append(data["simulation"]["done"])
        assert data["simulation"]["of"] == begun["of"]


@pytest.mark.parametrize("at_once", [1, 250, 999, 10_000, 50_000])
def test_steps_of_any_size_come_to_the_answer_made_at_once(at_once: int) -> None:
    inputs = {"draws": 700 if at_once == 1 else 10_000, "seed": 5}
    told, found = run_to_the_end(at_once, **inputs)
    assert told == sorted(told)
    assert found["simulation"] == {"draws": inputs["draws"], "seed": 5, "of": inputs["draws"]}
    ask(simulate="begin")  # takes the place of what was kept
    assert ask(simulate=True, **inputs) == found


def test_the_answer_at_once_rests_on_few_and_the_long_run_on_all() -> None:
    quick, long = ask(), ask(simulate=True)
    assert (quick["simulation"]["draws"], long["simulation"]["draws"]) == (200, 10_000)
    assert quick["outputs"] != long["outputs"]
    assert [t["id"] for t in quick["tables"]] == [t["id"] for t in long["tables"]]
    assert long["outputs"]["rent"] == next(t for t in long["tables"] if t["id"] == "draws")["rows"][0]["p50"]
    assert ask(simulate=False) == quick


def test_a_finished_run_is_at_hand_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ask(simulate=True, seed=3)
    monkeypatch.setattr("calculators.uncertainty.longrun._begin", lambda *_: pytest.fail("drawn again"))
    assert json.loads(ask(simulate=True, seed=3, export="json")["export"]["text"]) == found


def test_a_run_that_is_over_or_another_s_is_refused() -> None:
    first = ask(simulate="begin")["simulation"]["run"]
    second = ask(simulate="begin")["simulation"]["run"]
    assert second != first
    for request in (
        {"simulate": {"run": first, "draws": 10}},
        {"simulate": {"run": second, "draws": 10}, "hours": 600},
    ):
        assert ask(**request)["error"]["fields"][0]["field"] == "simulate"


@pytest.mark.parametrize("bad", ["go", 1, [], {}, {"run": 1}, {"run": True, "draws": 1}, {"run": 1, "draws": "x"}])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_no_run_is_told_how_to_write(bad: Any, lang: str) -> None:
    error = ask(simulate=bad, lang=lang)["error"]
    assert error["code"] == "bad-input"
    assert "begin" in error["fields"][0]["message"]


def test_a_calculator_without_a_study_says_so() -> None:
    data = json.loads(bridge.call("vram-inference", json.dumps({"simulate": True})))
    assert data["error"]["fields"][0]["field"] == "simulate"


def test_a_step_of_nothing_or_less_still_goes_on() -> None:
    run = ask(simulate="begin", draws=3)["simulation"]["run"]
    done = [ask(simulate={"run": run, "draws": n}, draws=3) for n in (0, -5, 1)]
    assert [d["simulation"].get("done") for d in done] == [1, 2, None]
