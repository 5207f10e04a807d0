"""KV cache and recurrent state.

In: an `Architecture`, context, sequences, dtype, engine. Out: `KvCache` (bytes, exact by the engine's rule).
Where engines differ the result carries both ends. Mimics llama.cpp (llama_kv_cache_unified_iswa, start-up logs of 2025),
vLLM v1 and SGLang (logs of 2025); each rule is told in `KvCache.rule`.
"""

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from catalog.model import Architecture

from .ggml import bits_per_element
from .recurrent import state_elements

DTYPE_BYTES: dict[str, float] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    **{name.lower(): bits_per_element(name) / 8 for name in ("Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0", "IQ4_NL")},
}
ENGINES = ("vllm", "sglang", "llama.cpp", "transformers")
VLLM_BLOCK = 16
LLAMA_CPP_UBATCH = 512
LLAMA_CPP_PAD = 256
INDEXER_BLOCK, INDEXER_SCALE = 128, 4
STATE_BYTES = 4  # recurrent states are kept in FP32


class LayerShape(NamedTuple):
    """Widths of what one layer stores per cell, over all heads. `heads` = 0: a latent that every GPU must hold whole."""

    kind: str
    layers: int
    key: int
    value: int
    heads: int


class KvCache(NamedTuple):
    """Bytes of the cache. `total` is one logical copy, `per_gpu` the fullest GPU, both with the recurrent state.

    `per_token`: what one more token of one sequence adds once windows are full, all GPUs without replication.
    `low`/`high` bound `total` where engines or their versions differ; equal to it where they do not.
    """

    total: int
    per_gpu: int
    per_token: float
    state: int
    low: int
    high: int
    high_per_gpu: int
    full_cells: int
    sliding_cells: int
    rule: str


def dtype_bytes(dtype: str) -> float:
    """Bytes of one number, block scales included. Raises ValueError naming the known ones."""
    found = DTYPE_BYTES.get(dtype)
    if found is None:
        raise ValueError(f"unknown KV dtype {dtype!r}: one of {', '.join(DTYPE_BYTES)}")
    return found


def layer_shapes(a: Architecture, *, latent: bool = True, transposed: bool = False) -> tuple[LayerShape, ...]:
    """What each kind of layer stores per cell. Layers that share an earlier layer's KV store nothing (Gemma 3n).

    MLA: `latent` stores kv_lora_rank + qk_rope_head_dim per cell (DeepSeek-V2, arXiv 2405.04434); otherwise the expanded heads.
    `transposed`: llama.cpp without flash attention keeps a second, transposed copy of the latent.
    """
    if a.encoder:
        return ()
    layers = a.num_hidden_layers - a.linear_layers - a.attention_free_layers
    if a.kv_lora_rank:
        if latent:
            second = a.kv_lora_rank if transposed else 0
            return (LayerShape("full", layers, a.kv_lora_rank + a.qk_rope_head_dim, second, 0),)
        heads = a.num_attention_heads
        key = a.qk_nope_head_dim + a.qk_rope_head_dim
        return (LayerShape("full", layers, heads * key, heads * a.v_head_dim, heads),)
    sliding = a.sliding_layers - a.sliding_kv_shared_layers
    full = layers - a.sliding_layers - (a.num_kv_shared_layers - a.sliding_kv_shared_layers)
    width, heads = a.head_width, a.kv_heads
    wide = a.global_head_dim or width
    wide_heads = a.num_global_key_value_heads or heads
    value = a.v_head_dim or width
    found = []
    if full > 0:
        wide_value = wide if a.global_head_dim else value
        found.append(LayerShape("full", full, wide_heads * wide, wide_heads * wide_value, wide_heads))
    if sliding > 0:
        found.append(LayerShape("sliding", sliding, heads * width, heads * value, heads))
    return tuple(found)


def indexer_bytes(a: Architecture, engine: str) -> int:
    """Bytes that the sparse-attention indexer's keys take per cell, over all layers; every GPU holds them whole.

    DeepSeek-V3.2 and GLM-5: one FP8 key per token and layer and an FP32 scale for each 128 numbers of it, whatever the cache's
    own dtype (vLLM, get_indexer_cache_head_size; SGLang, NSATokenToKVPool). llama.cpp and transformers keep none here.
    """
    if engine not in ("vllm", "sglang") or not a.index_n_heads:
        return 0
    return (a.index_layers or a.num_hidden_layers) * (a.index_head_dim + a.index_head_dim // INDEXER_BLOCK * INDEXER_SCALE)


def cells_bytes(shape: LayerShape, cells: int, key_bytes: float, value_bytes: float, tensor_parallel: int = 1) -> float:
    """Bytes of the cells of one kind of layer on one GPU: layers x cells x (key width x B + value width x B).

    Heads split over GPUs, at least one each: the cache stops shrinking when GPUs outnumber heads. A latent is not split.
    """
    share = ceil(shape.heads / tensor_parallel) / shape.heads if shape.heads else 1.0
    return shape.layers * cells * (shape.key * key_bytes + shape.value * value_bytes) * share


def cache_bytes(
    a: Architecture,
    full_cells: int,
    sliding_cells: int,
    *,
    dtype: str = "bf16",
    value_dtype: str = "",
    tensor_parallel: int = 1,
    latent: bool = True,
    transposed: bool = False,
) -> int:
    """Bytes of so many cells in each full and each sliding layer on one GPU, without recurrent state."""
    key, value = dtype_bytes(dtype), dtype_bytes(value_dtype or dtype)
    shapes = layer_shapes(a, latent=latent, transposed=transposed)
    return _stored(shapes, full_cells, sliding_cells, key, value, tensor_parallel)


def _stored(shapes: tuple[LayerShape, ...], full: int, sliding: int, key: float, value: float, tensor_parallel: int) -> int:
    return ceil(sum(cells_bytes(s, full if s.kind == "full" else sliding, key, value, tensor_parallel) for s in shapes))


def swa_cells(n_ctx: int, window: int, n_ubatch: int = LLAMA_CPP_UBATCH, sequences: int = 1) -> int:
    """llama.cpp cells of a sliding layer: min(n_ctx, window x sequences + n_ubatch rounded up to 256)."""
    return min(n_ctx, ceil((window * sequences + n_ubatch) / LLAMA_CPP_PAD) * LLAMA_CPP_PAD)


def recurrent_state_bytes(a: Architecture, sequences: int = 1, tensor_parallel: int = 1) -> int:
    """FP32 state of recurrent layers, see `recurrent.state_elements`: independent of context.

    `sequences` includes speculative roll-back slots. Heads are split over GPUs.
    """
    return ceil(a.linear_layers * state_elements(a) * STATE_BYTES * sequences / tensor_parallel)


def bytes_per_token(
    a: Architecture,
    dtype: str = "bf16",
    *,
    value_dtype: str = "",
    tensor_parallel: int = 1,
    latent: bool = True,
    engine: str = "vllm",
) -> float:
    """Bytes that one token takes on one GPU when every layer keeps it (vLLM's full pages)."""
    key, value = dtype_bytes(dtype), dtype_bytes(value_dtype or dtype)
    shapes = layer_shapes(a, latent=latent)
    return sum(cells_bytes(s, 1, key, value, tensor_parallel) for s in shapes) + indexer_bytes(a, engine)


RULES = {
    "vllm": "vLLM: whole blocks of 16 tokens, sliding layers free what left the window; high = every layer keeps all",
    "sglang": "sglang: one cell per token, sliding layers keep their window",
    "llama.cpp": "llama.cpp: context padded to 256 cells, sliding layers keep window x sequences + ubatch",
    "transformers": "transformers: one cell per token, sliding layers keep their window",
}
"""How an engine counts cells, in words."""


def _cells(a: Architecture, context: int, sequences: int, engine: str, *, ubatch: int, swa_full: bool) -> tuple[int, int]:
    """(cells of a full layer, cells of a sliding layer), over all sequences, by the engine's rule."""
    window = a.sliding_window
    if engine == "llama.cpp":
        full = ceil(context * sequences / LLAMA_CPP_PAD) * LLAMA_CPP_PAD
        return full, full if swa_full or not window else swa_cells(full, window, ubatch, sequences)
    if engine == "vllm":
        # docs.vllm.ai, design/hybrid_kv_cache_manager: sliding layers hold the window; with that manager off, every token
        pages = ceil(context / VLLM_BLOCK)
        kept = min(pages, ceil(window / VLLM_BLOCK) + 1) if window else pages
        return pages * VLLM_BLOCK * sequences, kept * VLLM_BLOCK * sequences
    if engine in ENGINES:
        return context * sequences, min(context, window or context) * sequences
    raise ValueError(f"unknown engine {engine!r}: one of {', '.join(ENGINES)}")


def per_gpu_at(
    a: Architecture, dtype: str = "bf16", *, engine: str = "vllm", tensor_parallel: int = 1, latent: bool = True
) -> Callable[[int, int], tuple[int, int]]:
    """(`per_gpu`, `high_per_gpu`) of `kv_cache` as a function of context and sequences: for curves and searches."""
    each = dtype_bytes(dtype)
    shapes, indexer = layer_shapes(a, latent=latent), indexer_bytes(a, engine)

    def at(context: int, sequences: int) -> tuple[int, int]:
        if context < 1 or sequences < 1:
            raise ValueError("context and sequences must be at least 1")
        full, sliding = _cells(a, context, sequences, engine, ubatch=LLAMA_CPP_UBATCH, swa_full=False)
        state = (recurrent_state_bytes(a, sequences, tensor_parallel) if a.linear_layers else 0) + full * indexer
        found = _stored(shapes, full, sliding, each, each, tensor_parallel) + state
        if engine != "vllm" or sliding == full:
            return found, found
        return found, _stored(shapes, full, full, each, each, tensor_parallel) + state

    return at


def kv_cache(
    a: Architecture,
    context: int,
    sequences: int = 1,
    dtype: str = "bf16",
    *,
    engine: str = "vllm",
    tensor_parallel: int = 1,
    value_dtype: str = "",
    latent: bool = True,
    flash_attention: bool = True,
    ubatch: int = LLAMA_CPP_UBATCH,
    swa_full: bool = False,
    rollback_slots: int = 0,
) -> KvCache:
    """The cache for `sequences` sequences of `context` tokens each.

    `latent`: MLA engines keep the latent; `flash_attention` False adds llama.cpp's transposed copy. `swa_full`:
    llama.cpp's switch.
    `rollback_slots`: extra recurrent states per sequence for speculative decoding.
    Raises ValueError for context, sequences or GPUs below 1, or an unknown dtype or engine.
    """
    if min(context, sequences, tensor_parallel) < 1:
        raise ValueError("context, sequences and tensor_parallel must be at least 1")
    full, sliding = _cells(a, context, sequences, engine, ubatch=ubatch, swa_full=swa_full)
    transposed = engine == "llama.cpp" and not flash_attention
    key, value = dtype_bytes(dtype), dtype_bytes(value_dtype or dtype)
    shapes = layer_shapes(a, latent=latent, transposed=transposed)
    states, indexer = sequences * (1 + rollback_slots), indexer_bytes(a, engine)

    def size(tp: int, sliding_cells: int) -> int:
        kept = _stored(shapes, full, sliding_cells, key, value, tp)
        return kept + full * indexer + recurrent_state_bytes(a, states, tp)

    most = full if engine == "vllm" else sliding
    total = size(1, sliding)
    per_gpu = total if tensor_parallel == 1 else size(tensor_parallel, sliding)
    growing = sum(cells_bytes(s, 1, key, value) for s in shapes if s.kind == "full" or sliding == full) + indexer
    return KvCache(
        total=total,
        per_gpu=per_gpu,
        per_token=growing,
        state=recurrent_state_bytes(a, states),
        low=total,
        high=total if most == sliding else size(1, most),
        high_per_gpu=per_gpu if most == sliding else size(tensor_parallel, most),
        full_cells=full,
        sliding_cells=sliding,
        rule=RULES[engine],
    )


def kv_tokens(available_bytes: float, per_token: float, block: int = VLLM_BLOCK) -> int:
    """Tokens that fit, in whole blocks: floor(available / bytes per token / block) x block (vLLM, SGLang logs).

    Raises ValueError when a token takes no bytes or the block is empty.
    """
    if per_token <= 0 or block < 1:
        raise ValueError("per_token and block must be positive")
    return max(0, int(available_bytes // (per_token * block)) * block)


def concurrency(blocks: int, max_length: int, block: int = VLLM_BLOCK) -> float:
    """Requests of full length that fit: blocks x block / max_length (vLLM's "maximum concurrency")."""
    if max_length < 1:
        raise ValueError("max_length must be at least 1")
    return blocks * block / max_length
