"""The tables and charts of a study, in both languages, and that they say the numbers of the sample."""

import pytest

from calculators.framework.chart_data import chart_data, chart_rows
from calculators.framework.text import LANGUAGES
from calculators.uncertainty import report
from calculators.uncertainty.draws import sample
from calculators.uncertainty.quantiles import spreads
from calculators.uncertainty.tornado import tornado
from tests.calculators.uncertainty.made import rent_or_own, study, uncertain


def test_the_table_of_draws_has_a_row_for_each_option() -> None:
    drawn = sample(rent_or_own(), 1000)
    table = report.draws_table(drawn)
    found = spreads(drawn)
    assert [(r["p10"], r["p50"], r["p90"], r["error"]) for r in table.rows] == [(s.p10, s.p50, s.p90, s.error) for s in found]
    assert sum(float(str(r["cheapest"])) for r in table.rows) == pytest.approx(100)
    assert "1,000 draws with the seed 1" in table.note.en
    assert "1,000 次抽样" in table.note.zh


def test_a_correlation_is_said() -> None:
    made = study([uncertain("a", 0, 1, 4), uncertain("b", 2, 8, 9)], lambda v: v, 2, correlated=(("a", "b", -0.5),))
    note = report.draws_table(sample(made)).note
    assert "a with b -0.5" in note.en
    assert "变量 a与变量 b -0.5" in note.zh


def test_the_fan_has_ends_around_each_middle_and_a_table_twin() -> None:
    drawn = sample(rent_or_own(), 500)
    chart = report.fan_chart(drawn)
    (series,) = chart.series
    for (_, p50), p10, p90 in zip(series.points, series.low, series.high, strict=True):
        assert p10 <= p50 <= p90
    head, rows = chart_rows(chart, "en")
    assert [name for name, _ in head] == ["Option", "P10", "P50", "P90"]
    assert [r[2] for r in rows] == [s.p50 for s in spreads(drawn)]
    assert chart_data(chart, "zh")["series"][0]["low"] == list(series.low)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tornado_says_range_switch_and_who_takes_over(lang: str) -> None:
    made = rent_or_own()
    bars = tornado(made)
    table = report.tornado_table(made, bars)
    chart = report.tornado_chart(made, bars)
    assert len(table.rows) == len(made.variables)
    first = table.rows[0]
    assert (first["low"], first["high"]) == (bars[0].low[0], bars[0].high[0])
    switched = {made.variables[b.variable].name: r["switch"] for b, r in zip(bars, table.rows, strict=True)}
    assert getattr(switched["hours"], "en", "") == "2,000 h"
    assert chart.marks[0].y == 4500
    low, high = chart.series
    assert len(low.points) == len(high.points) == 2  # owning does not move what renting costs
    assert {"en": "hours moves the cost most", "zh": "影响最大的变量：变量 hours"}[lang] in chart.text.get(
        "zh" if lang == "zh" else "en"
    )


def test_nothing_that_moves_is_said_too() -> None:
    made = study([], lambda _: (5.0,), 1)
    chart = report.tornado_chart(made, tornado(made))
    assert chart.text.en == "Nothing in this comparison is uncertain."
    assert chart.series[0].points == ()


@pytest.mark.parametrize(
    ("unit", "en", "zh"),
    [
        ("%", "10 – 25 – 35%", "10 – 25 – 35%"),
        ("h", "10 – 25 – 35 h", "10 – 25 – 35 小时"),
        ("CNY/h", "¥10/h – ¥25/h – ¥35/h", "¥10/小时 – ¥25/小时 – ¥35/小时"),
    ],
)
def test_a_range_names_its_unit_once_behind_it(unit: str, en: str, zh: str) -> None:
    v = uncertain("x", 10, 25, 35, unit)
    assert (report.span(v, "en"), report.span(v, "zh")) == (en, zh)
