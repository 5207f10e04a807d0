"""Billing, taxes, spares, unit costs, and the finance core's further forms: published cases, oracles, limits, refusals."""

import math
from collections.abc import Callable

import numpy_financial as npf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.finance.annuity import paid_monthly
from calculators.finance.billing import billed, billed_sessions, later_price_ratio, terms, upfront_and_monthly
from calculators.finance.depreciation import declining_balance, units_of_production
from calculators.finance.discount import annual_rate, irr, irr_roots, monthly_rate, npv, real_rate, sign_changes
from calculators.finance.energy import demand_charge
from calculators.finance.spares import spares
from calculators.finance.tax import duty, tax_shield, vat_factor
from calculators.finance.unit_cost import per_million_tokens, per_run, per_tflops_month, per_useful_hour

CALM = settings(deadline=None)


@pytest.mark.parametrize(
    ("name", "value", "expected", "rel"),
    [
        ("billing-granularity: 10 runs of 20 minutes, by the second", 10 * billed(20 / 60, 1 / 3600) * 3.0, 10.0, 1e-9),
        ("billing-per-hour: the same by the hour", 10 * billed(20 / 60, 1.0) * 3.0, 30.0, 1e-9),
        ("the same as sessions of one month", billed_sessions(10 * 20 / 60, 20 / 60, 1.0) * 3.0, 30.0, 1e-9),
        ("forward-ratio", later_price_ratio(7.2, 5.4), 0.72, 0.01),
        ("a flat price stays", later_price_ratio(5.0, 5.0), 1.0, 1e-12),
        ("deepseek output tokens", per_million_tokens(16, 14_800), 0.300, 0.002),
        ("deepseek input tokens", per_million_tokens(16, 73_700), 0.060, 0.01),
        ("deepseek-v3-train", per_run(2.0, 2_788_000), 5_576_000, 1e-9),
        ("seed-4090-24g-tflops", per_tflops_month(7920, 8, 330), 3.0, 0.001),
        ("seed-4090-48g-tflops", per_tflops_month(9600, 8, 330), 3.64, 0.002),
        ("seed-910b-tflops", per_tflops_month(15_600, 8, 320), 6.09, 0.001),
        ("seed-h100-tflops", per_tflops_month(84_480, 8, 1979), 5.34, 0.001),
        ("seed H100 on one basis", per_tflops_month(84_480, 8, 989.4), 10.67, 0.001),
        ("h100-unit-breakeven-price", per_useful_hour(11_776 + 674 + 3003, 8760, 0.7), 2.52, 0.002),
        ("a kilowatt at 40 a month for a year", demand_charge(1, 40, 12), 480, 1e-12),
    ],
)
def test_published_case(name: str, value: float, expected: float, rel: float) -> None:
    assert value == pytest.approx(expected, rel=rel), name


def test_published_errors_are_not_reproduced() -> None:
    """seed-h100-vs-148 and seed-h100-dense: neither the article's own 148 TFLOPS nor the dense 989.4 gives its ¥5.34."""
    assert per_tflops_month(84_480, 8, 148) == pytest.approx(71.35, rel=1e-3)
    assert per_tflops_month(84_480, 8, 989.4) != pytest.approx(5.34, rel=0.05)


@pytest.mark.parametrize(
    ("used", "step", "expected"),
    [(0, 1, 0), (0.1, 1, 1), (1, 1, 1), (1.1, 1, 2), (0.3, 0.1, 0.3), (7, 0, 7), (25, 24, 48)],
)
def test_billed(used: float, step: float, expected: float) -> None:
    assert billed(used, step) == pytest.approx(expected, abs=1e-12)


@CALM
@given(st.floats(0, 744), st.just(0.0) | st.floats(0.01, 100), st.sampled_from([0.0, 1 / 3600, 1 / 60, 1.0, 24.0]))
def test_nothing_is_billed_below_use_nor_a_step_above_each_session(used: float, session: float, step: float) -> None:
    paid = billed_sessions(used, session, step)
    count = 1 if session <= 0 or session >= used else math.ceil(used / session) + 1
    assert used - 1e-6 <= paid <= (used + step * count) * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize(
    ("months", "term", "count"), [(1, 1, 1), (12, 12, 1), (13, 12, 2), (36, 12, 3), (0.5, 1, 1), (0, 12, 0)]
)
def test_terms(months: float, term: int, count: int) -> None:
    assert terms(months, term) == count


@CALM
@given(st.floats(1, 1e6), st.integers(1, 60), st.floats(0, 1))
def test_upfront_and_monthly_add_up(price: float, months: int, share: float) -> None:
    first, monthly = upfront_and_monthly(price, months, share)
    assert first + months * monthly == pytest.approx(price * months, rel=1e-12)


@pytest.mark.parametrize(
    ("included", "recoverable", "factor"), [(True, True, 1 / 1.13), (True, False, 1), (False, True, 1), (False, False, 1.13)]
)
def test_vat(included: bool, recoverable: bool, factor: float) -> None:
    assert vat_factor(0.13, included=included, recoverable=recoverable) == pytest.approx(factor)


def test_taxes() -> None:
    assert tax_shield(0.25, 1000) == 250
    assert duty(1000, 0.05) == 50


@pytest.mark.parametrize(
    ("expected_failures", "level", "count"),
    [(1.0, 0.9, 2), (1.0, 0.95, 3), (2.0, 0.95, 5), (0.5, 0.9, 1), (5.0, 0.95, 9), (0.0, 0.99, 0), (3.0, 0.0, 0)],
)
def test_spares_by_the_poisson_tables(expected_failures: float, level: float, count: int) -> None:
    """Cumulative Poisson tables: P(N <= 2 | 1) = 0.920, P(N <= 3 | 1) = 0.981, P(N <= 5 | 2) = 0.983, P(N <= 9 | 5) = 0.968."""
    assert spares(expected_failures, 1.0, 365, level) == count


@CALM
@given(st.floats(0.01, 2000), st.floats(0.01, 0.999))
def test_spares_cover_the_level_and_one_fewer_does_not(expected: float, level: float) -> None:
    count = spares(expected, 1.0, 365, level)

    def covered(k: int) -> float:
        return math.fsum(math.exp(-expected + i * math.log(expected) - math.lgamma(i + 1)) for i in range(k + 1))

    slack = 0.002 if expected > 600 else 1e-12
    assert covered(count) >= level - slack
    assert count == 0 or covered(count - 1) < level + slack


@CALM
@given(st.floats(1, 1e6), st.floats(0, 1), st.integers(1, 15), st.floats(0.5, 4))
def test_declining_balance_ends_at_or_above_salvage(cost: float, share: float, life: int, factor: float) -> None:
    losses = declining_balance(cost, share * cost, life, factor)
    assert len(losses) == life
    assert all(loss >= -1e-9 for loss in losses)
    assert cost - sum(losses) >= share * cost - 1e-6


@pytest.mark.parametrize(("year", "loss"), [(1, 480.0), (2, 384.0), (10, 22.1225472)])
def test_double_declining_as_a_spreadsheet_gives_it(year: int, loss: float) -> None:
    """The example of the DDB function: 2,400 down to 300 over 10 years."""
    assert declining_balance(2400, 300, 10)[year - 1] == pytest.approx(loss, rel=1e-7)


@CALM
@given(st.floats(1, 1e6), st.floats(0, 1), st.floats(1, 1e5), st.floats(0, 1))
def test_units_of_production_spread_the_loss_by_use(cost: float, share: float, life: float, part: float) -> None:
    loss = units_of_production(cost, share * cost, life, part * life)
    assert loss == pytest.approx(part * cost * (1 - share), rel=1e-9, abs=1e-9)
    assert units_of_production(cost, 0, life, 2 * life) == cost


@CALM
@given(st.floats(-0.02, 0.05), st.floats(0.95, 1.05), st.integers(0, 60), st.integers(0, 120))
def test_the_closed_form_of_a_growing_payment_is_its_sum(rate: float, growth: float, first: int, last: int) -> None:
    d = 1 / (1 + rate)
    added = math.fsum(growth ** (m - 1) * d**m for m in range(first + 1, last + 1))
    assert paid_monthly(d, growth, first, last) == pytest.approx(added, rel=1e-8, abs=1e-12)


def test_a_level_payment_is_counted() -> None:
    assert paid_monthly(1.0, 1.0, 0, 36) == 36
    assert paid_monthly(1.0, 1.0, 12, 12) == 0
    assert paid_monthly(1 / 1.01, 1.0, 0, 36) == pytest.approx(-float(npf.pv(0.01, 36, 1)), rel=1e-9)


@CALM
@given(st.floats(-0.9, 3), st.floats(-0.5, 1))
def test_real_and_nominal_rates(nominal: float, inflation: float) -> None:
    assert (1 + real_rate(nominal, inflation)) * (1 + inflation) == pytest.approx(1 + nominal, rel=1e-12)
    assert annual_rate(monthly_rate(nominal)) == pytest.approx(nominal, rel=1e-9, abs=1e-12)


@CALM
@given(st.floats(100, 1e6), st.lists(st.floats(1, 1e4), min_size=24, max_size=60))
def test_the_direct_root_agrees_with_numpy_financial_on_months(paid: float, earned: list[float]) -> None:
    flows = [-paid, *earned]
    ours, theirs = irr(flows, 12), float(npf.irr(flows))
    if ours is not None:
        assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)
        assert npv(ours, flows) == pytest.approx(0, abs=1e-6 * paid)


def test_several_rates_are_all_told_and_the_nearest_is_taken() -> None:
    assert irr_roots([-100, 230, -132]) == pytest.approx((0.1, 0.2), abs=1e-9)
    assert irr([-100, 230, -132]) == pytest.approx(0.1)
    assert sign_changes([-100, 0, 230, 0, -132]) == 2
    assert sign_changes([0, 0]) == 0


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("time below 0", lambda: billed(-1, 1)),
    ("a step below 0", lambda: billed(1, -1)),
    ("a term of nothing", lambda: terms(3, 0)),
    ("more than all at the start", lambda: upfront_and_monthly(1, 1, 1.1)),
    ("a three-year price below any ratio", lambda: later_price_ratio(10, 2)),
    ("a VAT below 0", lambda: vat_factor(-0.1, included=True, recoverable=True)),
    ("a tax above all", lambda: tax_shield(1.1, 1)),
    ("a duty below 0", lambda: duty(1, -0.1)),
    ("certainty", lambda: spares(1, 1, 1, 1.0)),
    ("parts below 0", lambda: spares(-1, 1, 1, 0.5)),
    ("a life of no periods", lambda: declining_balance(1, 0, 0)),
    ("a factor of 0", lambda: declining_balance(1, 0, 3, 0)),
    ("salvage above cost", lambda: declining_balance(1, 2, 3)),
    ("no units", lambda: units_of_production(1, 0, 0, 1)),
    ("units below 0", lambda: units_of_production(1, 0, 1, -1)),
    ("no hours", lambda: per_useful_hour(1, 0)),
    ("no TFLOPS", lambda: per_tflops_month(1, 8, 0)),
    ("no tokens", lambda: per_million_tokens(1, 0)),
    ("no goodput", lambda: per_run(1, 1, 0)),
    ("a yearly rate of -100 %", lambda: real_rate(-1, 0)),
    ("a monthly rate of -100 %", lambda: annual_rate(-1)),
]


@pytest.mark.parametrize(("name", "call"), REFUSED, ids=[r[0] for r in REFUSED])
def test_impossible_values_are_refused(name: str, call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        call()
