"""What would make it fit: the smallest single change of each kind, run again and proven.

In: a `Serving`, GPUs, the capacity of one, and the formats to try. Out: `Change`s, each of which fits where the input did
not, and whose next smaller step does not.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from calculators.memory.serving import Serving, fits, footprint, splits
from calculators.memory.weights import WEIGHT_FORMATS

SMALLER_FORMATS = ("fp8", "int8", "q6_k", "q5_k_m", "awq-int4-g128", "q4_k_m", "q3_k_m")
GGUF_ENGINE = "llama.cpp"


@dataclass(frozen=True, slots=True)
class Change:
    """One field set to one value, and the most bytes per GPU that are left needed."""

    field: str
    value: Any
    needed: int


def largest(holds: Callable[[int], bool], start: int) -> int:
    """The largest whole number up to `start` for which `holds`, found by halving; 0 if none. `holds` is monotone."""
    low, high = 0, start + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def largest_fitting(s: Serving, gpus: int, capacity: float, field: str, start: int) -> int:
    """The largest context or batch up to `start` that fits even at the high end; 0 if none."""
    return largest(lambda n: fits(replace(s, **{field: n}), gpus, capacity) == "yes", start)


def changes(s: Serving, gpus: int, capacity: float, kv_dtypes: tuple[str, ...], counts: tuple[int, ...]) -> tuple[Change, ...]:
    """Single changes that make it fit, the cheapest kind first: KV dtype, context, batch, weight format, GPUs."""
    tried: list[tuple[str, Any, Serving, int]] = []
    tried += [("kv_dtype", dtype, replace(s, kv_dtype=dtype), gpus) for dtype in kv_dtypes]
    for field, now in (("context", s.context), ("batch", s.batch)):
        n = largest_fitting(s, gpus, capacity, field, now)
        if n:
            tried.append((field, n, replace(s, **{field: n}), gpus))
    tried += [
        ("weight_format", f, replace(s, weight_format=f), gpus)
        for f in SMALLER_FORMATS
        if _is_gguf(f) == (s.engine == GGUF_ENGINE)
    ]
    tried += [("tensor_parallel", n, s, n) for n in counts if n > gpus and splits(s, n)]
    found: list[Change] = []
    for field, value, changed, n in tried:
        if any(c.field == field for c in found) or fits(changed, n, capacity) != "yes":
            continue
        found.append(Change(field, value, footprint(changed, n).high))
    return tuple(found)


def _is_gguf(format_id: str) -> bool:
    return WEIGHT_FORMATS[format_id].block == "gguf"
