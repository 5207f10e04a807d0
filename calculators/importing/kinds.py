"""The kinds of a config's layers -> the counts and the pattern of an architecture.

In: one (attention letter, FFN letter) per layer. Out: `sliding_layers`, `linear_layers`, `attention_free_layers`, and
`layer_pattern` only where the evenly placed plan of `calculators.memory.tensors` says something else.
"""

from typing import Any

from calculators.framework.text import Text
from calculators.importing.reader import Reader
from calculators.importing.record import Unusable, shown

ATTENTION = {
    "full_attention": "f",
    "attention": "f",
    "deepseek_sparse_attention": "f",
    "sliding_attention": "s",
    "chunked_attention": "s",
    "linear_attention": "l",
    "mamba": "l",
    "conv": "l",
    "recurrent": "l",
}


def attention_letters(r: Reader, layers: int) -> str:
    """Letters of `layer_types`, empty where the config has none. Raises `Unusable` for a kind that is not known."""
    letters = []
    for kind in r.listed("layer_types", layers):
        letter = ATTENTION.get(kind) if isinstance(kind, str) else None
        if letter is None:
            raise Unusable(
                Text(
                    f"“layer_types” names the layer kind {shown(repr(kind))}, which is not known here.",
                    f"“layer_types”中的层类型 {shown(repr(kind))} 未知。",
                )
            )
        letters.append(letter)
    return "".join(letters)


def fields_of(attention: str, ffn: str, first_dense: int) -> dict[str, Any]:
    """Architecture fields for these letters, one of each string per layer."""
    layers = len(attention)
    pairs = [a + f for a, f in zip(attention, ffn, strict=True)]
    found: dict[str, Any] = {
        name: count
        for name, letter in (("sliding_layers", "s"), ("linear_layers", "l"), ("attention_free_layers", "n"))
        if (count := attention.count(letter))
    }
    if pairs != _even(layers, attention, first_dense, moe="m" in ffn):
        found["layer_pattern"] = "".join(_period(pairs))
    return found


def _even(layers: int, attention: str, first_dense: int, *, moe: bool) -> list[str]:
    """What the record says without a pattern; nothing where it cannot say it."""
    linear, sliding = attention.count("l"), attention.count("s")
    if "n" in attention or (linear and sliding):
        return []
    full, other = layers - linear - sliding, "l" if linear else "s"
    return [
        ("f" if (i + 1) * full // layers > i * full // layers else other) + ("m" if moe and i >= first_dense else "d")
        for i in range(layers)
    ]


def _period(pairs: list[str]) -> list[str]:
    for size in range(1, len(pairs)):
        if all(pairs[i] == pairs[i % size] for i in range(len(pairs))):
            return pairs[:size]
    return pairs
