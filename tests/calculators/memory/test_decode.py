"""Decode traffic and speed, working memory and overhead: identities, published rows, refusals."""

from collections.abc import Callable

import pytest

from calculators.memory.activations import activation_bytes, compute_buffer_bytes, llama_cpp_compute_bytes
from calculators.memory.decode import (
    bandwidth_seconds,
    calibration,
    decode_bytes,
    scaled_tokens_per_second,
    step_bytes,
    touched_experts,
    two_term_seconds,
)
from calculators.memory.kv import kv_cache
from calculators.memory.overhead import overhead_bytes, overhead_parts
from calculators.memory.weights import weight_bytes
from catalog.model import Architecture
from tests.calculators.memory.architectures import LLAMA_2_70B, LLAMA_3_1_8B, MIXTRAL_8X7B, QWEN3_4B

A100 = 2039e9


def test_the_embedding_table_is_looked_up_and_not_streamed() -> None:
    assert decode_bytes(LLAMA_3_1_8B, 2) == 2 * (8_030_261_248 - 128256 * 4096)
    assert decode_bytes(QWEN3_4B, 2) == 2 * 4_022_468_096  # tied: the head reads it whole
    assert decode_bytes(LLAMA_3_1_8B, 2, 4) == decode_bytes(LLAMA_3_1_8B, 2) / 4


def test_weights_streamed_agree_with_the_bf16_traffic() -> None:
    assert weight_bytes(LLAMA_3_1_8B, "bf16").streamed == decode_bytes(LLAMA_3_1_8B, 2)


# gpt-fast README at 0f925b5d: Llama 2 70B in BF16 on 4 and 8 A100, not used in the fit
@pytest.mark.parametrize(("gpus", "published"), [(4, 38.01), (8, 62.5)])
def test_two_terms_on_rows_that_were_not_fitted(gpus: int, published: float) -> None:
    seconds = two_term_seconds(decode_bytes(LLAMA_2_70B, 2, gpus), A100, 80, efficiency=0.83, tensor_parallel=gpus)
    assert 1 / seconds == pytest.approx(published, rel=0.12)


def test_the_modelled_step_is_never_faster_than_the_bandwidth() -> None:
    read = decode_bytes(LLAMA_3_1_8B, 2)
    assert two_term_seconds(read, A100, 32, efficiency=0.83) > bandwidth_seconds(read, A100)


@pytest.mark.parametrize(("bits", "efficiency"), [(16, 0.83), (8, 0.71), (8.5, 0.71), (4.5, 0.60), (2.1, 0.60)])
def test_calibration_by_bits(bits: float, efficiency: float) -> None:
    assert calibration(bits).efficiency == efficiency


def test_a_batch_touches_more_experts_but_never_all_twice() -> None:
    assert touched_experts(MIXTRAL_8X7B, 1) == pytest.approx(2)
    assert touched_experts(MIXTRAL_8X7B, 2) == pytest.approx(8 * (1 - 0.75**2))
    assert touched_experts(MIXTRAL_8X7B, 1000) == pytest.approx(8)
    assert touched_experts(LLAMA_3_1_8B, 8) == 0


def test_a_step_reads_weights_touched_experts_and_the_cache() -> None:
    w = weight_bytes(MIXTRAL_8X7B, "bf16")
    cache = kv_cache(MIXTRAL_8X7B, 4096, 1).total
    assert step_bytes(MIXTRAL_8X7B, w, 1, cache) == pytest.approx(w.streamed + cache)
    assert step_bytes(MIXTRAL_8X7B, w, 1000, 0) == pytest.approx(w.total - w.by_group["embedding"])
    dense = weight_bytes(LLAMA_3_1_8B, "bf16")
    assert step_bytes(LLAMA_3_1_8B, dense, 64, 7) == dense.streamed + 7


def test_scaling_by_bits() -> None:
    assert scaled_tokens_per_second(29.17, 16.0005, 8.00025) == pytest.approx(58.34)


REFUSED: dict[str, Callable[[], object]] = {
    "no bandwidth": lambda: bandwidth_seconds(1, 0),
    "no efficiency": lambda: bandwidth_seconds(1, 1, 0),
    "no bits": lambda: scaled_tokens_per_second(1, 1, 0),
    "no tokens": lambda: activation_bytes(LLAMA_3_1_8B, 0),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED.keys())
def test_impossible_arguments_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"positive|at least 1"):
        call()


def test_compute_buffer_is_the_larger_of_logits_and_scores() -> None:
    assert compute_buffer_bytes(2048, 151936, 16, 4096, flash_attention=False) == 300.75 * 2**20
    assert compute_buffer_bytes(4096, 32002, 32, 8192, 256, flash_attention=False) == 280 * 2**20
    assert compute_buffer_bytes(4096, 32002, 32, 8192, 256) < 280 * 2**20
    assert llama_cpp_compute_bytes(LLAMA_3_1_8B, 8192) == 512 * (128256 + 4096) * 4


@pytest.mark.parametrize("a", [LLAMA_3_1_8B, MIXTRAL_8X7B, QWEN3_4B], ids=["dense", "moe", "tied"])
def test_activations_are_a_range_around_the_model(a: Architecture) -> None:
    low, middle, high = activation_bytes(a, 8192, 64, 2)
    assert 0 < low < middle < high


def test_overhead_is_a_sum_of_sourced_ranges() -> None:
    for engine, gpus, count in (("vllm", 1, 2), ("vllm", 2, 3), ("llama.cpp", 2, 1)):
        parts = overhead_parts(engine, gpus)
        assert len(parts) == count
        assert all(p.source and 0 < p.low < p.high for p in parts)
        assert overhead_bytes(engine, gpus) == (sum(p.low for p in parts), sum(p.high for p in parts))
    assert overhead_bytes("vllm", graphs=False) < overhead_bytes("vllm")
