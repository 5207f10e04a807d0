"""KV cache by kind of attention and engine: allocator prints, shapes, tensor parallelism, refusals."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from calculators.memory.kv import (
    DTYPE_BYTES,
    bytes_per_token,
    cache_bytes,
    concurrency,
    kv_cache,
    kv_tokens,
    layer_shapes,
    per_gpu_at,
    recurrent_state_bytes,
    swa_cells,
)
from tests.calculators.memory.architectures import (
    DEEPSEEK_V3,
    GEMMA_3_4B,
    GEMMA_4_31B,
    GPT_OSS_20B,
    LLAMA_3_1_8B,
    QWEN3_6_27B,
)

MIB = 2**20


def test_grouped_query_attention() -> None:
    cache = kv_cache(LLAMA_3_1_8B, 8192, 4)
    assert cache.total == 32 * 8192 * 4 * 8 * 128 * 2 * 2
    assert cache.per_token == 131072
    assert cache.low == cache.total == cache.high
    assert cache.state == 0


@pytest.mark.parametrize(("tensor_parallel", "share"), [(1, 1), (2, 2), (8, 8), (16, 8), (64, 8)])
def test_heads_split_and_then_replicate(tensor_parallel: int, share: int) -> None:
    cache = kv_cache(LLAMA_3_1_8B, 4096, 1, tensor_parallel=tensor_parallel)
    assert cache.per_gpu == cache.total / share


def test_a_latent_is_on_every_gpu_and_the_expanded_form_is_71_times_larger() -> None:
    latent = kv_cache(DEEPSEEK_V3, 4096, 1, tensor_parallel=8)
    assert latent.per_gpu == latent.total == 61 * 4096 * 576 * 2
    expanded = kv_cache(DEEPSEEK_V3, 4096, 1, latent=False, tensor_parallel=8)
    assert expanded.total / latent.total == pytest.approx(71.1, abs=0.1)
    assert expanded.per_gpu == expanded.total / 8


def test_llama_cpp_without_flash_attention_keeps_a_second_latent() -> None:
    """c^KV 1098 + kv^T 976 MiB in the log of DeepSeek-R1 at 16,384 cells."""
    cache = kv_cache(DEEPSEEK_V3, 16384, 1, engine="llama.cpp", flash_attention=False)
    assert cache.total == (1098 + 976) * MIB


def test_llama_cpp_keeps_768_cells_of_gpt_oss() -> None:
    """3072 MiB for the full layers and 18 MiB for the sliding ones in the start-up log."""
    cache = kv_cache(GPT_OSS_20B, 131072, 1, "fp16", engine="llama.cpp")
    assert (cache.full_cells, cache.sliding_cells) == (131072, 768)
    assert cache.total == (3072 + 18) * MIB
    assert kv_cache(GPT_OSS_20B, 131072, 1, "fp16", engine="llama.cpp", swa_full=True).total == 2 * 3072 * MIB


def test_vllm_states_both_ends_for_sliding_layers() -> None:
    cache = kv_cache(GEMMA_3_4B, 32768, 1)
    pages = 1024 // 16 + 1
    assert cache.sliding_cells == pages * 16
    assert cache.high == kv_cache(GEMMA_3_4B, 32768, 1, engine="llama.cpp", swa_full=True).total
    assert cache.low == cache.total < cache.high
    assert kv_cache(GEMMA_3_4B, 512, 1).sliding_cells == 512


def test_whole_blocks_and_cells() -> None:
    assert kv_cache(LLAMA_3_1_8B, 1001, 3).full_cells == 1008 * 3
    assert kv_cache(LLAMA_3_1_8B, 1001, 3, engine="llama.cpp").full_cells == 3072
    assert kv_cache(LLAMA_3_1_8B, 1001, 3, engine="sglang").full_cells == 3003


def test_full_layers_of_gemma_4_have_heads_of_their_own() -> None:
    full, sliding = layer_shapes(GEMMA_4_31B)
    assert (full.layers, full.key, full.value) == (10, 4 * 512, 4 * 512)
    assert (sliding.layers, sliding.key, sliding.value) == (50, 16 * 256, 16 * 256)


def test_a_state_does_not_grow_with_context() -> None:
    """598.5 MiB for four sequences in the log of Qwen3.6-27B."""
    short, long = kv_cache(QWEN3_6_27B, 1024, 4), kv_cache(QWEN3_6_27B, 65536, 4)
    assert short.state == long.state == 598.5 * MIB
    assert long.total - long.state == 16 * 65536 * 4 * 4 * 256 * 2 * 2
    assert recurrent_state_bytes(QWEN3_6_27B, 1) * 3 == kv_cache(QWEN3_6_27B, 1024, 1, rollback_slots=2).state


@pytest.mark.parametrize(("dtype", "each"), [("fp32", 4), ("bf16", 2), ("fp8", 1), ("q8_0", 34 / 32), ("q4_0", 18 / 32)])
def test_bytes_of_a_number(dtype: str, each: float) -> None:
    assert DTYPE_BYTES[dtype] == each
    assert bytes_per_token(LLAMA_3_1_8B, dtype) == 32 * 2 * 1024 * each


def test_keys_and_values_may_differ() -> None:
    mixed = cache_bytes(LLAMA_3_1_8B, 1024, 0, dtype="q8_0", value_dtype="q4_0")
    assert mixed == 32 * 1024 * 1024 * (34 + 18) / 32


def test_cells_of_a_window() -> None:
    assert swa_cells(131072, 128, 512) == 768
    assert swa_cells(32768, 2048, 512) == 2560
    assert swa_cells(512, 2048, 512) == 512
    assert swa_cells(131072, 128, 512, 4) == 1024


def test_capacity_is_whole_blocks() -> None:
    assert kv_tokens(1_000_000, 100) == 10_000
    assert kv_tokens(1_001_599, 100) == 10_000
    assert kv_tokens(-5, 100) == 0
    assert round(concurrency(1381, 2048), 2) == 10.79
    with pytest.raises(ValueError, match="must be positive"):
        kv_tokens(1, 0)
    with pytest.raises(ValueError, match="at least 1"):
        concurrency(1, 0)


REFUSED: dict[str, Callable[[], object]] = {
    "at least 1: context": lambda: kv_cache(LLAMA_3_1_8B, 0),
    "at least 1: sequences": lambda: kv_cache(LLAMA_3_1_8B, 10, 0),
    "at least 1: GPUs": lambda: kv_cache(LLAMA_3_1_8B, 10, tensor_parallel=0),
    "unknown KV dtype 'fp5'": lambda: kv_cache(LLAMA_3_1_8B, 10, dtype="fp5"),
    "unknown engine 'ollama'": lambda: kv_cache(LLAMA_3_1_8B, 10, engine="ollama"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_impossible_requests_are_refused(message: str) -> None:
    with pytest.raises(ValueError, match=message.split(":", maxsplit=1)[0]):
        REFUSED[message]()


SPARSE = replace(DEEPSEEK_V3, index_n_heads=64, index_head_dim=128)
"""DeepSeek-V3.2: V3 with an indexer of 64 heads of 128."""


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
@pytest.mark.parametrize("dtype", ["bf16", "fp8"])
def test_an_indexers_keys_take_132_bytes_a_layer_on_every_gpu_whatever_the_dtype(engine: str, dtype: str) -> None:
    """128 FP8 numbers and one FP32 scale: vLLM's get_indexer_cache_head_size, SGLang's NSATokenToKVPool."""
    more = 4096 * 61 * 132
    for gpus in (1, 8):
        plain, sparse = (kv_cache(a, 4096, 1, dtype, engine=engine, tensor_parallel=gpus) for a in (DEEPSEEK_V3, SPARSE))
        assert sparse.total - plain.total == sparse.per_gpu - plain.per_gpu == more
        assert sparse.per_token - plain.per_token == 61 * 132
        assert per_gpu_at(SPARSE, dtype, engine=engine, tensor_parallel=gpus)(4096, 1) == (sparse.per_gpu, sparse.high_per_gpu)
        assert bytes_per_token(SPARSE, dtype, tensor_parallel=gpus, engine=engine) == sparse.per_token


def test_layers_that_share_an_indexer_keep_one_key_and_other_engines_none() -> None:
    shared = replace(SPARSE, index_layers=20)
    assert kv_cache(shared, 4096).total - kv_cache(DEEPSEEK_V3, 4096).total == 4096 * 20 * 132
    assert kv_cache(SPARSE, 4096, engine="llama.cpp").total == kv_cache(DEEPSEEK_V3, 4096, engine="llama.cpp").total
