"""Collective operations, the network between GPUs, one step and the scaling curve."""

from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.training.communication import (
    NETWORK_HOP,
    NVLINK_HOP,
    Link,
    Network,
    all_gather,
    all_reduce,
    all_to_all,
    send,
)
from calculators.training.scaling import Job, curve, on, step, tokens_per_second
from catalog import load

MODELS = {m.id: m.architecture for m in load.load().models.values()}
LINK = Link(100e9, 1e-6)
H100 = Network(Link(360e9, NVLINK_HOP), 8 * 40e9, 8)
SLOW = Network(Link(25e9, 5.7e-6), 2.5e9, 8)
JOB = Job(MODELS["llama-2-13b"], 64, 4096, 1, 16, 989.4e12, 0.4, H100, tensor_parallel=2)
QUICK = settings(max_examples=60, deadline=None)


def test_ring_formulas() -> None:
    assert all_reduce(1e9, 8, LINK) == pytest.approx(2 * 7 / 8 * 0.01 + 14e-6)
    assert all_gather(1e9, 8, LINK) == pytest.approx(7 / 8 * 0.01 + 7e-6)
    assert all_to_all(1e9, 8, LINK) == pytest.approx(7 / 8 * 0.01 + 1e-6)
    assert send(1e9, LINK) == pytest.approx(0.01 + 1e-6)
    assert all_reduce(1e9, 8, LINK) == pytest.approx(2 * all_gather(1e9, 8, LINK))  # reduce-scatter, then all-gather
    for operation in (all_reduce, all_gather, all_to_all):
        assert operation(1e9, 1, LINK) == 0


LINKS = [
    ("inside a server", 8, 1, 360e9, NVLINK_HOP),
    ("two servers, all GPUs in one ring", 16, 1, 320e9, NETWORK_HOP),
    ("one member per server", 8, 8, 40e9, NETWORK_HOP),
    ("four members per server", 16, 2, 160e9, NETWORK_HOP),
    ("members further apart than a server", 4, 16, 40e9, NETWORK_HOP),
]


@pytest.mark.parametrize(("ranks", "stride", "bandwidth", "hop"), [row[1:] for row in LINKS], ids=[row[0] for row in LINKS])
def test_link_of_a_group(ranks: int, stride: int, bandwidth: float, hop: float) -> None:
    found = H100.link(ranks, stride)
    assert found.bandwidth == pytest.approx(bandwidth)
    assert found.hop == hop
    assert H100.each(ranks, stride).bandwidth <= max(found.bandwidth, 40e9)


def test_a_wide_network_is_no_faster_than_the_link_inside() -> None:
    assert Network(Link(10e9, 1e-6), 800e9, 8).link(16, 1).bandwidth == 10e9


def test_bubble() -> None:
    alone = step(replace(JOB, tensor_parallel=1, pipeline_parallel=8, micro_batches=32))
    assert alone.bubble == pytest.approx(7 / 32 * alone.compute)
    halved = step(replace(JOB, tensor_parallel=1, pipeline_parallel=8, micro_batches=32, virtual_stages=2))
    assert halved.bubble == pytest.approx(alone.bubble / 2)
    assert step(JOB).bubble == 0


def test_gradients_of_a_model_on_a_slow_network() -> None:
    """13B in BF16 over 25 GbE: 2 (n-1)/n of 26 GB at 2.5 GB/s a server are about 20 s, hidden only behind one backward pass."""
    job = replace(JOB, tensor_parallel=1, network=SLOW, micro_batches=1)
    parts = step(job)
    assert parts.data == pytest.approx(2 * 63 / 64 * 13.016e9 * 2 / 2.5e9 - 2 / 3 * parts.compute, rel=0.01)


def test_zero_3_sends_half_as_much_again_per_micro_batch() -> None:
    plain = replace(JOB, tensor_parallel=1, network=SLOW, micro_batches=1, overlap=0.0)
    assert step(replace(plain, stage=3)).data / step(plain).data == pytest.approx(1.5, rel=0.01)
    many = replace(plain, micro_batches=8)
    assert step(replace(many, stage=3)).data / step(many).data == pytest.approx(12, rel=0.01)


def test_adapters_send_next_to_nothing() -> None:
    assert step(replace(JOB, network=SLOW, frozen=True)).data == 0
    assert step(replace(JOB, network=SLOW, frozen=True, stage=3, overlap=0.0)).data > 0


def test_experts_talk_to_experts() -> None:
    a = MODELS["qwen3-30b-a3b"]
    job = replace(JOB, architecture=a, tensor_parallel=1, expert_parallel=8)
    assert step(job).expert > 0
    assert step(replace(job, expert_parallel=16)).expert > step(job).expert
    assert step(replace(job, expert_parallel=1)).expert == 0


def test_curve_starts_at_one_copy_and_bends() -> None:
    points = curve(replace(JOB, network=SLOW), (2, 4, 8, 16, 64, 256, 1024, 3), same_batch=True)
    assert points[0].speed_up == 1
    assert [p.gpus for p in points] == [2, 4, 8, 16, 64, 256, 1024]
    shares = [p.share for p in points]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.5
    assert curve(JOB, (2048,), same_batch=True) == (), "a copy would have nothing to do"
    assert curve(JOB, (2048,), same_batch=False)


jobs = st.builds(
    lambda model, t, p, b, m, stage, network, recompute, overlap, copies, experts, context: Job(
        MODELS[model], t * p * context * copies, 4096, b, m, 300e12, 0.4, network, False, t, p,
        experts if MODELS[model].num_experts and copies % experts == 0 else 1, 1, stage, recompute, 2, overlap, context,
    ),
    st.sampled_from(sorted(MODELS)),
    st.sampled_from([1, 2, 8]),
    st.sampled_from([1, 2, 4]),
    st.integers(1, 8),
    st.integers(1, 64),
    st.sampled_from([0, 1, 3]),
    st.sampled_from([H100, SLOW]),
    st.sampled_from(["none", "selective", "full"]),
    st.floats(0, 1),
    st.sampled_from([1, 2, 8, 64, 1000]),
    st.sampled_from([1, 2, 8]),
    st.sampled_from([1, 2, 4]),
)  # fmt: skip


@QUICK
@given(jobs)
def test_a_step_is_the_sum_of_finite_parts(j: Job) -> None:
    s = step(j)
    parts = (s.compute, s.bubble, s.tensor, s.pipeline, s.data, s.expert, s.context)
    assert all(isfinite(x) and x >= 0 for x in parts)
    assert s.seconds == pytest.approx(sum(parts))
    assert tokens_per_second(j) > 0


@QUICK
@given(jobs)
def test_a_better_network_never_takes_longer(j: Job) -> None:
    assert step(replace(j, network=H100)).seconds <= step(replace(j, network=SLOW)).seconds * (1 + 1e-12)


@QUICK
@given(jobs, st.sampled_from([2, 3, 8]))
def test_more_gpus_never_beat_linear_speed_up(j: Job, times: int) -> None:
    for point in curve(j, (j.gpus, j.gpus * times), same_batch=True):
        assert point.share <= 1 + 1e-9
    more = on(j, j.gpus * times, same_batch=False)
    assert more is None or more.tokens == j.tokens * times


def test_context_ranks_gather_keys_and_values_three_times_a_layer() -> None:
    """Llama 2 13B has as many KV heads as query heads: K and V of a token are 2 x 5120 numbers of two bytes."""
    plain = replace(JOB, tensor_parallel=1, context_parallel=4, overlap=0.0)
    gather = all_gather(2 * 4096 * 2 * 5120, 4, H100.link(4, 1))
    busy = 16 * 40 * 3 * gather
    assert step(plain).context == pytest.approx(busy)
    assert step(replace(plain, recompute="full")).context == pytest.approx(busy * 4 / 3)
    assert step(replace(plain, overlap=0.5)).context == pytest.approx(0.5 * busy)
    attention = 16 * 4096 * (6 * 40 * 5120 * 4096) / 4 / (989.4e12 * 0.4)
    assert step(replace(plain, overlap=0.9)).context == pytest.approx(busy - attention), (
        "no more hides than the attention takes"
    )
    assert step(replace(plain, context_parallel=1)).context == 0


def test_context_ranks_share_the_arithmetic_and_the_gradients_of_a_copy() -> None:
    alone, four = replace(JOB, gpus=8, tensor_parallel=2, overlap=0.0), replace(JOB, gpus=32, context_parallel=4, overlap=0.0)
    assert alone.data_parallel == four.data_parallel
    assert step(four).compute == pytest.approx(step(alone).compute / 4)
    assert step(four).data > step(alone).data, "gradients are summed over context ranks too"
    assert four.fewest == 8
    experts = replace(four, architecture=MODELS["mixtral-8x7b"], expert_parallel=8)
    assert experts.fewest == 16, "experts are dealt over context ranks too"
