"""One measured figure: its samples, their median, what they were made from.

In: samples. Out: the object that `build/bench.json` holds for a key, and a line for the terminal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A distribution; `parts` are the measurements that the samples were made from."""

    samples: Sequence[float]
    unit: str
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def median(self) -> float:
        """The figure's one number."""
        return median(self.samples)

    def data(self) -> dict[str, Any]:
        """As it is written."""
        told = {"median": _short(self.median), "samples": [_short(s) for s in self.samples], "unit": self.unit}
        return told | ({"parts": _shortened(self.parts)} if self.parts else {})

    def line(self, key: str) -> str:
        """One line on the terminal; a ratio also says how its halves ran."""
        spread = f"{min(self.samples):.4g} to {max(self.samples):.4g}, n={len(self.samples)}"
        halves = [
            f"{name} {median(v):.4g}" for name, v in self.parts.items() if isinstance(v, Sequence) and not isinstance(v, str)
        ]
        return f"{key:<20} {self.median:>8.4g} {self.unit:<6} ({'; '.join([spread, *halves])})"


def ratio(ours: Sequence[float], plain: Sequence[float], unit: str = "ms", **more: Any) -> Figure:
    """Each of ours by the plain one that ran beside it: what slows the machine for a while slows both."""
    samples = [a / b for a, b in zip(ours, plain, strict=True)]
    return Figure(samples, "ratio", {f"ours_{unit}": list(ours), f"plain_{unit}": list(plain), **more})


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _shortened(value: Any) -> Any:
    if isinstance(value, float):
        return _short(value)
    if isinstance(value, Mapping):
        return {key: _shortened(v) for key, v in value.items()}
    return [_shortened(v) for v in value] if isinstance(value, list) else value
