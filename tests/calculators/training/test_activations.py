"""Activations against published formulas, and pipelines against Megatron-LM's counts."""

import pytest

from calculators.training.activations import (
    block_bytes,
    block_bytes_per_token,
    fused_chunks,
    gpt_block_bytes,
    in_flight,
    kept_bytes,
    logits_bytes,
)
from catalog.model import Architecture, Catalog

LLAMA = Architecture(
    hidden_size=4096, num_hidden_layers=32, vocab_size=128256, num_attention_heads=32, num_key_value_heads=8, intermediate_size=14336
)  # fmt: skip
LAYERS = ((("full", "dense"), 32),)


@pytest.mark.parametrize(("heads", "hidden", "ratio"), [(96, 12288, 80), (128, 20480, 64)], ids=["GPT-3", "MT-NLG"])
def test_attention_scores_of_korthikanti_section_5(heads: int, hidden: int, ratio: float) -> None:
    """5as/h is 80 for GPT-3 175B and 64 for MT-NLG 530B, beside 34."""
    per = gpt_block_bytes(1, hidden, heads, 2048) / hidden
    assert per == 34 + ratio
    assert gpt_block_bytes(1, hidden, heads, 2048, flash=True) / hidden == 34


@pytest.mark.parametrize(("sequence_parallel", "expected"), [(False, 10 + 24 / 8), (True, 34 / 8)])
def test_tensor_parallel_of_korthikanti_table_2(sequence_parallel: bool, expected: float) -> None:
    got = gpt_block_bytes(1, 1024, 16, 2048, tensor_parallel=8, sequence_parallel=sequence_parallel, flash=True) / 1024
    assert got == pytest.approx(expected)


def test_llama_block_is_its_tensors() -> None:
    """2 (4h + 2·H·d + 2·K·d + 4f) and the FP32 sums of flash attention."""
    h, kv, f = 4096, 8 * 128, 14336
    assert block_bytes_per_token(LLAMA, "full", "dense") == 2 * (4 * h + 2 * h + 2 * kv + 4 * f) + 4 * 32
    fused = block_bytes_per_token(LLAMA, "full", "dense", fused_ffn=True)
    assert block_bytes_per_token(LLAMA, "full", "dense") - fused == 2 * f


def test_mixture_keeps_what_its_experts_see(catalog: Catalog) -> None:
    a = catalog.models["mixtral-8x7b"].architecture
    dense, sparse = block_bytes_per_token(a, "full", "dense"), block_bytes_per_token(a, "full", "moe")
    experts, copies, router = 4 * 2 * 14336, 2 * 2 * 4096, 2 * 4 * 8
    assert sparse - dense == pytest.approx(2 * (experts + copies) - 2 * 4 * a.intermediate_size + router)


def test_recomputation_keeps_inputs_and_one_layer() -> None:
    tokens = 4096.0
    one = block_bytes(LLAMA, "full", "dense", tokens, tokens)
    assert kept_bytes(LLAMA, LAYERS, tokens, tokens) == 32 * one
    assert kept_bytes(LLAMA, LAYERS, tokens, tokens, recompute="full") == 32 * 2 * tokens * 4096 + one
    eager = kept_bytes(LLAMA, LAYERS, tokens, tokens, flash=False)
    selective = kept_bytes(LLAMA, LAYERS, tokens, tokens, flash=False, recompute="selective")
    assert 32 * one < selective < eager
    assert selective - 32 * one == pytest.approx(5 * 32 * tokens * tokens)


@pytest.mark.parametrize(
    ("stages", "stage", "micro_batches", "virtual", "expected"),
    [
        (1, 0, 8, 1, 1),
        (8, 0, 64, 1, 8),
        (8, 7, 64, 1, 1),
        (8, 0, 4, 1, 4),
        (4, 0, 64, 2, 4 * (1 + 3 / 8)),
        (8, 0, 64, 4, 8 * (1 + 7 / 32)),
    ],
)
def test_micro_batches_in_flight(stages: int, stage: int, micro_batches: int, virtual: int, expected: float) -> None:
    """1F1B, and Megatron-LM's 1 + (p-1)/(p·v) for interleaved stages."""
    assert in_flight(stages, stage, micro_batches, virtual) == pytest.approx(expected)


def test_logits_of_llama_3() -> None:
    """128k words x 16k tokens in FP32 are 8 GiB: the largest single tensor of the run."""
    assert logits_bytes(128256, 16384, 4) / 2**30 == pytest.approx(7.83, abs=0.01)
    assert logits_bytes(128256, 16384, 4, 8, 2) == logits_bytes(128256, 16384, 4) / 16
    assert fused_chunks(LLAMA) == 32
