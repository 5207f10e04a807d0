"""An `Architecture` -> the list of its tensors: the one description that every count, size and adapter derives from.

In: `catalog.model.Architecture`. Out: `Tensor` records (shape in elements, how many copies, which group, what a
quantiser and a tensor-parallel engine do with it). Shapes follow the modelling code of Hugging Face transformers and,
for multi-token prediction, DeepSeek-V3; they are checked against published counts in the tests.
"""

from collections import Counter
from dataclasses import dataclass, replace

from catalog.model import Architecture

GROUPS = (
    "embedding",
    "position",
    "head",
    "attention",
    "linear_attention",
    "mlp",
    "routed_experts",
    "shared_experts",
    "router",
    "norms",
    "mtp",
    "vision",
    "buffers",
)
# What a quantiser sees. Only `linear` and `expert` are ever quantised by Hugging Face formats.
KINDS = ("embedding", "position", "head", "linear", "expert", "router", "vector", "conv", "vision", "buffer")


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor shape and how often it occurs.

    `rows` = outputs, `columns` = inputs (the contiguous dimension). `shard` says what tensor parallelism does:
    `split` = each GPU holds a share, `kv` = split by key/value heads and replicated when GPUs outnumber them,
    `replicate` = every GPU holds all of it.
    """

    name: str
    group: str
    kind: str
    rows: int
    columns: int
    copies: int = 1
    shard: str = "split"

    @property
    def elements(self) -> int:
        """Numbers stored, over all copies."""
        return self.rows * self.columns * self.copies


def vector(name: str, group: str, length: int, copies: int = 1, shard: str = "replicate") -> Tensor:
    """A norm, bias or other one-dimensional tensor of `length` elements."""
    return Tensor(name, group, "vector", 1, length, copies, shard)


def layer_plan(a: Architecture) -> tuple[tuple[str, str], ...]:
    """(attention kind, FFN kind) of each block in order: `full` | `sliding` | `linear`, `dense` | `moe`.

    The record counts layers and does not list them. Full-attention layers are placed evenly, last in their period
    (Qwen3-Next: every 4th; Gemma 3: every 6th). Sizes depend on the order only through llama.cpp's per-layer rules.
    """
    layers = a.num_hidden_layers
    other = "linear" if a.linear_layers else "sliding"
    full = layers - (a.linear_layers or a.sliding_layers)
    if full < 0:
        raise ValueError(f"{layers} layers cannot hold {a.linear_layers or a.sliding_layers} {other} ones")
    plan = []
    for i in range(layers):
        attention = "full" if (i + 1) * full // layers > i * full // layers else other
        plan.append((attention, "moe" if a.num_experts and i >= a.first_k_dense_replace else "dense"))
    return tuple(plan)


def _mla(a: Architecture) -> list[Tensor]:
    """Multi-head latent attention (DeepSeek-V2): latent down-projections are replicated, up-projections split."""
    h, heads, g = a.hidden_size, a.num_attention_heads, "attention"
    query = heads * (a.qk_nope_head_dim + a.qk_rope_head_dim)
    if a.q_lora_rank:
        found = [
            Tensor("q_a", g, "linear", a.q_lora_rank, h, shard="replicate"),
            vector("q_a_norm", g, a.q_lora_rank),
            Tensor("q_b", g, "linear", query, a.q_lora_rank),
        ]
    else:
        found = [Tensor("q", g, "linear", query, h)]
    return [
        *found,
        Tensor("kv_a", g, "linear", a.kv_lora_rank + a.qk_rope_head_dim, h, shard="replicate"),
        vector("kv_a_norm", g, a.kv_lora_rank),
        Tensor("kv_b", g, "linear", heads * (a.qk_nope_head_dim + a.v_head_dim), a.kv_lora_rank),
        Tensor("o", g, "linear", h, heads * a.v_head_dim),
    ]


def _gated_delta_net(a: Architecture) -> list[Tensor]:
    """One Gated DeltaNet layer (transformers, modular_qwen3_next.py: Qwen3NextGatedDeltaNet)."""
    h, g = a.hidden_size, "linear_attention"
    keys = a.linear_num_key_heads * a.linear_key_head_dim
    values = a.linear_num_value_heads * a.linear_value_head_dim
    return [
        Tensor("linear_qkv", g, "linear", 2 * keys + values, h),
        Tensor("linear_z", g, "linear", values, h),
        Tensor("linear_ba", g, "linear", 2 * a.linear_num_value_heads, h),
        Tensor("linear_conv", g, "conv", 2 * keys + values, a.linear_conv_kernel_dim),
        vector("linear_a_log", g, a.linear_num_value_heads, shard="split"),
        vector("linear_dt", g, a.linear_num_value_heads, shard="split"),
        vector("linear_norm", g, a.linear_value_head_dim),
        Tensor("linear_out", g, "linear", h, values),
    ]


def attention_tensors(a: Architecture, kind: str) -> list[Tensor]:
    """The attention of one block of that kind (`full`, `sliding`, `linear`)."""
    if kind == "linear":
        return _gated_delta_net(a)
    if a.kv_lora_rank:
        return _mla(a)
    h, heads, g = a.hidden_size, a.num_attention_heads, "attention"
    if a.family:  # classic blocks: one fused projection, biases everywhere, width h whatever the heads
        return [
            Tensor("qkv", g, "linear", 3 * h, h),
            vector("qkv_bias", g, 3 * h, shard="split"),
            Tensor("o", g, "linear", h, h),
            vector("o_bias", g, h),
        ]
    wide = kind == "full" and bool(a.global_head_dim)
    width = a.global_head_dim if wide else a.head_width
    kv_heads = a.num_global_key_value_heads if wide and a.num_global_key_value_heads else a.kv_heads
    gate = 2 if a.attention_output_gate else 1
    value = width if wide else (a.v_head_dim or width)
    found = [
        Tensor("q", g, "linear", gate * heads * width, h),
        Tensor("k", g, "linear", kv_heads * width, h, shard="kv"),
        Tensor("o", g, "linear", h, heads * value),
    ]
    if not (wide and a.global_k_is_v):
        found.append(Tensor("v", g, "linear", kv_heads * value, h, shard="kv"))
    if a.attention_bias:
        found += [
            vector("q_bias", g, heads * width, shard="split"),
            vector("kv_bias", g, kv_heads * (width + value), shard="kv"),
        ]
    if a.attention_out_bias:
        found.append(vector("o_bias", g, h))
    if a.qk_norm == "head":
        found.append(vector("qk_norm", g, width, 2))
    elif a.qk_norm == "full":
        found.append(vector("q_norm", g, heads * width, shard="split"))
        found.append(vector("k_norm", g, kv_heads * width, shard="kv"))
    if a.attention_sinks:
        found.append(vector("sinks", g, heads, shard="split"))
    return found


def _experts(a: Architecture) -> list[Tensor]:
    h, count, width = a.hidden_size, a.num_experts, a.moe_intermediate_size
    g = "routed_experts"
    found = [
        Tensor("expert_gate", g, "expert", width, h, count),
        Tensor("expert_up", g, "expert", width, h, count),
        Tensor("expert_down", g, "expert", h, width, count),
        Tensor("router", "router", "router", count, h, shard="replicate"),
    ]
    if a.router_bias or a.expert_bias:
        found.append(vector("router_bias", "router", count))
    if a.expert_bias:
        found.append(vector("expert_bias", g, 2 * width + h, count, shard="split"))
    if a.n_shared_experts or a.shared_expert_intermediate_size:
        shared = (a.n_shared_experts or 1) * (a.shared_expert_intermediate_size or width)
        found += [
            Tensor("shared_gate_proj", "shared_experts", "linear", shared, h),
            Tensor("shared_up", "shared_experts", "linear", shared, h),
            Tensor("shared_down", "shared_experts", "linear", h, shared),
        ]
    if a.shared_expert_gate:
        found.append(vector("shared_gate", "shared_experts", h))
    return found


def mlp_tensors(a: Architecture, kind: str) -> list[Tensor]:
    """The feed-forward part of one block (`dense` or `moe`)."""
    if kind == "moe":
        return _experts(a)
    h, width, g = a.hidden_size, a.intermediate_size, "mlp"
    if a.family:
        width = width or 4 * h
        return [
            Tensor("up", g, "linear", width, h),
            vector("up_bias", g, width, shard="split"),
            Tensor("down", g, "linear", h, width),
            vector("down_bias", g, h),
        ]
    return [
        Tensor("gate", g, "linear", width, h),
        Tensor("up", g, "linear", width, h),
        Tensor("down", g, "linear", h, width),
    ]


def block_tensors(a: Architecture, attention: str, mlp: str) -> list[Tensor]:
    """All tensors of one transformer block."""
    norms = 4 if a.family else a.norms_per_layer  # LayerNorm has a weight and a bias
    return [*attention_tensors(a, attention), *mlp_tensors(a, mlp), vector("norm", "norms", a.hidden_size, norms)]


def _mtp(a: Architecture) -> list[Tensor]:
    """Multi-token-prediction modules: a block, a 2h -> h projection, three norms (DeepSeek-V3, GLM-4.5, Qwen3-Next)."""
    h, count = a.hidden_size, a.num_nextn_predict_layers
    inner = block_tensors(a, "full", "moe" if a.num_experts else "dense")
    found = [replace(t, name=f"mtp_{t.name}", group="mtp", copies=t.copies * count) for t in inner]
    # eh_proj stays in BF16 in the FP8 files of DeepSeek-V3, so it counts as a router-like matrix
    found.append(Tensor("mtp_eh_proj", "mtp", "router", h, 2 * h, count, shard="replicate"))
    found.append(vector("mtp_norm", "mtp", h, 3 * count))
    if a.mtp_own_embedding:
        found.append(Tensor("mtp_embedding", "mtp", "embedding", a.vocab_size, h, count))
        found.append(Tensor("mtp_head", "mtp", "head", a.vocab_size, h, count))
    return found


def _siglip896(a: Architecture) -> list[Tensor]:
    """SigLIP-so400m at 896 pixels, patch 14, with the Gemma 3 projector (27 layers of 1152)."""
    v, width, layers, side = 1152, 4304, 27, 896 // 14
    block = 4 * (v * v + v) + (v * width + width) + (width * v + v) + 4 * v
    patches = 3 * 14 * 14 * v + v + side * side * v
    projector = v * a.hidden_size + v
    return [Tensor("vision", "vision", "vision", 1, layers * block + patches + 2 * v + projector, shard="replicate")]


def _ends(a: Architecture) -> list[Tensor]:
    """Embedding, head, final norm, learned positions and saved buffers."""
    h, vocabulary = a.hidden_size, a.vocab_size
    tied = a.tie_word_embeddings or a.family in ("gpt2", "bloom")
    final = 2 if a.family else 1
    found = [
        Tensor("embedding", "embedding", "embedding", vocabulary, h),
        vector("final_norm", "norms", h, final + (2 if a.family == "bloom" else 0)),  # BLOOM also norms its embedding
    ]
    if not tied:
        found.append(Tensor("head", "head", "head", vocabulary, h))
    if a.lm_head_bias:
        found.append(vector("head_bias", "head", vocabulary, shard="split"))
    if a.n_positions:
        found.append(Tensor("position", "position", "position", a.n_positions, h, shard="replicate"))
    if a.rotary_inv_freq_saved:
        found.append(Tensor("inv_freq", "buffers", "buffer", 1, a.head_width // 2, a.num_hidden_layers, "replicate"))
    return found


def is_tied(a: Architecture) -> bool:
    """True when the head reuses the embedding table (GPT-2 and BLOOM always do)."""
    return a.tie_word_embeddings or a.family in ("gpt2", "bloom")


def model_tensors(a: Architecture) -> tuple[Tensor, ...]:
    """Every tensor of the checkpoint, equal blocks merged into `copies`. Raises ValueError on impossible layer counts."""
    found = _ends(a)
    for (attention, mlp), count in Counter(layer_plan(a)).items():
        found += [replace(t, copies=t.copies * count) for t in block_tensors(a, attention, mlp)]
    if a.num_nextn_predict_layers:
        found += _mtp(a)
    if a.vision_tower == "siglip896":
        found += _siglip896(a)
    return tuple(found)
