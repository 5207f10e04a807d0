"""An answer -> plain data, and -> the HTML fragments that a page shows.

The same functions print the answer into the page at build and refresh it in the browser, so that the two can never
disagree. Links to pages of the guide are written `~/room/id/`; whoever places a fragment resolves `~`.
"""

import dataclasses
import json
import re
from typing import Any
from urllib.parse import quote

from calculators.framework.chart_data import ChartCell, chart_data, chart_rows
from calculators.framework.markup import escape
from calculators.framework.spec import (
    Answer,
    Calculator,
    Cell,
    Chart,
    Column,
    Link,
    Range,
    Result,
    Step,
    Suggestion,
    Table,
    Working,
)
from calculators.framework.text import Lang, Text, bounds, in_currency, number, quantity, unit_name
from catalog.model import Catalog

KINDS: dict[str, Text] = {
    "exact": Text("exact", "精确"),
    "modelled": Text("modelled", "模型估算"),
    "assumed": Text("assumed", "假设区间"),
}
MANY = 5
"""From so many cases on, their median says something."""
EVIDENCE = "~/about/cases/#kinds"
YES_NO = {True: Text("yes", "是"), False: Text("no", "否")}
URL = re.compile(r"https?://[^\s<>()，。；：、！？（）]*[^\s<>().,;:!?，。；：、！？（）]")
"""An address in a sentence, without the sentence's own punctuation."""


def answer_data(
    calculator: Calculator, inputs: Any, answer: Answer, working: Working, catalog: Catalog, lang: Lang
) -> dict[str, Any]:
    """The whole answer as plain data, its words in `lang`."""
    outputs: dict[str, Any] = {}
    ranges: dict[str, list[float]] = {}
    for name in calculator.results():
        value = getattr(answer.outputs, name)
        if isinstance(value, Range):
            ranges[name] = [value.low, value.high]
            value = value.mid
        outputs[name] = value.get(lang) if isinstance(value, Text) else value
    return {
        "calculator": calculator.id,
        "version": calculator.version,
        "catalog": catalog.version,
        "inputs": {f.name: _plain(getattr(inputs, f.name)) for f in dataclasses.fields(inputs)},
        "outputs": outputs,
        "ranges": ranges,
        "working": [_step(s, lang) for s in working.steps],
        "tables": [_table(t, lang) for t in answer.tables],
        "charts": [chart_data(c, lang) for c in answer.charts],
        "suggestions": [
            {"title": s.title.get(lang), "change": {k: _plain(v) for k, v in s.change.items()}, "effect": s.effect.get(lang)}
            for s in answer.suggestions
        ],
        "notes": [n.get(lang) for n in answer.notes],
    } | simulation_data(working)


def simulation_data(working: Working) -> dict[str, Any]:
    """How many draws the answer rests on, with which seed, and how many a long run makes; nothing where none is drawn."""
    drawn = working.drawn
    if drawn is None:
        return {}
    return {"simulation": {"draws": drawn.size, "seed": drawn.seed, "of": drawn.study.asked}}


def view_data(
    calculator: Calculator, inputs: Any, answer: Answer, working: Working, catalog: Catalog, lang: Lang
) -> dict[str, Any]:
    """What a page needs besides: each output as text, and the blocks as HTML."""
    currency = str(getattr(inputs, "currency", ""))
    shown = {
        name: display(dataclasses.replace(spec, unit=in_currency(spec.unit, currency)), getattr(answer.outputs, name), lang)
        for name, spec in calculator.results().items()
    }
    return {
        "display": shown,
        "parts": {
            "answer": f"<p>{escape(calculator.answer(inputs, answer.outputs, catalog).get(lang))}</p>",
            "notes": "".join(f"<p>{escape(n.get(lang))}</p>" for n in answer.notes),
            "suggestions": suggestions_html(calculator, inputs, answer.suggestions, lang),
            "chart-tables": "".join(chart_table_html(c, lang) for c in answer.charts),
            "tables": "".join(table_html(t, lang) for t in answer.tables),
            "working": working_html(working.steps, lang),
        },
    }


def display(spec: Result, value: Any, lang: Lang) -> str:
    """One output as text with its unit; a dash where there is none."""
    if value is None:
        return "—"
    if isinstance(value, Range):
        return bounds(value.low, value.high, spec.unit, lang, spec.digits)
    if isinstance(value, bool):
        return YES_NO[value].get(lang)
    if isinstance(value, Text):
        return value.get(lang)
    if isinstance(value, str):
        return value
    return quantity(value, spec.unit, lang, spec.digits)


def certainty(spec: Result, lang: Lang) -> str:
    """`exact`, `assumed`, or `modelled ± 10%, 3 cases`, in words; with many cases, how close half of them are too."""
    word, band = KINDS[spec.kind].get(lang), spec.band
    if band is None:
        return word
    worst, n = number(band.worst), number(band.cases)
    close = Text("")
    if band.cases >= MANY:
        close = Text(f" (half within {number(band.median)}%)", f"（一半在 {number(band.median)}% 以内）")
    return Text(
        f"{word} ± {worst}%{close.en}, {n} case{'s' if band.cases > 1 else ''}",
        f"{word} ± {worst}%{close.get('zh')}，{n} 个算例",
    ).get(lang)


def outputs_html(calculator: Calculator, data: dict[str, Any], lang: Lang) -> str:
    """The table of outputs: label, value, how sure. Each value carries the hooks by which it is refreshed."""
    head = (Text("Result", "结果"), Text("Value", "数值"), Text("How sure", "可信度"))
    rows = []
    for name, spec in calculator.results().items():
        value = data["outputs"][name]
        bare = "" if value is None else json.dumps(value, ensure_ascii=False).strip('"')
        hint = f"<small>{escape(spec.help.get(lang))}</small>" if spec.help.en else ""
        strong = ' class="headline"' if spec.headline else ""
        rows.append(
            f'<tr{strong}><th scope="row">{escape(spec.label.get(lang))}{hint}</th>'
            f'<td><output data-output="{name}" data-for="{calculator.id}" data-value="{escape(bare)}">'
            f"{escape(data['view']['display'][name])}</output></td>"
            f'<td><span class="kind kind-{spec.kind}">{escape(certainty(spec, lang))}</span></td></tr>'
        )
    *first, sure = (escape(h.get(lang)) for h in head)
    header = "".join(f'<th scope="col">{h}</th>' for h in first) + f'<th scope="col"><a href="{EVIDENCE}">{sure}</a></th>'
    return f'<table class="outputs"><thead><tr>{header}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def table_html(table: Table, lang: Lang) -> str:
    """A result table that scrolls inside itself on a narrow screen."""
    head = "".join(
        f'<th scope="col"{_align(c)}>{escape(c.label.get(lang))}'
        f"{f'<small>{escape(unit_name(c.unit, lang))}</small>' if c.unit else ''}</th>"
        for c in table.columns
    )
    body = "".join(f"<tr>{''.join(_cell(c, row.get(c.key), lang) for c in table.columns)}</tr>" for row in table.rows)
    note = f"<p>{escape(table.note.get(lang))}</p>" if table.note.en else ""
    title = escape(table.title.get(lang))
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{title}"><table data-table-id="{table.id}">'
        f"<caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def chart_table_html(chart: Chart, lang: Lang) -> str:
    """A chart's numbers as a folded table: for readers who do not see the drawing, and for copying."""
    titles, lines = chart_rows(chart, lang)
    head = "".join(
        f'<th scope="col">{escape(name)}{f"<small>{escape(unit)}</small>" if unit else ""}</th>' for name, unit in titles
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(_shown(first, lang))}</th>{"".join(_chart_cell(c, lang) for c in rest)}</tr>'
        for first, *rest in lines
    )
    title = escape(Text(f"Numbers: {chart.title.en}", f"数据：{chart.title.get('zh')}").get(lang))
    return (
        f'<details><summary>{title}</summary><div class="scroll" role="region" tabindex="0" aria-label="{title}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def _chart_cell(value: ChartCell, lang: Lang) -> str:
    return f"<td{' class="text"' if isinstance(value, Text) else ''}>{escape(_shown(value, lang))}</td>"


def _shown(value: ChartCell, lang: Lang) -> str:
    match value:
        case None:
            return "—"
        case Text():
            return value.get(lang)
        case str():
            return value
        case _:
            return number(value)


def working_html(steps: list[Step], lang: Lang) -> str:
    """The formulas with the numbers put in, and who says so."""
    items = "".join(
        f"<li><strong>{escape(s.label.get(lang))}</strong> = {escape(quantity(s.value, s.unit, lang, s.digits))}"
        f"<br><code>{escape(s.formula.get(lang))}</code><br><code>= {escape(s.numbers.get(lang))}</code><br><small>{linked(s.source.get(lang))}</small></li>"
        for s in steps
    )
    return f"<ol>{items}</ol>"


def suggestions_html(calculator: Calculator, inputs: Any, suggestions: tuple[Suggestion, ...], lang: Lang) -> str:
    """One link per suggestion; it works as a link to the changed state, and as a button where scripts run."""
    if not suggestions:
        return ""
    items = "".join(
        f'<li><a href="{escape(state_link(calculator, inputs, s.change))}" data-set="{escape(_json(s.change))}" '
        f'data-for="{calculator.id}">{escape(s.title.get(lang))}</a> <span>{escape(s.effect.get(lang))}</span></li>'
        for s in suggestions
    )
    return f"<ul>{items}</ul>"


def state_link(calculator: Calculator, inputs: Any, change: Any) -> str:
    """`#id?field=value&…` of the inputs with a change: only what differs from the default."""
    defaults = calculator.defaults()
    values = {name: getattr(inputs, name) for name in defaults} | dict(change)
    parts = [f"{name}={_state(value)}" for name, value in values.items() if value != defaults[name]]
    return f"#{calculator.id}?{'&'.join(parts)}" if parts else f"#{calculator.id}"


def _state(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ",".join(quote(str(v), safe="") for v in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else quote(_bare(value), safe="")


def _bare(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value == int(value) and abs(value) < 1e15 else str(value)


def _json(change: Any) -> str:
    return json.dumps({k: _plain(v) for k, v in change.items()}, ensure_ascii=False)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _step(step: Step, lang: Lang) -> dict[str, Any]:
    return {
        "label": step.label.get(lang),
        "formula": step.formula.get(lang),
        "numbers": step.numbers.get(lang),
        "value": step.value,
        "unit": step.unit,
        "source": step.source.get(lang),
    }


def _table(table: Table, lang: Lang) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": table.title.get(lang),
        "columns": [{"key": c.key, "label": c.label.get(lang), "unit": c.unit} for c in table.columns],
        "rows": [{c.key: _cell_data(row.get(c.key), lang) for c in table.columns} for row in table.rows],
    }


def _cell_data(value: Cell, lang: Lang) -> Any:
    match value:
        case Text():
            return value.get(lang)
        case Link():
            return value.id
        case Range():
            return [value.low, value.high]
        case _:
            return value


def _align(column: Column) -> str:
    return "" if column.kind == "number" else ' class="text"'


def _cell(column: Column, value: Cell, lang: Lang) -> str:
    if type(value) is float or type(value) is int:  # most cells; a number has nothing to escape
        return f"<td{_align(column)}>{number(value, column.digits)}</td>"
    match value:
        case None:
            inner = "—"
        case Text():
            inner = linked(value.get(lang))
        case Link():
            inner = f'<a href="~/{value.room}/{escape(value.id)}/">{escape(value.name.get(lang))}</a>'
        case Range():
            inner = escape(bounds(value.low, value.high, "", lang, column.digits))
        case bool():
            inner = escape(YES_NO[value].get(lang))
        case str():
            inner = linked(value)
        case _:
            inner = escape(number(value, column.digits))
    return f"<td{_align(column)}>{inner}</td>"


def linked(source: str) -> str:
    """Escaped text whose addresses are links."""
    if "://" not in source:
        return escape(source)
    out, at = [], 0
    for found in URL.finditer(source):
        url = found.group()
        out.append(f'{escape(source[at : found.start()])}<a href="{escape(url)}" rel="noopener">{escape(url)}</a>')
        at = found.end()
    return "".join(out) + escape(source[at:])
