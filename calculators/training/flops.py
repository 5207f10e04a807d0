"""Arithmetic of training: FLOPs per token and in all, and the share of a card's peak that a run reaches.

In: parameters that a token visits, attention shape, tokens. Out: FLOPs, MFU (0 to 1).
Sources: 6·N·D (Kaplan et al. 2020, https://arxiv.org/abs/2001.08361); MFU and 12·L·H·Q·T (PaLM, appendix B,
https://arxiv.org/abs/2204.02311); iteration FLOPs (Narayanan et al. 2021, https://arxiv.org/abs/2104.04473).
"""

from functools import lru_cache

from calculators.memory.params import parameter_groups
from catalog.model import Architecture

FORWARD_BACKWARD = 6
"""FLOPs per parameter and token: 2 forward, 4 backward."""


def flops_per_token(active: float, attention: float = 0.0, factor: float = FORWARD_BACKWARD) -> float:
    """6·N of the parameters that a token visits, and the attention over its context."""
    return factor * active + attention


def train_flops(active: float, tokens: float, attention: float = 0.0, factor: float = FORWARD_BACKWARD) -> float:
    """6·N·D, with `attention` FLOPs per token added."""
    return flops_per_token(active, attention, factor) * tokens


def attention_flops(layers: float, width: float, sequence: float, *, causal: bool = True) -> float:
    """Attention per token, forward and backward: 12·L·d·s for all pairs (PaLM), half of it where later tokens are masked."""
    return (6 if causal else 12) * layers * width * sequence


@lru_cache(maxsize=1024)
def model_attention_flops(a: Architecture, sequence: float) -> float:
    """The causal attention of a model per token.

    d = heads x head width; MLA: heads x (key width + value width) / 2. A sliding layer sees its window; linear layers have no
    pairs of tokens, and their state's arithmetic is left out (it does not grow with the context).
    """
    heads = a.num_attention_heads
    width: float = heads * a.head_width
    if a.kv_lora_rank:
        width = heads * (a.qk_nope_head_dim + a.qk_rope_head_dim + a.v_head_dim) / 2
    wide = heads * a.global_head_dim if a.global_head_dim else width
    full = a.num_hidden_layers - a.sliding_layers - a.linear_layers
    # a token inside a causal window of w sees w on average, not w / 2: only the first w tokens see fewer
    seen = (
        min(sequence, 2 * a.sliding_window * (1 - a.sliding_window / (2 * sequence)))
        if a.sliding_window < sequence
        else sequence
    )
    return attention_flops(full, wide, sequence) + attention_flops(a.sliding_layers, width, seen)


@lru_cache(maxsize=1024)
def active_parameters(a: Architecture) -> int:
    """Parameters that multiply for one token: experts it visits, without the embedding table, which is looked up.

    A tied table stays: it multiplies as the head. Learned positions are added, not multiplied.
    """
    groups = parameter_groups(a)
    looked_up = groups.embedding if groups.head else 0
    return groups.active - looked_up - groups.position


def recomputed_flops(active: float, attention: float, recompute: str) -> float:
    """FLOPs per token that recomputation adds: one more forward pass (8·N for 6·N), or its attention scores only.

    Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198. A third of the attention is its forward pass.
    """
    return {"none": 0.0, "selective": attention / 3, "full": 2 * active + attention / 3}[recompute]


def mfu(tokens_per_second: float, per_token: float, peak: float) -> float:
    """Model FLOPs utilisation of one GPU: tokens/s x FLOPs per token / peak dense FLOP/s (PaLM, appendix B)."""
    return tokens_per_second * per_token / peak


def megatron_flops(
    batch: float, sequence: float, layers: int, hidden: int, vocabulary: int, *, recompute: bool = True
) -> float:
    """FLOPs of one iteration: 96·B·s·l·h²(1 + s/6h + V/16lh); 72 without recomputation (Narayanan et al. 2021, eq. 3)."""
    factor = 96 if recompute else 72
    inside = 1 + sequence / (6 * hidden) + vocabulary / (16 * layers * hidden)
    return factor * batch * sequence * layers * hidden**2 * inside
