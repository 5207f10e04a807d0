"""Present values and rates of return: published cases, and numpy-financial as the second opinion."""

import math

import numpy_financial as npf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.finance.discount import irr, irr_roots, monthly_rate, npv

GITMAN = [-40000, 5000, 8000, 12000, 30000]
flows = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)
rates = st.floats(-0.5, 2.0)


def test_npv_gitman() -> None:
    assert npv(0.08, GITMAN) == pytest.approx(3065.22267, rel=1e-8)


@pytest.mark.parametrize(
    ("name", "cash_flows", "expected", "rel"),
    [
        ("irr-gitman", [-100, 39, 59, 55, 20], 0.28095, 2e-5),
        ("irr-negative", [-100, 0, 0, 74], -0.0955, 1e-3),
        ("irr-sign-change-a", [-100, 100, 0, -7], -0.0833, 1e-3),
        ("numpy-financial: sign change b", [-100, 100, 0, 7], 0.06206, 1e-3),
        ("numpy-financial: uneven", [-5, 10.5, 1, -8, 1], 0.0886, 1e-3),
    ],
)
def test_published_irr(name: str, cash_flows: list[float], expected: float, rel: float) -> None:
    assert irr(cash_flows) == pytest.approx(expected, rel=rel), name


@pytest.mark.parametrize("cash_flows", [[], [100], [100, 50, 20], [-1, -2, -3], [0, 0, 0]])
def test_no_irr_where_the_npv_never_changes_sign(cash_flows: list[float]) -> None:
    assert irr(cash_flows) is None


def test_all_roots_are_listed() -> None:
    roots = irr_roots([-100, 230, -132])
    assert roots == pytest.approx((0.1, 0.2), abs=1e-9)


def test_a_root_at_zero_is_exact() -> None:
    assert irr([-100, 60, 40]) == 0.0


@settings(deadline=None)
@given(rates, flows)
def test_npv_agrees_with_numpy_financial(rate: float, cash_flows: list[float]) -> None:
    scale = npv(rate, [abs(f) for f in cash_flows])
    assert npv(rate, cash_flows) == pytest.approx(float(npf.npv(rate, cash_flows)), rel=1e-9, abs=1e-9 * scale + 1e-12)


@settings(deadline=None)
@given(flows)
def test_npv_at_zero_is_the_sum(cash_flows: list[float]) -> None:
    assert npv(0, cash_flows) == pytest.approx(math.fsum(cash_flows), rel=1e-9, abs=1e-6)


@settings(deadline=None)
@given(st.floats(10, 1e6), st.lists(st.floats(1, 1e5), min_size=2, max_size=24))
def test_irr_agrees_with_numpy_financial_on_investments(paid: float, earned: list[float]) -> None:
    ours, theirs = irr([-paid, *earned]), float(npf.irr([-paid, *earned]))
    if ours is None or not math.isfinite(theirs):
        assert ours is None or abs(ours) > 100 or ours < -0.99 or not math.isfinite(theirs)
    else:
        assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@settings(deadline=None)
@given(st.floats(-0.9, 5.0))
def test_twelve_months_compound_to_the_year(annual: float) -> None:
    assert (1 + monthly_rate(annual)) ** 12 == pytest.approx(1 + annual, rel=1e-12)


@pytest.mark.parametrize("rate", [-1, -1.5])
def test_rates_of_minus_hundred_percent_are_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="above -100"):
        npv(rate, [1, 2])
    with pytest.raises(ValueError, match="above -100"):
        monthly_rate(rate)
