"""Training memory through the door that pages use: published runs, fits, suggestions that hold, refusals."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.framework.spec import Example
from calculators.training import plan
from calculators.training.memory_fields import METHODS, OPTIMIZER_NAMES, PRECISION_NAMES, SHARDINGS
from calculators.training.memory_tables import RECIPES
from calculators.vram_training import CALCULATOR
from catalog import load
from catalog.model import Catalog

MODELS = tuple(load.load().models)
YES = "yes, even at the high end"


def answer(**inputs: Any) -> dict[str, Any]:
    """One answer, an error too."""
    data: dict[str, Any] = json.loads(bridge.call("vram-training", json.dumps(inputs)))
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
        assert found[name] == pytest.approx(value, rel=example.rel or 1e-12)
    assert "https://" in example.source


@pytest.mark.parametrize("preset", CALCULATOR.presets, ids=lambda p: p.id)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_preset_fits_and_says_so(preset: Any, lang: str, catalog: Catalog) -> None:
    data = call(**preset.change, lang=lang, view=True)
    assert data["outputs"]["verdict"] in (YES, "放得下，按上限也够")
    assert data["view"]["parts"]["answer"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("method", METHODS)
def test_every_model_and_method_is_computed(model: str, method: str, catalog: Catalog) -> None:
    found = call(model=model, method=method)["outputs"]
    assert 0 < found["trainable"] <= found["parameters"]
    assert found["states_gib"] > 0


@pytest.mark.parametrize("optimizer", OPTIMIZER_NAMES)
@pytest.mark.parametrize("precision", PRECISION_NAMES)
def test_every_optimizer_and_precision_is_computed(optimizer: str, precision: str, catalog: Catalog) -> None:
    found = call(method="full", optimizer=optimizer, precision=precision)["outputs"]
    parts = ("weights_gib", "gradients_gib", "master_gib", "optimizer_gib")
    assert sum(found[p] for p in parts) == pytest.approx(found["states_gib"])


BYTES = [
    ("mixed", "adamw", 16),
    ("megatron", "adamw", 18),
    ("fp32-params", "adamw", 16),
    ("bf16", "adamw", 8),
    ("mixed", "lion", 12),
    ("mixed", "sgd-momentum", 12),
    ("fp8", "adamw", 13),
]


@pytest.mark.parametrize(("precision", "optimizer", "each"), BYTES)
def test_bytes_per_parameter(precision: str, optimizer: str, each: int, catalog: Catalog) -> None:
    found = call(method="full", optimizer=optimizer, precision=precision)["outputs"]
    assert found["states_gib"] * 2**30 / found["parameters"] == pytest.approx(each)


def test_seven_b_full_needs_more_than_a_rule_of_thumb_says(catalog: Catalog) -> None:
    """The articles' "40-64 GB for 3B-7B full" does not hold 16 bytes a parameter: 7.6B take 113 GiB before activations."""
    assert call(model="qwen2-5-7b", method="full")["outputs"]["states_gib"] > 100


def test_deepspeed_estimate_is_shown_where_deepspeed_makes_one(catalog: Catalog) -> None:
    base: dict[str, Any] = {"method": "full", "gpus": 8}
    two = call(**base, sharding="zero2")["outputs"]
    assert two["deepspeed_gib"] == pytest.approx((4 + 16 / 8) * 8030261248 / 2**30)
    three = call(**base, sharding="zero3")["outputs"]
    assert three["deepspeed_gib"] == pytest.approx((18 / 8 * 8030261248 + 4 * 128256 * 4096) / 2**30)
    assert call(**base, sharding="fsdp")["outputs"]["deepspeed_gib"] is None


NOT_FITTING: list[dict[str, Any]] = [
    {"micro_batch": 8},
    {"sequence": 100_000},
    {"recompute": "none", "micro_batch": 4},
    {"method": "full"},
    {"method": "full", "gpus": 8, "sharding": "zero1"},
    {"model": "llama-3-3-70b", "method": "full", "gpus": 8, "sharding": "zero3", "accelerator": "h100-sxm"},
    {"model": "llama-3-3-70b", "method": "lora", "accelerator": "h100-sxm"},
    {"model": "qwen2-5-32b", "method": "qlora"},
    {"model": "qwen3-30b-a3b", "method": "full", "gpus": 8, "sharding": "fsdp"},
    {"model": "deepseek-v3", "method": "full", "objective": "pretrain", "gpus": 64, "sharding": "zero3", "accelerator": "h800-sxm"},
    {"objective": "grpo", "method": "full", "gpus": 8, "sharding": "zero3", "rollout_sequences": 64},
    {"method": "full", "gpus": 64, "sharding": "fsdp", "sequence": 500_000, "accelerator": "h100-sxm"},
    {"model": "deepseek-v3", "method": "full", "precision": "fp8", "sharding": "fsdp", "gpus": 512, "expert_parallel": 32, "pipeline_parallel": 4,
     "micro_batches": 8, "sequence": 160_000, "accelerator": "h800-sxm"},
]  # fmt: skip


def shown(inputs: dict[str, Any]) -> str:
    """A test's name."""
    return "-".join(str(v) for v in inputs.values())


@pytest.mark.parametrize("inputs", NOT_FITTING, ids=shown)
def test_suggestions_are_proven_and_smallest(inputs: dict[str, Any], catalog: Catalog) -> None:
    data = call(**inputs)
    assert data["outputs"]["verdict"] != YES
    assert data["suggestions"], "nothing is suggested"
    for suggestion in data["suggestions"]:
        changed = {**inputs, **suggestion["change"]}
        assert call(**changed)["outputs"]["verdict"] == YES, suggestion["title"]
        for field in ("micro_batch", "sequence"):
            if set(suggestion["change"]) == {field}:
                larger = {**changed, field: suggestion["change"][field] + 1}
                assert call(**larger)["outputs"]["verdict"] != YES, "a smaller change would do"
        if set(suggestion["change"]) == {"gpus"} and suggestion["change"]["gpus"] // 2 > inputs.get("gpus", 1):
            fewer = {**changed, "gpus": suggestion["change"]["gpus"] // 2}
            assert call(**fewer)["outputs"]["verdict"] != YES, "fewer GPUs would do"


def test_what_fits_too_well_gets_less_recomputation_and_a_cheaper_card(catalog: Catalog) -> None:
    inputs: dict[str, Any] = {"accelerator": "h100-sxm", "recompute": "full"}
    found = call(**inputs)["suggestions"]
    assert {"recompute": "none"} in [s["change"] for s in found]
    card = next(s["change"] for s in found if "accelerator" in s["change"])
    now, then = call(**inputs)["outputs"], call(**{**inputs, **card})["outputs"]
    assert then["verdict"] == YES
    assert then["price_per_hour"] < now["price_per_hour"]


def test_largest_micro_batch_and_sequence_are_the_edge(catalog: Catalog) -> None:
    for field, output in (("micro_batch", "largest_micro_batch"), ("sequence", "largest_sequence")):
        most = call(accelerator="l40s")["outputs"][output]
        assert call(accelerator="l40s", **{field: most})["outputs"]["verdict"] == YES
        assert call(accelerator="l40s", **{field: most + 1})["outputs"]["verdict"] != YES


def test_cards_are_sorted_by_price_and_all_hold_it(catalog: Catalog) -> None:
    inputs: dict[str, Any] = {"model": "qwen2-5-14b", "method": "full", "sharding": "zero3", "gpus": 8}
    rows = next(t for t in call(**inputs)["tables"] if t["id"] == "cards")["rows"]
    assert len(rows) > 20
    sure = [row["price"] for row in rows if row["verdict"] == "yes" and row["price"] is not None]
    assert sure == sorted(sure)
    for row in rows[:8]:
        found = call(**{**inputs, "accelerator": row["card"], "gpus": row["gpus"]})["outputs"]
        assert found["verdict"] != "no"
        assert row["price"] is None or found["price_per_hour"] == pytest.approx(row["price"])


def test_recipe_table_agrees_with_single_answers(catalog: Catalog) -> None:
    table = next(t for t in call()["tables"] if t["id"] == "recipes")
    for (_, title, change), row in zip(RECIPES, table["rows"], strict=True):
        assert row["recipe"] == title.en
        for card in ("rtx-4090-24g", "a100-80g-sxm"):
            n = row[card]
            found = call(**change, accelerator=card, gpus=n or 1)["outputs"]
            assert (found["verdict"] == YES) == (n is not None), (title.en, card)


@pytest.mark.usefixtures("catalog")
@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "model": st.sampled_from(MODELS),
            "method": st.sampled_from(sorted(METHODS)),
            "sharding": st.sampled_from(sorted(SHARDINGS)),
            "objective": st.sampled_from(["sft", "dpo", "grpo"]),
            "gpus": st.sampled_from([1, 8, 64]),
            "micro_batch": st.integers(1, 1024),
            "sequence": st.integers(1, 2_000_000),
        }
    )
)
def test_sum_of_the_parts_is_the_whole(inputs: dict[str, Any]) -> None:
    data = answer(**inputs)
    if "error" in data:
        return
    rows = next(t for t in data["tables"] if t["id"] == "parts")["rows"]
    for end in ("low", "high"):
        assert sum(r[end] for r in rows[:-1]) == pytest.approx(rows[-1][end])
    assert data["outputs"]["per_gpu_gib"] * 2 == pytest.approx(sum(rows[-1][end] for end in ("low", "high")))


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("no GPU", {"gpus": 0}, "gpus", "Too small"),
    ("half a GPU", {"gpus": 1.5}, "gpus", "whole number"),
    ("words for a batch", {"micro_batch": "many"}, "micro_batch", "not a number"),
    ("k for thousand", {"sequence": "4k"}, "sequence", "Write the number out"),
    ("a sequence too long", {"sequence": 2_000_001}, "sequence", "Too large"),
    ("a share above the card", {"usable_percent": 100}, "usable_percent", "Too large"),
    ("an optimizer of another name", {"optimizer": "adam"}, "optimizer", "Did you mean"),
    ("a field of another name", {"microbatch": 1}, "microbatch", "Did you mean “micro_batch”"),
    ("an unknown module", {"lora_modules": ["q", "x"]}, "lora_modules", "not in the list"),
    ("no module at all", {"lora_modules": []}, "lora_modules", "at least one matrix"),
    ("GPUs that do not divide", {"gpus": 6, "tensor_parallel": 4}, "gpus", "Take a multiple of 4"),
    ("heads that do not divide", {"gpus": 3, "tensor_parallel": 3}, "tensor_parallel", "32 attention heads"),
    ("more stages than layers", {"gpus": 64, "pipeline_parallel": 64}, "pipeline_parallel", "32 layers do not fill"),
    ("interleaving without a pipeline", {"virtual_stages": 2}, "virtual_stages", "Set this to 1"),
    ("experts of a dense model", {"gpus": 8, "expert_parallel": 8}, "expert_parallel", "Dense models take 1"),
    ("more expert groups than copies", {"model": "qwen3-30b-a3b", "gpus": 4, "expert_parallel": 8}, "expert_parallel", "must divide"),
    ("a shard group that does not divide", {"sharding": "hsdp", "gpus": 12}, "shard_group", "must divide"),
    ("ZeRO-3 in a pipeline", {"sharding": "zero3", "gpus": 4, "pipeline_parallel": 4}, "sharding", "ZeRO-1 at most"),
    ("offload without sharding", {"offload_optimizer": True}, "offload_optimizer", "Choose a sharding"),
    ("parameter offload in ZeRO-2", {"sharding": "zero2", "offload_parameters": True}, "offload_parameters", "ZeRO-3 or FSDP"),
    ("accumulation with updates in backward", {"fused_backward": True, "micro_batches": 4}, "fused_backward", "Switch it off"),
    ("pre-training with adapters", {"objective": "pretrain", "method": "lora"}, "method", "Choose full"),
    ("more layers than there are", {"method": "freeze", "trained_layers": 40}, "trained_layers", "has 32 layers"),
    ("a rollout engine on too many GPUs", {"objective": "grpo", "rollout_parallel": 2}, "rollout_parallel", "cannot use more"),
    ("rollout heads that do not divide", {"objective": "grpo", "gpus": 8, "rollout_parallel": 3}, "rollout_parallel", "Take a divisor"),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "field", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(inputs: dict[str, Any], field: str, words: str, catalog: Catalog) -> None:
    for lang in ("en", "zh"):
        error = answer(**inputs, lang=lang)["error"]
        assert error["code"] == "bad-input"
        assert [f["field"] for f in error["fields"]] == [field]
        message = error["fields"][0]["message"]
        assert words in message if lang == "en" else any("\u4e00" <= c <= "\u9fff" for c in message)


def test_plan_defaults_run() -> None:
    base = plan.Plan(load.load().models["llama-3-1-8b"].architecture)
    assert plan.problem(base) is None
    assert plan.problem(replace(base, gpus=3, tensor_parallel=2)) is not None
