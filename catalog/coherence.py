"""Numbers of an architecture that must go together: what a `config.json` and a catalog file are both held to.

In: an `Architecture`. Out: findings (field, message, mend). Standard library only, as `catalog.model`.

Counts of layers of different kinds add up, heads divide, and the fields of a mechanism (experts, latent attention,
sliding window, linear attention) come all or none.
"""

from collections.abc import Iterator

from catalog.model import Architecture

type Finding = tuple[str, str, str]

MECHANISMS = {
    "mixture of experts": ("num_experts", "num_experts_per_tok", "moe_intermediate_size"),
    "latent attention (MLA)": ("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"),
    "sliding window": ("sliding_layers", "sliding_window"),
    "linear attention": (
        "linear_layers",
        "linear_num_key_heads",
        "linear_key_head_dim",
        "linear_num_value_heads",
        "linear_value_head_dim",
        "linear_conv_kernel_dim",
    ),
    "sparse-attention indexer": ("index_n_heads", "index_head_dim"),
}
"""Fields that only mean something together."""
OF_KIND = {
    "short_conv": ("linear_layers", "linear_conv_kernel_dim"),
    "lightning": ("linear_layers", "linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim"),
}
"""What a linear layer of that kind needs, where it is not the whole list."""
LETTERS = {"attention": "fsln", "FFN": "dmn"}

NEEDS = {
    "n_shared_experts": "num_experts",
    "shared_expert_intermediate_size": "num_experts",
    "shared_expert_gate": "num_experts",
    "router_bias": "num_experts",
    "expert_bias": "num_experts",
    "first_k_dense_replace": "num_experts",
    "q_lora_rank": "kv_lora_rank",
    "sliding_kv_shared_layers": "num_kv_shared_layers",
    "global_head_dim": "sliding_layers",
    "num_global_key_value_heads": "sliding_layers",
    "mtp_own_embedding": "num_nextn_predict_layers",
    "dense_beside_experts": "num_experts",
    "moe_latent_size": "num_experts",
    "index_layers": "index_n_heads",
    "sliding_sinks": "attention_sinks",
    "linear_kind": "linear_layers",
    "linear_dt_rank": "linear_kind",
    "linear_dt_norm": "linear_dt_rank",
    "linear_bias": "linear_kind",
    "linear_conv_bias": "linear_kind",
    "attention_free_layers": "layer_pattern",
}
"""field -> the field without which it has no effect."""


def findings(a: Architecture) -> Iterator[Finding]:
    """What does not go together in one architecture: field, message, mend."""
    for rule in (_mechanisms, _heads, _layers, _feed_forward, _family):
        yield from rule(a)


def _mechanisms(a: Architecture) -> Iterator[Finding]:
    for mechanism, needed_names in MECHANISMS.items():
        names = OF_KIND.get(a.linear_kind, needed_names) if mechanism == "linear attention" else needed_names
        present = [n for n in names if getattr(a, n)]
        if present == ["v_head_dim"]:
            continue  # values may be narrower than keys without a latent (MiMo-V2)
        absent = [n for n in names if not getattr(a, n)]
        if present and absent:
            yield (
                present[0],
                f"{mechanism}: {', '.join(f'`{n}`' for n in present)} without {', '.join(f'`{n}`' for n in absent)}",
                f"Copy {', '.join(absent)} from config.json, or delete {', '.join(present)}.",
            )
    for name, needed in NEEDS.items():
        if getattr(a, name) and not getattr(a, needed):
            yield name, f"`{name}` has no effect without `{needed}`", f"Add `{needed}`, or delete `{name}`."
    if a.num_experts and a.num_experts_per_tok > a.num_experts:
        yield (
            "num_experts_per_tok",
            f"`num_experts_per_tok` {a.num_experts_per_tok} is above `num_experts` {a.num_experts}",
            "Check whether the two are swapped.",
        )


def _heads(a: Architecture) -> Iterator[Finding]:
    heads = a.num_attention_heads
    if not heads:
        if not a.family and a.linear_layers + a.attention_free_layers < a.num_hidden_layers:
            yield (
                "num_attention_heads",
                "`num_attention_heads` is missing: some layers have attention",
                "Copy it from config.json.",
            )
        return
    for name in ("num_key_value_heads", "num_global_key_value_heads"):
        kv = getattr(a, name)
        if kv and heads % kv:
            yield name, f"`{name}` {kv} does not divide `num_attention_heads` {heads}", "Check both in config.json."
    if not a.head_dim and not a.kv_lora_rank and a.hidden_size % heads:
        yield (
            "hidden_size",
            f"`hidden_size` {a.hidden_size} is not a multiple of `num_attention_heads` {heads}, and `head_dim` is absent",
            "Copy `head_dim` from config.json.",
        )
    if a.linear_num_key_heads and a.linear_num_value_heads % a.linear_num_key_heads:
        yield (
            "linear_num_value_heads",
            f"`linear_num_value_heads` {a.linear_num_value_heads} is not a multiple of {a.linear_num_key_heads} key heads",
            "Check whether the two are swapped.",
        )


def _layers(a: Architecture) -> Iterator[Finding]:
    total = a.num_hidden_layers
    yield from _pattern(a)
    if a.sliding_layers + a.linear_layers + a.attention_free_layers > total:
        name = "sliding_layers" if a.sliding_layers else "linear_layers"
        yield (
            name,
            f"`sliding_layers` {a.sliding_layers} + `linear_layers` {a.linear_layers} > `num_hidden_layers` {total}",
            "Count the layer types in config.json again; full-attention layers are the rest.",
        )
    for name in ("first_k_dense_replace", "num_kv_shared_layers"):
        if getattr(a, name) >= total:
            yield (
                name,
                f"`{name}` {getattr(a, name)} leaves none of the `num_hidden_layers` {total}",
                "Check both counts in config.json.",
            )
    if a.sliding_kv_shared_layers > min(a.sliding_layers, a.num_kv_shared_layers):
        yield (
            "sliding_kv_shared_layers",
            f"`sliding_kv_shared_layers` {a.sliding_kv_shared_layers} is above the layers that slide or share",
            "Count the sliding layers among the last ones again.",
        )


def _pattern(a: Architecture) -> Iterator[Finding]:
    """The counts say the same as the list of kinds, where there is one."""
    pattern = a.layer_pattern
    if not pattern:
        return
    if len(pattern) % 2 or set(pattern[::2]) - set(LETTERS["attention"]) or set(pattern[1::2]) - set(LETTERS["FFN"]):
        yield (
            "layer_pattern",
            f"`layer_pattern` {pattern} is not made of pairs of one of f, s, l, n and one of d, m, n",
            "Write two letters a layer: attention full, sliding, linear or none, then FFN dense, MoE or none.",
        )
        return
    kinds = [pattern[(2 * i) % len(pattern)] for i in range(a.num_hidden_layers)]
    for letter, name in (("s", "sliding_layers"), ("l", "linear_layers"), ("n", "attention_free_layers")):
        if kinds.count(letter) != getattr(a, name):
            yield (
                name,
                f"`{name}` {getattr(a, name)} differs from the {kinds.count(letter)} layers of `layer_pattern`",
                "Count the letters again.",
            )


def _feed_forward(a: Architecture) -> Iterator[Finding]:
    dense = "d" in a.layer_pattern[1::2] if a.layer_pattern else not a.num_experts or a.first_k_dense_replace
    if dense and not a.intermediate_size and not a.family:
        what = "leading dense layers" if a.num_experts else "dense layers"
        yield "intermediate_size", f"`intermediate_size` is missing: the {what} have an FFN", "Copy it from config.json."


def _family(a: Architecture) -> Iterator[Finding]:
    if a.family == "gpt2" and not a.n_positions:
        yield "family", "`family: gpt2` without `n_positions`: its learned positions count as parameters", "Add `n_positions`."
    if a.n_positions and a.family != "gpt2" and not (a.norm_bias and not a.family):
        yield (
            "n_positions",
            "`n_positions` only counts for `family: gpt2` and other models with LayerNorm (`norm_bias`)",
            "Delete it; `max_position_embeddings` is the context.",
        )
