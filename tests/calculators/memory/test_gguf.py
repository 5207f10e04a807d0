"""GGUF sizes: llama.cpp's own table of one model in every file type, and the rules where a row does not fill its blocks."""

import pytest

from calculators.memory.ggml import BLOCKS, FILE_TYPES, bits_per_element, fit, more_bits, row_bytes
from calculators.memory.gguf import gguf_bytes
from catalog.model import Architecture
from tests.calculators.memory.architectures import ALL, GPT_OSS_20B, LLAMA_3_1_8B, MIXTRAL_8X7B

# ggml-org/llama.cpp tools/quantize/README.md at 311c2c9f, table of Llama-3.1-8B, bits per weight
LLAMA_CPP_TABLE = {
    "IQ1_S": 2.0042,
    "IQ1_M": 2.1460,
    "IQ2_XXS": 2.3824,
    "IQ2_XS": 2.5882,
    "IQ2_S": 2.7403,
    "IQ2_M": 2.9294,
    "IQ3_XXS": 3.2548,
    "IQ3_XS": 3.4977,
    "IQ3_S": 3.6606,
    "IQ3_M": 3.7628,
    "IQ4_XS": 4.4597,
    "IQ4_NL": 4.6818,
    "Q2_K_S": 2.9697,
    "Q2_K": 3.1593,
    "Q3_K_S": 3.6429,
    "Q3_K_L": 4.2979,
    "Q4_K_S": 4.6672,
    "Q4_K_M": 4.8944,
    "Q5_K_S": 5.5704,
    "Q5_K_M": 5.7036,
    "Q6_K": 6.5633,
    "Q8_0": 8.5008,
    "F16": 16.0005,
}
# which of them were made with an importance matrix: the ones that need it, and those whose printed size says so
WITH_IMATRIX = {"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M", "IQ3_XXS"}


@pytest.mark.parametrize(("file_type", "published"), LLAMA_CPP_TABLE.items())
def test_bits_per_weight_of_llama_3_1_8b(file_type: str, published: float) -> None:
    size = gguf_bytes(LLAMA_3_1_8B, file_type, imatrix=file_type in WITH_IMATRIX)
    assert size.bits_per_weight == pytest.approx(published, rel=2e-4)


@pytest.mark.parametrize("file_type", FILE_TYPES)
@pytest.mark.parametrize("model", ALL.values(), ids=ALL.keys())
def test_parts_sum_to_the_whole_in_every_file_type(model: Architecture, file_type: str) -> None:
    size = gguf_bytes(model, file_type)
    assert size.bytes == sum(size.by_group.values()) == sum(size.by_type.values())
    assert 1.5 < size.bits_per_weight <= 32
    assert size.bytes < size.file_low < size.file_high


def test_rows_that_do_not_fill_blocks_fall_back() -> None:
    assert fit("Q4_K", 2880) == "Q5_0"
    assert fit("Q6_K", 2880) == "Q8_0"
    assert fit("IQ2_XS", 2880) == "IQ4_NL"
    assert fit("Q4_K", 4096) == "Q4_K"
    assert fit("Q4_K", 24) == "F16"
    kinds = gguf_bytes(GPT_OSS_20B, "Q4_K_M").by_type  # width 2,880; only the attention output has rows of 4,096
    assert kinds["Q5_0"] > kinds["Q4_K"] == 24 * 2880 * 4096 * 144 // 256


def test_mixtral_keeps_keys_and_values_in_q8_0() -> None:
    kinds = gguf_bytes(MIXTRAL_8X7B, "Q4_K_M").by_type
    keys_and_values = 2 * 32 * 1024 * 4096
    assert kinds["Q8_0"] == keys_and_values * 34 / 32


def test_a_70b_llama_raises_attn_v_and_a_small_one_does_not() -> None:
    small = gguf_bytes(LLAMA_3_1_8B, "Q4_K_M", is_70b=True).bytes
    assert small > gguf_bytes(LLAMA_3_1_8B, "Q4_K_M").bytes


def test_fused_qkv_takes_the_type_of_values() -> None:
    assert gguf_bytes(LLAMA_3_1_8B, "Q4_K_M", fused_qkv=True).bytes > gguf_bytes(LLAMA_3_1_8B, "Q4_K_M").bytes


def test_more_bits_takes_both_ends_and_every_third_between() -> None:
    assert [i for i in range(32) if more_bits(i, 32)] == [0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown GGUF file type 'Q4_K_XXL'"):
        gguf_bytes(LLAMA_3_1_8B, "Q4_K_XXL")
    with pytest.raises(ValueError, match="multiple of 256"):
        row_bytes("Q4_K", 100)


@pytest.mark.parametrize("ggml_type", BLOCKS)
def test_block_sizes_give_the_bits_in_the_name(ggml_type: str) -> None:
    digits = ggml_type.lstrip("IQTBFMXP").split("_")[0]
    named = int(digits)
    assert named <= bits_per_element(ggml_type) <= named + 1.7
