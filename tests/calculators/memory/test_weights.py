"""Weight bytes: published files, what stays BF16, what is streamed, what a GPU holds."""

import pytest

from calculators.memory.params import parameter_groups
from calculators.memory.spread import weights_on_gpu
from calculators.memory.weights import (
    WEIGHT_FORMATS,
    WeightFormat,
    nf4_bits,
    parts_bytes,
    weight_bytes,
    weight_format,
)
from catalog.model import Architecture
from tests.calculators.memory.architectures import (
    ALL,
    DEEPSEEK_V3,
    GPT_OSS_20B,
    LLAMA_3_1_8B,
    LLAMA_3_1_70B,
    MIXTRAL_8X7B,
    QWEN3_4B,
)

PLAIN = [f for f in WEIGHT_FORMATS.values() if f.block != "gguf"]


@pytest.mark.parametrize("format_id", WEIGHT_FORMATS)
@pytest.mark.parametrize("a", ALL.values(), ids=ALL.keys())
def test_groups_sum_and_streamed_is_a_part(a: Architecture, format_id: str) -> None:
    w = weight_bytes(a, format_id)
    assert sum(w.by_group.values()) == w.total
    assert 0 < w.streamed <= w.total
    assert 0 <= w.host < w.total
    assert w.device == w.total - w.host


@pytest.mark.parametrize("f", PLAIN, ids=lambda f: f.id)
def test_a_square_matrix_has_the_bits_that_the_table_says(f: WeightFormat) -> None:
    attention = weight_bytes(LLAMA_3_1_70B, f.id).by_group["mlp"]
    elements = parameter_groups(LLAMA_3_1_70B).mlp
    allowed = 32 / 8192 if f.block == "row" else 1e-4  # one scale per row is not in the per-weight figure
    assert 8 * attention / elements == pytest.approx(f.bits_per_weight, abs=allowed)


def test_bf16_is_two_bytes_of_every_loaded_parameter() -> None:
    assert weight_bytes(LLAMA_3_1_8B, "bf16").total == 2 * 8_030_261_248
    p = parameter_groups(DEEPSEEK_V3)
    assert weight_bytes(DEEPSEEK_V3, "bf16").total == 2 * (p.total - p.mtp)
    assert weight_bytes(DEEPSEEK_V3, "bf16", mtp=True).total == 2 * p.total


def test_int8_of_llama_3_1_70b_is_what_vllm_loads() -> None:
    """vLLM PR 12569 prints 67.7229 GiB: INT8 linears, FP32 scale per channel, BF16 embedding and head."""
    assert weight_bytes(LLAMA_3_1_70B, "int8").total / 2**30 == pytest.approx(67.7229, rel=0.001)


def test_four_bit_formats_keep_embedding_head_and_norms() -> None:
    full, small = weight_bytes(LLAMA_3_1_8B, "bf16").by_group, weight_bytes(LLAMA_3_1_8B, "awq-int4-g128").by_group
    for group in ("embedding", "head", "norms"):
        assert small[group] == full[group]
    assert small["mlp"] == full["mlp"] * 4.15625 / 16


def test_mxfp4_takes_the_experts_alone() -> None:
    full, small = weight_bytes(GPT_OSS_20B, "bf16").by_group, weight_bytes(GPT_OSS_20B, "mxfp4").by_group
    assert small["attention"] == full["attention"]
    assert small["routed_experts"] < 0.27 * full["routed_experts"]
    assert weight_bytes(LLAMA_3_1_8B, "mxfp4").by_group["mlp"] == weight_bytes(LLAMA_3_1_8B, "bf16").by_group["mlp"] * 4.25 / 16


def test_streamed_leaves_out_the_look_up_and_the_resting_experts() -> None:
    w = weight_bytes(LLAMA_3_1_8B, "bf16")
    assert w.streamed == w.total - w.by_group["embedding"]
    tied = weight_bytes(QWEN3_4B, "bf16")
    assert tied.streamed == tied.total
    moe = weight_bytes(MIXTRAL_8X7B, "bf16")
    assert moe.streamed == moe.total - moe.by_group["embedding"] - moe.by_group["routed_experts"] * 3 // 4


def test_a_gguf_table_stays_in_host_memory_unless_the_head_needs_it() -> None:
    untied = weight_bytes(LLAMA_3_1_8B, "q4_k_m")
    assert untied.host == untied.by_group["embedding"]
    assert weight_bytes(QWEN3_4B, "q4_k_m").host == 0


def test_key_and_value_projections_stop_shrinking_when_gpus_outnumber_heads() -> None:
    per_gpu = [weights_on_gpu(LLAMA_3_1_8B, "bf16", t) for t in (1, 8, 16)]
    k_and_v = 32 * 2 * 1024 * 4096 * 2
    norms = 65 * 4096 * 2
    assert per_gpu[0] == 2 * 8_030_261_248
    assert per_gpu[1] == (per_gpu[0] - norms) // 8 + norms
    assert per_gpu[2] == (per_gpu[0] - norms - k_and_v) // 16 + k_and_v // 8 + norms


def test_latent_down_projections_are_on_every_gpu() -> None:
    down = 61 * 7168 * (1536 + 512 + 64) * 2
    assert weights_on_gpu(DEEPSEEK_V3, "bf16", 64) > weight_bytes(DEEPSEEK_V3, "bf16").total / 64 + down * 63 / 64


def test_double_quantisation_saves_what_the_paper_says() -> None:
    assert nf4_bits() == 4.5
    assert nf4_bits(64, 256) == pytest.approx(4.127, abs=5e-4)
    assert WEIGHT_FORMATS["nf4-dq"].bits_per_weight == nf4_bits(64, 256)
    with pytest.raises(ValueError, match="at least 1"):
        nf4_bits(0)


def test_sums_and_errors() -> None:
    assert parts_bytes([(10, 2), (4, 0.5)]) == 22
    with pytest.raises(ValueError, match="unknown weight format 'fp7'"):
        weight_format("fp7")
    with pytest.raises(ValueError, match="at least 1"):
        weights_on_gpu(LLAMA_3_1_8B, "bf16", 0)


def test_every_format_says_where_it_comes_from() -> None:
    for f in WEIGHT_FORMATS.values():
        assert f.source
        assert f.note
        assert f.id == f.id.lower()
