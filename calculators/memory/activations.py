"""Working memory at inference.

In: an `Architecture` and batch settings. Out: bytes, by llama.cpp's rule or as a range (vLLM, SGLang).
"""

from collections.abc import Callable

from catalog.model import Architecture

SAMPLER_COPIES = (1, 3)
RANGE = (0.5, 2.0)  # no public case separates the terms; the modelled value may be off by a factor of two


def compute_buffer_bytes(
    hidden_size: int,
    vocab_size: int,
    heads: int,
    n_ctx: int,
    n_ubatch: int = 512,
    *,
    flash_attention: bool = True,
) -> int:
    """llama.cpp's compute buffer on one device, bytes. Within 6.2 % of seven printed logs, five exact.

    The larger of the logits (n_ubatch x (V + h) FP32) and the attention step (4 h and the mask, and all scores without
    flash attention).
    """
    logits = n_ubatch * (vocab_size + hidden_size) * 4
    scores = 0 if flash_attention else heads * n_ctx * n_ubatch * 4
    attention = 4 * n_ubatch * hidden_size * 4 + n_ctx * n_ubatch * 4 + scores
    return max(logits, attention)


def llama_cpp_compute_bytes(a: Architecture, n_ctx: int, n_ubatch: int = 512, *, flash_attention: bool = True) -> int:
    """`compute_buffer_bytes` of a model."""
    return compute_buffer_bytes(
        a.hidden_size, a.vocab_size, a.num_attention_heads, n_ctx, n_ubatch, flash_attention=flash_attention
    )


def activation_bytes(a: Architecture, tokens: int, sequences: int = 1, tensor_parallel: int = 1) -> tuple[int, int, int]:
    """(low, modelled, high) peak of a vLLM or SGLang step over `tokens` batched tokens, bytes per GPU.

    Live set: tokens x (2.5 h + 2 f / t) in BF16, f the FFN width a token sees (experts it visits, shared ones too);
    sampler: sequences x V x FP32 x 1-3 copies. A range because no published case separates the terms.
    Raises ValueError for counts below 1.
    """
    return activations_at(a, tensor_parallel)(tokens, sequences)


def activations_at(a: Architecture, tensor_parallel: int = 1) -> Callable[[int, int], tuple[int, int, int]]:
    """`activation_bytes` as a function of tokens and sequences: for curves and searches."""
    width = a.intermediate_size
    if a.num_experts:
        shared = a.n_shared_experts * (a.shared_expert_intermediate_size or a.moe_intermediate_size)
        width = max(width if a.first_k_dense_replace else 0, a.num_experts_per_tok * a.moe_intermediate_size + shared)
    if tensor_parallel < 1:
        raise ValueError("tensor_parallel must be at least 1")
    each, vocabulary = 2.5 * a.hidden_size + 2 * (width or 4 * a.hidden_size) / tensor_parallel, a.vocab_size
    (less, more), (few, many) = RANGE, SAMPLER_COPIES

    def at(tokens: int, sequences: int) -> tuple[int, int, int]:
        if tokens < 1 or sequences < 1:
            raise ValueError("tokens and sequences must be at least 1")
        live, logits = tokens * each * 2, sequences * vocabulary * 4
        return round(less * live + few * logits), round(live + 2 * logits), round(more * live + many * logits)

    return at
