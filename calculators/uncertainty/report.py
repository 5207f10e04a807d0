"""What a study shows a reader: the tables and charts of its draws and of its tornado, in both languages.

In: a `Study`, a `Sample`, the `Bar`s. Out: `Table`s and `Chart`s that a calculator puts into its `Answer`. A long run gives the
same ones again, from more draws.
"""

from collections.abc import Sequence
from math import log10

from calculators.framework.spec import Cell, Chart, Column, Mark, Series, Table
from calculators.framework.text import LANGUAGES, Lang, Text, bounds, number, quantity
from calculators.uncertainty.draws import Sample
from calculators.uncertainty.quantiles import Look, Spread, convergence, spreads
from calculators.uncertainty.study import Study, Uncertain
from calculators.uncertainty.tornado import Bar, winner

MOST_BARS = 10
"""Variables that a tornado shows; the table has them all."""

_P = Text("P10 – P50 – P90")


def draws_table(sample: Sample) -> Table:
    """One row per option: P10, P50 with its standard error, P90, and how often it is the cheapest."""
    study = sample.study
    digits = _digits(sample.costs)
    rows: list[dict[str, Cell]] = [
        {
            "option": name,
            "p10": s.p10,
            "p50": s.p50,
            "error": s.error,
            "p90": s.p90,
            "cheapest": s.cheapest * 100,
        }
        for (_, name), s in zip(study.options, spreads(sample), strict=True)
    ]
    return Table(
        "draws",
        Text("Cost under uncertainty", "不确定性下的成本"),
        (
            Column("option", Text("Option", "方案"), kind="text"),
            Column("p10", Text("P10"), study.unit, digits),
            Column("p50", Text("P50"), study.unit, digits),
            Column("error", Text("Standard error of P50", "P50 的标准误"), study.unit, digits),
            Column("p90", Text("P90"), study.unit, digits),
            Column("cheapest", Text("Cheapest in", "成本最低的概率"), "%", 1),
        ),
        tuple(rows),
        _how(sample),
    )


def convergence_table(sample: Sample) -> Table:
    """How the median of each option and its chance to be the cheapest settle as draws are added."""
    study = sample.study
    digits = _digits(sample.costs)
    looks = convergence(sample)
    columns = [Column("draws", Text("Draws", "抽样次数"), digits=0)]
    for id, name in study.options:
        columns.append(Column(f"p50_{id}", Text(f"{name.en}: P50", f"{name.get('zh')}：P50"), study.unit, digits))
        columns.append(Column(f"error_{id}", Text(f"{name.en}: ±", f"{name.get('zh')}：±"), study.unit, digits))
        columns.append(Column(f"cheapest_{id}", Text(f"{name.en}: cheapest", f"{name.get('zh')}：最低概率"), "%", 1))
    return Table(
        "convergence",
        Text("How the figures settle", "收敛情况"),
        tuple(columns),
        tuple(_settled(look) for look in looks),
        Text(
            "± is one standard error of the P50; it falls with the square root of the draws.",
            "± 为 P50 的一倍标准误，随抽样次数的平方根下降。",
        ),
    )


def _settled(look: Look) -> dict[str, Cell]:
    row: dict[str, Cell] = {"draws": look.draws}
    for s in look.spreads:
        row |= {f"p50_{s.id}": s.p50, f"error_{s.id}": s.error, f"cheapest_{s.id}": s.cheapest * 100}
    return row


def fan_chart(sample: Sample, title: Text | None = None) -> Chart:
    """Each option's P10 to P90 as an interval, its P50 as a point."""
    found = list(zip(sample.study.options, spreads(sample), strict=True))
    return Chart(
        "draws",
        "fan",
        title or Text("Range of each option's cost", "各方案的成本区间"),
        (Text("Option", "方案"), ""),
        (Text("Cost", "成本"), sample.study.unit),
        (
            Series(
                _P,
                tuple((name, s.p50) for (_, name), s in found),
                tuple(s.p10 for _, s in found),
                tuple(s.p90 for _, s in found),
            ),
        ),
        draws_sentence(sample, [s for _, s in found]),
    )


def draws_sentence(sample: Sample, found: Sequence[Spread]) -> Text:
    """Which option is most often the cheapest, and how far its cost ranges."""
    study = sample.study
    best = max(range(len(found)), key=lambda i: found[i].cheapest)
    name, s = study.options[best][1], found[best]
    digits = _digits(sample.costs)

    def money(value: float, lang: Lang) -> str:
        return quantity(value, study.unit, lang, digits)

    share = f"{s.cheapest * 100:.0f}%"
    return Text(
        f"{name.en} is the cheapest in {share} of {sample.size:,} draws; its cost is {money(s.p50, 'en')} in the middle and between "
        f"{money(s.p10, 'en')} and {money(s.p90, 'en')} in four of five draws.",
        f"最可能成本最低的方案：{name.get('zh')}（{sample.size:,} 次抽样中占 {share}）。其成本中位数为 {money(s.p50, 'zh')}，"
        f"八成抽样落在 {money(s.p10, 'zh')} 至 {money(s.p90, 'zh')} 之间。",
    )


def tornado_table(study: Study, bars: Sequence[Bar], option: int | None = None) -> Table:
    """Every variable: its range, the cost of one option at both ends, its elasticity, and where the winner flips."""
    at_base = study.evaluate(study.base())
    chosen = winner(at_base) if option is None else option
    name = study.options[chosen][1]
    digits = _digits([at_base])
    rows: list[dict[str, Cell]] = []
    for bar in bars:
        v = study.variables[bar.variable]
        over = None if bar.becomes is None else study.options[bar.becomes][1]
        rows.append(
            {
                "variable": v.label,
                "range": Text(*(span(v, lang) for lang in LANGUAGES)),
                "low": bar.low[chosen],
                "high": bar.high[chosen],
                "elasticity": bar.elasticity[chosen],
                "switch": None if bar.switch is None else _both(bar.switch, v.unit),
                "becomes": over,
                "source": v.source,
            }
        )
    return Table(
        "tornado",
        Text(f"What moves the cost of: {name.en}", f"影响成本的因素：{name.get('zh')}"),
        (
            Column("variable", Text("Variable", "变量"), kind="text"),
            Column("range", Text("Low – base – high", "低 – 基准 – 高"), kind="text"),
            Column("low", Text("Cost at the low", "取低值时的成本"), study.unit, digits),
            Column("high", Text("Cost at the high", "取高值时的成本"), study.unit, digits),
            Column("elasticity", Text("Elasticity", "弹性"), digits=2),
            Column("switch", Text("Switch value", "翻转值"), kind="text"),
            Column("becomes", Text("Then cheapest", "翻转后最低"), kind="text"),
            Column("source", Text("Range from", "区间来源"), kind="text"),
        ),
        tuple(rows),
        Text(
            "One variable at a time, the others at their base. Elasticity: percent of cost for one percent of the variable. Switch value: where, "
            "inside the range, another option becomes the cheapest; a dash where none does.",
            "每次只变动一个变量，其余取基准值。弹性：变量变动 1% 时成本变动的百分比。翻转值：区间内使另一方案成本变为最低的取值；“—”表示区间内不会翻转。",
        ),
    )


def tornado_chart(study: Study, bars: Sequence[Bar], option: int | None = None) -> Chart:
    """The widest bars of one option, around its cost at the base."""
    at_base = study.evaluate(study.base())
    chosen = winner(at_base) if option is None else option
    name = study.options[chosen][1]
    shown = [b for b in bars if b.low[chosen] != b.high[chosen] or b.low[chosen] != at_base[chosen]][:MOST_BARS]
    labels = [_ranged(study.variables[b.variable]) for b in shown]
    digits = _digits([at_base])
    return Chart(
        "tornado",
        "tornado",
        Text(f"What moves the cost of: {name.en}", f"影响成本的因素：{name.get('zh')}"),
        (Text("Variable", "变量"), ""),
        (Text("Cost", "成本"), study.unit),
        (
            Series(Text("at its low", "取低值"), tuple((n, b.low[chosen]) for n, b in zip(labels, shown, strict=True))),
            Series(Text("at its high", "取高值"), tuple((n, b.high[chosen]) for n, b in zip(labels, shown, strict=True))),
        ),
        _tornado_sentence(study, bars, chosen, digits),
        (Mark(Text("base", "基准"), y=at_base[chosen]),),
    )


def _tornado_sentence(study: Study, bars: Sequence[Bar], chosen: int, digits: int) -> Text:
    if not bars:
        return Text("Nothing in this comparison is uncertain.", "本次比较没有不确定的变量。")
    bar = bars[0]
    v = study.variables[bar.variable]
    ends = sorted((bar.low[chosen], bar.high[chosen]))
    flips = [study.variables[b.variable].label for b in bars if b.switch is not None]
    en = f"{v.label.en} moves the cost most: {quantity(ends[0], study.unit, 'en', digits)} to {quantity(ends[1], study.unit, 'en', digits)}."
    zh = f"影响最大的变量：{v.label.get('zh')}。成本在 {quantity(ends[0], study.unit, 'zh', digits)} 至 {quantity(ends[1], study.unit, 'zh', digits)} 之间。"
    if flips:
        en += f" Another option can become the cheapest by: {', '.join(f.en for f in flips)}."
        zh += f"单独变动即可使另一方案成本最低的变量：{'、'.join(f.get('zh') for f in flips)}。"
    else:
        en += " No single variable makes another option the cheapest inside its range."
        zh += "任何单一变量在其区间内都不会改变最低成本的方案。"
    return Text(en, zh)


def span(v: Uncertain, lang: Lang) -> str:
    """`low – base – high`, the unit once where it stands behind a number."""
    values = (v.low, v.base, v.high)
    if v.unit.startswith(("USD", "CNY")):
        return " – ".join(quantity(x, v.unit, lang) for x in values)
    return f"{number(v.low)} – {number(v.base)} – {quantity(v.high, v.unit, lang)}"


def _ranged(v: Uncertain) -> Text:
    """A variable with the ends of its range, as a tornado names it."""
    return Text(
        f"{v.label.en}: {bounds(v.low, v.high, v.unit, 'en')}",
        f"{v.label.get('zh')}：{bounds(v.low, v.high, v.unit, 'zh')}",
    )


def _both(value: float, unit: str) -> Text:
    return Text(quantity(value, unit, "en"), quantity(value, unit, "zh"))


def _digits(columns: Sequence[Sequence[float]]) -> int:
    """Decimals that leave about four significant figures of the largest cost."""
    largest = max((abs(end) for column in columns if column for end in (min(column), max(column))), default=0.0)
    return max(0, 3 - int(log10(largest))) if largest >= 1 else 4


def _how(sample: Sample) -> Text:
    study = sample.study
    names = {v.name: v.label for v in study.variables}
    en = (
        f"{sample.size:,} draws with the seed {sample.seed}; {len(study.variables)} variables, each triangular between its low, base and high. "
        "P10: one draw in ten costs less; P50: half do; P90: nine in ten do."
    )
    zh = (
        f"共 {sample.size:,} 次抽样，随机种子 {sample.seed}；{len(study.variables)} 个变量各取低、基准、高构成的三角分布。"
        "P10：一成抽样低于此值；P50：一半低于此值；P90：九成低于此值。"
    )
    if study.correlated:
        en += (
            " Rank correlation: "
            + "; ".join(f"{names[a].en} with {names[b].en} {rho:g}" for a, b, rho in study.correlated)
            + "."
        )
        zh += (
            "秩相关："
            + "；".join(f"{names[a].get('zh')}与{names[b].get('zh')} {rho:g}" for a, b, rho in study.correlated)
            + "。"
        )
    return Text(en, zh)
