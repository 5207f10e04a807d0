"""Bytes of optimizers and precisions per parameter, as their papers count them."""

import pytest

from calculators.memory.tensors import Tensor, vector
from calculators.training.recipes import OPTIMIZERS, PRECISIONS, optimizer_bytes

MATRIX = Tensor("up", "mlp", "linear", 14336, 4096)
TABLE = Tensor("embedding", "embedding", "embedding", 128256, 4096)
NORM = vector("norm", "norms", 4096)
SMALL = vector("small", "norms", 4095)

PER_NUMBER = [
    ("adamw", MATRIX, 8.0),
    ("paged-adamw", MATRIX, 8.0),
    ("adamw-8bit", MATRIX, 2 * (1 + 4 / 256)),
    ("adamw-8bit", NORM, 2 * (1 + 4 / 256)),
    ("adamw-8bit", SMALL, 8.0),
    ("lion", MATRIX, 4.0),
    ("sgd-momentum", TABLE, 4.0),
    ("muon", MATRIX, 4.0),
    ("muon", TABLE, 8.0),
    ("muon", NORM, 8.0),
    ("adafactor", MATRIX, 4 * (14336 + 4096) / (14336 * 4096)),
    ("adafactor", NORM, 4.0),
    ("galore", MATRIX, 4 * (4096 * 128 + 2 * 128 * 14336) / (14336 * 4096)),
    ("galore", TABLE, 8.0),
]


@pytest.mark.parametrize(("optimizer", "tensor", "each"), PER_NUMBER, ids=[f"{o}-{t.name}" for o, t, _ in PER_NUMBER])
def test_state_per_number(optimizer: str, tensor: Tensor, each: float) -> None:
    assert optimizer_bytes(OPTIMIZERS[optimizer], tensor, 4) / tensor.elements == pytest.approx(each)


@pytest.mark.parametrize(
    ("precision", "total"), [("mixed", 16), ("megatron", 18), ("fp32-params", 16), ("bf16", 8), ("fp8", 13)]
)
def test_bytes_per_parameter_with_adamw(precision: str, total: float) -> None:
    p = PRECISIONS[precision]
    assert p.weights + p.gradients + p.master + 2 * p.moment == total


def test_every_record_names_its_source() -> None:
    for source in [p.source for p in PRECISIONS.values()] + [o.source for o in OPTIMIZERS.values()]:
        assert "https://" in source
