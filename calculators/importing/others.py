"""Configs of classic decoders, recurrent and hybrid models and encoders -> fields of an `Architecture`.

In, out and errors as in `decoders`; shapes follow Hugging Face transformers, checked against its own counts in the tests.
"""

from typing import Any

from calculators.framework.text import Text
from calculators.importing.decoders import Fields, Rule, biases, common, experts, latent, placed, predicted
from calculators.importing.kinds import fields_of
from calculators.importing.reader import Reader
from calculators.importing.record import Unusable


def _classic(family: str, *, tied: bool) -> Rule:
    def rule(r: Reader) -> Fields:
        found = common(r, tied=tied, family=family)
        r.known("use_parallel_residual", "attention_bias", "n_ctx", "n_inner")
        if r.data.get("attention_bias") is False:
            raise Unusable(Text("GPT-NeoX without attention biases is not known here.", "不带注意力偏置的 GPT-NeoX 尚未支持。"))
        if family == "gpt2":
            found["n_positions"] = r.whole("n_positions", "n_positions", "n_ctx", default=1024)
        return found

    return rule


def _layer_norm(r: Reader, **fixed: Any) -> Fields:
    """A block with LayerNorm and an FFN of up and down, four times as wide unless the config says otherwise."""
    found = common(r, norm_bias=True, mlp_plain=True, **fixed)
    found["intermediate_size"] = found["intermediate_size"] or 4 * found["hidden_size"]
    return found


def _falcon(r: Reader) -> Fields:
    new = r.switch("new_decoder_architecture")
    r.known("multi_query")
    parallel, bias = r.switch("parallel_attn", default=True), r.switch("bias")
    found = _layer_norm(r, tied=True)
    norms = r.whole("norms_per_layer", "num_ln_in_parallel_attn", default=2 if new else 1)
    found["norms_per_layer"] = norms if parallel else 2
    if not new:
        found["num_key_value_heads"] = 1 if r.switch("multi_query", default=True) else 0
    return found | {"attention_bias": bias, "attention_out_bias": bias, "mlp_bias": bias}


def _gptj(r: Reader) -> Fields:
    return _layer_norm(r, norms_per_layer=1, mlp_bias=True, lm_head_bias=True)


def _phi(r: Reader) -> Fields:
    if r.switch("qk_layernorm"):
        raise Unusable(Text("Phi with “qk_layernorm” is not known here.", "带“qk_layernorm”的 Phi 尚未支持。"))
    return _layer_norm(r, norms_per_layer=1, attention_bias=True, attention_out_bias=True, mlp_bias=True, lm_head_bias=True)


def _opt(r: Reader) -> Fields:
    found = _layer_norm(r, tied=True) | biases(r, "enable_bias", default=True, mlp=True)
    r.known("layer_norm_elementwise_affine")
    narrow = r.whole("hidden_size", "word_embed_proj_dim", default=found["hidden_size"])
    if narrow != found["hidden_size"] or not r.switch("do_layer_norm_before", default=True):
        raise Unusable(
            Text(
                "OPT-350m's narrow embedding and trailing norms are not known here.",
                "OPT-350m 的窄词嵌入和后置归一化尚未支持。",
            )
        )
    return found | {"n_positions": found["max_position_embeddings"] + 2}


def _mpt(r: Reader) -> Fields:
    if not r.switch("no_bias", default=True):
        raise Unusable(Text("MPT with biases is not known here.", "带偏置的 MPT 尚未支持。"))
    r.known("learned_pos_emb", "embedding_fraction", "verbose", "init_config")
    found = common(r, tied=True, mlp_plain=True)
    attention = r.inner("attn_config")
    kv = attention.whole("num_key_value_heads", "kv_n_heads", default=0) if attention else 0
    ratio = r.whole("norms_per_layer", "expansion_ratio", default=4)
    return found | {"intermediate_size": ratio * found["hidden_size"], "num_key_value_heads": kv}


def _bigcode(r: Reader) -> Fields:
    found = _layer_norm(r, tied=True, attention_bias=True, attention_out_bias=True, mlp_bias=True)
    found["n_positions"] = r.whole("n_positions", default=1024)
    r.known("attention_softmax_in_fp32", "num_key_value_heads")
    return found | {"num_key_value_heads": 1 if r.switch("multi_query", default=True) else 0}


def _starcoder2(r: Reader) -> Fields:
    found = _layer_norm(r, tied=True) | biases(r, "use_bias", default=True, mlp=True)
    return placed(r, found, "s" * found["num_hidden_layers"] if r.has("sliding_window") else "")


def _stablelm(r: Reader) -> Fields:
    if r.switch("qk_layernorm"):
        raise Unusable(Text("StableLM with “qk_layernorm” is not known here.", "带“qk_layernorm”的 StableLM 尚未支持。"))
    norms = 1 if r.switch("use_parallel_residual") else 2
    return common(r, norm_bias=True, norms_per_layer=norms, attention_bias=r.switch("use_qkv_bias"))


def _baichuan(r: Reader) -> Fields:
    return common(r)


def _nemotron(r: Reader) -> Fields:
    found = common(r, norm_bias=True, mlp_plain=True)
    return found | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")}


def _qwen1(r: Reader) -> Fields:
    found = common(r, attention_bias=True)
    r.known("no_bias")
    return found | {"intermediate_size": found["intermediate_size"] // 2}  # this config counts gate and up together


def _chatglm(r: Reader) -> Fields:
    found = common(r, attention_bias=r.switch("add_qkv_bias", default=True))
    if not r.switch("multi_query_attention"):
        found.pop("num_key_value_heads", None)
    r.known("rmsnorm", "post_layer_norm", "original_rope", "layernorm_epsilon", "add_bias_linear")
    return found


def _internlm2(r: Reader) -> Fields:
    return common(r) | biases(r, "bias")


def _minicpm3(r: Reader) -> Fields:
    return common(r, tied=True) | latent(r) | {"v_head_dim": r.whole("v_head_dim", default=64)}


def _dbrx(r: Reader) -> Fields:
    found = common(r)
    ffn, attention = r.inner("ffn_config"), r.inner("attn_config")
    if ffn is None or attention is None:
        raise Unusable(Text("“ffn_config” or “attn_config” is missing.", "缺少“ffn_config”或“attn_config”。"))
    return found | {
        "num_key_value_heads": attention.whole("num_key_value_heads", "kv_n_heads", default=1),
        "num_experts": ffn.whole("num_experts", "moe_num_experts"),
        "num_experts_per_tok": ffn.whole("num_experts_per_tok", "moe_top_k"),
        "moe_intermediate_size": ffn.whole("moe_intermediate_size", "ffn_hidden_size"),
        "intermediate_size": 0,
    }


def _mamba(r: Reader) -> Fields:
    width = r.whole("hidden_size", "hidden_size", "d_model")
    inner = r.whole("intermediate_size", "intermediate_size", "d_inner", default=0) or 2 * width
    layers = r.whole("num_hidden_layers", "num_hidden_layers", "n_layer")
    rank = r.raw("time_step_rank")
    r.known("expand", "ssm_cfg", "rms_norm", "fused_add_norm")
    return {
        "hidden_size": width,
        "num_hidden_layers": layers,
        "vocab_size": r.whole("vocab_size"),
        "tie_word_embeddings": r.switch("tie_word_embeddings", default=True),
        "norms_per_layer": 1,
        "linear_kind": "mamba1",
        "linear_num_value_heads": inner,
        "linear_value_head_dim": 1,
        "linear_num_key_heads": 1,
        "linear_key_head_dim": r.whole("linear_key_head_dim", "state_size", default=16),
        "linear_conv_kernel_dim": r.whole("linear_conv_kernel_dim", "conv_kernel", default=4),
        "linear_dt_rank": -(-width // 16) if rank in (None, "auto") else r.whole("linear_dt_rank", "time_step_rank"),
        "linear_conv_bias": r.switch("use_conv_bias", default=True),
        "linear_bias": r.switch("use_bias"),
    } | fields_of("l" * layers, "n" * layers, 0)


def _mamba2_shape(r: Reader, prefix: str = "mamba") -> Fields:
    names = {
        "mamba": (
            "mamba_n_heads",
            "mamba_d_head",
            "mamba_n_groups",
            "mamba_d_state",
            "mamba_d_conv",
            "mamba_conv_bias",
            "mamba_proj_bias",
        ),
        "nemotron": (
            "mamba_num_heads",
            "mamba_head_dim",
            "n_groups",
            "ssm_state_size",
            "conv_kernel",
            "use_conv_bias",
            "mamba_proj_bias",
        ),
        "plain": ("num_heads", "head_dim", "n_groups", "state_size", "conv_kernel", "use_conv_bias", "use_bias"),
    }[prefix]
    heads, width, groups, state, conv, conv_bias, bias = names
    return {
        "linear_kind": "mamba2",
        "linear_num_value_heads": r.whole("linear_num_value_heads", heads),
        "linear_value_head_dim": r.whole("linear_value_head_dim", width, default=64),
        "linear_num_key_heads": r.whole("linear_num_key_heads", groups, default=1),
        "linear_key_head_dim": r.whole("linear_key_head_dim", state, default=128),
        "linear_conv_kernel_dim": r.whole("linear_conv_kernel_dim", conv, default=4),
        "linear_conv_bias": r.switch(conv_bias, default=True),
        "linear_bias": r.switch(bias),
    }


def _mamba2(r: Reader) -> Fields:
    layers = r.whole("num_hidden_layers", "num_hidden_layers", "n_layer")
    r.known("expand", "rms_norm", "chunk_size")
    return (
        {
            "hidden_size": r.whole("hidden_size", "hidden_size", "d_model"),
            "num_hidden_layers": layers,
            "vocab_size": r.whole("vocab_size"),
            "tie_word_embeddings": r.switch("tie_word_embeddings"),
            "norms_per_layer": 1,
        }
        | _mamba2_shape(r, "plain")
        | fields_of("l" * layers, "n" * layers, 0)
    )


def _bamba(r: Reader) -> Fields:
    found = common(r) | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")} | _mamba2_shape(r)
    full = r.positions("attn_layer_indices")
    r.known("mamba_expand")
    letters = "".join("f" if i in full else "l" for i in range(found["num_hidden_layers"]))
    return placed(r.without("layer_types"), found, letters)


def _granite_hybrid(r: Reader) -> Fields:
    found = common(r, tied=True) | biases(r, "attention_bias", out=False) | _mamba2_shape(r)
    found |= experts(r, default_width=found["intermediate_size"])
    shared = r.whole("shared_expert_intermediate_size", "shared_intermediate_size", default=0)
    r.known("mamba_expand")
    if found.get("num_experts"):
        found |= {"n_shared_experts": 1, "shared_expert_intermediate_size": shared, "intermediate_size": 0}
    else:
        found["intermediate_size"] = shared or found["intermediate_size"]
    return placed(r, found)


def _jamba(r: Reader) -> Fields:
    found = common(r)
    found |= experts(r, default_width=found["intermediate_size"])
    layers, width = found["num_hidden_layers"], found["hidden_size"]
    every_a, from_a = (
        r.whole("num_hidden_layers", "attn_layer_period", default=8) or 8,
        r.whole("num_hidden_layers", "attn_layer_offset", default=4),
    )
    every_e, from_e = (
        r.whole("num_hidden_layers", "expert_layer_period", default=2) or 2,
        r.whole("num_hidden_layers", "expert_layer_offset", default=1),
    )
    expand = r.whole("norms_per_layer", "mamba_expand", default=2)
    rank = r.raw("mamba_dt_rank")
    found |= {
        "linear_kind": "mamba1",
        "linear_dt_norm": True,
        "linear_num_value_heads": expand * width,
        "linear_value_head_dim": 1,
        "linear_num_key_heads": 1,
        "linear_key_head_dim": r.whole("linear_key_head_dim", "mamba_d_state", default=16),
        "linear_conv_kernel_dim": r.whole("linear_conv_kernel_dim", "mamba_d_conv", default=4),
        "linear_dt_rank": -(-width // 16) if rank in (None, "auto") else r.whole("linear_dt_rank", "mamba_dt_rank"),
        "linear_conv_bias": r.switch("mamba_conv_bias", default=True),
        "linear_bias": r.switch("mamba_proj_bias"),
    }
    moe = found.get("num_experts", 0) > 1
    if not moe:
        for name in (
            "num_experts",
            "num_experts_per_tok",
            "moe_intermediate_size",
            "n_shared_experts",
            "first_k_dense_replace",
        ):
            found.pop(name, None)
    attention = "".join("f" if i % every_a == from_a else "l" for i in range(layers))
    ffn = "".join("m" if moe and i % every_e == from_e else "d" for i in range(layers))
    return placed(r.without("layer_types"), found, attention, ffn)


_NEMOTRON = {"M": "ln", "*": "fn", "-": "nd", "E": "nm"}
_NEMOTRON_WORDS = {"mamba": "ln", "attention": "fn", "mlp": "nd", "moe": "nm"}


def _nemotron_h(r: Reader) -> Fields:
    listed = r.listed("layers_block_type")
    if not r.has("num_hidden_layers"):
        r.data = r.data | {"num_hidden_layers": len(listed)}  # configs of 2026 list the layers instead of counting them
    r.known("expand", "moe_shared_expert_overlap", "num_hidden_layers")
    found = common(r, norms_per_layer=1, mlp_plain=True) | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")}
    found |= _mamba2_shape(r, "nemotron")
    layers = found["num_hidden_layers"]
    pattern = r.word("hybrid_override_pattern")
    pairs = [_NEMOTRON.get(c, "") for c in pattern] if pattern else [_NEMOTRON_WORDS.get(str(k), "") for k in listed]
    if len(pairs) != layers or "" in pairs:
        raise Unusable(
            Text(
                f"“hybrid_override_pattern” does not name the kind of each of the {layers} layers.",
                f"“hybrid_override_pattern”没有写明全部 {layers} 层各自的种类。",
            )
        )
    if "nm" in pairs:
        found |= experts(r, router_bias=True)
        found["shared_expert_intermediate_size"] = r.whole(
            "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", default=0
        )
        found["moe_latent_size"] = r.whole("moe_latent_size", default=0)
        found["first_k_dense_replace"] = 0
    if "nd" not in pairs:
        found["intermediate_size"] = 0
    return found | fields_of("".join(p[0] for p in pairs), "".join(p[1] for p in pairs), 0)


def _lfm2(r: Reader) -> Fields:
    found = common(r, tied=True, qk_norm="head")
    found["intermediate_size"] = r.whole("intermediate_size", "block_ff_dim", "intermediate_size", default=0)
    if r.switch("block_auto_adjust_ff_dim", default=True):
        multiple = r.whole("intermediate_size", "block_multiple_of", default=256) or 256
        factor = r.raw("block_ffn_dim_multiplier")
        width = 2 * found["intermediate_size"] // 3
        if isinstance(factor, int | float) and not isinstance(factor, bool):
            width = int(factor * width)
        found["intermediate_size"] = -(-width // multiple) * multiple
    layers, full = found["num_hidden_layers"], r.positions("full_attn_idxs")
    r.known(
        "full_attn_idxs", "conv_dim", "conv_dim_out", "block_dim", "block_mlp_init_scale", "block_norm_eps", "block_use_swiglu"
    )
    r.known("conv_use_xavier_init", "use_pos_enc", "block_out_init_scale", "num_heads")
    found |= {
        "linear_kind": "short_conv",
        "linear_conv_kernel_dim": r.whole("linear_conv_kernel_dim", "conv_L_cache", default=3),
        "linear_conv_bias": r.switch("conv_bias"),
        "linear_bias": r.switch("conv_bias"),
    }
    return placed(r, found, "".join("f" if i in full else "l" for i in range(layers)) if full else "")


def _kimi_linear(r: Reader) -> Fields:
    found = common(r) | latent(r) | experts(r, router_bias=True) | predicted(r)
    linear = r.inner("linear_attn_config")
    if linear is None:
        raise Unusable(Text("“linear_attn_config” is missing.", "缺少“linear_attn_config”。"))
    heads, width = linear.whole("linear_num_value_heads", "num_heads"), linear.whole("linear_value_head_dim", "head_dim")
    full = linear.positions("full_attn_layers")  # counted from 1
    found |= {
        "linear_kind": "kda",
        "linear_num_key_heads": heads,
        "linear_key_head_dim": width,
        "linear_num_value_heads": heads,
        "linear_value_head_dim": width,
        "linear_conv_kernel_dim": linear.whole("linear_conv_kernel_dim", "short_conv_kernel_size", default=4),
    }
    letters = "".join("f" if i + 1 in full else "l" for i in range(found["num_hidden_layers"]))
    return placed(r.without("layer_types"), found, letters)


def _minimax(r: Reader) -> Fields:
    found = common(r)
    found |= experts(r, default_width=found["intermediate_size"]) | {"intermediate_size": 0}
    layers, width = found["num_hidden_layers"], found.get("head_dim") or found["hidden_size"] // found["num_attention_heads"]
    found |= {
        "linear_kind": "lightning",
        "linear_num_value_heads": found["num_attention_heads"],
        "linear_value_head_dim": width,
        "linear_key_head_dim": width,
    }
    kinds = r.listed("attn_type_list", layers)
    r.known("block_size")
    r.known("attn_type_list", "shared_intermediate_size", "postnorm")
    return placed(r, found, "".join("f" if kind == 1 else "l" for kind in kinds) or "fl" * (layers // 2) + "f" * (layers % 2))


def _bert(r: Reader, *, types: int, pooled: bool) -> Fields:
    found = common(r, tied=True, norm_bias=True, mlp_plain=True, mlp_bias=True, attention_bias=True, attention_out_bias=True)
    return found | _encoder(r, found, types=types, pooled=pooled) | {"n_positions": found["max_position_embeddings"]}


def _encoder(r: Reader, found: Fields, *, types: int, pooled: bool) -> Fields:
    """What encoders share: a norm after the embedding, none at the end, and the head that `architectures` names."""
    h, v = found["hidden_size"], found["vocab_size"]
    named = r.data.get("architectures")
    task = named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""
    labels = r.data.get("id2label")
    classes = len(labels) if isinstance(labels, dict) else r.whole("token_types", "num_labels", default=2)
    other = h * h + h if pooled else 0
    if task.endswith("ForMaskedLM"):
        other = h * h + h + 2 * h + v  # a dense layer, its norm and the output bias; the pooler is not kept
    elif task.endswith("ForSequenceClassification"):
        other = (h * h + h) + classes * h + classes
    return {
        "encoder": True,
        "headless": True,
        "embedding_norm": True,
        "no_final_norm": True,
        "token_types": r.whole("token_types", "type_vocab_size", default=types),
        "other_parameters": other,
    }


def _distilbert(r: Reader) -> Fields:
    found: Fields = {
        "hidden_size": r.whole("hidden_size", "dim"),
        "num_hidden_layers": r.whole("num_hidden_layers", "n_layers"),
        "num_attention_heads": r.whole("num_attention_heads", "n_heads"),
        "intermediate_size": r.whole("intermediate_size", "hidden_dim"),
        "vocab_size": r.whole("vocab_size"),
        "max_position_embeddings": r.whole("max_position_embeddings", default=512),
    }
    r.known("sinusoidal_pos_embds", "qa_dropout", "seq_classif_dropout")
    found |= {"norm_bias": True, "mlp_plain": True, "mlp_bias": True, "attention_bias": True, "attention_out_bias": True}
    return found | _encoder(r, found, types=0, pooled=False) | {"n_positions": found["max_position_embeddings"]}


def _modernbert(r: Reader) -> Fields:
    found = common(r, tied=True) | biases(r, "attention_bias") | {"mlp_bias": r.switch("mlp_bias")}
    period = r.whole("num_hidden_layers", "global_attn_every_n_layers", default=3) or 3
    layers, h, v = found["num_hidden_layers"], found["hidden_size"], found["vocab_size"]
    window = r.whole("sliding_window", "local_attention", default=128)
    r.known(
        "deterministic_flash_attn",
        "sparse_prediction",
        "sparse_pred_ignore_index",
        "repad_logits_with_grad",
        "reference_compile",
    )
    r.known("norm_bias", "decoder_bias", "cls_token_id", "classifier_pooling", "global_attn_every_n_layers", "layer_types")
    named = r.data.get("architectures")
    head = h * h + h + v if isinstance(named, list) and "ModernBertForMaskedLM" in named else 0
    letters = "".join("f" if i % period == 0 else "s" for i in range(layers))
    # the first block has no norm before its attention, and the embedding has one: the count is the same
    found |= {"encoder": True, "headless": True, "other_parameters": head, "sliding_window": window}
    return found | fields_of(letters, "d" * layers, 0)


RULES: dict[str, Rule] = {
    "baichuan": _baichuan,
    "bamba": _bamba,
    "bert": lambda r: _bert(r, types=2, pooled=True),
    "bloom": _classic("bloom", tied=True),
    "camembert": lambda r: _bert(r, types=1, pooled=True),
    "chatglm": _chatglm,
    "dbrx": _dbrx,
    "distilbert": _distilbert,
    "falcon": _falcon,
    "falcon_mamba": _mamba,
    "gpt2": _classic("gpt2", tied=True),
    "gpt_bigcode": _bigcode,
    "gpt_neox": _classic("neox", tied=False),
    "gptj": _gptj,
    "granitemoehybrid": _granite_hybrid,
    "internlm2": _internlm2,
    "jamba": _jamba,
    "kimi_linear": _kimi_linear,
    "lfm2": _lfm2,
    "mamba": _mamba,
    "mamba2": _mamba2,
    "minicpm3": _minicpm3,
    "minimax": _minimax,
    "minimax_text_01": _minimax,
    "modernbert": _modernbert,
    "mpt": _mpt,
    "nemotron": _nemotron,
    "nemotron_h": _nemotron_h,
    "opt": _opt,
    "phi": _phi,
    "qwen": _qwen1,
    "roberta": lambda r: _bert(r, types=1, pooled=True),
    "stablelm": _stablelm,
    "starcoder2": _starcoder2,
    "xlm-roberta": lambda r: _bert(r, types=1, pooled=True),
}
