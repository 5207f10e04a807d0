"""Rent or buy: published cases by name, invariants as properties, bad inputs with their words, the catalog's defaults."""

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.finance.comparison import BARE_METAL, HOURLY, MONTHLY, OPTIONS, PURCHASE, RENTS, set_up
from calculators.finance.rent_or_buy_fields import Inputs, Outputs
from calculators.finance.rent_or_buy_report import NAMES
from calculators.framework.spec import Answer, Example, Preset, Range, Working
from calculators.framework.text import LANGUAGES, Lang
from calculators.rent_or_buy import CALCULATOR, compute
from catalog.model import Catalog
from tests.calculators.finance.small_catalog import SMALL, small_catalog

ENTERED = Inputs(
    accelerator="unpriced",
    accelerator_count=8,
    hours_per_month=400,
    horizon_months=36,
    hourly_price=2.0,
    monthly_price=900.0,
    bare_metal_price=7000.0,
    capex_per_accelerator=20_000.0,
    kw_per_accelerator=0.6,
    tariff=0.7,
    colo_per_kw_month=500.0,
    staff_per_month=1000.0,
)
"""Nothing comes from the catalog: every price is the reader's."""

UNTIMED = settings(deadline=None, max_examples=60)
"""Properties do not watch the clock, which a busy machine stretches: `test_a_call_is_quick` does."""

MONEY = (
    "hourly_price",
    "monthly_price",
    "bare_metal_price",
    "capex_per_accelerator",
    "tariff",
    "colo_per_kw_month",
    "staff_per_month",
)
IN_MONEY = [name for name, spec in CALCULATOR.results().items() if spec.unit.startswith("money")]


@pytest.fixture
def small(catalog: Catalog) -> Iterator[Catalog]:
    """The small catalog in the bridge; afterwards the real one again, which other tests expect there."""
    bridge.use(SMALL)
    yield SMALL
    bridge.use(catalog)


def run(inputs: Inputs, catalog: Catalog = SMALL) -> Outputs:
    outputs: Outputs = solve(inputs, catalog).outputs
    return outputs


def solve(inputs: Inputs, catalog: Catalog = SMALL) -> Answer:
    return compute(inputs, catalog, Working())


def ask(lang: Lang = "en", **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(bridge.call("rent-or-buy", json.dumps(request | {"lang": lang})))
    return answer


def change(inputs: Inputs, **fields: Any) -> Inputs:
    return dataclasses.replace(inputs, **fields)


# Published cases


@pytest.mark.parametrize("example", CALCULATOR.examples, ids=lambda e: e.name)
def test_published_case(example: Example, small: Catalog) -> None:
    outputs = ask(**example.inputs)["outputs"]
    for name, expected in example.expected.items():
        assert outputs[name] == pytest.approx(expected, rel=example.rel), name


def test_the_example_without_hour_price_falls_back_to_the_catalog(small: Catalog) -> None:
    """The seed's prices are the small catalog's: leaving them empty gives the same break-even."""
    outputs = ask(accelerator="ascend-910b-64g")["outputs"]
    assert outputs["break_even_hours_bare_metal_vs_hourly"] == pytest.approx(15_600 / (8 * 3.58))


def test_three_days_of_bare_metal_beat_eight_hourly_cards_after_20_hours() -> None:
    """seed-3day: ¥320 a day is ¥1.667 per GPU-hour; below ¥1.96 when used more than 20.4 hours a day."""
    outputs = run(Inputs(accelerator="rtx-4090-24g", hourly_price=1.96, bare_metal_price=320.0, bare_metal_per="day"))
    beats = outputs.break_even_hours_bare_metal_vs_hourly
    assert beats is not None
    assert beats / 30 == pytest.approx(20.4, rel=0.001)


def test_a_unit_slip_is_not_reproduced() -> None:
    """node-vs-gpu-unit-slip: US$24 an hour is for a node of 8; 64 GPUs for a day cost $4,608, not $36,864."""
    day = change(
        ENTERED, accelerator_count=64, hourly_price=24 / 8, hours_per_month=24, horizon_months=1, discount_rate_percent=0
    )
    assert run(day).hourly_total == pytest.approx(4608)


def test_a_purchase_is_sold_along_the_curve_through_its_36_months_value() -> None:
    """msft-rig-monthly-depr: half lost in 24 months is $750 a month of $36,000, not $1,500."""
    rig = change(ENTERED, capex_per_accelerator=36_000.0, horizon_months=24, residual_percent=100 * 0.5**1.5)
    assert run(rig).depreciation_per_year == pytest.approx(750 * 12)


# What a break-even means

HOURS_OUTPUTS = (
    ("break_even_hours_month_vs_hourly", MONTHLY, (HOURLY,)),
    ("break_even_hours_bare_metal_vs_hourly", BARE_METAL, (HOURLY,)),
    ("break_even_hours_purchase_vs_hourly", PURCHASE, (HOURLY,)),
    ("break_even_hours_purchase_vs_rent", PURCHASE, RENTS),
)


def entered_inputs() -> st.SearchStrategy[Inputs]:
    """Every price entered, over wide but ordinary ranges."""
    return st.builds(
        Inputs,
        accelerator=st.just("unpriced"),
        accelerator_count=st.integers(1, 64),
        hours_per_month=st.floats(1, 730),
        horizon_months=st.integers(1, 120),
        hourly_price=st.floats(0.1, 20),
        monthly_price=st.floats(50, 10_000),
        bare_metal_price=st.floats(500, 100_000),
        rent_decline_percent=st.floats(-30, 60),
        capex_per_accelerator=st.floats(500, 60_000),
        residual_percent=st.floats(0, 60),
        maintenance_percent=st.floats(0, 20),
        hosting=st.sampled_from(["own-room", "colo"]),
        kw_per_accelerator=st.floats(0.1, 2),
        idle_power_percent=st.floats(0, 60),
        tariff=st.floats(0.01, 2),
        pue=st.floats(1, 2),
        colo_per_kw_month=st.floats(10, 1000),
        staff_per_month=st.floats(0, 50_000),
        discount_rate_percent=st.floats(0, 30),
    )


@settings(UNTIMED)
@given(entered_inputs())
def test_break_even_hours_put_back_give_equal_costs(inputs: Inputs) -> None:
    outputs = run(inputs)
    for name, option, against in HOURS_OUTPUTS:
        hours = getattr(outputs, name)
        if hours is None or hours < 1:
            continue
        again = set_up(change(inputs, hours_per_month=hours), SMALL)
        assert again.totals[option] == pytest.approx(min(again.totals[id] for id in against), rel=1e-9), name


@settings(UNTIMED)
@given(entered_inputs())
def test_where_no_break_even_is_given_the_option_loses_at_every_use(inputs: Inputs) -> None:
    outputs = run(inputs)
    for name, option, against in HOURS_OUTPUTS:
        if getattr(outputs, name) is None:
            for hours in (1.0, 100.0, 365.0, 730.0):
                setup = set_up(change(inputs, hours_per_month=hours), SMALL)
                assert setup.totals[option] > min(setup.totals[id] for id in against), name


@settings(UNTIMED)
@given(entered_inputs())
def test_break_even_price_put_back_gives_equal_costs(inputs: Inputs) -> None:
    price = run(inputs).break_even_price
    assert price is not None
    again = run(change(inputs, hourly_price=price))
    assert again.hourly_total == pytest.approx(again.purchase_total, rel=1e-9)


@settings(UNTIMED)
@given(entered_inputs())
def test_break_even_month_is_the_first(inputs: Inputs) -> None:
    setup = set_up(inputs, SMALL)
    rent = setup.rents[0]
    ahead = [m for m in range(1, inputs.horizon_months + 1) if setup.cost(PURCHASE, months=m) <= setup.cost(rent, months=m)]
    assert run(inputs).break_even_month == (ahead[0] if ahead else None)


def test_month_against_hour_is_the_ratio_of_the_prices() -> None:
    assert run(ENTERED).break_even_hours_month_vs_hourly == pytest.approx(900 / 2, rel=1e-12)
    assert run(change(ENTERED, monthly_price=2000.0)).break_even_hours_month_vs_hourly is None


def test_never_is_said() -> None:
    outputs = run(change(ENTERED, hourly_price=0.01, monthly_price=2000.0, capex_per_accelerator=1e6))
    assert outputs.break_even_month is None
    assert "never" in outputs.break_even.en
    assert "始终没有" in outputs.break_even.zh
    assert "730" in outputs.break_even.zh


# Invariants


@settings(UNTIMED)
@given(entered_inputs(), st.floats(0.2, 5))
def test_linear_in_money(inputs: Inputs, k: float) -> None:
    scaled = run(change(inputs, **{name: k * getattr(inputs, name) for name in MONEY}))
    plain = run(inputs)
    for name in IN_MONEY:
        value, other = getattr(plain, name), getattr(scaled, name)
        if isinstance(value, Range):
            value, other = value.mid, other.mid
        assert other == (None if value is None else pytest.approx(k * value, rel=1e-9, abs=1e-9)), name


@settings(UNTIMED)
@given(entered_inputs(), st.floats(1, 365), st.floats(1.001, 2))
def test_an_owned_hour_gets_cheaper_with_use(inputs: Inputs, hours: float, factor: float) -> None:
    before, after = (run(change(inputs, hours_per_month=h)).purchase_per_used_hour for h in (hours, hours * factor))
    assert before is not None
    assert after is not None
    assert after < before


@settings(UNTIMED)
@given(entered_inputs())
def test_without_discounting_a_total_is_the_sum_of_what_is_paid(inputs: Inputs) -> None:
    flat = set_up(change(inputs, discount_rate_percent=0, rent_decline_percent=0), SMALL)
    months, hours, n = inputs.horizon_months, inputs.hours_per_month, inputs.accelerator_count
    assert inputs.hourly_price is not None
    assert inputs.monthly_price is not None
    assert flat.totals[HOURLY] == pytest.approx(months * hours * n * inputs.hourly_price)
    assert flat.totals[MONTHLY] == pytest.approx(months * n * inputs.monthly_price)
    for id, option in flat.options.items():
        assert flat.totals[id] == pytest.approx(flat.nominal.cost(option, hours, months))


@settings(UNTIMED)
@given(entered_inputs())
def test_the_rows_of_the_cost_table_add_up_to_its_total(inputs: Inputs) -> None:
    costs = solve(inputs).tables[0]
    *kinds, total, _, _ = costs.rows
    for id in OPTIONS:
        parts = [row.get(id) for row in kinds]
        whole = total[id]
        assert isinstance(whole, float)
        assert sum(p for p in parts if isinstance(p, float)) == pytest.approx(whole, rel=1e-9, abs=1e-6)


NEVER_CHEAPER = (
    "tariff",
    "pue",
    "kw_per_accelerator",
    "capex_per_accelerator",
    "maintenance_percent",
    "staff_per_month",
    "colo_per_kw_month",
)


@pytest.mark.parametrize("field", NEVER_CHEAPER)
@settings(UNTIMED)
@given(entered_inputs(), st.floats(1, 2))
def test_owning_never_gets_cheaper_with_a_dearer(field: str, inputs: Inputs, factor: float) -> None:
    before = run(inputs).purchase_total
    after = run(change(inputs, **{field: getattr(inputs, field) * factor})).purchase_total
    assert before is not None
    assert after is not None
    assert after >= before * (1 - 1e-12)


@settings(UNTIMED)
@given(entered_inputs(), st.floats(0, 60))
def test_more_resale_value_is_never_dearer(inputs: Inputs, residual: float) -> None:
    low, high = sorted((inputs.residual_percent, residual))
    dear, cheap = (run(change(inputs, residual_percent=r)).purchase_total for r in (low, high))
    assert dear is not None
    assert cheap is not None
    assert cheap <= dear * (1 + 1e-12)


@settings(UNTIMED)
@given(entered_inputs())
def test_ranges_hold_the_value(inputs: Inputs) -> None:
    outputs, setup = run(inputs), set_up(inputs, SMALL)
    owned, rented = outputs.purchase_total_range, outputs.cheapest_rent_range
    assert owned is not None
    assert rented is not None
    assert owned.low * (1 - 1e-12) <= setup.totals[PURCHASE] <= owned.high * (1 + 1e-12)
    assert rented.low * (1 - 1e-12) <= setup.totals[setup.rents[0]] <= rented.high * (1 + 1e-12)


@settings(UNTIMED)
@given(entered_inputs())
def test_every_suggestion_does_what_it_says(inputs: Inputs) -> None:
    before = run(inputs)
    for suggestion in solve(inputs).suggestions:
        after = run(change(inputs, **suggestion.change))
        assert after.cheapest != before.cheapest
        assert suggestion.effect.en.startswith(after.cheapest.en)
        assert suggestion.effect.zh.startswith(after.cheapest.zh)


def any_request() -> st.SearchStrategy[dict[str, Any]]:
    """Any value in range for any field, empty where that is allowed."""
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for name, spec in CALCULATOR.fields().items():
        values: st.SearchStrategy[Any]
        match spec.type:
            case "int":
                values = st.integers(int(spec.low or 0), int(spec.high or 0))
            case "float":
                values = st.floats(spec.low, spec.high)
            case _:
                values = st.sampled_from([c.value for c in spec.options(SMALL)])
        fields[name] = st.none() | values if spec.optional else values
    return st.fixed_dictionaries({}, optional=fields)


@settings(UNTIMED, max_examples=150)
@given(request_=any_request(), lang=st.sampled_from(LANGUAGES))
def test_anything_in_range_gives_finite_numbers_or_names_the_field(
    catalog: Catalog, request_: dict[str, Any], lang: Lang
) -> None:
    bridge.use(SMALL)
    answer = ask(lang, **request_, view=True)
    bridge.use(catalog)
    if "error" in answer:
        assert [f["field"] for f in answer["error"]["fields"]] == ["hours_per_month"]
        assert request_.get("hours_per_month", 500) > request_.get("month_hours", 730)
    else:
        assert set(answer["outputs"]) == set(CALCULATOR.results())
        assert answer["view"]["parts"]["answer"]


# Bad inputs: field, and words of the message in both languages

BAD: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("a card that is not in the catalog", {"accelerator": "rtx-4090"}, "accelerator", "rtx-4090-24g", "rtx-4090-24g"),
    ("a card that is a number", {"accelerator": 4090}, "accelerator", "as text", "文本形式"),
    ("no card at all", {"accelerator": ""}, "accelerator", "Choose one", "请从列表中选择"),
    ("no cards", {"accelerator_count": 0}, "accelerator_count", "in 1–100,000 GPUs", "1 张卡"),
    ("half a card", {"accelerator_count": 1.5}, "accelerator_count", "whole number", "整数"),
    ("hours beyond any month", {"hours_per_month": 745}, "hours_per_month", "744 h/month", "744 小时/月"),
    ("hours beyond this month", {"hours_per_month": 740}, "hours_per_month", "A month has 730 hours", "按 730 小时计"),
    (
        "hours beyond a month of 720",
        {"hours_per_month": 725, "month_hours": 720},
        "hours_per_month",
        "has 720 hours",
        "按 720 小时计",
    ),
    ("no hours", {"hours_per_month": 0}, "hours_per_month", "in 1–744 h/month", "1 小时/月"),
    ("hours in words", {"hours_per_month": "all"}, "hours_per_month", "not a number", "不是数字"),
    ("a horizon of nothing", {"horizon_months": 0}, "horizon_months", "in 1–120 months", "1 个月"),
    ("a horizon beyond ten years", {"horizon_months": 121}, "horizon_months", "120 months", "120 个月"),
    ("a currency without a rate", {"currency": "EUR"}, "currency", "CNY, USD", "CNY, USD"),
    ("a price of nothing", {"hourly_price": 0}, "hourly_price", "–10,000", "–10,000"),
    ("a negative price", {"monthly_price": -1}, "monthly_price", "–10,000,000", "–10,000,000"),
    ("a price with a thousands mark", {"bare_metal_price": "7,920"}, "bare_metal_price", "thousands", "千位分隔符"),
    ("a price that is not finite", {"capex_per_accelerator": "1e999"}, "capex_per_accelerator", "too large", "太大"),
    ("a price that is true", {"hourly_price": True}, "hourly_price", "must be a number", "必须是数字"),
    ("a price for a week", {"bare_metal_per": "week"}, "bare_metal_per", "month, day", "month, day"),
    ("a PUE below 1", {"pue": 0.9}, "pue", "in 1–3", "1–3"),
    ("a PUE left empty", {"pue": ""}, "pue", "Enter a number", "请输入数字"),
    ("more resale than price", {"residual_percent": 101}, "residual_percent", "–100%", "–100%"),
    ("rents that vanish", {"rent_decline_percent": 100}, "rent_decline_percent", "–90%", "–90%"),
    ("a field misspelt", {"hourly_prize": 2}, "hourly_prize", "Did you mean “hourly_price”", "是不是“hourly_price”"),
    ("a field of another calculator", {"kv_dtype": "fp8"}, "kv_dtype", "The fields are", "可用字段"),
    ("a room that is not one", {"hosting": ["colo"]}, "hosting", "not several", "不要选多项"),
]


@pytest.mark.parametrize(("cause", "request_", "field", "en", "zh"), BAD, ids=[b[0] for b in BAD])
def test_bad_input_names_its_field_in_both_languages(
    cause: str, request_: dict[str, Any], field: str, en: str, zh: str, small: Catalog
) -> None:
    for lang, words in (("en", en), ("zh", zh)):
        answer = ask("en" if lang == "en" else "zh", **request_)
        assert answer["error"]["code"] == "bad-input", cause
        (error,) = answer["error"]["fields"]
        assert error["field"] == field
        assert words in error["message"]


# Prices from the catalog


def price_rows(inputs: Inputs, catalog: Catalog = SMALL) -> dict[str, dict[str, Any]]:
    rows = solve(inputs, catalog).tables[1].rows
    return {id: dict(row) for id, row in zip(OPTIONS, rows, strict=True)}


def test_the_middle_recent_offer_in_the_readers_currency_is_taken() -> None:
    row = price_rows(Inputs())[HOURLY]
    assert (row["amount"], row["offer"], row["date"], row["age"], row["count"]) == (1.96, "4090-hour", "2026-07", 152, 2)
    assert row["source"] == "https://example.org/prices"


def test_an_offer_of_the_other_currency_is_converted_at_the_newest_rate_and_said() -> None:
    answer = solve(Inputs(accelerator="h100-sxm", currency="CNY"))
    row = price_rows(Inputs(accelerator="h100-sxm", currency="CNY"))[HOURLY]
    assert row["amount"] == pytest.approx(7 * 2.5)
    assert any("1 USD = 7.0000 CNY (2026-06-01)" in n.en for n in answer.notes)
    assert not any("1 USD" in n.en for n in solve(Inputs(accelerator="h100-sxm", currency="USD")).notes)


def test_without_a_rate_the_foreign_price_is_no_price() -> None:
    rows = price_rows(Inputs(accelerator="h100-sxm", currency="CNY"), small_catalog(rates=()))
    assert all("amount" not in row for row in rows.values())


def test_a_servers_price_comes_before_a_cards() -> None:
    outputs = run(Inputs(accelerator="h100-sxm", currency="USD", hosting="colo"))
    assert outputs.capex_per_accelerator == 30_000
    assert outputs.colo_per_year == pytest.approx(1.275 * 196.25 * 12)


def test_a_cards_price_gets_the_server_premium() -> None:
    assert run(Inputs(accelerator="rtx-4090-24g", currency="USD")).capex_per_accelerator == pytest.approx(2000 * 1.38)
    assert run(Inputs(accelerator="rtx-5090", currency="USD")).capex_per_accelerator == pytest.approx(1999 * 1.38)
    assert run(Inputs(accelerator="ascend-910b-64g")).capex_per_accelerator == pytest.approx(120_000 * 1.38)


def test_a_price_for_a_whole_month_of_cards_is_split_and_the_node_is_not() -> None:
    outputs = run(
        Inputs(accelerator="h100-sxm", currency="USD", accelerator_count=1, horizon_months=1, discount_rate_percent=0)
    )
    assert outputs.monthly_total == pytest.approx(1460)
    assert run(Inputs(accelerator="rtx-4090-24g", accelerator_count=10)).bare_metal_month == 2 * 7920


UNPRICED = (
    ("hourly", Inputs(accelerator="rtx-4090-48g"), "hourly_total", "“On demand, one accelerator”"),
    ("monthly", Inputs(), "monthly_total", "“By the month, one accelerator”"),
    ("bare metal", Inputs(accelerator="rtx-5090"), "bare_metal_total", "“Bare metal, whole node”"),
    ("purchase", Inputs(accelerator="unpriced"), "purchase_total", "“Purchase price, all in, per accelerator”"),
    ("power", Inputs(accelerator="unpriced", card_price=2000.0), "purchase_total", "“Power at load, per accelerator”"),
    ("colocation", Inputs(accelerator="ascend-910b-64g", hosting="colo"), "purchase_total", "“Colocation rent”"),
)


@pytest.mark.parametrize(("name", "inputs", "output", "label"), UNPRICED, ids=[u[0] for u in UNPRICED])
def test_what_has_no_price_is_a_dash_and_says_which_field_to_fill(name: str, inputs: Inputs, output: str, label: str) -> None:
    answer = solve(inputs)
    assert getattr(answer.outputs, output) is None
    assert any(label in n.en for n in answer.notes)
    assert any(label.strip("“”") == spec.label.en for spec in CALCULATOR.fields().values())


def test_with_no_price_at_all_it_says_so(small: Catalog) -> None:
    for lang, words in (("en", "nothing can be compared"), ("zh", "无法比较")):
        answer = ask("en" if lang == "en" else "zh", accelerator="unpriced", view=True)
        assert words in answer["view"]["parts"]["answer"]
        assert answer["charts"] == []


def test_colocation_does_not_pay_for_cooling_twice() -> None:
    colo = change(ENTERED, hosting="colo")
    assert run(change(colo, pue=2.0)) == run(change(colo, pue=1.0))
    warmer, cooler = run(change(ENTERED, pue=2.0)).electricity_per_year, run(change(ENTERED, pue=1.0)).electricity_per_year
    assert warmer is not None
    assert warmer == pytest.approx(2 * (cooler or 0))


# What a reader sees


def test_the_answer_names_the_cheapest_and_the_next_in_both_languages(small: Catalog) -> None:
    en, zh = (ask(lang, view=True)["view"]["parts"]["answer"] for lang in LANGUAGES)
    assert "renting by the hour is cheapest at ¥" in en
    assert "Next: bare metal, 1.0% dearer: a tie" in en
    assert "按小时租最省" in zh
    assert "裸金属" in zh


def test_the_chart_marks_the_month_and_starts_at_nothing() -> None:
    answer = solve(change(ENTERED, hourly_price=9.0, monthly_price=5000.0, bare_metal_price=40_000.0))
    chart = answer.charts[0]
    assert [m.x for m in chart.marks] == [answer.outputs.break_even_month]
    assert [s.points[0] for s in chart.series[:4]] == [(0.0, 0.0)] * 4
    assert all(len(s.points) == 37 for s in chart.series)
    assert chart.series[-1].points[0] == (0.0, 160_000.0)


def test_money_prints_in_the_chosen_currency(small: Catalog) -> None:
    shown = {c: ask(accelerator="h100-sxm", currency=c, view=True)["view"]["display"] for c in ("CNY", "USD")}
    assert shown["CNY"]["hourly_per_used_hour"].startswith("¥")
    assert shown["USD"]["hourly_per_used_hour"].startswith("US$")


def test_the_working_is_in_the_readers_language(small: Catalog) -> None:
    steps = ask("zh", accelerator="h100-sxm", currency="USD", hosting="colo", monthly_price=1500)["working"]
    assert len(steps) >= 12
    for step in steps:
        assert not re.search(r"[a-z]{3,}", re.sub(r"max|PUE|kWh?", "", step["formula"])), step["formula"]


def test_names_are_told_apart() -> None:
    assert len({n.en for n in NAMES.values()}) == len({n.zh for n in NAMES.values()}) == len(OPTIONS)


# The real catalog


@pytest.mark.parametrize("preset", CALCULATOR.presets, ids=lambda p: p.id)
def test_presets_compare_at_least_three_ways(preset: Preset, catalog: Catalog) -> None:
    outputs = run(Inputs(**preset.change), catalog)
    totals = [outputs.hourly_total, outputs.monthly_total, outputs.bare_metal_total, outputs.purchase_total]
    assert sum(t is not None for t in totals) >= 3


@pytest.mark.parametrize("currency", ["CNY", "USD"])
def test_every_accelerator_of_the_catalog_is_answered(currency: str, catalog: Catalog) -> None:
    for id in catalog.accelerators:
        answer = ask(accelerator=id, currency=currency, hosting="colo", view=True)
        assert "error" not in answer, id
