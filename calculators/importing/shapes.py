"""Tensor names and shapes of a file -> what they are: groups of parameters, layers, experts.

In: (name, elements, bytes) one after another; nothing is kept but sums, so that a file of any number of tensors takes no
memory. Out: a `Census`.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

_LAYER = re.compile(r"(?:layers|blk|h|blocks|block|layer)\.(\d{1,6})\.")
_EXPERT = re.compile(r"experts\.(\d{1,6})\.")

# The first pattern that the name contains decides
_GROUPS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (group, re.compile(pattern))
    for group, pattern in (
        ("buffers", r"inv_freq|rope_freqs|attn\.bias$|masked_bias|position_ids|num_batches"),
        (
            "scales",
            r"(weight_scale|input_scale|weight_scale_inv|scales|qzeros|g_idx|absmax|quant_map|quant_state|_scale_2|zero_point|k_scale|v_scale)",
        ),
        (
            "vision",
            r"^(model\.)?(visual|vision|vpm|img|image|v\.)|vision_(tower|model|embed)|multi_modal_projector|mm_projector|mmproj|^mm\.|embed_vision",
        ),
        ("audio", r"audio|^a\.blk|speech"),
        ("mtp", r"(^|\.)mtp|nextn|eh_proj"),
        ("position", r"wpe|position_embd|embed_positions|position_embeddings|token_type"),
        (
            "embedding",
            r"embed_tokens|word_embeddings|wte|token_embd|tok_embeddings|embeddings\.weight|embedding\.weight|embed_in",
        ),
        ("head", r"lm_head|^output\.(weight|bias)|embed_out|score\.weight|classifier"),
        ("shared_experts", r"shared_expert|shexp|shared_mlp"),
        (
            "router",
            r"(mlp|block_sparse_moe|feed_forward|mixer|ffn)\.(gate|router)\.|ffn_gate_inp|router|e_score_correction|exp_probs_b",
        ),
        ("routed_experts", r"experts\.|_exps\."),
        ("linear_attention", r"linear_attn|mamba|ssm|mixer\.(in_proj|conv1d|A_log|D$|dt|out_proj|x_proj|norm)|\.conv\."),
        ("norms", r"norm|ln_\d|ln_f|layernorm|_ln\b"),
        ("attention", r"attn|attention|indexer|self_attn|mixer\.(q|k|v|o)_proj|kv_[ab]|wq|wk|wv|wo\b"),
        ("mlp", r"mlp|ffn|feed_forward|fc\d|dense|intermediate|w[123]\b|mixer\.(up|down)_proj"),
    )
)


def group_of(name: str) -> str:
    """The group of a tensor by its name; `other` where no pattern knows it."""
    if name.endswith(("q_norm.weight", "k_norm.weight", "q_norm", "k_norm", "attn_q_norm.weight", "attn_k_norm.weight")):
        return "attention"
    for group, pattern in _GROUPS:
        if pattern.search(name):
            return group
    return "other"


_DIGITS = re.compile(r"\d+")


@lru_cache(maxsize=4096)
def _known(stem: str) -> tuple[str, bool, bool]:
    """Group, and whether a layer or an expert is numbered: the same for all names that differ in their numbers only."""
    name = stem.replace("#", "0")
    return group_of(name), _LAYER.search(name) is not None, _EXPERT.search(name) is not None


@dataclass(slots=True)
class Census:
    """Sums over a file's tensors."""

    tensors: int = 0
    elements: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    layers: int = 0
    experts: int = 0
    others: list[str] = field(default_factory=list)

    def add(self, name: str, elements: int, kind: str, size: int) -> None:
        """Count one tensor."""
        group, layered, expert = _known(_DIGITS.sub("#", name))
        self.tensors += 1
        self.elements[group] = self.elements.get(group, 0) + elements
        self.types[kind] = self.types.get(kind, 0) + size
        self.bytes += size
        if layered and (found := _LAYER.search(name)):
            self.layers = max(self.layers, int(found.group(1)) + 1)
        if expert and (found := _EXPERT.search(name)):
            self.experts = max(self.experts, int(found.group(1)) + 1)
        if group == "other" and len(self.others) < 8:
            self.others.append(name)
