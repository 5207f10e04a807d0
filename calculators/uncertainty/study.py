"""What is uncertain in a comparison: the variables with their ranges, the options, and the function between them.

In: nothing. Out: the records `Uncertain` and `Study` that a calculator fills (`Calculator.study`) and that the draws, the
tornado and the page's long run read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calculators.framework.text import Text


@dataclass(frozen=True, slots=True)
class Uncertain:
    """One input that is known as a range only: `low` <= `base` <= `high`, in the unit of the input field `name`."""

    name: str
    label: Text
    unit: str
    low: float
    base: float
    high: float
    source: Text

    def __post_init__(self) -> None:
        if not self.low <= self.base <= self.high:
            raise ValueError(f"{self.name}: low {self.low} <= base {self.base} <= high {self.high} does not hold")


@dataclass(frozen=True)
class Study:
    """Options that cost money, and what their costs depend on.

    `evaluate` takes the variables' values in the order of `variables` and gives each option's cost in the order of `options`,
    all in one currency (`unit`). It is called tens of thousands of times: closed forms, no records built, nothing changed.
    `draws` is how many the answer at once uses; a reader who asks for more gets `asked`. `correlated` names two variables and
    the rank correlation between them (Spearman's rho, between -1 and 1).
    """

    variables: tuple[Uncertain, ...]
    options: tuple[tuple[str, Text], ...]
    evaluate: Callable[[Sequence[float]], Sequence[float]]
    unit: str
    seed: int
    draws: int
    correlated: tuple[tuple[str, str, float], ...] = ()
    asked: int = 10_000
    """Draws of the long run that a reader starts: a field of the form where the calculator has one."""

    def base(self) -> tuple[float, ...]:
        """Every variable at its base."""
        return tuple(v.base for v in self.variables)
