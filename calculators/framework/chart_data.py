"""A chart -> plain data for the drawing library, and -> the rows of the table that says the same.

In: a `Chart`. Out: data in one language; or a head (name, unit) and rows, whose cells are numbers, words or nothing.
"""

from typing import Any

from calculators.framework.spec import Chart, Mark, Series
from calculators.framework.text import Lang, Text, number, unit_name

ChartCell = float | str | Text | None
Head = list[tuple[str, str]]
Rows = list[list[ChartCell]]


def chart_data(chart: Chart, lang: Lang) -> dict[str, Any]:
    """What `browser/chart.js` draws."""
    data = {
        "id": chart.id,
        "kind": chart.kind,
        "title": chart.title.get(lang),
        "text": chart.text.get(lang),
        "x": {"label": chart.x[0].get(lang), "unit": unit_name(chart.x[1], lang)},
        "y": {"label": chart.y[0].get(lang), "unit": unit_name(chart.y[1], lang)},
        "series": [_series(s, lang) for s in chart.series],
        "marks": [_mark(m, lang) for m in chart.marks],
    }
    return data | ({"lines": [_series(s, lang) for s in chart.lines]} if chart.lines else {})


def headed(name: str, unit: str, lang: Lang) -> str:
    """A column's title with its unit, for a file."""
    if not unit:
        return name
    return f"{name}（{unit}）" if lang == "zh" else f"{name} ({unit})"


def _series(s: Series, lang: Lang) -> dict[str, Any]:
    points = [[x.get(lang) if isinstance(x, Text) else x, y] for x, y in s.points]
    band = {"low": list(s.low), "high": list(s.high)} if s.low else {}
    return {"name": s.name.get(lang), "points": points} | band


def _mark(m: Mark, lang: Lang) -> dict[str, Any]:
    return {"label": m.label.get(lang)} | {k: v for k, v in (("x", m.x), ("y", m.y)) if v is not None}


def chart_rows(chart: Chart, lang: Lang) -> tuple[Head, Rows]:
    """The table twin. A map is a grid of the winners' names; a fan has three columns for each of its series."""
    if chart.kind == "map":
        return _map_rows(chart, lang)
    unit = unit_name(chart.y[1], lang)
    head: Head = [(chart.x[0].get(lang), unit_name(chart.x[1], lang) if chart.kind == "fan" else "")]
    at: dict[str | float, list[ChartCell]] = {}
    for s in chart.series:
        columns = [(p[1] for p in s.points)] if not s.low else [s.low, (p[1] for p in s.points), s.high]
        names = [s.name.get(lang)] if not s.low else _ends(s, chart, lang)
        for (x, _), *values in zip(s.points, *columns, strict=True):
            row = at.setdefault(x.get(lang) if isinstance(x, Text) else x, [])
            row += [None] * (len(head) - 1 - len(row)) + values
        head += [(name, unit) for name in names]
    return head, [[x, *row, *[None] * (len(head) - 1 - len(row))] for x, row in at.items()]


def _ends(s: Series, chart: Chart, lang: Lang) -> list[str]:
    if len(chart.series) == 1:
        return ["P10", "P50", "P90"]
    name = s.name.get(lang)
    return [f"{name}: {p}" if lang == "en" else f"{name}：{p}" for p in ("P10", "P50", "P90")]


def _map_rows(chart: Chart, lang: Lang) -> tuple[Head, Rows]:
    won = {(x, y): s.name for s in chart.series for x, y in s.points}
    xs = sorted({x for x, _ in won if isinstance(x, int | float)})
    ys = sorted({y for _, y in won}, reverse=True)
    corner = f"{chart.y[0].get(lang)} \\ {chart.x[0].get(lang)}"
    units = " \\ ".join(u for u in (unit_name(chart.y[1], lang), unit_name(chart.x[1], lang)) if u)
    head: Head = [(corner, units), *((number(x), "") for x in xs)]
    return head, [[y, *(won.get((x, y)) for x in xs)] for y in ys]
