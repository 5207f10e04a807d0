"""The model of `tco`: the closed form against the months, and the invariants of every cost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.costing.fields_money import Inputs
from calculators.costing.model import ON_DEMAND, OPTIONS, OWNED, PURCHASE, RENTS, SPOT, USED, Values
from calculators.costing.owning import book_losses
from calculators.costing.results import Results, at
from calculators.finance.annuity import crf
from calculators.finance.discount import npv
from calculators.framework.spec import InputError
from tests.calculators.costing.regional import ENTERED, MONEY, change, entered_inputs, results

UNTIMED = settings(deadline=None, max_examples=80)
"""Properties do not watch the clock, which a busy machine stretches: `test_a_call_is_quick` does."""


def usable(inputs: Inputs) -> Results:
    """What is computed; inputs that the plan refuses are not drawn again."""
    try:
        return results(inputs)
    except InputError:
        return results(change(inputs, profile=None))


@settings(UNTIMED, max_examples=300)
@given(entered_inputs(), st.lists(st.floats(0.7, 1.3), min_size=len(Values._fields), max_size=len(Values._fields)))
def test_the_closed_form_is_the_sum_of_the_months(inputs: Inputs, factors: list[float]) -> None:
    r = usable(inputs)
    moved = Values(*(v * f for v, f in zip(r.values, factors, strict=True)))
    moved = moved._replace(
        hours_per_month=min(moved.hours_per_month, r.most_hours),
        pue=max(1.0, moved.pue),
        residual_percent=min(100.0, moved.residual_percent),
    )
    whole = at(r.plan, moved)
    scale = max(abs(x) for flows in whole.monthly.values() for x in flows)
    for option, quick in zip(r.options, r.evaluate(moved), strict=True):
        assert quick == pytest.approx(whole.totals[option], rel=1e-9, abs=1e-9 * scale), option


def test_all_seven_ways_are_priced() -> None:
    assert results(ENTERED).options == OPTIONS


@settings(UNTIMED)
@given(entered_inputs(billing_step=st.just("second")), st.floats(0.2, 5))
def test_linear_in_money(inputs: Inputs, k: float) -> None:
    scaled = change(inputs, **{name: None if (v := getattr(inputs, name)) is None else k * v for name in MONEY})
    before, after = usable(inputs), usable(scaled)
    size = max(abs(x) for x in before.totals.values())
    for option, total in before.totals.items():
        assert after.totals[option] == pytest.approx(k * total, rel=1e-9, abs=1e-9 * size), option


@settings(UNTIMED)
@given(entered_inputs(profile=st.none(), goodput_percent=st.just(100.0)), st.floats(1, 365), st.floats(1.01, 2))
def test_an_owned_useful_hour_gets_cheaper_with_use(inputs: Inputs, hours: float, factor: float) -> None:
    plain = change(inputs, tax_percent=0.0, residual_percent=0.0)
    before, after = (results(change(plain, hours_per_month=h)) for h in (hours, hours * factor))
    for option in OWNED:
        assert after.per_hour(option) < before.per_hour(option)


@settings(UNTIMED)
@given(entered_inputs())
def test_without_a_rate_the_present_value_is_the_sum(inputs: Inputs) -> None:
    r = usable(change(inputs, discount_rate_percent=0.0, basis="nominal"))
    for option, total in r.totals.items():
        assert total == pytest.approx(r.nominal[option], rel=1e-9, abs=1e-6)


@settings(UNTIMED)
@given(entered_inputs(horizon_months=st.sampled_from([12, 24, 36, 60, 120])))
def test_the_equivalent_annual_cost_discounts_back_to_the_present_value(inputs: Inputs) -> None:
    r = usable(inputs)
    years = r.terms.months // 12
    for option, total in r.totals.items():
        level = [0.0] + [r.per_year(option)] * years
        assert npv(r.yearly_rate, level) == pytest.approx(total, rel=1e-9, abs=1e-6)
        assert r.per_year(option) == pytest.approx(total * crf(r.yearly_rate, years), rel=1e-9, abs=1e-9)


NEVER_CHEAPER = (
    ("tariff", OWNED),
    ("pue", OWNED),
    ("kw_per_accelerator", OWNED),
    ("colo_per_kw_month", OWNED),
    ("demand_charge", OWNED),
    ("maintenance_percent", (PURCHASE,)),
    ("insurance_percent", OWNED),
    ("failure_percent", OWNED),
    ("hourly_price", (ON_DEMAND, SPOT)),
    ("support_percent", RENTS),
    ("setup_cost", RENTS),
)


@pytest.mark.parametrize(("field", "options"), NEVER_CHEAPER, ids=[n[0] for n in NEVER_CHEAPER])
@settings(UNTIMED, max_examples=40)
@given(inputs=entered_inputs(residual_percent=st.just(0.0)), factor=st.floats(1, 2))
def test_never_cheaper_when_it_is_dearer(field: str, options: tuple[str, ...], inputs: Inputs, factor: float) -> None:
    before = usable(inputs)
    after = usable(change(before.plan.inputs, **{field: getattr(inputs, field) * factor}))
    for option in options:
        assert after.totals[option] >= before.totals[option] - 1e-9 * abs(before.totals[option])


@settings(UNTIMED)
@given(entered_inputs(billing_step=st.just("second")), st.floats(1, 3))
def test_more_interruptions_are_never_cheaper(inputs: Inputs, factor: float) -> None:
    rare = usable(change(inputs, spot_interrupted_every=20.0 * factor))
    often = usable(change(inputs, spot_interrupted_every=20.0))
    assert often.totals[SPOT] >= rare.totals[SPOT] * (1 - 1e-12)
    assert often.terms.spot_wall(20.0) >= 1


@settings(UNTIMED)
@given(entered_inputs(), st.floats(0, 60))
def test_more_resale_value_is_never_dearer(inputs: Inputs, residual: float) -> None:
    low, high = sorted((inputs.residual_percent, residual))
    dear, cheap = (usable(change(inputs, residual_percent=r)) for r in (low, high))
    for option in OWNED:
        assert cheap.totals[option] <= dear.totals[option] + 1e-9 * abs(dear.totals[option]) + 1e-9


@settings(UNTIMED)
@given(entered_inputs())
def test_the_books_never_lose_more_than_was_paid(inputs: Inputs) -> None:
    r = usable(inputs)
    for purchase in r.purchases.values():
        losses = book_losses(r.terms, r.values, purchase)
        assert losses[0] == 0
        assert min(losses) >= -1e-9
        assert sum(losses) <= purchase.total * (1 - r.terms.book_salvage) + 1e-6


@settings(UNTIMED)
@given(entered_inputs(tax_percent=st.just(0.0)), st.sampled_from(["declining", "units"]))
def test_depreciation_moves_no_money_without_income_tax(inputs: Inputs, method: str) -> None:
    before, after = usable(inputs), usable(change(inputs, depreciation=method))
    assert after.totals == before.totals


def test_a_horizon_of_a_moment_costs_what_was_paid_less_its_value() -> None:
    """Horizon 0: capex - RV(0) = 0. `standing` at month 0 is just that."""
    r = results(change(ENTERED, install_cost=0.0))
    assert r.standing[PURCHASE][0] == pytest.approx(0, abs=1e-9)
    assert r.standing[USED][0] == pytest.approx(0, abs=1e-9)
    assert all(r.standing[o][0] == 0 for o in RENTS)


def test_goodput_below_one_needs_more_hours_and_more_cards() -> None:
    full = results(change(ENTERED, hours_per_month=730))
    lossy = results(change(ENTERED, hours_per_month=730, goodput_percent=80.0))
    assert lossy.purchases[PURCHASE].cards == 10
    assert lossy.totals[ON_DEMAND] == pytest.approx(full.totals[ON_DEMAND] / 0.8)


def test_a_reservation_is_paid_to_its_end() -> None:
    r = results(change(ENTERED, horizon_months=18, reserved_price=1.0, discount_rate_percent=0.0, rent_decline_percent=0.0))
    assert r.totals["reserved"] == pytest.approx(24 * 730 * 8)


def test_months_without_work_are_not_rented_but_owned() -> None:
    busy = results(change(ENTERED, profile="1x400,2x0", horizon_months=3, discount_rate_percent=0.0, rent_decline_percent=0.0))
    assert busy.totals["monthly"] == pytest.approx(8 * 900)
    assert busy.totals["bare-metal"] == pytest.approx(7000)
    assert busy.flows[PURCHASE].kinds["maintenance"][3] > 0
