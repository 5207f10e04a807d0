"""Training time through the door that pages use: published runs, targets, suggestions that hold, refusals."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.framework.spec import Example
from calculators.training.time_fields import INSIDE, METHODS, NETWORKS
from calculators.training_time import CALCULATOR
from catalog import load
from catalog.model import Catalog

MODELS = tuple(load.load().models)


def answer(**inputs: Any) -> dict[str, Any]:
    """One answer, an error too."""
    data: dict[str, Any] = json.loads(bridge.call("training-time", json.dumps(inputs)))
    return data


def call(**inputs: Any) -> dict[str, Any]:
    """One answer; fails the test on an error."""
    data = answer(**inputs)
    assert "outputs" in data, data["error"]
    return data


@pytest.mark.parametrize("example", CALCULATOR.examples, ids=lambda e: e.name)
def test_published_run(example: Example, catalog: Catalog) -> None:
    found = call(**example.inputs)["outputs"]
    for name, value in example.expected.items():
        assert isinstance(value, int | float)
        assert found[name] == pytest.approx(value, rel=example.rel)
    assert "https://" in example.source


@pytest.mark.parametrize("preset", CALCULATOR.presets, ids=lambda p: p.id)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_preset_fits_and_says_so(preset: Any, lang: str, catalog: Catalog) -> None:
    data = call(**preset.change, lang=lang, view=True)
    assert data["outputs"]["fits"] in ("yes, even at the high end", "放得下，按上限也够")
    assert data["view"]["parts"]["answer"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("method", METHODS)
def test_every_model_is_computed(model: str, method: str, catalog: Catalog) -> None:
    found = call(model=model, method=method)["outputs"]
    assert found["gpu_hours"] >= found["gpu_hours_at_utilisation"]
    assert 0 < found["mfu"] <= 40


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("inside", INSIDE)
def test_every_link_is_computed(network: str, inside: str, catalog: Catalog) -> None:
    found = call(network=network, inside=inside)["outputs"]
    assert 0 < found["linear_percent"] <= 100 + 1e-9


def test_sixteen_to_sixty_four_cards_for_13b_depend_on_tokens(catalog: Catalog) -> None:
    """The articles' "13B and up: 16-64 cards": with 260B tokens 64 H100 take about ten days, 16 about forty; with 1T a quarter year more."""
    running: dict[str, Any] = {"running_percent": 100}
    middle = {(n, t): call(gpus=n, tokens_billion=t, **running)["outputs"]["days"] for n in (16, 64) for t in (260, 1000)}
    assert middle[64, 260] == pytest.approx(9.3, rel=0.15)
    assert middle[16, 260] == pytest.approx(37, rel=0.15)
    assert middle[64, 1000] == pytest.approx(36, rel=0.15)
    assert middle[16, 1000] == pytest.approx(143, rel=0.15)


def test_measured_speed_replaces_the_model(catalog: Catalog) -> None:
    data = call(measured_rate=4000)
    found = data["outputs"]
    assert found["gpu_hours"] == pytest.approx(260e9 / 4000 / 3600)
    assert data["ranges"]["days"][1] / data["ranges"]["days"][0] == pytest.approx(1.02 / 0.98)
    assert found["waiting_percent"] is None
    assert data["suggestions"] == []


def test_slower_networks_scale_worse(catalog: Catalog) -> None:
    shares = [
        call(network=n, ports=1, gpus=256, micro_batches=2)["outputs"]["linear_percent"]
        for n in ("eth-25", "eth-100", "ib-400")
    ]
    assert shares == sorted(shares)
    assert shares[0] < 60


def test_target_gives_the_fewest_servers(catalog: Catalog) -> None:
    inputs: dict[str, Any] = {"gpus": 8, "target_days": 10, "micro_batches": 256}
    data = call(**inputs)
    wanted = data["outputs"]["gpus_for_target"]
    change = next(s["change"] for s in data["suggestions"] if s["change"].get("gpus") == wanted)
    assert call(**{**inputs, **change})["outputs"]["days"] <= 10
    fewer = wanted - 8
    copies = 256 * 4 * 2 // fewer
    assert call(**{**inputs, "gpus": fewer, "micro_batches": copies})["outputs"]["days"] > 10


WAITING: list[dict[str, Any]] = [
    {"network": "eth-25", "ports": 1, "gpus": 64, "micro_batches": 1},
    {"tensor_parallel": 8, "inside": "pcie4", "micro_batches": 8},
    {"pipeline_parallel": 8, "tensor_parallel": 1, "micro_batches": 8},
    {
        "model": "qwen3-30b-a3b",
        "tensor_parallel": 1,
        "expert_parallel": 8,
        "sharding": "zero3",
        "network": "eth-100",
        "ports": 1,
    },
]


@pytest.mark.parametrize("inputs", WAITING, ids=lambda i: "-".join(str(v) for v in i.values()))
def test_suggestions_against_waiting_are_proven(inputs: dict[str, Any], catalog: Catalog) -> None:
    data = call(**inputs)
    assert data["outputs"]["waiting_percent"] > 10
    assert data["suggestions"], "nothing is suggested"
    for suggestion in data["suggestions"]:
        change = suggestion["change"]
        then = call(**{**inputs, **change})["outputs"]
        if set(change) <= {"network", "ports", "micro_batches", "tensor_parallel", "sharding", "inside"}:
            assert then["waiting_percent"] <= 10
        if set(change) == {"micro_batches"}:
            half = {**inputs, "micro_batches": change["micro_batches"] // 2}
            assert call(**half)["outputs"]["waiting_percent"] > 10, "a smaller change would do"
        if data["outputs"]["fits"].startswith("yes"):
            assert then["fits"].startswith("yes")


def test_few_gpus_are_suggested_where_many_bring_little(catalog: Catalog) -> None:
    inputs: dict[str, Any] = {"gpus": 1024, "micro_batches": 1, "network": "eth-100", "ports": 1}
    data = call(**inputs)
    assert data["outputs"]["linear_percent"] < 80
    change = next(s["change"] for s in data["suggestions"] if s["change"].get("gpus", 1024) < 1024)
    then = call(**{**inputs, **change})["outputs"]
    assert then["linear_percent"] > data["outputs"]["linear_percent"]
    assert then["gpu_hours"] < data["outputs"]["gpu_hours"]


def test_cheaper_card_is_cheaper_and_no_later(catalog: Catalog) -> None:
    inputs: dict[str, Any] = {"accelerator": "a100-80g-sxm"}
    data = call(**inputs)
    change = next(s["change"] for s in data["suggestions"] if "accelerator" in s["change"])
    now, then = data["outputs"], call(**{**inputs, **change})["outputs"]
    assert then["cost"] < now["cost"]
    assert then["days"] <= now["days"]
    rows = next(t for t in data["tables"] if t["id"] == "cards")["rows"]
    costs = [r["cost"] for r in rows if r["cost"] is not None]
    assert len(costs) > 5
    assert costs == sorted(costs)


def test_parts_of_a_step_are_the_step(catalog: Catalog) -> None:
    rows = next(t for t in call(pipeline_parallel=2)["tables"] if t["id"] == "step")["rows"]
    assert sum(r["seconds"] for r in rows[:-1]) == pytest.approx(rows[-1]["seconds"])
    assert sum(r["share"] for r in rows[:-1]) == pytest.approx(100)


def test_cost_and_energy_follow_from_hours(catalog: Catalog) -> None:
    found = call(price_per_gpu_hour=2, running_percent=80, node_factor=1.5, pue=1.2)["outputs"]
    paid = found["gpu_hours"] / 0.8
    assert found["cost"] == pytest.approx(2 * paid)
    assert found["energy_kwh"] == pytest.approx(0.7 * 1.5 * 1.2 * paid)


@pytest.mark.usefixtures("catalog")
@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "model": st.sampled_from(MODELS),
            "tokens_billion": st.floats(1e-6, 1e6),
            "gpus": st.sampled_from([1, 8, 64, 4096]),
            "tensor_parallel": st.sampled_from([1, 2]),
            "sequence": st.integers(1, 2_000_000),
            "micro_batches": st.integers(1, 16_384),
            "network": st.sampled_from(sorted(NETWORKS)),
            "ports": st.integers(1, 72),
            "server_gpus": st.integers(1, 576),
            "link_percent": st.floats(5, 100),
            "mfu_percent": st.floats(1, 100),
        }
    ),
    st.floats(1, 10),
)
def test_more_tokens_take_longer_and_nothing_is_infinite(inputs: dict[str, Any], times: float) -> None:
    now = answer(**inputs)
    if "error" in now:
        return
    then = answer(**{**inputs, "tokens_billion": min(1e6, inputs["tokens_billion"] * times)})
    assert now["outputs"]["gpu_hours"] <= then["outputs"]["gpu_hours"] * (1 + 1e-12)
    assert now["ranges"]["days"][0] <= now["ranges"]["days"][1]


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("no token", {"tokens_billion": 0}, "tokens_billion", "Too small"),
    ("B for billion", {"tokens_billion": "260B"}, "tokens_billion", "Write the number out"),
    ("no GPU", {"gpus": 0}, "gpus", "Too small"),
    ("too many GPUs", {"gpus": 200_000}, "gpus", "Too large"),
    ("more than all of the peak", {"mfu_percent": 101}, "mfu_percent", "Too large"),
    ("a percent sign", {"mfu_percent": "40%"}, "mfu_percent", "percent sign"),
    ("a speed of nothing", {"measured_rate": 0}, "measured_rate", "Too small"),
    ("a PUE below one", {"pue": 0.9}, "pue", "Too small"),
    ("a currency sign", {"price_per_gpu_hour": "$2"}, "price_per_gpu_hour", "currency sign"),
    ("a network of another name", {"network": "ib-300"}, "network", "Did you mean"),
    ("a card of another name", {"accelerator": "h100"}, "accelerator", "not in the list"),
    ("GPUs that do not divide", {"gpus": 63}, "gpus", "Take a multiple of 2"),
    ("heads that do not divide", {"gpus": 63, "tensor_parallel": 3}, "tensor_parallel", "40 attention heads"),
    ("interleaving without a pipeline", {"virtual_stages": 2}, "virtual_stages", "Set this to 1"),
    ("experts of a dense model", {"expert_parallel": 4}, "expert_parallel", "Dense models take 1"),
    ("more stages than layers", {"pipeline_parallel": 64, "gpus": 128}, "pipeline_parallel", "40 layers do not fill"),
    ("a card whose peak nobody states", {"accelerator": "p40"}, "peak_tflops", "Enter one, or a measured speed"),
    ("a precision that the card has not", {"accelerator": "a100-80g-sxm", "precision": "fp8"}, "peak_tflops", "FP8 peak"),
    ("a target of no time", {"target_days": 0}, "target_days", "Too small"),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "field", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(inputs: dict[str, Any], field: str, words: str, catalog: Catalog) -> None:
    for lang in ("en", "zh"):
        error = answer(**inputs, lang=lang)["error"]
        assert error["code"] == "bad-input"
        assert [f["field"] for f in error["fields"]] == [field]
        message = error["fields"][0]["message"]
        assert words in message if lang == "en" else any("\u4e00" <= c <= "\u9fff" for c in message)


def test_a_measured_speed_needs_no_peak(catalog: Catalog) -> None:
    found = call(accelerator="p40", measured_rate=100, gpus=8, tensor_parallel=1)["outputs"]
    assert found["gpu_hours"] == pytest.approx(260e9 / 100 / 3600)
    assert found["mfu"] is None


def test_suggestions_stay_in_range(catalog: Catalog) -> None:
    """Very many GPUs on one small batch: fewer of them would need more micro-batches than the field takes."""
    inputs: dict[str, Any] = {"gpus": 65_536, "micro_batches": 4096, "sharding": "zero3", "network": "eth-10", "ports": 1}
    for suggestion in call(**inputs)["suggestions"]:
        assert "outputs" in answer(**{**inputs, **suggestion["change"]}), suggestion
