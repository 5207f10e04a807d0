"""A diffusers `config.json` of a diffusion transformer -> `Imported` with the exact parameter count.

In: the parsed object, recognised by `_class_name`. Out: parameters under `other`, no language architecture. Shapes follow
diffusers' transformer classes. Raises `Unusable` for keys that are missing or impossible.
"""

from collections.abc import Callable
from typing import Any

from calculators.framework.text import Text
from calculators.importing.reader import Reader
from calculators.importing.record import Imported, Unread, shown
from calculators.importing.towers import linear


def is_diffusion(data: dict[str, Any]) -> bool:
    """Does the config belong to a diffusers class?"""
    return isinstance(data.get("_class_name"), str)


def _n(r: Reader, *names: str, default: int | None = None) -> int:
    return r.whole("other_parameters", *names, default=default)


def _flux(r: Reader) -> int:
    heads, width = _n(r, "num_attention_heads", default=24), _n(r, "attention_head_dim", default=128)
    d, entry = heads * width, _n(r, "in_channels", default=64)
    both, single = _n(r, "num_layers", default=19), _n(r, "num_single_layers", default=38)
    text, pooled = _n(r, "joint_attention_dim", default=4096), _n(r, "pooled_projection_dim", default=768)
    guided = r.switch("guidance_embeds")
    leaving = _n(r, "patch_size", default=1) ** 2 * (_n(r, "out_channels", default=0) or entry)
    r.known("axes_dims_rope")
    embed = (2 + guided) * (linear(d, d)) + (1 + guided) * linear(d, 256) + linear(d, pooled)
    ends = linear(d, text) + linear(d, entry) + linear(2 * d, d) + linear(leaving, d)
    double = 2 * (linear(6 * d, d) + 4 * linear(d, d) + linear(4 * d, d) + linear(d, 4 * d)) + 4 * width
    one = linear(3 * d, d) + linear(4 * d, d) + linear(d, 5 * d) + 3 * linear(d, d) + 2 * width
    return embed + ends + both * double + single * one


def _wan(r: Reader) -> int:
    heads, width = _n(r, "num_attention_heads", default=40), _n(r, "attention_head_dim", default=128)
    d, layers, f = heads * width, _n(r, "num_layers", default=40), _n(r, "ffn_dim", default=13824)
    entry, leaving, text = _n(r, "in_channels", default=16), _n(r, "out_channels", default=16), _n(r, "text_dim", default=4096)
    frequency = _n(r, "freq_dim", default=256)
    image, added = _n(r, "image_dim", default=0), _n(r, "added_kv_proj_dim", default=0)
    patch = r.listed("patch_size") or [1, 2, 2]
    volume = 1
    for side in patch:
        volume *= side if isinstance(side, int) and not isinstance(side, bool) and 0 < side < 64 else 1
    r.known("cross_attn_norm", "qk_norm", "rope_max_seq_len", "pos_embed_seq_len")
    norm = 2 * d if r.data.get("cross_attn_norm", True) else 0
    block = 8 * linear(d, d) + 4 * d + linear(f, d) + linear(d, f) + 6 * d + norm
    if added:
        block += 2 * linear(d, added) + d
    ends = linear(d, entry * volume) + linear(leaving * volume, d) + 2 * d
    times = linear(d, frequency) + linear(d, d) + linear(6 * d, d) + linear(d, text) + linear(d, d)
    if image:
        times += 2 * image + linear(image, image) + linear(d, image) + 2 * d
        times += _n(r, "pos_embed_seq_len", default=0) * image
    return layers * block + ends + times


RULES: dict[str, Callable[[Reader], int]] = {"FluxTransformer2DModel": _flux, "WanTransformer3DModel": _wan}


def read_diffusion(data: dict[str, Any]) -> Imported:
    """The count of a known class; for another, only its name. Raises `Unusable`."""
    r = Reader(data)
    kind = shown(r.word("_class_name"))
    r.known("_class_name", "_diffusers_version", "_name_or_path")
    rule = RULES.get(kind)
    if rule is None:
        what = Unread(
            f"_class_name = {kind}", Text("the kind of every block: no count is made", "每个块的种类：因此不做任何计算")
        )
        return Imported("diffusion", kind, not_understood=(what, *r.rest()))
    count = rule(r)
    return Imported("diffusion", kind, parameters={"other": count}, understood=tuple(r.taken), not_understood=tuple(r.rest()))
