"""Throughput through the door that pages use: examples, targets kept, suggestions that hold, bad inputs."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.throughput import CALCULATOR, EXAMPLES
from catalog import load
from catalog.model import Catalog

CATALOG = load.load()
UNRATED = next(a.id for a in CATALOG.accelerators.values() if not any(a.peak(p) for p in ("bf16", "fp16")))
RATED = tuple(a.id for a in CATALOG.accelerators.values() if a.memory_bandwidth and any(a.peak(p) for p in ("bf16", "fp16")))


def ask(inputs: dict[str, Any]) -> dict[str, Any]:
    """The response, whatever it is."""
    found: dict[str, Any] = json.loads(bridge.call("throughput", json.dumps(inputs)))
    return found


def call(**inputs: Any) -> dict[str, Any]:
    """One answer; fails the test on an error."""
    data = ask(inputs)
    assert "outputs" in data, data["error"]
    return data


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_example(example: Any, catalog: Catalog) -> None:
    found = call(**example.inputs)["outputs"]
    for name, value in example.expected.items():
        assert found[name] == pytest.approx(value, rel=example.rel)


@pytest.mark.parametrize("preset", CALCULATOR.presets, ids=lambda p: p.id)
def test_presets_answer_in_both_languages(preset: Any, catalog: Catalog) -> None:
    for lang in ("en", "zh"):
        data = call(**preset.change, lang=lang, view=True)
        assert data["outputs"]["gpus_needed"] >= 1
        assert len(data["charts"]) == 3
        assert data["working"]


@pytest.mark.parametrize("model", [m.id for m in CATALOG.models.values() if not m.architecture.encoder])
def test_every_model_is_computed(model: str, catalog: Catalog) -> None:
    found = call(model=model, accelerator="b200-sxm", tensor_parallel=1)["outputs"]
    assert found["tokens_per_s"] > 0
    assert found["single_tokens_per_s"] < found["decode_ceiling"]


MISSED: list[dict[str, Any]] = [
    {"model": "llama-3-3-70b"},
    {"model": "llama-3-3-70b", "accelerator": "h100-sxm", "tensor_parallel": 2, "tpot_ms": 20},
    {"batch": 40},
    {"batch": 30, "accelerator": "a100-80g-sxm", "tpot_ms": 15},
    {"model": "qwen2-5-32b", "weight_format": "q8_0"},
    {"model": "qwen2-5-32b", "accelerator": "h100-sxm", "prompt_tokens": 32768, "ttft_ms": 1500},
    {"model": "deepseek-v3", "weight_format": "fp8-block128", "accelerator": "h100-sxm", "tensor_parallel": 8},
]


@pytest.mark.parametrize("inputs", MISSED, ids=lambda i: "-".join(str(v) for v in i.values()))
def test_suggestions_keep_the_target_and_are_smallest(inputs: dict[str, Any], catalog: Catalog) -> None:
    data = call(**inputs)
    assert data["outputs"]["verdict"].startswith("no")
    assert data["suggestions"], "nothing is suggested"
    for suggestion in data["suggestions"]:
        change = suggestion["change"]
        assert call(**{**inputs, **change})["outputs"]["verdict"] == "yes", suggestion["title"]
        if change.get("batch"):
            assert call(**{**inputs, "batch": change["batch"] + 1})["outputs"]["verdict"] != "yes"
        if set(change) - {"batch"} == {"tensor_parallel"}:
            fewer = change["tensor_parallel"] // 2
            tried = ask({**inputs, **change, "tensor_parallel": fewer})
            assert fewer <= inputs.get("tensor_parallel", 1) or tried["outputs"]["verdict"] != "yes"


def test_a_kept_target_is_offered_a_larger_batch_and_a_cheaper_card(catalog: Catalog) -> None:
    inputs = {"accelerator": "h100-sxm", "batch": 4}
    now = call(**inputs)
    for suggestion in now["suggestions"]:
        then = call(**{**inputs, **suggestion["change"]})["outputs"]
        assert then["verdict"] == "yes"
        assert then["price_per_hour"] <= now["outputs"]["price_per_hour"]


def test_without_a_batch_the_largest_is_taken(catalog: Catalog) -> None:
    found = call(accelerator="h100-sxm")["outputs"]
    assert found["batch"] == found["largest_batch"]
    assert call(accelerator="h100-sxm", batch=found["batch"])["outputs"]["verdict"] == "yes"
    assert call(accelerator="h100-sxm", batch=found["batch"] + 1)["outputs"]["verdict"] != "yes"


def test_cards_are_sorted_by_price_and_keep_the_target(catalog: Catalog) -> None:
    inputs = {"model": "qwen2-5-14b", "requests_per_s": 20}
    rows = call(**inputs)["tables"][0]["rows"]
    known = [r["price"] for r in rows if r["price"] is not None]
    assert len(known) >= 10
    assert known == sorted(known)
    for row in rows[:8]:
        found = call(**inputs, accelerator=row["card"], tensor_parallel=row["each"])["outputs"]
        assert found["verdict"] == "yes"
        assert found["gpus_needed"] == row["all"]
        assert found["cost_per_million_answer"] == pytest.approx(row["million"])


def test_cost_of_a_million_is_the_price_of_its_hours(catalog: Catalog) -> None:
    found = call(requests_per_s=10, answer_tokens=250, prompt_tokens=750)["outputs"]
    assert found["cost_per_million_answer"] == pytest.approx(found["price_per_hour"] / (10 * 250 * 3600) * 1e6)
    assert found["cost_per_million_tokens"] == pytest.approx(found["cost_per_million_answer"] / 4)


LLAMA = json.dumps(
    {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "vocab_size": 128256,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 14336,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
    }
)


def test_a_readers_own_config_gives_what_the_catalog_gives(catalog: Catalog) -> None:
    own, listed = call(config=LLAMA, model="qwen2-5-72b"), call()
    for name in ("tokens_per_s", "tpot_ms", "gpus_needed", "cheapest"):
        assert own["outputs"][name] == listed["outputs"][name]
    assert any("mported" in note for note in own["notes"])


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("a card without a peak", {"accelerator": UNRATED}, "accelerator", "no dense compute peak"),
    ("heads that do not divide", {"tensor_parallel": 3}, "tensor_parallel", "do not divide"),
    ("FP8 cache in llama.cpp", {"weight_format": "q4_k_m", "kv_dtype": "fp8"}, "kv_dtype", "no FP8 KV cache"),
    ("more GPUs than a server", {"tensor_parallel": 16}, "tensor_parallel", "Too large"),
    ("no GPU", {"tensor_parallel": 0}, "tensor_parallel", "Too small"),
    ("no prompt", {"prompt_tokens": 0}, "prompt_tokens", "Too small"),
    ("an endless prompt", {"prompt_tokens": 1e9}, "prompt_tokens", "Too large"),
    ("no answer", {"answer_tokens": 0}, "answer_tokens", "Too small"),
    ("half a token", {"answer_tokens": 1.5}, "answer_tokens", "whole number"),
    ("no traffic", {"requests_per_s": 0}, "requests_per_s", "Too small"),
    ("negative traffic", {"requests_per_s": -1}, "requests_per_s", "Too small"),
    ("no time", {"ttft_ms": 0}, "ttft_ms", "Too small"),
    ("seconds with a unit", {"tpot_ms": "50 ms"}, "tpot_ms", "Leave out the unit"),
    ("infinite time", {"tpot_ms": "inf"}, "tpot_ms", "finite"),
    ("a batch of none", {"batch": 0}, "batch", "Too small"),
    ("a batch beyond the range", {"batch": 5000}, "batch", "Too large"),
    ("filled beyond full", {"used_percent": 101}, "used_percent", "Too large"),
    ("more memory than there is", {"usable_percent": 99}, "usable_percent", "Too large"),
    ("an unknown card", {"accelerator": "rtx-9090"}, "accelerator", "not in the list"),
    ("an unknown model", {"model": "gpt-7"}, "model", "not in the list"),
    ("an unknown currency", {"currency": "EUR"}, "currency", "not in the list"),
    ("a config that is no JSON", {"config": "{nonsense"}, "config", ""),
    (
        "an encoder",
        {
            "config": json.dumps(
                {
                    "model_type": "bert",
                    "architectures": ["BertModel"],
                    "hidden_size": 768,
                    "num_hidden_layers": 12,
                    "vocab_size": 30522,
                    "num_attention_heads": 12,
                    "intermediate_size": 3072,
                    "max_position_embeddings": 512,
                    "type_vocab_size": 2,
                }
            )
        },
        "config",
        "writes no text",
    ),
    ("an unknown field", {"speed": 3}, "speed", "no field"),
]


@pytest.mark.parametrize("row", BAD, ids=lambda r: r[0])
def test_bad_input_names_its_field_in_both_languages(row: tuple[str, dict[str, Any], str, str], catalog: Catalog) -> None:
    _, inputs, field, words = row
    error = ask(inputs)["error"]
    assert error["code"] == "bad-input"
    assert [f["field"] for f in error["fields"]] == [field]
    assert words in error["fields"][0]["message"]
    chinese = ask({**inputs, "lang": "zh"})["error"]["fields"][0]["message"]
    assert any("\u4e00" <= c <= "\u9fff" for c in chinese)


INPUTS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(
            ["llama-3-1-8b", "qwen3-30b-a3b", "deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b", "phi-4-mini"]
        ),
        "weight_format": st.sampled_from(["bf16", "fp8", "int8", "awq-int4-g128", "nvfp4", "mxfp4", "q4_k_m", "iq1_s"]),
        "prompt_tokens": st.integers(1, 1_000_000),
        "answer_tokens": st.integers(1, 200_000),
        "requests_per_s": st.floats(0.001, 100_000),
        "ttft_ms": st.floats(1, 3_600_000),
        "tpot_ms": st.floats(0.1, 100_000),
        "batch": st.none() | st.integers(1, 1024),
        "accelerator": st.sampled_from(RATED),
        "tensor_parallel": st.sampled_from([1, 2, 4, 8]),
        "used_percent": st.floats(5, 100),
        "usable_percent": st.floats(30, 98),
        "currency": st.sampled_from(["USD", "CNY"]),
    }
)


@pytest.mark.usefixtures("catalog")
@settings(max_examples=60, deadline=None)
@given(inputs=INPUTS)
def test_any_input_in_range_has_a_finite_answer(inputs: dict[str, Any]) -> None:
    data = ask({**inputs, "view": True})
    if "error" in data:
        assert data["error"]["fields"][0]["field"] in ("tensor_parallel", "kv_dtype", "accelerator")
        return
    found = data["outputs"]
    assert found["gpus_needed"] == found["replicas"] * inputs["tensor_parallel"]
    assert found["single_tokens_per_s"] <= found["decode_ceiling"] * (1 + 1e-9)


@pytest.mark.usefixtures("catalog")
@settings(max_examples=40, deadline=None)
@given(inputs=INPUTS, more=st.floats(1, 50))
def test_more_traffic_never_takes_fewer_gpus(inputs: dict[str, Any], more: float) -> None:
    now = ask(inputs)
    then = ask({**inputs, "requests_per_s": min(100_000, inputs["requests_per_s"] * more)})
    if "error" in now:
        return
    assert then["outputs"]["gpus_needed"] >= now["outputs"]["gpus_needed"]
