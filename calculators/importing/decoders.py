"""Configs of decoder language models -> fields of an `Architecture`, one short rule per `model_type`.

In: a `Reader` over the (text) config. Out: fields by name. Rules follow the modelling code of Hugging Face transformers; a
`model_type` without a rule is not known here, whatever its keys look like. Raises `Unusable` for keys that are missing or
impossible.
"""

from collections.abc import Callable
from typing import Any

from calculators.framework.text import Text
from calculators.importing.kinds import attention_letters, fields_of
from calculators.importing.reader import Reader
from calculators.importing.record import Unusable

Fields = dict[str, Any]
Rule = Callable[[Reader], Fields]

WIDTH = ("hidden_size", "n_embd", "d_model")
LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
HEADS = ("num_attention_heads", "n_head", "n_heads")
KV_HEADS = ("num_key_value_heads", "num_kv_heads", "multi_query_group_num")
FFN = ("intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner")
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
PER_TOKEN = ("num_experts_per_tok", "num_experts_per_token", "moe_k", "moe_topk", "top_k_experts")
SHARED = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")
CONTEXT = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length", "n_ctx")


def common(r: Reader, *, tied: bool = False, **fixed: Any) -> Fields:
    """Widths, heads, layers and vocabulary, under whichever of their usual names."""
    found: Fields = {
        "hidden_size": r.whole("hidden_size", *WIDTH),
        "num_hidden_layers": r.whole("num_hidden_layers", *LAYERS),
        "vocab_size": r.whole("vocab_size", "padded_vocab_size", "vocab_size"),
        "num_attention_heads": r.whole("num_attention_heads", *HEADS),
        "intermediate_size": r.whole("intermediate_size", *FFN, default=0),
        "max_position_embeddings": r.whole("max_position_embeddings", *CONTEXT, default=0),
        "tie_word_embeddings": _tied(r, tied),
    }
    kv = r.whole("num_key_value_heads", *KV_HEADS, default=0)
    if kv and kv != found["num_attention_heads"]:
        found["num_key_value_heads"] = kv
    width = r.whole("head_dim", "head_dim", "kv_channels", "attention_head_dim", default=0)
    if width and width * found["num_attention_heads"] != found["hidden_size"]:
        found["head_dim"] = width
    return found | fixed


def _tied(r: Reader, default: bool) -> bool:
    for at in (r, r.outer):
        if at is not None and at.has("tie_word_embeddings"):
            return at.switch("tie_word_embeddings")
    return default


def biases(r: Reader, *names: str, default: bool = False, out: bool = True, mlp: bool = False) -> Fields:
    """One key that gives q, k, v (and the output, and the FFN) their biases."""
    on = r.switch(*names, default=default)
    return {"attention_bias": on, "attention_out_bias": on and out} | ({"mlp_bias": on} if mlp else {})


def experts(r: Reader, *, default_width: int = 0, shared_width: str = "", **fixed: Any) -> Fields:
    """Routed and shared experts, and how many leading layers stay dense. Nothing where the config has no experts."""
    count = r.whole("num_experts", *EXPERTS, default=0)
    if not count:
        return {}
    found: Fields = {
        "num_experts": count,
        "num_experts_per_tok": r.whole("num_experts_per_tok", *PER_TOKEN),
        "moe_intermediate_size": r.whole("moe_intermediate_size", default=default_width),
        "n_shared_experts": r.whole("n_shared_experts", *SHARED, default=0),
        "first_k_dense_replace": r.whole("first_k_dense_replace", default=0),
    }
    if shared_width:
        wide = r.whole("shared_expert_intermediate_size", shared_width, default=0)
        if wide:
            found |= {"n_shared_experts": 1, "shared_expert_intermediate_size": wide}
    return found | fixed


def latent(r: Reader) -> Fields:
    """Multi-head latent attention; a null or missing `q_lora_rank` means queries that are not compressed."""
    return {
        "kv_lora_rank": r.whole("kv_lora_rank"),
        "q_lora_rank": r.whole("q_lora_rank", default=0),
        "qk_nope_head_dim": r.whole("qk_nope_head_dim"),
        "qk_rope_head_dim": r.whole("qk_rope_head_dim"),
        "v_head_dim": r.whole("v_head_dim"),
        "head_dim": 0,
        "num_key_value_heads": 0,
    }


def sparse_letters(r: Reader, found: Fields) -> str:
    """Which layers have experts: `mlp_layer_types`, `mlp_only_layers` with `decoder_sparse_step`, or the leading dense ones."""
    layers: int = found["num_hidden_layers"]
    if not found.get("num_experts"):
        return "d" * layers
    listed = r.listed("mlp_layer_types", layers) or r.listed("mlp_layer_type", layers)
    if listed:
        return "".join("m" if kind == "sparse" else "d" for kind in listed)
    only, step = r.positions("mlp_only_layers"), r.whole("num_hidden_layers", "decoder_sparse_step", default=1) or 1
    first = found.get("first_k_dense_replace", 0)
    return "".join("m" if i >= first and i not in only and (i + 1) % step == 0 else "d" for i in range(layers))


def placed(r: Reader, found: Fields, attention: str = "", ffn: str = "") -> Fields:
    """The kinds of the layers, `layer_types` first; a dense start is counted, anything else goes into the pattern."""
    layers = found["num_hidden_layers"]
    attention = attention_letters(r, layers) or attention or "f" * layers
    ffn = ffn or sparse_letters(r, found)
    window = r.whole("sliding_window", "sliding_window", "attention_chunk_size", default=0) if "s" in attention else 0
    if "s" in attention and (not window or 0 < found["max_position_embeddings"] <= window):
        attention = attention.replace("s", "f")  # a window as long as the context slides nowhere
        window = 0
    first = len(ffn) - len(ffn.lstrip("d"))
    if found.get("num_experts"):
        found["first_k_dense_replace"] = first if 0 < first < layers else 0
    if window:
        found["sliding_window"] = window
    return found | fields_of(attention, ffn, found.get("first_k_dense_replace", 0))


def every(layers: int, period: int, letter: str = "s") -> str:
    """One full-attention layer at the end of each period."""
    return "".join("f" if (i + 1) % period == 0 else letter for i in range(layers)) if period else "f" * layers


def predicted(r: Reader, *names: str) -> Fields:
    """Multi-token-prediction modules in the file."""
    return {
        "num_nextn_predict_layers": r.whole("num_nextn_predict_layers", *(names or ("num_nextn_predict_layers",)), default=0)
    }


def _llama(r: Reader) -> Fields:
    found = common(r) | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")}
    r.known("original_max_position_embeddings")
    rope = r.inner("rope_scaling") or r.inner("rope_parameters")
    if rope is not None and "llama3" in (rope.data.get("rope_type"), rope.data.get("type")):
        found["rope_freqs"] = (found.get("head_dim") or found["hidden_size"] // found["num_attention_heads"]) // 2
    return placed(r, found)


def _mistral(r: Reader) -> Fields:
    found = common(r)
    return placed(r, found, "s" * found["num_hidden_layers"] if r.has("sliding_window") else "")


def _mixtral(r: Reader) -> Fields:
    found = common(r)
    found |= experts(r, default_width=found["intermediate_size"])
    return placed(r, found | {"intermediate_size": 0}, "s" * found["num_hidden_layers"] if r.has("sliding_window") else "")


def _qwen2(r: Reader) -> Fields:
    found = common(r, attention_bias=r.switch("qkv_bias", default=True))
    if not r.switch("use_sliding_window"):
        return placed(r.without("layer_types", "sliding_window"), found)
    layers = found["num_hidden_layers"]
    full = r.whole("num_hidden_layers", "max_window_layers", default=layers)
    return placed(r, found, "".join("f" if i < full else "s" for i in range(layers)))


def _qwen2_moe(r: Reader) -> Fields:
    found = common(r, attention_bias=r.switch("qkv_bias", default=True))
    found |= experts(r, shared_width="shared_expert_intermediate_size", shared_expert_gate=True)
    return placed(r.without("layer_types"), found)


def _qwen3(r: Reader) -> Fields:
    found = common(r, qk_norm="head") | biases(r, "attention_bias")
    full = not r.switch("use_sliding_window")
    return placed(r.without("layer_types") if full else r, found)


def _qwen3_moe(r: Reader) -> Fields:
    r.known("shared_expert_intermediate_size")  # left in some configs; the block has no shared expert
    found = common(r, qk_norm="head") | biases(r, "attention_bias") | experts(r)
    return _without_idle(placed(r.without("layer_types"), found))


def _delta(r: Reader) -> Fields:
    return {
        "linear_num_key_heads": r.whole("linear_num_key_heads"),
        "linear_key_head_dim": r.whole("linear_key_head_dim"),
        "linear_num_value_heads": r.whole("linear_num_value_heads"),
        "linear_value_head_dim": r.whole("linear_value_head_dim"),
        "linear_conv_kernel_dim": r.whole("linear_conv_kernel_dim", default=4),
    }


def _qwen3_next(r: Reader) -> Fields:
    found = common(r, qk_norm="head", attention_output_gate=r.switch("attn_output_gate", default=True))
    found |= biases(r, "attention_bias") | _delta(r) | predicted(r, "mtp_num_hidden_layers", "num_nextn_predict_layers")
    found |= experts(r, shared_width="shared_expert_intermediate_size", shared_expert_gate=True)
    layers = found["num_hidden_layers"]
    return _without_idle(
        placed(r, found, every(layers, r.whole("num_hidden_layers", "full_attention_interval", default=4), "l"))
    )


def _without_idle(found: Fields) -> Fields:
    """A dense width that no layer uses is left out."""
    dense = "d" in found["layer_pattern"][1::2] if found.get("layer_pattern") else found.get("first_k_dense_replace")
    if found.get("num_experts") and not dense and not found.get("dense_beside_experts"):
        found["intermediate_size"] = 0
    return found


def _gemma(r: Reader) -> Fields:
    return placed(r, common(r, tied=True))


def _gemma2(r: Reader) -> Fields:
    found = common(r, tied=True, norms_per_layer=4)
    return placed(r, found, every(found["num_hidden_layers"], 2))


def _gemma3(r: Reader) -> Fields:
    found = common(r, tied=True, norms_per_layer=4, qk_norm="head")
    period = r.whole("num_hidden_layers", "sliding_window_pattern", "_sliding_window_pattern", default=6)
    return placed(r, found, every(found["num_hidden_layers"], period))


def _gemma4(r: Reader) -> Fields:
    if r.data.get("hidden_size_per_layer_input") or r.data.get("use_double_wide_mlp"):
        raise Unusable(
            Text(
                "Gemma's per-layer embeddings (“hidden_size_per_layer_input”, “use_double_wide_mlp”) are not known here.",
                "Gemma 的逐层嵌入（“hidden_size_per_layer_input”、“use_double_wide_mlp”）尚未支持。",
            )
        )
    r.known("vocab_size_per_layer_input")
    found = common(r, tied=True, norms_per_layer=4, qk_norm="head")
    found |= {
        "head_dim": r.whole("head_dim", default=256),
        "global_head_dim": r.whole("global_head_dim", default=512),
        "num_global_key_value_heads": r.whole("num_global_key_value_heads", default=0),
        "global_k_is_v": r.switch("attention_k_eq_v"),
        "num_kv_shared_layers": r.whole("num_kv_shared_layers", default=0),
        "other_parameters": found["num_hidden_layers"],  # one learned scalar per layer
    }
    if r.switch("enable_moe_block"):
        found |= experts(r, dense_beside_experts=True, router_bias=True)  # a scale per expert, and one norm more per router
        found["norms_per_layer"] = 8
    else:
        r.known(*EXPERTS)
    return placed(r, found, every(found["num_hidden_layers"], 6))


def _phi3(r: Reader) -> Fields:
    r.known("original_max_position_embeddings")
    found = common(r) | biases(r, "attention_bias")
    return placed(r, found, "s" * found["num_hidden_layers"] if r.has("sliding_window") else "")


def _phimoe(r: Reader) -> Fields:
    found = common(r, norm_bias=True) | biases(r, "attention_bias") | {"lm_head_bias": r.switch("lm_head_bias")}
    found |= experts(r, default_width=found["intermediate_size"])
    return placed(r, found | {"intermediate_size": 0}, "s" * found["num_hidden_layers"] if r.has("sliding_window") else "")


def _cohere(r: Reader) -> Fields:
    qk = r.switch("use_qk_norm")
    return placed(r, common(r, tied=True, norms_per_layer=1, qk_norm="full" if qk else "") | biases(r, "attention_bias"))


def _cohere2(r: Reader) -> Fields:
    found = common(r, tied=True, norms_per_layer=1) | biases(r, "attention_bias")
    period = r.whole("num_hidden_layers", "sliding_window_pattern", "_sliding_window_pattern", default=4)
    return placed(r, found, every(found["num_hidden_layers"], period))


def _olmo(r: Reader) -> Fields:
    return placed(r, common(r, norms_per_layer=0, no_final_norm=True) | biases(r, "attention_bias"))


def _olmo2(r: Reader) -> Fields:
    return placed(r, common(r, qk_norm="full") | biases(r, "attention_bias"))


def _olmo3(r: Reader) -> Fields:
    found = common(r, qk_norm="full") | biases(r, "attention_bias")
    return placed(r, found, every(found["num_hidden_layers"], 4))


def _olmoe(r: Reader) -> Fields:
    found = common(r, qk_norm="full") | biases(r, "attention_bias")
    return placed(r, found | experts(r, default_width=found["intermediate_size"]) | {"intermediate_size": 0})


def _granitemoe(r: Reader) -> Fields:
    found = common(r) | biases(r, "attention_bias", out=False)
    return placed(r, found | experts(r, default_width=found["intermediate_size"]) | {"intermediate_size": 0})


def _glm(r: Reader) -> Fields:
    return placed(r, common(r, attention_bias=r.switch("attention_bias", default=True)))


def _glm4(r: Reader) -> Fields:
    return placed(r, common(r, norms_per_layer=4, attention_bias=r.switch("attention_bias", default=True)))


def _glm4_moe(r: Reader) -> Fields:
    found = common(r, attention_bias=r.switch("attention_bias"), qk_norm="head" if r.switch("use_qk_norm") else "")
    found |= experts(r, router_bias=True) | predicted(r)
    return placed(r, found)


def _deepseek(r: Reader) -> Fields:
    found = common(r) | latent(r) | experts(r)
    r.known("qk_head_dim", "moe_layer_freq", "index_share_for_mtp_iteration", "index_skip_topk_offset")
    if r.data.get("moe_layer_freq", 1) not in (1, None):
        raise Unusable(Text("“moe_layer_freq” other than 1 is not known here.", "“moe_layer_freq”不为 1 的情况尚未支持。"))
    if found.get("num_experts"):
        corrected = r.word("topk_method") == "noaux_tc" or r.word("scoring_func") == "sigmoid"
        found["router_bias"] = corrected or r.word("model_type") in ("deepseek_v3", "deepseek_v32", "kimi_k2", "glm_moe_dsa")
    mtp = predicted(r)
    found |= mtp | {"mtp_own_embedding": bool(mtp["num_nextn_predict_layers"])}
    if r.has("index_n_heads"):
        found |= {"index_n_heads": r.whole("index_n_heads"), "index_head_dim": r.whole("index_head_dim")}
        kinds = r.listed("indexer_types", found["num_hidden_layers"])
        own = sum(kind == "full" for kind in kinds)
        if kinds and own < len(kinds):
            found["index_layers"] = own
    return placed(r, found)


def _gpt_oss(r: Reader) -> Fields:
    r.known("experts_per_token", "swiglu_limit", "initial_context_length")
    found = common(r, attention_sinks=True, expert_bias=True) | biases(r, "attention_bias", default=True)
    found |= experts(r, default_width=found["intermediate_size"]) | {"intermediate_size": 0}
    return placed(r, found, every(found["num_hidden_layers"], 2))


def _minimax_m2(r: Reader) -> Fields:
    norm = (
        {"per_layer": "full", "": "full"}.get(r.word("qk_norm_type"), "head") if r.switch("use_qk_norm", default=True) else ""
    )
    found = common(r, qk_norm=norm)
    found |= experts(r, default_width=found["intermediate_size"], router_bias=True)
    r.known("attn_type_list", "qk_norm_type", "use_routing_bias", "moe_layer_freq")
    if not r.switch("use_mtp", default=True):
        r.known("num_mtp_modules", "mtp_transformer_layers")
    if not r.has("n_shared_experts", "num_shared_experts"):
        r.known("shared_intermediate_size")
    return placed(r, found | {"intermediate_size": 0})


def _llama4(r: Reader) -> Fields:
    found = common(r) | biases(r, "attention_bias")
    found |= experts(r, default_width=found["intermediate_size"], n_shared_experts=1)
    found["intermediate_size"] = r.whole("intermediate_size", "intermediate_size_mlp", default=0)
    layers, step = found["num_hidden_layers"], r.whole("num_hidden_layers", "interleave_moe_layer_step", default=1) or 1
    moe = r.positions("moe_layers") or {i for i in range(layers) if (i + 1) % step == 0}
    rope = r.listed("no_rope_layers") or [0 if (i + 1) % 4 == 0 else 1 for i in range(layers)]
    attention = "".join("s" if i < len(rope) and rope[i] else "f" for i in range(layers))
    return _without_idle(placed(r, found, attention, "".join("m" if i in moe else "d" for i in range(layers))))


def _ernie_moe(r: Reader) -> Fields:
    found = common(r, tied=True) | biases(r, "use_bias", mlp=True)
    found |= experts(r, router_bias=True)
    r.known("moe_norm_min", "moe_use_aux_free", "moe_capacity", "moe_gate", "moe_gate_act", "moe_multimodal_token_config")
    start = r.whole("num_hidden_layers", "moe_layer_start_index", default=0)
    layers = found["num_hidden_layers"]
    end, step = (
        r.whole("num_hidden_layers", "moe_layer_end_index", default=layers - 1),
        r.whole("num_hidden_layers", "moe_layer_interval", default=1) or 1,
    )
    ffn = "".join("m" if start <= i <= end and (i + 1) % step == 0 else "d" for i in range(layers))
    return _without_idle(placed(r, found, "", ffn))


def _mimo_v2(r: Reader) -> Fields:
    found = common(r) | biases(r, "attention_bias")
    layers = found["num_hidden_layers"]
    kinds, sparse = r.listed("hybrid_layer_pattern", layers), r.listed("moe_layer_freq", layers)
    wide = {"head_dim": r.whole("head_dim", "swa_head_dim"), "v_head_dim": r.whole("v_head_dim", "swa_v_head_dim")}
    found |= wide | {
        "num_global_key_value_heads": r.whole("num_global_key_value_heads", "num_key_value_heads"),
        "num_key_value_heads": r.whole("num_key_value_heads", "swa_num_key_value_heads"),
        "attention_sinks": r.switch("add_swa_attention_sink_bias", default=True),
        "sliding_sinks": not r.switch("add_full_attention_sink_bias"),
    }
    found |= experts(r, router_bias=True)
    r.known("swa_num_attention_heads", "v_head_dim", "head_dim")
    if r.data.get("swa_num_attention_heads", found["num_attention_heads"]) != found["num_attention_heads"]:
        raise Unusable(Text("Sliding layers with fewer query heads are not known here.", "滑动层的查询头数不同，尚未支持。"))
    attention = "".join("s" if kind else "f" for kind in kinds)
    return _without_idle(placed(r, found, attention, "".join("m" if kind else "d" for kind in sparse)))


def _exaone4(r: Reader) -> Fields:
    found = common(r, qk_norm="head")
    raw = r.raw("sliding_window_pattern")
    period = len(raw) if isinstance(raw, str) else raw if isinstance(raw, int) and not isinstance(raw, bool) else 4
    return placed(r, found, every(found["num_hidden_layers"], period) if r.has("sliding_window") else "")


def _plain_llama(**fixed: Any) -> Rule:
    """Llama's block with fixed differences."""

    def rule(r: Reader) -> Fields:
        r.known("no_rope_layers", "no_rope_layer_interval")
        return placed(r, common(r, **fixed) | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")})

    return rule


def _hunyuan(r: Reader) -> Fields:
    qk = r.switch("use_qk_norm", default=True)
    found = common(r, tied=True, qk_norm="head" if qk else "") | biases(r, "attention_bias")
    return placed(r, found | {"mlp_bias": r.switch("mlp_bias")})


def _seed_oss(r: Reader) -> Fields:
    found = common(
        r, attention_bias=r.switch("attention_bias", default=True), attention_out_bias=r.switch("attention_out_bias")
    )
    return placed(r, found | {"mlp_bias": r.switch("mlp_bias")})


def _dots1(r: Reader) -> Fields:
    found = common(r, qk_norm="head") | biases(r, "attention_bias") | experts(r, router_bias=True)
    return placed(r, found)


def _mimo(r: Reader) -> Fields:
    r.known("sliding_window", "use_sliding_window")
    return placed(r, common(r, attention_bias=r.switch("attention_bias", default=True)) | predicted(r))


RULES: dict[str, Rule] = {
    "arcee": _plain_llama(mlp_plain=True),
    "cohere": _cohere,
    "cohere2": _cohere2,
    "deepseek_v2": _deepseek,
    "deepseek_v3": _deepseek,
    "deepseek_v32": _deepseek,
    "dots1": _dots1,
    "ernie4_5": lambda r: placed(r, common(r, tied=True) | biases(r, "use_bias", mlp=True)),
    "ernie4_5_moe": _ernie_moe,
    "exaone4": _exaone4,
    "gemma": _gemma,
    "gemma2": _gemma2,
    "gemma3_text": _gemma3,
    "gemma4_text": _gemma4,
    "glm": _glm,
    "glm4": _glm4,
    "glm4_moe": _glm4_moe,
    "glm_moe_dsa": _deepseek,
    "gpt_oss": _gpt_oss,
    "granite": _plain_llama(),
    "granitemoe": _granitemoe,
    "helium": _plain_llama(),
    "hunyuan_v1_dense": _hunyuan,
    "kimi_k2": _deepseek,
    "llama": _llama,
    "llama4_text": _llama4,
    "mimo": _mimo,
    "mimo_v2_flash": _mimo_v2,
    "minimax_m2": _minimax_m2,
    "ministral": _mistral,
    "mistral": _mistral,
    "mixtral": _mixtral,
    "olmo": _olmo,
    "olmo2": _olmo2,
    "olmo3": _olmo3,
    "olmoe": _olmoe,
    "phi3": _phi3,
    "phimoe": _phimoe,
    "qwen2": _qwen2,
    "qwen2_moe": _qwen2_moe,
    "qwen3": _qwen3,
    "qwen3_5_moe_text": _qwen3_next,
    "qwen3_5_text": _qwen3_next,
    "qwen3_moe": _qwen3_moe,
    "qwen3_next": _qwen3_next,
    "seed_oss": _seed_oss,
    "smollm3": _plain_llama(),
}
"""`model_type` -> its rule. Names of text configs inside vision models are in `towers.TEXT_OF`."""
