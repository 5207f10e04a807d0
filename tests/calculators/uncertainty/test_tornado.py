"""One variable at a time: order, elasticities that sum to one, switch values that put back give equality."""

from collections.abc import Sequence
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.uncertainty.study import Study
from calculators.uncertainty.tornado import tornado, winner
from tests.calculators.uncertainty.made import rent_or_own, studies, study, uncertain


@settings(max_examples=80, deadline=None)
@given(made=studies())
def test_the_widest_bar_stands_first(made: Study) -> None:
    bars = tornado(made)
    chosen = winner(made.evaluate(made.base()))
    widths = [abs(b.high[chosen] - b.low[chosen]) for b in bars]
    assert widths == sorted(widths, reverse=True)
    assert sorted(b.variable for b in bars) == list(range(len(made.variables)))


@settings(max_examples=80, deadline=None)
@given(made=studies())
def test_a_switch_value_put_back_gives_equality(made: Study) -> None:
    base = list(made.base())
    won = winner(made.evaluate(base))
    for bar in tornado(made):
        if bar.switch is None:
            assert bar.becomes is None
            continue
        v = made.variables[bar.variable]
        assert v.low <= bar.switch <= v.high
        costs = made.evaluate([*base[: bar.variable], bar.switch, *base[bar.variable + 1 :]])
        assert bar.becomes is not None
        assert bar.becomes != won
        assert costs[bar.becomes] == pytest.approx(costs[won], rel=1e-9)
        assert min(costs) == pytest.approx(costs[won], rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(shares=st.lists(st.floats(0.1, 3), min_size=1, max_size=4), scale=st.floats(0.5, 100))
def test_elasticities_of_a_homogeneous_cost_sum_to_one(shares: list[float], scale: float) -> None:
    """Euler's theorem for a function that is homogeneous of degree one."""
    total = sum(shares)

    def cost(v: Sequence[float]) -> list[float]:
        product = scale
        for x, share in zip(v, shares, strict=True):
            product *= x ** (share / total)
        return [product]

    made = study([uncertain(f"x{i}", 1, 2 + i, 9) for i in range(len(shares))], cost, 1)
    found = [bar.elasticity[0] for bar in tornado(made)]
    assert None not in found
    assert sum(e for e in found if e is not None) == pytest.approx(1, abs=1e-6)


def test_known_switch_values() -> None:
    """Renting at 3 for 1,500 hours costs 4,500, owning 6,000: equal at a price of 4, at 2,000 hours, at an own cost of 4,500."""
    made = rent_or_own()
    for bar in tornado(made):
        assert bar.switch == pytest.approx(
            {"price": 4, "hours": 2000, "own": 4500}[made.variables[bar.variable].name], rel=1e-12
        )
        assert bar.becomes == 1


def test_never_is_an_answer() -> None:
    made = study([uncertain("x", 1, 2, 3)], lambda v: (v[0], v[0] + 1), 2)
    (bar,) = tornado(made)
    assert (bar.switch, bar.becomes) == (None, None)


def test_a_step_is_found_where_it_stands() -> None:
    """Whole months: from the 8th on the third one must be paid, and the other option is cheaper."""
    made = study([uncertain("weeks", 1, 4, 20)], lambda v: (1000.0 * ceil(v[0] / 4), 2500.0), 2)
    (bar,) = tornado(made)
    assert bar.switch == pytest.approx(8, rel=1e-12)
    assert bar.becomes == 1


def test_a_winner_that_comes_back_is_seen_at_its_first_change() -> None:
    made = study([uncertain("x", 0.0, 0.0, 8.0)], lambda v: (1.0, 2.0 + (v[0] - 3) * (v[0] - 3.8)), 2)
    (bar,) = tornado(made)
    assert bar.switch is None or 3 < bar.switch < 3.8


@pytest.mark.parametrize(("low", "base", "high"), [(0.0, 0.0, 0.0), (0.0, 0.0, 5.0)])
def test_there_is_no_elasticity_at_nothing(low: float, base: float, high: float) -> None:
    (bar,) = tornado(study([uncertain("x", low, base, high)], lambda v: (10 + v[0],), 1))
    assert bar.elasticity == (None,)


def test_a_variable_that_is_pinned_still_has_an_elasticity() -> None:
    (bar,) = tornado(study([uncertain("x", 5, 5, 5)], lambda v: (2 * v[0],), 1))
    assert bar.elasticity[0] == pytest.approx(1, rel=1e-6)
    assert (bar.low, bar.high) == ((10.0,), (10.0,))
