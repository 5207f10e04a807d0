"""Takes values out of a config by name, checks them, and remembers which keys nobody took.

In: one object of a config.json. Out: checked numbers and switches. Raises `Unusable` that names the key; a value of the
wrong type or out of an architecture's range is never used.
"""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from calculators.framework.text import Text
from calculators.importing.record import Unread, Unusable, shown
from catalog.model import Architecture

_RULES = {f.name: f.metadata["rule"] for f in fields(Architecture)}

# Keys that change no size: tokens, training, generation, rotary angles, thresholds, file bookkeeping
_NO_SIZE = re.compile(
    r"""(?x) _name_or_path | .*_token(_id|_ids|_index|s_per_image|s_per_second) | .*token_id(s|_list)? | .*dropout.* | .*_pdrop | .*init.* | .*_eps(ilon)?
    | epsilon | .*_epsilon | .*norm_eps | norm_epsilon | .*_coef(f)? | .*loss.* | output_.* | .*_act | .*hidden_activation.* | activation.* | hidden_act.* | rope_.*
    | rotary_.* | partial_rotary.* | .*rope_theta | .*rotary.* | .*use_cache | torch_dtype | dtype | .*_dtype | transformers_version | architectures | auto_map
    | model_type | return_dict.* | .*softcap.* | .*scal(e|ing|ar)(_.*)? | .*multiplier | .*_factor | norm_topk_prob | scoring_func | topk_(group|method)
    | n_group | num_expert_group | ep_size | pretraining_tp | seq_aux | aux_.* | id2label | label2id | problem_type | pruned_heads | torchscript | tf_.*
    | tie_encoder_decoder | is_decoder | add_cross_attention | chunk_size.* | cross_attention_hidden_size | .*_penalty | do_sample | early_stopping
    | max_length | min_length | num_beam.* | num_return_sequences | temperature | top_[kp] | typical_p | .*ngram.* | remove_invalid_values | prefix
    | suppress_tokens | begin_suppress_tokens | bad_words_ids | finetuning_task | task_specific_params | tokenizer_class | use_bfloat16 | gradient_.*
    | .*attn_implementation.* | .*use_flash.* | use_mamba_kernels | use_mambapy | use_associative_scan | residual_in_fp32 | rescale_prenorm.* | time_step.*
    | max_window_layers | query_pre_attn_scalar | attn_temperature.* | .*jitter.* | use_logn_attn | use_dynamic_ntk | alibi.* | position_embedding_type
    | bos.* | eos.* | pad_.* | unk.* | sep.* | num_logits_to_keep | z_loss.* | mrope.* | logit.* | final_logit.* | attn_logit.* | .*_type_vocab.*
    | quantization_config | compression_config | layer_norm_type | norm_type | hybrid_chunk_size | moe_router_.* | router_.* | output_router.*
    | use_sliding_window | sliding_window_size | is_encoder_decoder | is_causal | classifier_.* | default_theta | use_qk_norm | .*_version
    | interleaved.* | .*interleave | num_hidden_layers_original | ignore_index | spatial_merge.* | vision_feature.* | projector_hidden_act | .*max_pixels.*
    | attention_chunk_size | attention_value_scale | index_topk.* | use_bidirectional.* | image_.* | video_.* | audio_token.*
    | vision_soft.* | img_.*token.* | gate_scale | do_layer_norm_before | layerdrop | name | license | model_max_length | seq_length | mamba_chunk_size
    | linear_attn_config | .*gating.* | use_grouped_topk | norm_before_gate | mlp_hidden_act | scale_.* | reorder_.* | upcast_.* | summary_.* | resid.*
    | embd.* | attn_pdrop | use_attention_mask | apply_residual.* | slow_but_exact | skip_bias_add.* | fp32_residual.* | bf16 | fp16 | fp32 | onnx_safe
    | use_cache_.* | .*_freq_base | rotary_emb_base | rotary_pct | scoring | enable_expert_bias | mup.* | dim_model_base | scale_emb | scale_depth
    | language_model_only | .*_start | .*_end | tie_word_embeddings | dual_chunk_attention_config | unsloth.* | trl.* | sliding_window_pattern
    | max_sequence_length | user_defined_symbols | repetition.* | length_.* | decoder_start.* | forced_.* | encoder_no.* | diversity.* | text_config_dict
    """
)


class Reader:
    """One object of a config. `whole`, `switch`, `word`, `numbers` take a value under the first of several names."""

    def __init__(self, data: dict[str, Any], outer: "Reader | None" = None) -> None:
        self.data = data
        self.outer = outer
        self.taken: dict[str, Any] = {}

    def has(self, *names: str) -> bool:
        """Is one of the names there, and not null?"""
        return any(self.data.get(n) is not None for n in names)

    def raw(self, *names: str) -> Any:
        """The value under the first name that is there and not null; marks it as taken."""
        for n in names:
            if self.data.get(n) is not None:
                self.taken[n] = self.data[n]
                return self.data[n]
        return None

    def known(self, *names: str) -> None:
        """Marks keys that are understood and change no size here."""
        self.taken |= {n: self.data[n] for n in names if n in self.data}

    def without(self, *names: str) -> "Reader":
        """The same config without these keys, which count as understood."""
        self.known(*names)
        found = Reader({k: v for k, v in self.data.items() if k not in names}, self.outer)
        found.taken = self.taken
        return found

    def whole(self, field: str, *names: str, default: int | None = None) -> int:
        """A whole number for that field of the architecture, within its range. Raises where it is required and missing."""
        rule = _RULES[field]
        names = names or (field,)
        value = self.raw(*names)
        if value is None:
            if default is None:
                raise Unusable(Text(f"“{names[0]}” is missing.", f"缺少“{names[0]}”。"))
            return default
        name = next(n for n in names if self.data.get(n) is not None)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise Unusable(
                Text(
                    f"“{name}” must be a whole number, not {shown(repr(value))}.",
                    f"“{name}”必须是整数，不能是 {shown(repr(value))}。",
                )
            )
        low = rule.low if default is None else min(rule.low or 0, 0)
        if not (low or 0) <= value <= (rule.high or 0):
            raise Unusable(
                Text(
                    f"“{name}” is {value:,}: not from {low or 0:,} to {rule.high or 0:,}.",
                    f"“{name}”为 {value:,}，不在 {low or 0:,} 至 {rule.high or 0:,} 之间。",
                )
            )
        return value

    def switch(self, *names: str, default: bool = False) -> bool:
        """True or false."""
        value = self.raw(*names)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise Unusable(
                Text(
                    f"“{names[0]}” must be true or false, not {shown(repr(value))}.",
                    f"“{names[0]}”必须是 true 或 false，不能是 {shown(repr(value))}。",
                )
            )
        return value

    def word(self, *names: str) -> str:
        """A text, empty where there is none."""
        value = self.raw(*names)
        if value is not None and not isinstance(value, str):
            raise Unusable(
                Text(
                    f"“{names[0]}” must be text, not {shown(repr(value))}.",
                    f"“{names[0]}”必须是文本，不能是 {shown(repr(value))}。",
                )
            )
        return value or ""

    def listed(self, name: str, length: int | None = None) -> list[Any]:
        """A list, of that length where one is given; empty where there is none."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise Unusable(Text(f"“{name}” must be a list.", f"“{name}”必须是列表。"))
        if length is not None and len(value) != length:
            raise Unusable(
                Text(
                    f"“{name}” has {len(value)} entries for {length} layers.",
                    f"“{name}”有 {len(value)} 项，而层数为 {length}。",
                )
            )
        return value

    def positions(self, name: str) -> set[int]:
        """A list of layer numbers."""
        value = self.listed(name)
        if not all(isinstance(v, int) for v in value):
            raise Unusable(Text(f"“{name}” must list layer numbers.", f"“{name}”必须是层号列表。"))
        return set(value)

    def inner(self, *names: str) -> "Reader | None":
        """A nested object, or None."""
        value = self.raw(*names)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise Unusable(Text(f"“{names[0]}” must be an object.", f"“{names[0]}”必须是对象。"))
        return Reader(value, self)

    def rest(self, prefix: str = "") -> Iterator[Unread]:
        """Keys that nobody took, are not null, and may change a size."""
        for key, value in self.data.items():
            if key in self.taken or not value:  # null, false, 0 and empty lists switch a part off
                continue
            if _NO_SIZE.fullmatch(key):
                continue
            yield Unread(prefix + shown(key), changes_of(key))


_HINTS: tuple[tuple[str, Text], ...] = (
    (
        "mtp|nextn|predict",
        Text("the multi-token-prediction module in the file is not counted", "文件中的多 token 预测模块未计入"),
    ),
    ("bias", Text("biases: up to some hundred thousand parameters", "偏置：至多几十万参数")),
    ("expert|moe", Text("number or width of experts: the largest part of a MoE model", "专家的数量或宽度：MoE 模型的最大部分")),
    ("head", Text("width or number of heads: attention weights and KV cache", "注意力头的数量或宽度：注意力权重与 KV 缓存")),
    ("layer", Text("number or kind of layers", "层数或层的种类")),
    ("window|attention|attn", Text("kind of attention: the KV cache", "注意力的种类：KV 缓存")),
    ("size|dim|rank|width", Text("a width: parameters", "宽度：参数量")),
    ("vision|image|audio", Text("a tower beside the language model", "语言模型之外的编码器")),
)


def changes_of(key: str) -> Text:
    """What a key that was not understood may change, by its name."""
    for pattern, hint in _HINTS:
        if re.search(pattern, key):
            return hint
    return Text("not known", "未知")
