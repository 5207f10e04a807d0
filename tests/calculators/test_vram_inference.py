"""Inference memory through the door that pages use: fits, suggestions that hold, and properties of the sum."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.memory.weights import WEIGHT_FORMATS
from catalog import load
from catalog.model import Catalog

MODELS = tuple(load.load().models)
PARTS = ("weights_per_gpu_gib", "kv_per_gpu_gib")


def call(**inputs: Any) -> dict[str, Any]:
    """One answer; fails the test on an error."""
    data: dict[str, Any] = json.loads(bridge.call("vram-inference", json.dumps(inputs)))
    assert "outputs" in data, data["error"]
    return data


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_computed(model: str, catalog: Catalog) -> None:
    found = call(model=model)["outputs"]
    assert found["parameters"] > 1e8
    assert found["weights_gib"] == pytest.approx(found["parameters"] * 2 / 2**30, rel=0.12)


@pytest.mark.parametrize("format_id", [f for f in WEIGHT_FORMATS if WEIGHT_FORMATS[f].block != "gguf"])
def test_every_hugging_face_format_is_computed(format_id: str, catalog: Catalog) -> None:
    assert call(weight_format=format_id)["outputs"]["weights_gib"] > 0


@pytest.mark.parametrize("format_id", [f for f in WEIGHT_FORMATS if WEIGHT_FORMATS[f].block == "gguf"])
def test_every_gguf_type_is_computed_with_llama_cpp(format_id: str, catalog: Catalog) -> None:
    data = call(weight_format=format_id)
    assert 0 < data["outputs"]["weights_gib"] < 20
    assert "llama.cpp" in data["notes"][-1]


SITUATIONS = [
    ("8B on a 24 GB card", {}, "yes, even at the high end"),
    ("70B in BF16 on a 24 GB card", {"model": "llama-3-3-70b"}, "no"),
    ("70B in BF16 on one 80 GB card", {"model": "llama-3-3-70b", "accelerator": "h100-sxm"}, "no"),
    ("70B in BF16 on four 80 GB cards", {"model": "llama-3-3-70b", "accelerator": "h100-sxm", "tensor_parallel": 4}, "yes, even at the high end"),
    ("70B as Q4_K_M on a 48 GB card", {"model": "llama-3-3-70b", "weight_format": "q4_k_m", "accelerator": "l40s", "usable_percent": 98}, "yes, even at the high end"),
    ("several 7B models on 24 GB in FP16", {"model": "qwen2-5-7b", "batch": 64}, "no"),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "verdict"), [s[1:] for s in SITUATIONS], ids=[s[0] for s in SITUATIONS])
def test_verdict(inputs: dict[str, Any], verdict: str, catalog: Catalog) -> None:
    assert call(**inputs)["outputs"]["verdict"] == verdict


NOT_FITTING: list[dict[str, Any]] = [
    {"batch": 20},
    {"context": 131072},
    {"model": "llama-3-3-70b"},
    {"model": "qwen2-5-32b", "accelerator": "h100-sxm", "batch": 32},
    {"model": "qwen2-5-32b", "weight_format": "q8_0"},
    {"model": "deepseek-v3"},
    {"model": "llama-3-3-70b", "batch": 100, "accelerator": "h100-sxm"},
]


@pytest.mark.parametrize("inputs", NOT_FITTING, ids=lambda i: "-".join(str(v) for v in i.values()))
def test_suggestions_are_proven_and_smallest(inputs: dict[str, Any], catalog: Catalog) -> None:
    data = call(**inputs)
    assert data["outputs"]["verdict"] != "yes, even at the high end"
    assert data["suggestions"], "nothing is suggested"
    for suggestion in data["suggestions"]:
        changed = {**inputs, **suggestion["change"]}
        assert call(**changed)["outputs"]["verdict"] == "yes, even at the high end", suggestion["title"]
        for field in ("context", "batch"):
            if field in suggestion["change"]:
                step = 16 if field == "context" else 1
                larger = {**changed, field: suggestion["change"][field] + step}
                assert call(**larger)["outputs"]["verdict"] != "yes, even at the high end", "a smaller change would do"


def test_largest_context_and_batch_are_the_edge(catalog: Catalog) -> None:
    for field, output, step in (("context", "largest_context", 16), ("batch", "largest_batch", 1)):
        most = call()["outputs"][output]
        assert call(**{field: most})["outputs"]["verdict"] == "yes, even at the high end"
        assert call(**{field: most + step})["outputs"]["verdict"] != "yes, even at the high end"


def test_cards_are_sorted_by_price_and_all_hold_it(catalog: Catalog) -> None:
    table = next(t for t in call(model="qwen2-5-32b")["tables"] if t["id"] == "cards")
    prices = [row["price"] for row in table["rows"]]
    known = [p for p in prices if p is not None]
    assert len(known) >= 10
    assert known == sorted(known)
    assert prices[len(known) :] == [None] * (len(prices) - len(known))
    for row in table["rows"][:12]:
        found = call(model="qwen2-5-32b", accelerator=row["card"], tensor_parallel=row["gpus"])["outputs"]
        assert found["verdict"] != "no"
        assert row["price"] is None or found["price_per_hour"] == pytest.approx(row["price"])


def test_two_3090_or_one_4090_can_be_read_off(catalog: Catalog) -> None:
    """The readers' own question: both cards stand in the table with count, price and speed."""
    table = next(t for t in call(model="qwen2-5-14b", currency="CNY")["tables"] if t["id"] == "cards")
    rows = {row["card"]: row for row in table["rows"]}
    for card in ("rtx-3090", "rtx-4090-24g"):
        assert rows[card]["gpus"] == 2
        assert rows[card]["price"] > 0
        assert rows[card]["speed"] > 0


def test_price_that_nobody_stated_is_absent(catalog: Catalog) -> None:
    unpriced = next(a for a in catalog.accelerators if not any(o.accelerator == a for o in catalog.offers.values()))
    data = call(accelerator=unpriced)
    assert data["outputs"]["price_per_hour"] is None


def test_mla_expanded_is_seventy_one_times_the_latent(catalog: Catalog) -> None:
    latent, expanded = (
        call(model="deepseek-v3", mla_expanded=switch, accelerator="h200-sxm")["outputs"]["kv_bytes_per_token"]
        for switch in (False, True)
    )
    assert expanded / latent == pytest.approx(71.1, abs=0.05)


SMALL = st.fixed_dictionaries(
    {
        "model": st.sampled_from(MODELS),
        "context": st.integers(1, 300_000),
        "batch": st.integers(1, 300),
        "tensor_parallel": st.sampled_from([1, 2]),
        "engine": st.sampled_from(["vllm", "sglang", "llama.cpp"]),
    }
)


def runs(inputs: dict[str, Any]) -> dict[str, Any] | None:
    """Outputs and ranges, or None for a combination that no engine runs."""
    data: dict[str, Any] = json.loads(bridge.call("vram-inference", json.dumps(inputs)))
    return {**data["outputs"], "range": data["ranges"]["per_gpu_gib"]} if "outputs" in data else None


@pytest.mark.usefixtures("catalog")
@settings(max_examples=60, deadline=None)
@given(inputs=SMALL)
def test_sum_of_the_parts_is_the_whole(inputs: dict[str, Any]) -> None:
    data = json.loads(bridge.call("vram-inference", json.dumps(inputs)))
    if "error" in data:
        return
    rows = next(t for t in data["tables"] if t["id"] == "parts")["rows"]
    for end in ("low", "high"):
        assert sum(r[end] for r in rows[:-1]) == pytest.approx(rows[-1][end])


@pytest.mark.usefixtures("catalog")
@settings(max_examples=60, deadline=None)
@given(inputs=SMALL, field=st.sampled_from(["context", "batch"]))
def test_more_tokens_never_need_less(inputs: dict[str, Any], field: str) -> None:
    now = runs(inputs)
    more = runs({**inputs, field: inputs[field] + 1})
    if now is None or more is None:
        return
    assert more["range"][0] >= now["range"][0] - 1e-9
    assert more["range"][1] >= now["range"][1] - 1e-9


@pytest.mark.usefixtures("catalog")
@settings(max_examples=60, deadline=None)
@given(inputs=SMALL)
def test_sharding_never_adds_weights_or_cache(inputs: dict[str, Any]) -> None:
    one, two = runs({**inputs, "tensor_parallel": 1}), runs({**inputs, "tensor_parallel": 2})
    if one is None or two is None:
        return
    for part in PARTS:
        assert two[part] <= one[part] + 1e-9
