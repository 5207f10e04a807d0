"""Draws: the same again from the same seed, in their ranges, of the shape and the correlation that they claim."""

from math import sqrt
from statistics import correlation, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.framework.spec import Working
from calculators.uncertainty.draws import Sample, drawn, sample, variables
from calculators.uncertainty.study import Study
from tests.calculators.uncertainty.made import rent_or_own, studies, study, uncertain


@settings(max_examples=60, deadline=None)
@given(made=studies(), seed=st.integers(0, 2**40))
def test_the_same_seed_draws_the_same_and_stays_in_range(made: Study, seed: int) -> None:
    one, two = variables(made, seed), variables(made, seed)
    for _ in range(50):
        values = one()
        assert list(values) == list(two())
        for v, x in zip(made.variables, values, strict=True):
            assert v.low * (1 - 1e-12) <= x <= v.high * (1 + 1e-12)


@settings(max_examples=30, deadline=None)
@given(made=studies(), cut=st.integers(1, 99))
def test_a_long_run_begins_with_the_draws_of_the_answer_at_once(made: Study, cut: int) -> None:
    grown = Sample(made, made.seed)
    grown.grow(cut)
    grown.grow(100 - cut)
    assert grown.size == 100
    assert grown.costs == sample(made, 100).costs


def test_another_seed_draws_otherwise() -> None:
    made = rent_or_own()
    assert list(variables(made, 1)()) != list(variables(made, 2)())


@pytest.mark.parametrize(("low", "base", "high"), [(0.0, 1.0, 4.0), (2.0, 2.0, 5.0), (-3.0, 1.0, 1.0)])
def test_a_variable_has_the_mean_and_the_deviation_of_a_triangle(low: float, base: float, high: float) -> None:
    """Mean (a + b + c) / 3 and variance (a² + b² + c² - ab - ac - bc) / 18: NIST, or any table of distributions."""
    draw = variables(study([uncertain("x", low, base, high)], lambda v: v, 1), 7)
    values = [draw()[0] for _ in range(20_000)]
    mean = (low + base + high) / 3
    variance = (low**2 + base**2 + high**2 - low * base - low * high - base * high) / 18
    assert fmean(values) == pytest.approx(mean, abs=5 * sqrt(variance / len(values)))
    assert fmean((x - mean) ** 2 for x in values) == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("rho", [-0.9, -0.3, 0.5, 0.8])
def test_two_variables_have_the_rank_correlation_that_was_asked(rho: float) -> None:
    made = study(
        [uncertain("a", 0, 1, 4), uncertain("b", 2, 8, 9), uncertain("c", 0, 1, 2)],
        lambda v: v,
        3,
        correlated=(("a", "b", rho),),
    )
    draw = variables(made, 3)
    a, b, c = zip(*(draw() for _ in range(6_000)), strict=True)
    assert correlation(a, b, method="ranked") == pytest.approx(rho, abs=0.04)
    assert correlation(a, c, method="ranked") == pytest.approx(0, abs=0.05)
    assert fmean(a) == pytest.approx(5 / 3, rel=0.03)  # each keeps its own triangle


@pytest.mark.parametrize(
    ("correlated", "words"),
    [
        ((("a", "a", 0.5),), "two different variables"),
        ((("a", "x", 0.5),), "two different variables"),
        ((("a", "b", 1.0),), "-1 < rho < 1"),
        ((("a", "b", 0.9), ("b", "c", 0.9), ("a", "c", -0.9)), "contradict each other"),
    ],
)
def test_correlations_that_cannot_be_are_refused(correlated: tuple[tuple[str, str, float], ...], words: str) -> None:
    made = study([uncertain(n, 0, 1, 2) for n in "abc"], lambda v: v, 3, correlated=correlated)
    with pytest.raises(ValueError, match=words):
        Sample(made, 1)


def test_a_range_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="does not hold"):
        uncertain("x", 2, 1, 3)


def test_an_answer_rests_on_the_long_run_where_there_is_one() -> None:
    made = rent_or_own()
    quick = Working()
    assert drawn(made, quick).size == made.draws
    assert quick.drawn is drawn(made, quick)
    long = sample(made, 999)
    assert drawn(made, Working(long)) is long
