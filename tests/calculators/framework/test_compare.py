"""Scenarios side by side: what differs, what comes out, and what is wrong with one of them."""

import dataclasses
import json
from typing import Any

import pytest

from calculators import bridge, registry
from calculators.framework import compare
from calculators.framework.spec import Answer, Working
from catalog.model import Catalog

pytestmark = pytest.mark.usefixtures("catalog")


def ask(others: Any, **request: Any) -> Any:
    return json.loads(bridge.call("rent-or-buy", json.dumps({"compare": others, **request})))


def test_only_inputs_that_differ_are_shown_and_all_results_that_there_are() -> None:
    found = ask([{"horizon_months": 12}, {"horizon_months": 12, "hours_per_month": 100}])["compare"]
    assert found["differing"] == ["hours_per_month", "horizon_months"]
    plain = [json.loads(bridge.call("rent-or-buy", json.dumps(i))) for i in ({}, {"horizon_months": 12})]
    assert found["scenarios"][0]["inputs"] == plain[0]["inputs"]
    assert found["scenarios"][1]["outputs"]["hourly_total"] == plain[1]["outputs"]["hourly_total"]
    assert found["html"].count('data-action="remove-scenario"') == 2
    assert "500.0 h/month" in found["html"] or "500 h/month" in found["html"]
    assert "By the hour: total" in found["html"]
    assert "By the month: total" not in found["html"]  # nobody sells this card by the month


@pytest.mark.parametrize(("lang", "words"), [("en", "All inputs are the same"), ("zh", "各方案输入相同")])
def test_the_same_twice_says_what_to_do(lang: str, words: str) -> None:
    assert words in ask([{}], lang=lang)["compare"]["html"]


def test_a_scenario_that_cannot_be_used_keeps_its_place_and_its_reason() -> None:
    found = ask([{"horizon_months": "many"}, {"horizon_months": 24}])["compare"]
    assert "error" in found["scenarios"][1]
    assert found["scenarios"][2]["outputs"]
    assert found["scenarios"][1]["error"] in found["html"]


def test_percent_is_shown_in_one_currency_only() -> None:
    assert "%</small>" in ask([{"horizon_months": 12}])["compare"]["html"]
    mixed = ask([{"currency": "USD", "accelerator": "h100-sxm"}], accelerator="h100-sxm")["compare"]["html"]
    assert "different currencies" in mixed


@pytest.mark.parametrize("bad", [[], {}, "x", [1], [{}] * (compare.MOST + 1)])
def test_what_is_no_list_of_scenarios_is_refused(bad: Any) -> None:
    assert ask(bad)["error"]["fields"][0]["field"] == "compare"


def test_what_is_known_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ask([{"horizon_months": 12}])
    computed: list[object] = []
    calculator = registry.find("rent-or-buy")
    assert calculator is not None

    def counting(inputs: Any, catalog: Catalog, working: Working) -> Answer:
        computed.append(inputs)
        return calculator.compute(inputs, catalog, working)

    counted = dataclasses.replace(calculator, compute=counting)
    monkeypatch.setattr(registry, "find", lambda _: counted)
    ask([{"horizon_months": 12}], horizon_months=13)
    assert len(computed) == 1


def test_html_is_escaped() -> None:
    data = json.loads(bridge.call("model-params", json.dumps({"compare": [{"config": "<img src=x>"}]})))
    assert "<img" not in data["compare"]["html"]
