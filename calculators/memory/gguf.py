"""Size of a GGUF file from the model alone.

In: an `Architecture` and a file type. Out: `GgufSize` (bytes, exact for the tensors).

Files made with other rules (Unsloth's dynamic ones, `--tensor-type` overrides) are not described by this: read their header.
The multi-token-prediction module and the vision tower (a separate mmproj file) are not in the size.
"""

from collections.abc import Iterator
from typing import NamedTuple

from catalog.model import Architecture

from .ggml import BLOCKS, FILE_TYPES, Mixture, row_bytes, tensor_type
from .tensors import Tensor, attention_tensors, end_norm_rows, is_tied, layer_plan, mlp_tensors, norm_rows

__all__ = ["BLOCKS", "FILE_TYPES", "GgufSize", "gguf_bytes"]

# tokenizer and keys in front of the tensors; read off published files, MB
METADATA_LOW, METADATA_HIGH = 1_000_000, 15_000_000

_ROLES = {
    "q": "attn_q",
    "q_a": "other",
    "q_b": "other",
    "k": "attn_k",
    "v": "attn_v",
    "qkv": "attn_v",
    "linear_qkv": "attn_v",
    "o": "attn_output",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
    "expert_gate": "ffn_gate",
    "expert_up": "ffn_up",
    "expert_down": "ffn_down",
    "shared_gate_proj": "ffn_gate",
    "shared_up": "ffn_up",
    "shared_down": "ffn_down",
}


class GgufSize(NamedTuple):
    """Bytes of the tensors by group and by ggml type; `host_bytes` = the embedding table that llama.cpp leaves in RAM."""

    by_group: dict[str, int]
    by_type: dict[str, int]
    elements: int
    host_bytes: int

    @property
    def bytes(self) -> int:
        """All tensors, without metadata."""
        return sum(self.by_group.values())

    @property
    def bits_per_weight(self) -> float:
        """8 x bytes / elements: llama.cpp's "bits/weight" column."""
        return 8 * self.bytes / self.elements

    @property
    def file_low(self) -> int:
        """Tensors and a small tokenizer."""
        return self.bytes + METADATA_LOW

    @property
    def file_high(self) -> int:
        """Tensors and a large tokenizer."""
        return self.bytes + METADATA_HIGH


def _split_kv_b(t: Tensor, a: Architecture) -> tuple[Tensor, Tensor]:
    """llama.cpp stores MLA's kv_b as two stacks of per-head matrices, the key part transposed."""
    heads, g, k = a.num_attention_heads, t.group, t.kind
    return (
        Tensor("k_b", g, k, a.kv_lora_rank, a.qk_nope_head_dim, heads * t.copies),
        Tensor("v_b", g, k, a.v_head_dim, a.kv_lora_rank, heads * t.copies),
    )


def _fuse_qkv(found: list[Tensor]) -> list[Tensor]:
    """Phi-3 style files keep q, k and v in one matrix, which the rules treat like attn_v."""
    parts = [t for t in found if t.name in ("q", "k", "v")]
    if len(parts) < 2:
        return found
    rest = [t for t in found if t.name not in ("q", "k", "v")]
    return [Tensor("qkv", parts[0].group, "linear", sum(t.rows for t in parts), parts[0].columns), *rest]


def _blocks(a: Architecture, fused_qkv: bool) -> Iterator[tuple[int, Tensor]]:
    plan = layer_plan(a)
    blocks = {kinds: _block(a, *kinds, fused_qkv) for kinds in set(plan)}
    for i, kinds in enumerate(plan):
        for t in blocks[kinds]:
            yield i, t


def _block(a: Architecture, attention: str, mlp: str, fused_qkv: bool) -> list[Tensor]:
    """One layer's tensors without its norms, as the file stores them."""
    found: list[Tensor] = []
    for t in _fuse_qkv(attention_tensors(a, attention)) if fused_qkv else attention_tensors(a, attention):
        found += _split_kv_b(t, a) if t.name == "kv_b" else (t,)
    return found + mlp_tensors(a, mlp)


def gguf_bytes(
    a: Architecture,
    file_type: str,
    *,
    imatrix: bool = False,
    is_70b: bool | None = None,
    embedding_type: str = "",
    fused_qkv: bool = False,
) -> GgufSize:
    """Bytes of a GGUF file made by llama.cpp's `llama-quantize FILE_TYPE`.

    `imatrix`: made with an importance matrix (changes IQ3_XXS, IQ4_*, Q4_0, Q5_0). `is_70b`: llama.cpp's rule that raises
    attn_v of an 80-layer GQA-8 Llama; None = decide by shape. `embedding_type`: a forced type of token_embd.
    Norms, biases, router and rope factors stay F32. Raises ValueError for an unknown file type.
    """
    plan = layer_plan(a)
    if is_70b is None:
        # llama.cpp names a Llama with 80 layers "70B", whatever its width
        is_70b = a.num_hidden_layers == 80 and a.num_attention_heads == 8 * a.kv_heads and not a.num_experts
    gqa = a.num_attention_heads / a.kv_heads if a.kv_heads else 1.0
    if a.kv_lora_rank:
        gqa = float(a.num_attention_heads)  # MLA is converted as one latent KV head
    m = Mixture(
        file_type=file_type,
        gqa=gqa,
        experts=a.num_experts,
        layers=a.num_hidden_layers,
        attention_layers=0 if a.kv_lora_rank else len(plan),
        tied=is_tied(a),
        imatrix=imatrix,
        is_70b=is_70b,
    )
    groups: dict[str, int] = {}
    types: dict[str, int] = {}
    elements = 0

    def add(group: str, ggml_type: str, rows: int, columns: int) -> int:
        nonlocal elements
        size = rows * row_bytes(ggml_type, columns)
        groups[group] = groups.get(group, 0) + size
        types[ggml_type] = types.get(ggml_type, 0) + size
        elements += rows * columns
        return size

    h, tied = a.hidden_size, is_tied(a)
    chosen = embedding_type or tensor_type(m, "token_embd", h)
    table = add("embedding", chosen, a.vocab_size, h)
    if not tied and not a.headless:
        add("head", tensor_type(m, "output", h), a.vocab_size, h)
    if a.n_positions:
        add("position", "F32", a.n_positions + a.token_types, h)
    if a.rope_freqs:
        add("buffers", "F32", 1, a.rope_freqs)
    add("norms", "F32", end_norm_rows(a) + norm_rows(a) * a.num_hidden_layers, h)
    seen_v = 0
    for i, t in _blocks(a, fused_qkv):
        if t.kind in ("vector", "router", "conv"):
            add(t.group, "F32", t.rows * t.copies, t.columns)
            continue
        role = _ROLES.get(t.name, "other")
        index = seen_v if role == "attn_v" else i
        seen_v += role == "attn_v"
        add(t.group, tensor_type(m, role, t.columns, index, expert=t.kind == "expert"), t.rows * t.copies, t.columns)
    # a tied table is needed on the GPU as the head too, so only an untied one stays wholly in host memory
    return GgufSize(groups, types, elements, table)
