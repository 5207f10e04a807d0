"""Many values of one field in one request: the same numbers as single answers."""

import json
from typing import Any

import pytest

from calculators import bridge, registry
from catalog.model import Catalog


def sweep(id: str, field: Any, values: Any, **inputs: Any) -> dict[str, Any]:
    """The response to a sweep."""
    found: dict[str, Any] = json.loads(bridge.call(id, json.dumps({**inputs, "sweep": {"field": field, "values": values}})))
    return found


@pytest.mark.parametrize("field", ["context", "batch"])
def test_points_equal_single_answers(field: str, catalog: Catalog) -> None:
    values = [1, 16, 1000, 4000]
    curves = sweep("vram-inference", field, values, model="gemma-3-27b")["sweep"]["outputs"]
    for i, value in enumerate(values):
        single = json.loads(bridge.call("vram-inference", json.dumps({"model": "gemma-3-27b", field: value})))
        assert [curves["per_gpu_gib_low"][i], curves["per_gpu_gib_high"][i]] == single["ranges"]["per_gpu_gib"]
        assert curves["kv_per_gpu_gib"][i] == single["outputs"]["kv_per_gpu_gib"]


def test_a_calculator_without_its_own_sweep_runs_whole_answers(catalog: Catalog) -> None:
    curves = sweep("rent-or-buy", "hours_per_month", [100, 500])["sweep"]["outputs"]
    for i, hours in enumerate((100, 500)):
        single = json.loads(bridge.call("rent-or-buy", json.dumps({"hours_per_month": hours})))["outputs"]
        for name, points in curves.items():
            assert points[i] == single[name]


BAD: list[tuple[Any, str]] = [
    ({"field": "model", "values": [1]}, "Sweep a number"),
    ({"field": "nothing", "values": [1]}, "Sweep a number"),
    ({"field": "context", "values": []}, "Give 1 to 10,000 values"),
    ({"field": "context", "values": [1] * 10_001}, "Give 1 to 10,000 values"),
    ({"field": "context", "values": [0]}, "Too small"),
    ({"field": "context", "values": ["x"]}, "not a number"),
    ({"field": "tensor_parallel", "values": [1] * 201}, "At most 200 values"),
    ({"field": "context"}, "A sweep is"),
    ([1, 2], "A sweep is"),
]


@pytest.mark.parametrize(("asked", "message"), BAD, ids=range(len(BAD)))
def test_a_sweep_that_cannot_be_used(asked: Any, message: str, catalog: Catalog) -> None:
    error = json.loads(bridge.call("vram-inference", json.dumps({"sweep": asked})))["error"]
    assert error["fields"][0]["field"] == "sweep"
    assert message in error["fields"][0]["message"]


@pytest.mark.parametrize("id", registry.ids())
def test_every_calculator_sweeps_each_of_its_numbers(id: str, catalog: Catalog) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    defaults = calculator.defaults()
    for name, spec in calculator.fields().items():
        if spec.type in ("int", "float") and defaults[name] is not None:
            found = sweep(id, name, [defaults[name]])
            assert found["sweep"]["outputs"], name
