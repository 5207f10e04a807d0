"""Floating-point work of prefill and decode. In: an `Architecture`, tokens. Out: FLOPs (a multiply-add counts as two)."""

from functools import lru_cache
from typing import NamedTuple

from calculators.memory.params import parameter_groups
from calculators.memory.tensors import is_tied
from catalog.model import Architecture


class Work(NamedTuple):
    """What one token costs, apart from its place: `body` and `head` parameters, and widths of the attention layers.

    `full`/`sliding`: sum over layers of heads x (key width + value width); `latent`: the same for MLA's absorbed decode.
    """

    body: int
    head: int
    full: int
    sliding: int
    latent: int
    window: int


@lru_cache(maxsize=64)
def work(a: Architecture) -> Work:
    """The parameters that multiply each token, and the attention widths by kind of layer.

    `body` leaves out the embedding look-up and the head, which runs on the last position of a prompt only. Recurrent
    (linear-attention) layers cost what their parameters cost: their state's own FLOPs are below a hundredth of that.
    """
    groups = parameter_groups(a)
    head = groups.embedding if is_tied(a) else groups.head
    body = groups.active - groups.embedding - groups.position - groups.head
    heads = a.num_attention_heads
    layers = a.num_hidden_layers - a.linear_layers - a.attention_free_layers
    if a.kv_lora_rank:
        wide = a.qk_nope_head_dim + a.qk_rope_head_dim + a.v_head_dim
        latent = 2 * a.kv_lora_rank + a.qk_rope_head_dim
        return Work(body, head, layers * heads * wide, 0, layers * heads * latent, 0)
    narrow = a.head_width + (a.v_head_dim or a.head_width)
    wide = 2 * a.global_head_dim if a.global_head_dim else narrow
    full = (layers - a.sliding_layers) * heads * wide
    return Work(body, head, full, a.sliding_layers * heads * narrow, 0, a.sliding_window)


def prefill_flops(w: Work, tokens: int, cached: int = 0) -> float:
    """2 N s for the matrices + 2 H (d_k + d_v) per layer and attended pair, s^2 / 2 pairs in causal attention.

    Equal widths give the usual 2 L H d s^2. A sliding layer attends to its window only. The first `cached` tokens are not
    computed, but the others attend to them.
    """
    if cached:
        return prefill_flops(w, tokens) - prefill_flops(w, cached) + 2.0 * w.head
    pairs = tokens * tokens / 2
    near = pairs if not w.window or tokens <= w.window else tokens * w.window - w.window * w.window / 2
    return 2.0 * w.body * tokens + 2.0 * w.head + 2.0 * (w.full * pairs + w.sliding * near)


def decode_flops(w: Work, context: float) -> float:
    """2 N + 2 H (d_k + d_v) per layer and cached token, for one new token. MLA decodes on the latent (absorbed form)."""
    near = min(context, w.window) if w.window else context
    return 2.0 * (w.body + w.head) + 2.0 * ((w.latent or w.full) * context + w.sliding * near)
