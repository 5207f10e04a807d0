"""Stages, replicas, experts, context ranks and host memory: shares that add up."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.memory.kv import kv_cache
from calculators.memory.spread import (
    ONE_PLACE,
    Spread,
    cached_part,
    context_ranks,
    host_bytes,
    stage_plans,
    stage_sizes,
    weights_on_gpu,
)
from calculators.memory.weights import WEIGHT_FORMATS, weight_bytes
from catalog import load

MODELS = load.load().models
STAGES = [
    (32, 4, (8, 8, 8, 8)),
    (61, 8, (7, 7, 8, 8, 8, 8, 8, 7)),
    (61, 2, (31, 30)),
    (5, 5, (1, 1, 1, 1, 1)),
    (7, 1, (7,)),
]


@pytest.mark.parametrize(("layers", "stages", "sizes"), STAGES)
def test_stage_sizes_follow_vllm(layers: int, stages: int, sizes: tuple[int, ...]) -> None:
    assert stage_sizes(layers, stages) == sizes


def test_more_stages_than_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot make 9 stages"):
        stage_sizes(8, 9)


@pytest.mark.parametrize("format_id", ["bf16", "fp8", "awq-int4-g128", "mxfp4", "q4_k_m"])
def test_one_gpu_holds_all_that_is_not_in_host_memory(format_id: str) -> None:
    for model in MODELS.values():
        whole = weight_bytes(model.architecture, format_id)  # rounded up group by group
        assert 0 <= whole.device - weights_on_gpu(model.architecture, format_id) <= len(whole.by_group)


@settings(max_examples=80, deadline=None)
@given(model=st.sampled_from(sorted(MODELS)), stages=st.integers(1, 16), gpus=st.sampled_from([1, 2, 4]))
def test_stages_never_add_and_together_hold_everything(model: str, stages: int, gpus: int) -> None:
    a = MODELS[model].architecture
    stages = min(stages, a.num_hidden_layers)
    spread = Spread(pipeline=stages)
    one = weights_on_gpu(a, "bf16", gpus)
    each = weights_on_gpu(a, "bf16", gpus, spread)
    assert each <= one + 64
    assert each * stages >= one - 64 * stages
    assert sum(len(plan) for plan in stage_plans(a, spread)) == a.num_hidden_layers
    whole, part = (kv_cache(x, 4096, 2).total for x in (a, cached_part(a, spread)))
    assert part <= whole
    assert part * stages >= whole * 0.999


def test_experts_are_spread_over_replicas() -> None:
    a = MODELS["deepseek-v3"].architecture
    one, eight = (weights_on_gpu(a, "fp8-block128", 1, Spread(data=n, expert=True)) for n in (1, 8))
    routed = weight_bytes(a, "fp8-block128").by_group["routed_experts"]
    assert one - eight == pytest.approx(routed * 7 / 8, rel=1e-6)


def test_experts_dealt_whole_round_up() -> None:
    a = MODELS["deepseek-v3"].architecture
    sliced, dealt = (weights_on_gpu(a, "bf16", 24, Spread(expert=e)) for e in (False, True))
    routed = weight_bytes(a, "bf16").by_group["routed_experts"]
    assert dealt - sliced == pytest.approx(routed * (11 / 256 - 1 / 24), rel=1e-6)


def test_host_memory_takes_what_the_gpu_leaves() -> None:
    for name, format_id in (("qwen3-30b-a3b", "q4_k_m"), ("llama-3-1-8b", "q8_0"), ("llama-3-1-8b", "bf16")):
        a = MODELS[name].architecture
        half = Spread(host_layers=a.num_hidden_layers // 2)
        device = weight_bytes(a, format_id).device
        assert weights_on_gpu(a, format_id, 1, half) + host_bytes(a, format_id, half) == pytest.approx(device, rel=2e-3)
    a = MODELS["qwen3-30b-a3b"].architecture
    experts = weight_bytes(a, "q4_k_m").by_group["routed_experts"]
    assert host_bytes(a, "q4_k_m", Spread(host_experts=True)) == experts


def test_context_ranks_are_the_copies_of_a_head() -> None:
    assert context_ranks(MODELS["llama-3-1-8b"].architecture, 8) == 1
    assert context_ranks(MODELS["llama-3-1-8b"].architecture, 16) == 2
    assert context_ranks(MODELS["deepseek-v3"].architecture, 8) == 8


def outputs(**inputs: Any) -> dict[str, Any]:
    """One answer of the calculator."""
    bridge.use(load.load())
    data = json.loads(bridge.call("vram-inference", json.dumps(inputs)))
    assert "outputs" in data, data["error"]
    found: dict[str, Any] = data["outputs"] | {f"{k}_range": v for k, v in data["ranges"].items()}
    return found


def test_spread_through_the_calculator() -> None:
    base = {"model": "deepseek-v3", "weight_format": "fp8-block128", "accelerator": "h200-sxm", "batch": 64}
    tp = outputs(**base, tensor_parallel=8)
    ep = outputs(**base, data_parallel=8, expert_parallel=True)
    assert ep["total_gpus"] == tp["total_gpus"] == 8
    # with data-parallel attention the latent cache is not held eight times
    assert ep["kv_per_gpu_gib"] == pytest.approx(tp["kv_per_gpu_gib"] / 8, rel=1e-3)
    dcp = outputs(**base, tensor_parallel=8, context_parallel=8)
    assert dcp["kv_per_gpu_gib"] == pytest.approx(tp["kv_per_gpu_gib"] / 8, rel=1e-3)
    assert dcp["capacity_tokens"] > 6 * tp["capacity_tokens"]


def test_capacity_is_what_vllm_prints() -> None:
    """vLLM's log of gpt-oss-120b: 5.38 GiB left for the cache hold 78,384 tokens, every layer keeping all of them."""
    found = outputs(model="gpt-oss-120b", weight_format="mxfp4", accelerator="h100-sxm")
    per_token = 2 * 36 * 8 * 64 * 2
    rest_gib = found["usable_gib"] - found["per_gpu_gib_range"][1]
    kept = kv_cache(MODELS["gpt-oss-120b"].architecture, 8192).high / 2**30
    assert found["capacity_tokens_range"][0] == (rest_gib + kept) * 2**30 // (per_token * 16) * 16
    assert 5.38 * 2**30 // (per_token * 16) * 16 == pytest.approx(78384, rel=0.002)


def test_adapters_and_draft_add() -> None:
    plain = outputs(model="llama-3-3-70b", tensor_parallel=4, accelerator="h100-sxm")
    more = outputs(
        model="llama-3-3-70b", tensor_parallel=4, accelerator="h100-sxm", lora_adapters=8, draft_model="llama-3-1-8b"
    )
    assert plain["extras_gib"] == 0
    assert more["extras_gib"] > 14.96 / 4
    assert more["per_gpu_gib"] == pytest.approx(plain["per_gpu_gib"] + more["extras_gib"])


def test_speed_is_not_claimed_from_host_memory() -> None:
    found = outputs(model="qwen3-30b-a3b", weight_format="q4_k_m", host_experts=True)
    assert found["decode_tokens_per_s"] is None
    assert found["host_gib"] > 14


@pytest.mark.parametrize("engine", ["vllm", "sglang", "llama.cpp", "transformers"])
def test_every_engine_answers(engine: str) -> None:
    found = outputs(engine=engine, context=4096, batch=4)
    assert found["kv_cache_gib"] == pytest.approx(2.0, rel=0.01)


def test_formats_all_spread() -> None:
    a = MODELS["mixtral-8x7b"].architecture
    for format_id in WEIGHT_FORMATS:
        assert weights_on_gpu(a, format_id, 2, Spread(pipeline=2)) < weights_on_gpu(a, format_id, 2, ONE_PLACE)


def test_an_indexers_weights_are_on_the_gpus_of_their_layers() -> None:
    a = replace(MODELS["deepseek-v3"].architecture, num_nextn_predict_layers=0, index_n_heads=64, index_head_dim=128)
    whole = weights_on_gpu(a, "bf16")
    assert abs(whole - weight_bytes(a, "bf16").total) <= len(weight_bytes(a, "bf16").by_group)
    halves = weights_on_gpu(a, "bf16", 1, Spread(pipeline=2))
    plain = replace(a, index_n_heads=0, index_head_dim=0)
    added = whole - weights_on_gpu(plain, "bf16")
    assert 0.4 * added < halves - weights_on_gpu(plain, "bf16", 1, Spread(pipeline=2)) < 0.6 * added
