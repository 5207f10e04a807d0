"""Every topic of cost has a published case that enters a whole calculator as inputs and is checked on its outputs.

An expression over one function proves that function; these prove the calculators that a reader uses.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest

from calculators import bridge, registry
from calculators.framework.spec import Example
from catalog.model import Catalog

PUBLISHED = re.compile(r"https?://|arXiv|GPU服务器选购指南|CBRE|DeepSeek|Daly|Young")
"""What a source of a published case names; arithmetic of our own does not."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What makes an example one of this topic: one of these inputs entered, one of these outputs checked."""

    calculator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


TOPICS = {
    "on demand": Topic("tco", ("hourly_price",), ("on_demand_total", "on_demand_per_useful_hour", "on_demand_month")),
    "by the month": Topic("tco", ("monthly_price",), ("monthly_total", "monthly_per_useful_hour")),
    "reserved": Topic("tco", ("reserved_price", "reserved_discount_percent"), ("reserved_total", "reserved_per_useful_hour")),
    "bare metal": Topic("tco", ("bare_metal_price",), ("bare_metal_total", "bare_metal_month")),
    "spot as a way to rent": Topic("tco", ("spot_price", "spot_percent"), ("spot_total", "spot_per_useful_hour")),
    "purchase": Topic("tco", ("capex_per_accelerator", "card_price"), ("purchase_total", "capex_total", "purchase_eac")),
    "second-hand": Topic("tco", ("used_price_per_accelerator",), ("used_total", "used_per_useful_hour")),
    "billing step": Topic("tco", ("billing_step",), ("on_demand_total",)),
    "storage and goodput": Topic("tco", ("storage_tb",), ("on_demand_total",)),
    "depreciation": Topic("tco", ("book_life_years",), ("depreciation_first_year",)),
    "residual value": Topic("tco", ("residual_percent",), ("resale_total",)),
    "power": Topic("tco", ("kw_per_accelerator",), ("electricity_per_year",)),
    "colocation": Topic("tco", ("colo_per_kw_month",), ("colo_per_year",)),
    "break-even of rents": Topic(
        "tco",
        ("bare_metal_price", "monthly_price", "reserved_price"),
        ("break_even_hours_bare_metal", "break_even_hours_month", "break_even_hours_reserved"),
    ),
    "break-even of buying: hours": Topic("tco", ("card_price", "capex_per_accelerator"), ("break_even_hours_purchase",)),
    "break-even of buying: use": Topic("tco", ("card_price", "capex_per_accelerator"), ("break_even_utilisation_percent",)),
    "break-even of buying: price": Topic("tco", ("card_price", "capex_per_accelerator"), ("break_even_price",)),
    "break-even of buying: month": Topic("tco", ("card_price", "capex_per_accelerator"), ("break_even_month",)),
    "per useful hour": Topic("tco", ("hourly_price", "card_price"), ("purchase_per_useful_hour", "on_demand_per_useful_hour")),
    "per TFLOPS and month": Topic("tco", ("tflops",), ("per_tflops_month",)),
    "per million tokens": Topic("tco", ("tokens_per_second",), ("per_million_tokens",)),
    "per training run": Topic("tco", ("run_gpu_hours",), ("per_run",)),
    "interruptions": Topic("spot", ("gpu_failure_hours",), ("job_mtbi_hours",)),
    "checkpoint interval": Topic(
        "spot", ("checkpoint_seconds",), ("daly_first_minutes", "young_minutes", "availability_minutes")
    ),
    "checkpoint tax": Topic("spot", ("checkpoint_seconds",), ("checkpoint_share_percent",)),
    "power of a server at the meter": Topic("power-cooling", ("server_kw",), ("facility_kw", "cost_per_year")),
    "energy of a year": Topic("power-cooling", ("tariff",), ("cost_per_year",)),
    "carbon": Topic("power-cooling", ("factor",), ("carbon_t_per_year",)),
    "spot price": Topic("spot", ("spot_price",), ("saving_percent", "spot_cost")),
}


def of(topic: Topic) -> list[Example]:
    """The published examples of a topic."""
    calculator = registry.find(topic.calculator)
    assert calculator is not None, f"no calculator {topic.calculator}"
    assert set(topic.inputs) <= set(calculator.fields()), "an input that there is not"
    assert set(topic.outputs) <= set(calculator.results()), "an output that there is not"
    return [
        e
        for e in calculator.examples
        if set(topic.inputs) & set(e.inputs) and set(topic.outputs) & set(e.expected) and PUBLISHED.search(e.source)
    ]


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_has_a_published_case_in_a_whole_calculator(name: str, catalog: Catalog) -> None:
    topic = TOPICS[name]
    found = of(topic)
    assert found, f"no published example of {topic.calculator} enters {topic.inputs} and checks {topic.outputs}"
    for example in found:
        answer: dict[str, Any] = json.loads(bridge.call(topic.calculator, json.dumps(dict(example.inputs))))
        for output in set(topic.outputs) & set(example.expected):
            assert answer["outputs"][output] == pytest.approx(example.expected[output], rel=example.rel), (example.name, output)


@pytest.mark.parametrize("name", TOPICS)
def test_the_case_hangs_on_what_it_enters(name: str, catalog: Catalog) -> None:
    """Another value of an entered input moves the checked output: the example does not pass by accident."""
    topic = TOPICS[name]
    moved = False
    for example in of(topic):
        for field in set(topic.inputs) & set(example.inputs):
            value = example.inputs[field]
            other = _other(topic, field, value)
            answer = json.loads(bridge.call(topic.calculator, json.dumps(dict(example.inputs) | {field: other})))
            for output in set(topic.outputs) & set(example.expected):
                new = answer.get("outputs", {}).get(output)
                moved |= "outputs" in answer and new != pytest.approx(example.expected[output], rel=example.rel)
    assert moved


def _other(topic: Topic, field: str, value: Any) -> Any:
    """A larger number, or another choice, of a field."""
    if isinstance(value, int):
        return value + max(1, value // 2)
    if isinstance(value, float):
        return value * 1.5
    calculator = registry.find(topic.calculator)
    assert calculator is not None
    choices = calculator.fields()[field].choices
    assert isinstance(choices, tuple)
    return next(c.value for c in choices if c.value != value)
