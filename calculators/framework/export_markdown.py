"""An answer -> a report in Markdown: the answer, inputs, results, tables, working, sources, and how to open it again.

In: the records of an answer. Out: text. Tables are those of GitHub's Markdown, which spreadsheets, wikis and notes also take.
"""

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from calculators.framework.chart_data import chart_rows, headed
from calculators.framework.spec import Answer, Calculator, Cell, Link, Range, Result, Step, Table, Working
from calculators.framework.text import Lang, Text, bounds, in_currency, number, quantity, unit_name
from calculators.framework.view import URL, YES_NO, certainty, display, state_link
from catalog.model import Catalog

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")

_INPUTS = Text("Inputs", "输入")
_RESULTS = Text("Results", "结果")
_WORKING = Text("Working", "计算过程")
_NOTES = Text("Notes", "说明")
_SOURCES = Text("Sources", "来源")
_AGAIN = Text("Open again", "重新打开")
_DEFAULT = Text(" (default)", "（默认）")
_FIELD, _MEANING, _VALUE, _SURE = (
    Text("Field", "字段"),
    Text("Meaning", "含义"),
    Text("Value", "数值"),
    Text("How sure", "可信度"),
)


def markdown(
    calculator: Calculator, inputs: Any, answer: Answer, working: Working, catalog: Catalog, lang: Lang, address: str
) -> str:
    """The whole report. `address` is the page that has the calculator, without a fragment; empty where there is none."""
    parts = [
        f"# {_safe(calculator.title.get(lang))}",
        f"**{_safe(calculator.answer(inputs, answer.outputs, catalog).get(lang))}**",
    ]
    parts += [f"## {_INPUTS.get(lang)}", _inputs(calculator, inputs, catalog, lang)]
    parts += [f"## {_RESULTS.get(lang)}", _results(calculator, inputs, answer, lang)]
    for table in answer.tables:
        parts += [f"### {_safe(table.title.get(lang))}", _table(table, lang)]
        parts += [_safe(table.note.get(lang))] if table.note.en else []
    for chart in answer.charts:
        head, rows = chart_rows(chart, lang)
        titles = [headed(name, unit, lang) for name, unit in head]
        parts += [f"### {_safe(chart.title.get(lang))}", _safe(chart.text.get(lang))]
        parts += [_grid(titles, [[_cell(c, lang) for c in row] for row in rows])] if rows else []
    if working.steps:
        parts += [f"## {_WORKING.get(lang)}", "\n".join(_step(i, s, lang) for i, s in enumerate(working.steps, 1))]
    if answer.notes:
        parts += [f"## {_NOTES.get(lang)}", "\n".join(f"- {_safe(n.get(lang))}" for n in answer.notes)]
    if found := _sources(answer, working, lang):
        parts += [f"## {_SOURCES.get(lang)}", "\n".join(f"- <{url}>" for url in found)]
    parts += [f"## {_AGAIN.get(lang)}", _again(calculator, inputs, catalog, lang, address)]
    return "\n\n".join(parts) + "\n"


def _inputs(calculator: Calculator, inputs: Any, catalog: Catalog, lang: Lang) -> str:
    currency = str(getattr(inputs, "currency", ""))
    defaults = calculator.defaults()
    rows = []
    for name, spec in calculator.fields().items():
        value = getattr(inputs, name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            shown = quantity(value, in_currency(spec.unit, currency), lang)
            shown = _plain_number(value, in_currency(spec.unit, currency), lang) if _rounds(value) else shown
        elif isinstance(value, bool):
            shown = YES_NO[value].get(lang)
        elif value is None or value == ():
            shown = "—"
        else:
            labels = {c.value: c.label.get(lang) for c in spec.options(catalog)}
            chosen = value if isinstance(value, tuple) else (value,)
            shown = ", ".join(labels.get(v, str(v)) for v in chosen)
        same = _DEFAULT.get(lang) if value == defaults[name] else ""
        rows.append([f"`{name}`", _safe(spec.label.get(lang)), _safe(shown) + same])
    return _grid([h.get(lang) for h in (_FIELD, _MEANING, _VALUE)], rows)


def _rounds(value: float) -> bool:
    """Whether three figures would hide what was put in."""
    return float(number(value).replace(",", "")) != float(value)


def _plain_number(value: float, unit: str, lang: Lang) -> str:
    name = unit_name(unit, lang)
    return f"{value!r} {name}".strip()


def _results(calculator: Calculator, inputs: Any, answer: Answer, lang: Lang) -> str:
    currency = str(getattr(inputs, "currency", ""))
    rows = []
    for name, spec in calculator.results().items():
        shown = display(_priced(spec, currency), getattr(answer.outputs, name), lang)
        rows.append([f"`{name}`", _safe(spec.label.get(lang)), _safe(shown), _safe(certainty(spec, lang))])
    return _grid([h.get(lang) for h in (_FIELD, _MEANING, _VALUE, _SURE)], rows)


def _priced(spec: Result, currency: str) -> Result:
    return dataclasses.replace(spec, unit=in_currency(spec.unit, currency))


def _table(table: Table, lang: Lang) -> str:
    head = [headed(c.label.get(lang), unit_name(c.unit, lang), lang) for c in table.columns]
    return _grid(head, [[_cell(row.get(c.key), lang, c.digits) for c in table.columns] for row in table.rows])


def _cell(value: Cell, lang: Lang, digits: int | None = None) -> str:
    match value:
        case None:
            return "—"
        case Text():
            return _safe(value.get(lang))
        case Link():
            return _safe(value.name.get(lang))
        case Range():
            return bounds(value.low, value.high, "", lang, digits)
        case bool():
            return YES_NO[value].get(lang)
        case str():
            return _safe(value)
        case _:
            return number(value, digits)


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _step(i: int, s: Step, lang: Lang) -> str:
    value = quantity(s.value, s.unit, lang, s.digits)
    formula, numbers = (_code(t.get(lang)) for t in (s.formula, s.numbers))
    return f"{i}. **{_safe(s.label.get(lang))}** = {_safe(value)}\n   {formula}\n   = {numbers}\n   {_safe(s.source.get(lang))}"


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}" if fence == "`" else f"{fence} {text} {fence}"


def _sources(answer: Answer, working: Working, lang: Lang) -> list[str]:
    """Every address that the working, the notes and the tables name, once, in their order."""
    words = [s.source.get(lang) for s in working.steps] + [n.get(lang) for n in answer.notes]
    for table in answer.tables:
        words.append(table.note.get(lang))
        for row in table.rows:
            words += [c.get(lang) if isinstance(c, Text) else c for c in row.values() if isinstance(c, Text | str)]
    return list(dict.fromkeys(url for w in words for url in URL.findall(w)))


def _again(calculator: Calculator, inputs: Any, catalog: Catalog, lang: Lang, address: str) -> str:
    state = state_link(calculator, inputs, {})
    joint = "&" if "?" in state else "?"
    link = f"{address}{state}{joint}v={calculator.version}&data={catalog.version}"
    edition = Text(
        f"Calculator version {calculator.version}, data {catalog.version}.",
        f"计算器版本 {calculator.version}，数据 {catalog.version}。",
    ).get(lang)
    return f"{f'<{link}>' if address else f'`{link}`'}\n\n{edition}"


def _safe(text: str) -> str:
    """Text that Markdown shows as it stands, on one line; addresses stay addresses."""
    out, at = [], 0
    flat = " ".join(text.split())
    for found in URL.finditer(flat):
        out += [_SPECIAL.sub(r"\\\1", flat[at : found.start()]), f"<{found.group()}>"]
        at = found.end()
    return "".join(out) + _SPECIAL.sub(r"\\\1", flat[at:])
