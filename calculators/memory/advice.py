"""What would make it fit: the smallest single change of each kind, run again and proven.

In: a `Serving`, GPUs, the capacity of one, and the formats to try. Out: `Change`s, each of which fits where the input did
not, and whose next smaller step does not.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from calculators.memory.serving import Serving, fits, footprint, footprint_at, splits
from calculators.memory.weights import WEIGHT_FORMATS, weights_of

SMALLER_FORMATS = ("fp8", "int8", "q6_k", "q5_k_m", "awq-int4-g128", "q4_k_m", "q3_k_m")
GGUF_ENGINE = "llama.cpp"


class Change(NamedTuple):
    """Fields set to values, and the most bytes per GPU that are left needed."""

    fields: dict[str, Any]
    needed: int


def largest(holds: Callable[[int], bool], start: int) -> int:
    """The largest whole number up to `start` for which `holds`, found by halving; 0 if none. `holds` is monotone."""
    low, high = 0, start + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def largest_context(s: Serving, gpus: int, capacity: float, most: int) -> int:
    """The longest context up to `most` that fits even at the high end; 0 if none."""
    need = footprint_at(s, gpus)
    return largest(lambda n: need(n, s.batch).high <= capacity, most)


def largest_batch(s: Serving, gpus: int, capacity: float, most: int) -> int:
    """The most requests up to `most` that fit even at the high end; 0 if none."""
    need = footprint_at(s, gpus)
    return largest(lambda n: need(s.context, n).high <= capacity, most)


def changes(s: Serving, gpus: int, capacity: float, kv_dtypes: tuple[str, ...], counts: tuple[int, ...]) -> tuple[Change, ...]:
    """Single changes that make it fit, the cheapest kind first: KV dtype, context, batch, weight format, GPUs; else a pair."""
    tried: list[tuple[str, Any, Serving, int]] = []
    tried += [("kv_dtype", dtype, replace(s, kv_dtype=dtype), gpus) for dtype in kv_dtypes]
    if n := largest_context(s, gpus, capacity, s.context):
        tried.append(("context", n, replace(s, context=n), gpus))
    if n := largest_batch(s, gpus, capacity, s.batch):
        tried.append(("batch", n, replace(s, batch=n), gpus))
    bytes_now = weights_of(s.architecture, s.weight_format).total
    formats = tuple(
        f
        for f in SMALLER_FORMATS
        if _is_gguf(f) == (s.engine == GGUF_ENGINE) and weights_of(s.architecture, f).total < bytes_now
    )
    tried += [("weight_format", f, replace(s, weight_format=f), gpus) for f in formats]
    tried += [("tensor_parallel", n, s, n) for n in counts if n > gpus and splits(s, n)]
    found: list[Change] = []
    for field, value, changed, n in tried:
        if any(field in c.fields for c in found) or fits(changed, n, capacity) != "yes":
            continue
        found.append(Change({field: value}, footprint(changed, n).high))
    return tuple(found) or _pair(s, gpus, capacity, formats, counts)


def _pair(s: Serving, gpus: int, capacity: float, formats: tuple[str, ...], counts: tuple[int, ...]) -> tuple[Change, ...]:
    """Where no single change is enough: the fewest GPUs that hold it in a smaller weight format."""
    for n in counts:
        if n <= gpus or not splits(s, n):
            continue
        for format_id in formats:
            changed = replace(s, weight_format=format_id)
            if fits(changed, n, capacity) == "yes":
                return (Change({"weight_format": format_id, "tensor_parallel": n}, footprint(changed, n).high),)
    return ()


def _is_gguf(format_id: str) -> bool:
    return WEIGHT_FORMATS[format_id].block == "gguf"
