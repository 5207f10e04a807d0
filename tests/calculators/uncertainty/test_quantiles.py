"""What is told of a sample: ordered quantiles, shares that sum to one, errors that shrink with the draws."""

from math import sqrt
from statistics import fmean
from statistics import quantiles as standard

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.uncertainty.draws import sample
from calculators.uncertainty.quantiles import cheapest_shares, convergence, quantile, quantile_error, spreads
from calculators.uncertainty.study import Study
from tests.calculators.uncertainty.made import rent_or_own, studies, study, uncertain


@settings(max_examples=50, deadline=None)
@given(made=studies())
def test_p10_p50_p90_are_in_order_and_someone_is_cheapest(made: Study) -> None:
    found = spreads(sample(made))
    for s in found:
        assert s.p10 <= s.p50 <= s.p90
        assert s.error >= 0
    assert sum(s.cheapest for s in found) == pytest.approx(1, abs=1e-9)


@given(values=st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=40))
def test_a_quantile_is_that_of_the_standard_library(values: list[float]) -> None:
    deciles = standard(values, n=10, method="inclusive")
    for i, expected in enumerate(deciles, 1):
        assert quantile(sorted(values), i / 10) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_no_values_have_no_quantile() -> None:
    with pytest.raises(ValueError, match="no values"):
        quantile([], 0.5)


def test_options_that_cost_the_same_share_a_draw() -> None:
    assert cheapest_shares([[1, 1, 5], [1, 2, 4], [3, 3, 4]]) == pytest.approx([1.5 / 3, 1 / 3, 0.5 / 3])


def test_the_error_of_the_median_is_what_repeated_samples_show() -> None:
    """The spread of P50 over many seeds is the error that each sample tells of itself."""
    medians, told = [], []
    for seed in range(200):
        ordered = sorted(sample(study([uncertain("x", 0, 3, 10)], lambda v: v, 1, seed=seed), 400).costs[0])
        medians.append(quantile(ordered, 0.5))
        told.append(quantile_error(ordered, 0.5))
    mean = sum(medians) / len(medians)
    seen = sqrt(sum((m - mean) ** 2 for m in medians) / (len(medians) - 1))
    assert sum(told) / len(told) == pytest.approx(seen, rel=0.15)


def test_the_error_falls_with_the_square_root_of_the_draws() -> None:
    def error(draws: int) -> float:
        made = [study([uncertain("x", 0, 3, 10)], lambda v: v, 1, seed=seed) for seed in range(30)]
        return fmean(spreads(sample(m, draws))[0].error for m in made)

    assert error(200) / error(5_000) == pytest.approx(5, rel=0.1)


def test_convergence_ends_at_all_draws_and_each_look_is_the_sample_so_far() -> None:
    grown = sample(rent_or_own(), 1_200)
    looks = convergence(grown)
    assert [look.draws for look in looks] == [100, 200, 500, 1_000, 1_200]
    assert looks[0].spreads == spreads(sample(rent_or_own(), 100))
    assert looks[-1].spreads == spreads(grown)


def test_the_cheapest_share_is_that_of_a_closed_form() -> None:
    """Two equal triangles: each is below the other half of the time, within four standard errors."""
    made = study([uncertain("a", 0, 1, 2), uncertain("b", 0, 1, 2)], lambda v: v, 2)
    first = spreads(sample(made, 20_000))[0]
    assert first.cheapest == pytest.approx(0.5, abs=4 * first.cheapest_error)
