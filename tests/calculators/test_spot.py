"""`spot`: published cases, what must hold for any job, and what a reader may type."""

import json
import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import bridge
from calculators.reliability.examples import EXAMPLES
from calculators.reliability.fields import Inputs
from calculators.reliability.plan import make_plan
from calculators.reliability.study import make_study
from catalog.model import Catalog

PRICES = {"spot_price": 1.0, "on_demand_price": 2.5}


@pytest.fixture(autouse=True)
def real(catalog: Catalog) -> None:
    """The real catalog is in the bridge; what hypothesis draws does not carry it along."""
    bridge.use(catalog)


def call(**inputs: Any) -> Any:
    """The answer through the one door."""
    return json.loads(bridge.call("spot", json.dumps(inputs)))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_published_cases_come_back(example: Any, catalog: Catalog) -> None:
    bridge.use(catalog)
    found = call(**example.inputs)["outputs"]
    for name, wanted in example.expected.items():
        assert found[name] == pytest.approx(wanted, rel=example.rel)


JOBS = st.fixed_dictionaries(
    {
        "work_hours": st.floats(1, 1000),
        "interruption_hours": st.floats(0.5, 1000),
        "restart_minutes": st.floats(0, 120),
        "checkpoint_gb": st.floats(0.1, 2000),
        "accelerator_count": st.integers(1, 64),
        "wait_hours": st.floats(0, 6),
    }
)


@given(JOBS)
def test_what_holds_for_any_job(job: dict[str, Any]) -> None:
    found = call(**job, **PRICES)["outputs"]
    assert found["notice"]
    if found["running_hours"] is None:
        assert found["spot_cost"] is None
        assert "never ends" in found["verdict"]
        return
    assert found["running_hours"] >= job["work_hours"]
    assert found["wall_hours"] >= found["running_hours"] * (1 - 1e-12)
    assert 0 < found["goodput_percent"] <= 100
    assert found["spot_cost"] == pytest.approx(found["running_hours"] * job["accelerator_count"], rel=1e-9)
    seldom = call(**job | {"interruption_hours": 2 * job["interruption_hours"]}, **PRICES)["outputs"]
    assert seldom["spot_cost"] <= found["spot_cost"] * (1 + 1e-9)  # more interruptions are never cheaper
    slower = call(**job | {"restart_minutes": job["restart_minutes"] + 5}, **PRICES)["outputs"]["running_hours"]
    assert slower is None or slower >= found["running_hours"] * (1 - 1e-12)


@given(JOBS)
def test_break_evens_put_back_give_equality(job: dict[str, Any]) -> None:
    found = call(**job, **PRICES)["outputs"]
    if (hours := found["break_even_interruption_hours"]) is not None:
        there = call(**job | {"interruption_hours": hours}, **PRICES)["outputs"]
        assert there["spot_cost"] == pytest.approx(there["on_demand_cost"], rel=1e-9)
    if found["break_even_spot_percent"] is not None:
        share = found["break_even_spot_percent"] / 100 * PRICES["on_demand_price"]
        if share >= 0.0001:
            there = call(**job | PRICES | {"spot_price": share})["outputs"]
            assert there["spot_cost"] == pytest.approx(there["on_demand_cost"], rel=1e-9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (PRICES | {"spot_price": 3.0}, "no, not even"),
        (PRICES, "yes, even if"),
        (PRICES | {"interruption_hours": 0.2, "interruption_hours_low": 0.01}, "no, unless"),
        (PRICES | {"interruption_hours": 2, "interruption_hours_low": 0.1, "spot_price": 2.0}, "yes, unless"),
        ({"interruption_hours": 0.01, "restart_minutes": 60} | PRICES, "never ends"),
        ({"accelerator": "ascend-910b3"}, "a price is missing"),
    ],
)
def test_the_verdict_in_words(catalog: Catalog, changes: dict[str, Any], words: str) -> None:
    bridge.use(catalog)
    assert words in call(**changes)["outputs"]["verdict"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "there is none"), (30, "no: 56 s to save, 30 s"), (120, "yes: 56 s to save, 120 s")]
)
def test_the_notice_in_words(catalog: Catalog, seconds: float, words: str) -> None:
    bridge.use(catalog)
    found = call(notice_seconds=seconds)["outputs"]
    assert words in found["notice"]
    assert (found["notice_running_hours"] is None) == (words[:3] != "yes")


def test_a_price_at_which_spot_never_pays_has_no_break_even(catalog: Catalog) -> None:
    bridge.use(catalog)
    assert call(spot_price=3, on_demand_price=2)["outputs"]["break_even_interruption_hours"] is None


def test_the_study_starts_from_the_answer(catalog: Catalog) -> None:
    bridge.use(catalog)
    for changes in ({}, PRICES, {"interval_minutes": 20.0}, {"accelerator": "rtx-4090-24g", "currency": "CNY"}):
        inputs = Inputs(**changes)
        plan = make_plan(inputs, catalog)
        if plan.spot is None or plan.on_demand is None:
            continue
        made = make_study(plan)
        costs = made.evaluate(made.base())
        assert costs[0] == pytest.approx(plan.cost(plan.spot, plan.base), rel=1e-9)
        assert costs[1] == pytest.approx(plan.cost(plan.on_demand, plan.on_demand_running), rel=1e-9)
        corners = product(*((v.low, v.high) for v in made.variables))
        assert all(math.isfinite(cost) for corner in corners for cost in made.evaluate(corner))


@pytest.mark.parametrize("suggestion", range(4))
def test_suggestions_do_what_they_say(catalog: Catalog, suggestion: int) -> None:
    bridge.use(catalog)
    start = {"interval_minutes": 600, "notice_seconds": 30} | PRICES
    before = call(**start)
    given = before["suggestions"]
    assert len(given) > suggestion
    after = call(**start | given[suggestion]["change"])
    assert after["outputs"]["running_hours"] < before["outputs"]["running_hours"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("work_hours", 0),
        ("interruption_hours", 0),
        ("checkpoint_gb", -1),
        ("accelerator_count", 1.5),
        ("interval_minutes", "often"),
    ],
)
def test_bad_inputs_name_their_field(catalog: Catalog, field: str, value: Any) -> None:
    bridge.use(catalog)
    assert [e["field"] for e in call(**{field: value})["error"]["fields"]] == [field]
