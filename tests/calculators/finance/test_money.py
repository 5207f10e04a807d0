"""Annuities, depreciation, energy, break-even search: published cases, oracles, limits and refusals."""

from collections.abc import Callable

import numpy_financial as npf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.finance.annuity import crf, equivalent_annual_cost, pmt
from calculators.finance.break_even import first_crossing, first_month, root
from calculators.finance.depreciation import residual_value, straight_line, yearly_loss
from calculators.finance.discount import npv
from calculators.finance.energy import energy_kwh

rates = st.floats(0, 1)
periods = st.integers(1, 120)
sums = st.floats(1, 1e7)


@settings(deadline=None)
@given(st.just(0.0) | st.floats(1e-4, 1), periods, sums)
def test_pmt_agrees_with_numpy_financial(rate: float, count: int, loan: float) -> None:
    assert pmt(rate, count, loan) == pytest.approx(float(npf.pmt(rate, count, loan)), rel=1e-6)


@settings(deadline=None)
@given(rates, periods)
def test_capital_recovery_pays_back_exactly_one(rate: float, count: int) -> None:
    assert npv(rate, [0.0] + [crf(rate, count)] * count) == pytest.approx(1, rel=1e-9)


def test_capital_recovery_without_interest_is_an_equal_share() -> None:
    assert crf(0, 36) == 1 / 36


@settings(deadline=None)
@given(rates, st.integers(1, 30), sums, st.floats(0, 1), sums)
def test_equivalent_annual_cost_discounts_back_to_the_npv(
    rate: float, years: int, cost: float, share: float, yearly: float
) -> None:
    salvage = share * cost
    level = equivalent_annual_cost(cost, salvage, rate, years, yearly)
    flows = [cost] + [yearly] * years
    flows[-1] -= salvage
    assert npv(rate, [0.0] + [level] * years) == pytest.approx(npv(rate, flows), rel=1e-7)


@pytest.mark.parametrize(
    ("name", "cost", "salvage", "n", "expected", "rel"),
    [
        ("h100-unit-depreciation", 25_600 * 1.38, 0, 3, 11_776, 1e-4),
        ("depr-38b-3y", 38, 0, 3, 12.7, 0.003),
        ("rtx5090-box-monthly", 4000, 0, 36, 111, 0.002),
    ],
)
def test_published_straight_lines(name: str, cost: float, salvage: float, n: float, expected: float, rel: float) -> None:
    assert straight_line(cost, salvage, n) == pytest.approx(expected, rel=rel), name


def test_a_published_depreciation_that_is_wrong_is_not_reproduced() -> None:
    """msft-rig-monthly-depr: half of $36,000 lost over 24 months is $750 a month; the page says $1,500."""
    loss = straight_line(36_000, residual_value(36_000, yearly_loss(0.5, 2), 2), 24)
    assert loss == pytest.approx(750)
    assert loss != pytest.approx(1500, rel=0.01)


@settings(deadline=None)
@given(st.floats(0.05, 1), st.floats(1, 10), sums)
def test_the_residual_curve_passes_through_its_point(share: float, years: float, cost: float) -> None:
    loss = yearly_loss(share, years)
    assert residual_value(cost, loss, years) == pytest.approx(cost * share, rel=1e-7)
    assert residual_value(cost, loss, 0) == cost


@pytest.mark.parametrize(
    ("name", "kwh", "expected", "rel"),
    [
        ("h100-unit-power-70", energy_kwh(1.275, 8760, 0.7, 1.0) * 0.0862, 674, 0.001),
        ("h100-unit-power-100", energy_kwh(1.275, 8760) * 0.0862, 963, 0.001),
        ("one kilowatt for a year at 0.1", energy_kwh(1, 8760) * 0.1, 876, 1e-12),
        ("nothing runs, everything idles", energy_kwh(2, 100, 0, 1.5, 0.15), 45, 1e-12),
    ],
)
def test_published_energy(name: str, kwh: float, expected: float, rel: float) -> None:
    assert kwh == pytest.approx(expected, rel=rel), name


def test_a_published_power_bill_that_is_wrong_is_not_reproduced() -> None:
    """tensorsmesh-power-bill: 1,024 GPUs at full nameplate power and PUE 1.3 cost $124k a month, not $200k."""
    bill = energy_kwh(1024 / 8 * 10.2, 730, 1.0, 1.3) * 0.1
    assert bill == pytest.approx(123_905, rel=1e-3)
    assert bill != pytest.approx(200_000, rel=0.1)


REFUSED: list[tuple[str, Callable[[], float]]] = [
    ("no period", lambda: crf(0.1, 0)),
    ("a rate of -100 %", lambda: crf(-1, 3)),
    ("a life of 0", lambda: straight_line(1, 0, 0)),
    ("more than all is left", lambda: yearly_loss(1.1, 3)),
    ("less than nothing is left", lambda: yearly_loss(-0.1, 3)),
    ("no time", lambda: yearly_loss(0.5, 0)),
    ("utilisation above 1", lambda: energy_kwh(1, 1, 1.1)),
    ("idle share below 0", lambda: energy_kwh(1, 1, 1, 1, -0.1)),
    ("PUE below 1", lambda: energy_kwh(1, 1, 1, 0.9)),
]


@pytest.mark.parametrize(("name", "call"), REFUSED)
def test_impossible_values_are_refused(name: str, call: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match=r"."):
        call()


@settings(deadline=None)
@given(st.floats(-1e3, 1e3), st.floats(0.001, 1e3))
def test_the_root_of_a_line_is_found(x: float, slope: float) -> None:
    found = root(lambda v: slope * (v - x), -2e3, 2e3)
    assert found == pytest.approx(x, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "f", "points", "expected"),
    [
        ("crosses in the second piece", lambda x: 5 - x, [0, 2, 10], 5),
        ("crosses, comes back, crosses again: the first", lambda x: abs(x - 3) - 1, [0, 3, 10], 2),
        ("below from the start", lambda x: -1 - x, [0, 10], 0),
        ("touches at the very end", lambda x: 10 - x, [0, 10], 10),
        ("never", lambda x: 1 + x, [0, 10], None),
        ("no points", lambda x: -x, [], None),
    ],
)
def test_first_crossing(name: str, f: Callable[[float], float], points: list[float], expected: float | None) -> None:
    assert first_crossing(f, points) == (None if expected is None else pytest.approx(expected)), name


@pytest.mark.parametrize(("ahead_from", "horizon", "expected"), [(1, 12, 1), (7, 12, 7), (12, 12, 12), (13, 12, None)])
def test_first_month(ahead_from: int, horizon: int, expected: int | None) -> None:
    assert first_month(lambda m: m >= ahead_from, horizon) == expected


def test_a_root_is_not_invented() -> None:
    assert root(lambda x: x * x + 1, -1, 1) is None
    assert root(lambda x: x, 0, 1) == 0
    assert root(lambda x: x - 1, 0, 1) == 1
