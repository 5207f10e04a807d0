"""Which cards run which weight formats, row by row of the lists that the rule follows."""

import pytest

from calculators.memory.formats import RUNS, SUPPORT, support
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.load import load

CARDS = load().accelerators

ROWS = (
    ("h100-sxm", "fp8", "native"),
    ("a100-80g-sxm", "fp8", "weights-only"),
    ("rtx-3090", "fp8-block128", "weights-only"),
    ("t4", "fp8", "weights-only"),
    ("v100-sxm2-32g", "fp8", "no"),
    ("v100-sxm2-32g", "awq-int4-g128", "no"),
    ("v100-sxm2-32g", "gptq-int4-g128", "weights-only"),
    ("v100-sxm2-32g", "bf16", "as-fp16"),
    ("v100-sxm2-32g", "int8", "no"),
    ("t4", "awq-int4-g128", "weights-only"),
    ("t4", "int8", "native"),
    ("p40", "q4_k_m", "weights-only"),
    ("p40", "fp16", "unknown"),
    ("b200-sxm", "nvfp4", "native"),
    ("h100-sxm", "nvfp4", "weights-only"),
    ("mi355x", "mxfp4", "native"),
    ("mi355x", "nvfp4", "unknown"),
    ("mi300x", "fp8", "native"),
    ("mi250x", "fp8", "unknown"),
    ("ascend-910b1", "bf16", "native"),
    ("ascend-910b1", "fp8", "unknown"),
    ("tpu-v5e", "q4_k_m", "unknown"),
)


@pytest.mark.parametrize(("card", "weight_format", "expected"), ROWS)
def test_row(card: str, weight_format: str, expected: str) -> None:
    assert support(CARDS[card], weight_format) == expected


def test_every_pair_has_an_answer() -> None:
    found = {support(card, form) for card in CARDS.values() for form in WEIGHT_FORMATS}
    assert found == set(SUPPORT)
    assert set(SUPPORT) > RUNS
