"""Studies to draw from: a small one with known answers, and any."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from calculators.framework.text import Text
from calculators.uncertainty.study import Study, Uncertain


def uncertain(name: str, low: float, base: float, high: float, unit: str = "CNY") -> Uncertain:
    """A variable, whose source does not matter here."""
    return Uncertain(name, Text(name, f"变量 {name}"), unit, low, base, high, Text("a test", "测试"))


def study(
    variables: Sequence[Uncertain],
    evaluate: Callable[[Sequence[float]], Sequence[float]],
    options: int,
    **more: object,
) -> Study:
    """A study of so many options."""
    named = tuple((f"o{i}", Text(f"Option {i}", f"方案 {i}")) for i in range(options))
    given = {"unit": "CNY", "seed": 1, "draws": 200} | more
    return Study(tuple(variables), named, evaluate, **given)  # type: ignore[arg-type] # a test names what it changes


def rent_or_own() -> Study:
    """Renting at a price per hour against owning at a yearly cost: they cost the same at 2,000 hours of 3."""
    variables = [
        uncertain("price", 2.0, 3.0, 5.0, "CNY/h"),
        uncertain("hours", 500.0, 1500.0, 4000.0, "h"),
        uncertain("own", 4000.0, 6000.0, 9000.0),
    ]
    return study(variables, lambda v: (v[0] * v[1], v[2]), 2)


@st.composite
def ranges(draw: st.DrawFn) -> Uncertain:
    """Any range of positive numbers, pinned ones among them."""
    low, base, high = sorted(draw(st.lists(st.floats(0.01, 1e6), min_size=3, max_size=3)))
    return uncertain(f"v{draw(st.integers(0, 10**9))}", low, base, high)


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """Any few variables, and options that are sums and products of them."""
    variables = draw(st.lists(ranges(), min_size=1, max_size=5, unique_by=lambda v: v.name))
    weights = draw(
        st.lists(st.lists(st.floats(0, 10), min_size=len(variables), max_size=len(variables)), min_size=1, max_size=4)
    )
    fixed = draw(st.lists(st.floats(0.1, 1e6), min_size=len(weights), max_size=len(weights)))

    def evaluate(v: Sequence[float]) -> list[float]:
        return [f + sum(w * x for w, x in zip(row, v, strict=True)) for f, row in zip(fixed, weights, strict=True)]

    return study(variables, evaluate, len(weights), seed=draw(st.integers(0, 2**32)))
