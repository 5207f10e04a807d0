"""Prefill, decode steps, steady state and batches under a target: identities, properties; measured rows are in tests/cases/runs.yaml."""

from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.memory.decode import two_term_seconds
from calculators.memory.serving import Serving, footprint
from calculators.speed.machine import PCIE_BYTES_PER_S, Machine, dense_peak, machine
from calculators.speed.service import replica, replicas_for, requests_in_flight
from calculators.speed.steps import (
    EFFICIENCY,
    Load,
    allreduce_seconds,
    decode_bound_seconds,
    decode_bytes_per_gpu,
    load_of,
    prefill_seconds,
    step_rates,
)
from calculators.speed.target import MOST_BATCH, Target, best_batch, last_within, memory_batch
from calculators.speed.work import decode_flops, prefill_flops, work
from catalog.load import load
from tests.calculators.memory.architectures import LLAMA_3_1_8B, MIXTRAL_8X7B

CATALOG = load()
A100 = Machine(2039e9, 312e12, "bf16", 300e9, False, 1)


def serving(model: str, weight_format: str = "bf16", context: int = 2048) -> Serving:
    """One request of a catalog model in vLLM."""
    return Serving(CATALOG.models[model].architecture, context, 1, weight_format, "bf16", "vllm")


def test_prefill_is_two_flops_per_parameter_and_causal_attention() -> None:
    w = work(LLAMA_3_1_8B)
    body = 8_030_261_248 - 2 * 128256 * 4096
    assert w.body == body
    attention = 2 * 32 * 32 * 128 * 1024**2
    assert prefill_flops(w, 1024) == 2 * body * 1024 + 2 * 128256 * 4096 + attention
    assert decode_flops(w, 1000) == 2 * (body + 128256 * 4096) + 4 * 32 * 32 * 128 * 1000


def test_a_sliding_layer_attends_to_its_window_only() -> None:
    sliding = replace(LLAMA_3_1_8B, sliding_layers=32, sliding_window=1024)
    short, long = work(LLAMA_3_1_8B), work(sliding)
    assert prefill_flops(long, 1024) == prefill_flops(short, 1024)
    assert prefill_flops(long, 65536) < prefill_flops(short, 65536)
    assert decode_flops(long, 65536) == decode_flops(short, 1024)


def test_a_token_visits_only_its_experts() -> None:
    """Mixtral 8x7B: 12.88 B active of 46.70 B, less 0.26 B of embedding and head."""
    w = work(MIXTRAL_8X7B)
    assert w.body == pytest.approx(12.88e9 - 0.262e9, rel=0.001)
    assert w.head == 32000 * 4096


def test_one_gpu_and_one_request_is_the_two_term_model() -> None:
    load_ = load_of(serving("llama-3-1-8b"), 100, 100, 1)
    read = decode_bytes_per_gpu(load_, 1)
    r = replica(load_, A100)
    assert r.step(1) == pytest.approx(two_term_seconds(read, A100.bandwidth, 32, efficiency=0.83))
    assert r.at(1).tpot == r.step(1)


def test_ring_all_reduce() -> None:
    assert allreduce_seconds(1e9, 1, 1e9) == 0
    assert allreduce_seconds(1e9, 8, 1e9) == pytest.approx(2 * 7 / 8)


def test_peaks_are_dense_and_of_the_format() -> None:
    cards = CATALOG.accelerators
    assert dense_peak(cards["h100-sxm"], "fp8") == ("fp8", 1979e12)
    assert dense_peak(cards["h100-sxm"], "awq-int4-g128") == ("bf16", 989.4e12)
    assert dense_peak(cards["a100-80g-sxm"], "fp8") == ("bf16", 312e12)  # no FP8 peak: weights only
    assert dense_peak(cards["a100-80g-sxm"], "int8") == ("int8", 624e12)
    assert dense_peak(cards["v100-sxm2-32g"], "bf16") == ("fp16", 125e12)
    assert dense_peak(cards["b300-sxm"], "int8") == ("bf16", 2250e12)  # its INT8 is slower than its BF16
    assert dense_peak(replace(cards["a100-80g-sxm"], peaks=()), "bf16") is None
    assert machine(replace(cards["a100-80g-sxm"], memory_bandwidth=None), "bf16", 1) is None


def test_a_link_that_nobody_stated_is_assumed_and_said() -> None:
    nvlink, pcie = (machine(CATALOG.accelerators[c], "bf16", 2) for c in ("h100-sxm", "rtx-4090-24g"))
    assert nvlink is not None
    assert pcie is not None
    assert (nvlink.link, nvlink.link_assumed) == (450e9, False)
    assert (pcie.link, pcie.link_assumed) == (PCIE_BYTES_PER_S, True)


def test_little() -> None:
    r = replica(load_of(serving("llama-3-1-8b"), 1024, 256, 1), A100)
    for batch in (1, 8, 64):
        p = r.at(batch)
        assert requests_in_flight(p.rate, p.latency) == pytest.approx(batch)
        assert p.latency == pytest.approx(p.prefill + p.answer * p.tpot, rel=1e-9)
    assert replicas_for(10, 2.5, 100) == 4
    assert replicas_for(10, 2.5, 80) == 5
    assert replicas_for(0.001, 2.5, 70) == 1


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 1000), st.floats(0.01, 5), st.floats(0, 3), st.integers(2, 2000))
def test_last_within_is_the_edge(edge: int, slope: float, bend: float, high: int) -> None:
    def excess(n: int) -> float:
        return slope * (n - edge) + bend * max(0, n - edge) ** 2

    if edge >= high:
        return
    found = last_within(excess, 1, high)
    assert excess(found) <= 0 < excess(found + 1)


loads = st.builds(
    lambda model, f, prompt, answer, gpus: load_of(serving(model, f, prompt + answer), prompt, answer, gpus),
    st.sampled_from(["llama-3-1-8b", "qwen3-235b-a22b", "deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b"]),
    st.sampled_from(["bf16", "fp8", "awq-int4-g128"]),
    st.integers(1, 200_000),
    st.integers(1, 20_000),
    st.sampled_from([1, 2, 4, 8]),
)
machines = st.builds(
    lambda bandwidth, flops, link: Machine(bandwidth, flops, "bf16", link, False, 1),
    st.floats(50e9, 2e13),
    st.floats(1e13, 2e16),
    st.floats(1e9, 1e12),
)


@settings(max_examples=60, deadline=None)
@given(loads, machines, st.integers(1, MOST_BATCH), st.floats(1, 10), st.floats(1, 10))
def test_faster_cards_are_never_slower(load_: Load, m: Machine, batch: int, wider: float, stronger: float) -> None:
    m = m._replace(gpus=load_.gpus)
    better = m._replace(bandwidth=m.bandwidth * wider, flops=m.flops * stronger)
    now, then = replica(load_, m), replica(load_, better)
    assert then.step(batch) <= now.step(batch) * (1 + 1e-12)
    assert then.middle <= now.middle * (1 + 1e-12)
    assert then.at(batch).rate >= now.at(batch).rate * (1 - 1e-12)
    assert all(isfinite(x) and x > 0 for x in (now.step(batch), now.slow, now.at(batch).rate))


@settings(max_examples=60, deadline=None)
@given(loads, machines, st.integers(1, MOST_BATCH - 1))
def test_more_requests_wait_longer_and_give_more(load_: Load, m: Machine, batch: int) -> None:
    r = replica(load_, m._replace(gpus=load_.gpus))
    few, more = r.at(batch), r.at(batch + 1)
    assert more.tpot >= few.tpot
    assert more.ttft_high >= few.ttft_high
    assert more.rate >= few.rate * (1 - 1e-9)
    assert few.ttft_low <= few.ttft_high
    assert decode_bound_seconds(load_, r.machine, batch) <= few.step


def test_prefill_efficiency_orders_the_range() -> None:
    r = replica(load_of(serving("llama-3-1-8b"), 4096, 256, 1), A100)
    assert r.quick < r.middle < r.slow
    assert (r.slow, r.middle, r.quick) == prefill_seconds(r.load, A100, EFFICIENCY)
    assert step_rates(r.load, A100).exchange == 0


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["llama-3-1-8b", "deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b", "gpt-oss-120b"]),
    st.sampled_from(["fp8", "awq-int4-g128", "q4_k_m"]),
    st.integers(1, 100_000),
    st.sampled_from([1, 2, 4, 8]),
    st.floats(16, 290),
)
def test_the_memory_batch_is_the_edge(model: str, weight_format: str, context: int, gpus: int, gib: float) -> None:
    engine = "llama.cpp" if weight_format == "q4_k_m" else "vllm"
    s = replace(serving(model, weight_format, context), engine=engine)
    found = memory_batch(s, gpus, gib * 2**30)
    if found:
        assert footprint(replace(s, batch=found), gpus).high <= gib * 2**30
    if found < MOST_BATCH:
        assert footprint(replace(s, batch=found + 1), gpus).high > gib * 2**30


def test_the_best_batch_is_the_edge_of_target_or_memory() -> None:
    s = serving("llama-3-1-8b", context=1280)
    r = replica(load_of(s, 1024, 256, 1), A100)
    memory = memory_batch(s, 1, 72 * 2**30)
    best = best_batch(r, Target(5.0, 0.03), memory)
    assert best.limit == "tpot"
    assert r.at(best.batch).tpot <= 0.03 < r.at(best.batch + 1).tpot
    assert best_batch(r, Target(1e6, 1e6), memory).batch == memory
    assert best_batch(r, Target(1e6, 1e6), 0).limit == "memory"
    assert best_batch(r, Target(1e-6, 1e6), memory).batch == 0
