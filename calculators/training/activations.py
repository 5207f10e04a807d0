"""Activations that the backward pass needs, and the logits: modelled tensor by tensor.

In: an `Architecture`, tokens and parallel sizes. Out: bytes on one rank.
Llama-type blocks in BF16 without dropout: what autograd keeps of norms, projections, attention and FFN. Classic blocks (GPT-2,
BLOOM, NeoX) with dropout: Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198, tables 1 and 2.
"""

from functools import lru_cache

from catalog.model import Architecture

BYTES = 2
SCORES = 5
"""Bytes per attention score without flash attention: softmax, dropout mask, dropout output (Korthikanti et al. 2022)."""
LOGIT_BYTES = {"plain": 10, "chunked": 6, "fused": 6}
"""Bytes per live logit. Plain: BF16 logits, an FP32 copy, its FP32 gradient. Chunked and fused: BF16 and FP32 of one chunk."""


def gpt_block_bytes(
    tokens: float,
    hidden_size: int,
    heads: int,
    sequence: float,
    *,
    intermediate_size: int = 0,
    tensor_parallel: int = 1,
    sequence_parallel: bool = False,
    flash: bool = False,
) -> float:
    """One GPT block: s·b·h (34 + 5·H·s/h) bytes; with tensor parallelism 10 + 24/t; with sequence parallelism all of it /t.

    Korthikanti et al. 2022, equations 1, 2 and 4; `flash` drops the score term, as selective recomputation does.
    """
    width = intermediate_size or 4 * hidden_size
    whole = 10.0 * hidden_size
    split = 8 * hidden_size + 4 * width
    if sequence_parallel:
        whole /= tensor_parallel
    scores = 0 if flash else SCORES * heads * sequence / tensor_parallel
    return tokens * (whole + split / tensor_parallel + scores)


def _attention_widths(a: Architecture, kind: str, tensor_parallel: int) -> tuple[float, float]:
    """(all numbers kept per token, those of them that are inputs of a matrix), beyond the block's own hidden-width ones."""
    t, heads = tensor_parallel, a.num_attention_heads
    if kind == "linear":
        linear_keys = a.linear_num_key_heads * a.linear_key_head_dim
        values = a.linear_num_value_heads * a.linear_value_head_dim
        return (2 * (2 * linear_keys + values) + 4 * values) / t, values / t
    if a.kv_lora_rank:
        query = heads * (a.qk_nope_head_dim + a.qk_rope_head_dim)
        latents = 2 * a.q_lora_rank + 2 * a.kv_lora_rank + a.qk_rope_head_dim
        inputs = a.q_lora_rank + a.kv_lora_rank + heads * a.v_head_dim / t
        return latents + (2 * query + 2 * heads * a.v_head_dim) / t, inputs
    wide = kind == "full" and bool(a.global_head_dim)
    width = a.global_head_dim if wide else a.head_width
    kv = (a.num_global_key_value_heads if wide else 0) or a.kv_heads
    value = a.v_head_dim or width
    out = heads * value / t
    keys = max(1.0, kv / t) * (width + value)
    gate = heads * width / t if a.attention_output_gate else 0.0
    norms = heads * width / t + max(1.0, kv / t) * width if a.qk_norm else 0.0
    return heads * width / t + keys + out + gate + norms, out


def _ffn_widths(a: Architecture, kind: str, tensor_parallel: int, *, fused: bool) -> tuple[float, float]:
    """The same for a gated FFN: gate, up, activation and product of each expert that a token visits.

    `fused`: the activation is recomputed inside one kernel and not kept (Liger-Kernel's and Megatron-LM's SwiGLU).
    Routed tokens are also copied to their experts, and their outputs kept for the router's gradient.
    """
    t = tensor_parallel
    tensors = 3 if fused else 4
    if kind != "moe":
        return tensors * a.intermediate_size / t, a.intermediate_size / t
    visited = a.num_experts_per_tok * a.moe_intermediate_size
    shared = (a.n_shared_experts or 1) * (a.shared_expert_intermediate_size or a.moe_intermediate_size)
    width = visited + (shared if a.n_shared_experts or a.shared_expert_intermediate_size else 0)
    copies = a.num_experts_per_tok * a.hidden_size
    return tensors * width / t + 2 * copies, width / t + copies


@lru_cache(maxsize=1024)
def block_bytes_per_token(
    a: Architecture,
    attention: str,
    ffn: str,
    tensor_parallel: int = 1,
    *,
    sequence_parallel: bool = False,
    linear_input: float = BYTES,
    fused_ffn: bool = False,
) -> float:
    """Bytes per token that one block keeps, without attention scores: 2 (4h + 2·H·d + 2·K·d + 4f) for a Llama block.

    `linear_input`: bytes of a number that a matrix keeps (1 where they are stored in FP8).
    """
    norms = a.norms_per_layer + 2  # what goes into each norm, and the two normed inputs of attention and FFN
    split = tensor_parallel if sequence_parallel else 1
    kept, inputs = _attention_widths(a, attention, tensor_parallel)
    more, more_inputs = _ffn_widths(a, ffn, tensor_parallel, fused=fused_ffn)
    numbers = norms * a.hidden_size / split + kept + more
    matrix_inputs = 2 * a.hidden_size / split + inputs + more_inputs
    flash_sums = 4 * a.num_attention_heads / tensor_parallel if attention != "linear" else 0.0
    router = 2 * 4 * a.num_experts if ffn == "moe" else 0.0
    return BYTES * numbers - (BYTES - linear_input) * matrix_inputs + flash_sums + router


def block_bytes(
    a: Architecture,
    attention: str,
    ffn: str,
    tokens: float,
    sequence: float,
    *,
    tensor_parallel: int = 1,
    sequence_parallel: bool = False,
    flash: bool = True,
    linear_input: float = BYTES,
    fused_ffn: bool = False,
) -> float:
    """Bytes that one block keeps of `tokens` tokens, each of which attends to `sequence` others."""
    if a.family:
        return gpt_block_bytes(
            tokens,
            a.hidden_size,
            a.num_attention_heads,
            sequence,
            intermediate_size=a.intermediate_size,
            tensor_parallel=tensor_parallel,
            sequence_parallel=sequence_parallel,
            flash=flash,
        )
    each = block_bytes_per_token(
        a,
        attention,
        ffn,
        tensor_parallel,
        sequence_parallel=sequence_parallel,
        linear_input=linear_input,
        fused_ffn=fused_ffn,
    )
    scores = 0.0 if flash or attention == "linear" else SCORES * a.num_attention_heads * sequence / tensor_parallel
    return tokens * (each + scores)


def input_bytes(a: Architecture, tokens: float, tensor_parallel: int = 1, *, sequence_parallel: bool = False) -> float:
    """What full recomputation keeps of one layer: its input, 2·s·b·h (/t where sequence parallelism splits it)."""
    return BYTES * tokens * a.hidden_size / (tensor_parallel if sequence_parallel else 1)


def kept_bytes(
    a: Architecture,
    layers: tuple[tuple[tuple[str, str], int], ...],
    tokens: float,
    sequence: float,
    *,
    in_flight: float = 1,
    recompute: str = "none",
    tensor_parallel: int = 1,
    sequence_parallel: bool = False,
    flash: bool = True,
    linear_input: float = BYTES,
    fused_ffn: bool = False,
) -> float:
    """Activations of some layers, `in_flight` micro-batches of them.

    `recompute`: `none` keeps all, `selective` all but attention scores, `full` the input of each layer, and one layer whole
    while it is recomputed (Korthikanti et al. 2022, sections 4 and 5).
    """

    def one(kind: tuple[str, str], with_scores: bool) -> float:
        return block_bytes(
            a,
            *kind,
            tokens,
            sequence,
            tensor_parallel=tensor_parallel,
            sequence_parallel=sequence_parallel,
            flash=not with_scores,
            linear_input=linear_input,
            fused_ffn=fused_ffn,
        )

    if not layers:
        return 0.0
    lean = [(one(kind, False), count) for kind, count in layers]
    whole = lean if flash else [(one(kind, True), count) for kind, count in layers]
    largest = max(each for each, _ in whole)
    if recompute == "full":
        each = input_bytes(a, tokens, tensor_parallel, sequence_parallel=sequence_parallel)
        return in_flight * each * sum(count for _, count in layers) + largest
    if recompute == "selective":
        live = largest - max(each for each, _ in lean)
        return in_flight * sum(count * each for each, count in lean) + live
    return in_flight * sum(count * each for each, count in whole)


def logits_bytes(vocab_size: int, tokens: float, each: float = 10, chunks: float = 1, tensor_parallel: int = 1) -> float:
    """Logits and their gradient: s·b·V x bytes, divided by chunks and by vocabulary-parallel ranks."""
    return tokens * vocab_size * each / (chunks * tensor_parallel)


def fused_chunks(a: Architecture) -> int:
    """Chunks of a fused linear cross-entropy: V / h, so that one chunk is as large as its input.

    Liger-Kernel, fused_linear_cross_entropy.py, https://github.com/linkedin/Liger-Kernel.
    """
    return max(1, -(-a.vocab_size // a.hidden_size))


def in_flight(stages: int, stage: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """Micro-batches whose activations a pipeline stage holds at most.

    1F1B: min(p - i, m) (Narayanan et al. 2021, https://arxiv.org/abs/2104.04473). Interleaved with v parts per stage:
    (2(p - i - 1) + (v - 1)p + 1) / v, which is p(1 + (p - 1)/(p·v)) on the first stage (Megatron-LM).
    """
    if virtual_stages <= 1:
        return min(stages - stage, micro_batches)
    parts = 2 * (stages - stage - 1) + (virtual_stages - 1) * stages + 1
    return min(parts / virtual_stages, micro_batches)
