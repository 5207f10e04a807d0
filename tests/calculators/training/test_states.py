"""Model states: what papers and DeepSpeed's estimators print, and the arithmetic of sharding and offload."""

import pytest

from calculators.training.states import (
    deepspeed_bytes,
    offloaded,
    per_parameter,
    sharded,
    sharded_difference,
    zero_bytes,
)

GIB = 2**30
T5_3B = 2851e6

PRINTED = [
    ("ZeRO-2 over 8", {"stage": 2, "gpus": 8}, 15.93),
    ("ZeRO-2 with the optimizer on the host", {"stage": 2, "gpus": 8, "offload_optimizer": True}, 5.31),
    ("ZeRO-3 over 8", {"stage": 3, "gpus": 8, "largest_layer": 32e6}, 6.09),
    ("ZeRO-3, optimizer on the host", {"stage": 3, "gpus": 8, "largest_layer": 32e6, "offload_optimizer": True}, 0.78),
    (
        "ZeRO-3, all on the host",
        {"stage": 3, "gpus": 8, "largest_layer": 32e6, "offload_optimizer": True, "offload_parameters": True},
        0.12,
    ),
]


@pytest.mark.parametrize(("inputs", "printed"), [row[1:] for row in PRINTED], ids=[row[0] for row in PRINTED])
def test_deepspeed_estimators_of_t5_3b(inputs: dict[str, float], printed: float) -> None:
    assert round(deepspeed_bytes(T5_3B, **inputs) / GIB, 2) == printed  # type: ignore[arg-type]  # a row mixes ints and flags


@pytest.mark.parametrize(("stage", "gigabytes"), [(0, 120.0), (1, 31.4), (2, 16.6), (3, 1.9)])
def test_zero_paper_figure_1(stage: int, gigabytes: float) -> None:
    assert zero_bytes(7.5e9, stage, 64) / 1e9 == pytest.approx(gigabytes, rel=0.02)


def test_megatron_bytes_per_parameter() -> None:
    """18 without, 6 + 12 / dp with the distributed optimizer."""
    whole = per_parameter(1, 2, 4, 4, 8)
    assert whole.device == 18
    assert sharded(whole, 1, 4).device == 6 + 12 / 4


def test_offload_keeps_the_sum() -> None:
    whole = per_parameter(1000, 2, 2, 4, 8)
    for optimizer in (False, True):
        for parameters in (False, True):
            moved = offloaded(whole, optimizer=optimizer, parameters=parameters)
            assert moved.device + moved.host == whole.device
    assert offloaded(whole, optimizer=True).device == 2000


def test_difference_of_two_group_sizes() -> None:
    assert sharded_difference(8030261248, 16, 8, 128) == pytest.approx(8030261248 * 16 * (1 / 8 - 1 / 128))


def test_impossible_stages_are_refused() -> None:
    with pytest.raises(ValueError, match="ZeRO stage"):
        sharded(per_parameter(1, 1, 1, 1, 1), 4, 2)
    with pytest.raises(ValueError, match="at least one rank"):
        sharded(per_parameter(1, 1, 1, 1, 1), 1, 0)
    with pytest.raises(ValueError, match="stages 2 and 3"):
        deepspeed_bytes(1e9, 1, 8)
    with pytest.raises(ValueError, match="stage 3 only"):
        deepspeed_bytes(1e9, 2, 8, offload_parameters=True)
