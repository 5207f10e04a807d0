"""An `Architecture` -> the list of its tensors: the one description that every count, size and adapter derives from.

In: `catalog.model.Architecture`. Out: `Tensor` records (shape in elements, how many copies, which group, what a
quantiser and a tensor-parallel engine do with it). Shapes follow the modelling code of Hugging Face transformers and,
for multi-token prediction, DeepSeek-V3; they are checked against published counts in the tests.
"""

from collections import Counter
from functools import lru_cache

from catalog.model import Architecture

from .recurrent import recurrent_tensors
from .tensor import GROUPS, KINDS, Tensor, vector

__all__ = [
    "GROUPS",
    "INDEXER",
    "KINDS",
    "Tensor",
    "attention_tensors",
    "block_tensors",
    "is_tied",
    "layer_plan",
    "mlp_tensors",
    "model_tensors",
    "vector",
]

ATTENTION_LETTERS = {"f": "full", "s": "sliding", "l": "linear", "n": "none"}
FFN_LETTERS = {"d": "dense", "m": "moe", "n": "none"}


def layer_plan(a: Architecture) -> tuple[tuple[str, str], ...]:
    """(attention kind, FFN kind) of each block: `full` | `sliding` | `linear` | `none`, `dense` | `moe` | `none`.

    In the order of `layer_pattern` where the record has one. Else full-attention layers are placed evenly, last in their
    period (Qwen3-Next: every 4th; Gemma 3: every 6th). Raises ValueError for layer kinds that exceed the layers.
    """
    layers = a.num_hidden_layers
    if a.layer_pattern:
        kinds = pattern_kinds(a.layer_pattern)
        return tuple(kinds[i % len(kinds)] for i in range(layers))
    other = "linear" if a.linear_layers else "sliding"
    full = layers - (a.linear_layers or a.sliding_layers)
    if full < 0:
        raise ValueError(f"{layers} layers cannot hold {a.linear_layers or a.sliding_layers} {other} ones")
    plan = []
    for i in range(layers):
        attention = "full" if (i + 1) * full // layers > i * full // layers else other
        plan.append((attention, "moe" if a.num_experts and i >= a.first_k_dense_replace else "dense"))
    return tuple(plan)


def pattern_kinds(pattern: str) -> tuple[tuple[str, str], ...]:
    """`ldldldfd` -> kinds of the layers of one period. Raises ValueError for letters that mean nothing."""
    pairs = [pattern[i : i + 2] for i in range(0, len(pattern), 2)]
    if not pairs or any(len(p) != 2 or p[0] not in ATTENTION_LETTERS or p[1] not in FFN_LETTERS for p in pairs):
        raise ValueError(f"layer_pattern {pattern!r} is not made of pairs of one of f, s, l, n and one of d, m, n")
    return tuple((ATTENTION_LETTERS[p[0]], FFN_LETTERS[p[1]]) for p in pairs)


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


INDEXER = "index_"
"""What the names of an indexer's tensors start with. Its layers are counted apart from the blocks."""


def _indexer(a: Architecture) -> list[Tensor]:
    """The sparse-attention indexer of DeepSeek-V3.2 and GLM-5: queries from q_a, one shared key, one weight per head."""
    return [
        Tensor("index_q", "attention", "linear", a.index_n_heads * a.index_head_dim, a.q_lora_rank, shard="replicate"),
        Tensor("index_k", "attention", "linear", a.index_head_dim, a.hidden_size, shard="replicate"),
        vector("index_norm", "attention", 2 * a.index_head_dim),
        Tensor("index_weights", "attention", "router", a.index_n_heads, a.hidden_size, shard="replicate"),
    ]


def attention_tensors(a: Architecture, kind: str) -> list[Tensor]:
    """The attention of one block of that kind (`full`, `sliding`, `linear`, `none`), indexers apart."""
    if kind == "none":
        return []
    if kind == "linear":
        return recurrent_tensors(a)
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
    kv_heads = a.num_global_key_value_heads if kind == "full" and a.num_global_key_value_heads else a.kv_heads
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
    if a.attention_sinks and (kind == "sliding" or not a.sliding_sinks):
        found.append(vector("sinks", g, heads, shard="split"))
    return found


def _experts(a: Architecture) -> list[Tensor]:
    h, count, width = a.hidden_size, a.num_experts, a.moe_intermediate_size
    g = "routed_experts"
    inner = a.moe_latent_size or h
    found = [
        Tensor("expert_up", g, "expert", width, inner, count),
        Tensor("expert_down", g, "expert", inner, width, count),
        Tensor("router", "router", "router", count, h, shard="replicate"),
    ]
    if not a.mlp_plain:
        found.insert(0, Tensor("expert_gate", g, "expert", width, inner, count))
    if a.moe_latent_size:
        found.append(Tensor("latent_down", "shared_experts", "linear", inner, h, shard="replicate"))
        found.append(Tensor("latent_up", "shared_experts", "linear", h, inner, shard="replicate"))
    if a.router_bias or a.expert_bias:
        found.append(vector("router_bias", "router", count))
    if a.expert_bias:
        found.append(vector("expert_bias", g, 2 * width + h, count, shard="split"))
    if a.n_shared_experts or a.shared_expert_intermediate_size:
        shared = (a.n_shared_experts or 1) * (a.shared_expert_intermediate_size or width)
        if not a.mlp_plain:
            found.append(Tensor("shared_gate_proj", "shared_experts", "linear", shared, h))
        found += [
            Tensor("shared_up", "shared_experts", "linear", shared, h),
            Tensor("shared_down", "shared_experts", "linear", h, shared),
        ]
    if a.shared_expert_gate:
        found.append(vector("shared_gate", "shared_experts", h))
    return found + (_dense(a) if a.dense_beside_experts else [])


def _dense(a: Architecture) -> list[Tensor]:
    h, g = a.hidden_size, "mlp"
    width = a.intermediate_size or (4 * h if a.family else 0)
    found = [Tensor("up", g, "linear", width, h), Tensor("down", g, "linear", h, width)]
    plain = a.mlp_plain or bool(a.family)
    if not plain:
        found.insert(0, Tensor("gate", g, "linear", width, h))
    if a.mlp_bias or a.family:
        found.append(vector("up_bias", g, width * (1 if plain else 2), shard="split"))
        found.append(vector("down_bias", g, h))
    return found


def mlp_tensors(a: Architecture, kind: str) -> list[Tensor]:
    """The feed-forward part of one block (`dense`, `moe` or `none`)."""
    if kind == "none":
        return []
    return _experts(a) if kind == "moe" else _dense(a)


def norm_rows(a: Architecture) -> int:
    """Vectors of hidden width that the norms of one block hold: a LayerNorm has a weight and a bias."""
    return 4 if a.family else a.norms_per_layer * (2 if a.norm_bias else 1)


def block_tensors(a: Architecture, attention: str, mlp: str) -> list[Tensor]:
    """All tensors of one transformer block."""
    return [*attention_tensors(a, attention), *mlp_tensors(a, mlp), vector("norm", "norms", a.hidden_size, norm_rows(a))]


def _mtp(a: Architecture) -> list[Tensor]:
    """Multi-token-prediction modules: a block, a 2h -> h projection, three norms (DeepSeek-V3, GLM-4.5, Qwen3-Next)."""
    h, count = a.hidden_size, a.num_nextn_predict_layers
    inner = block_tensors(a, "full", "moe" if a.num_experts else "dense") + (_indexer(a) if a.index_n_heads else [])
    found = [t._replace(name=f"mtp_{t.name}", group="mtp", copies=t.copies * count) for t in inner]
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


def end_norm_rows(a: Architecture) -> int:
    """Vectors of the norms after the embedding (BLOOM, BERT) and before the head."""
    norms = (0 if a.no_final_norm else 1) + (1 if a.embedding_norm or a.family == "bloom" else 0)
    return norms * (2 if a.family or a.norm_bias else 1)


def _towers(a: Architecture) -> list[Tensor]:
    """Parts that are counted and not described: they stay in BF16, whole on every GPU."""
    counted = {"vision": a.vision_parameters, "audio": a.audio_parameters, "other": a.other_parameters}
    return [Tensor(g, g, "vision", 1, n, shard="replicate") for g, n in counted.items() if n]


def _ends(a: Architecture) -> list[Tensor]:
    """Embedding, head, final norm, learned positions and saved buffers."""
    h, vocabulary = a.hidden_size, a.vocab_size
    found = [Tensor("embedding", "embedding", "embedding", vocabulary, h), vector("final_norm", "norms", h, end_norm_rows(a))]
    if not is_tied(a) and not a.headless:
        found.append(Tensor("head", "head", "head", vocabulary, h))
    if a.lm_head_bias:
        found.append(vector("head_bias", "head", vocabulary, shard="split"))
    if a.n_positions:
        found.append(Tensor("position", "position", "position", a.n_positions, h, shard="replicate"))
    if a.token_types:
        found.append(Tensor("token_type", "position", "position", a.token_types, h, shard="replicate"))
    if a.rotary_inv_freq_saved:
        found.append(Tensor("inv_freq", "buffers", "buffer", 1, a.head_width // 2, a.num_hidden_layers, "replicate"))
    return found


def is_tied(a: Architecture) -> bool:
    """True when the head reuses the embedding table (GPT-2 and BLOOM always do)."""
    return a.tie_word_embeddings or a.family in ("gpt2", "bloom")


@lru_cache(maxsize=64)
def model_tensors(a: Architecture) -> tuple[Tensor, ...]:
    """Every tensor of the checkpoint, equal blocks merged into `copies`. Raises ValueError on impossible layer counts."""
    found = _ends(a)
    for (attention, mlp), count in Counter(layer_plan(a)).items():
        found += [t.times(count) for t in block_tensors(a, attention, mlp)]
    if a.num_nextn_predict_layers:
        found += _mtp(a)
    if a.index_n_heads:
        found += [t.times(a.index_layers or a.num_hidden_layers) for t in _indexer(a)]
    if a.vision_tower == "siglip896":
        found += _siglip896(a)
    return tuple(found + _towers(a))
