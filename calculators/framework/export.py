"""An answer -> a file that a reader keeps: CSV for a spreadsheet, JSON, or Markdown for a report.

In: the same records that the page's fragments are made of, and what the request's `export` asks. Out: a name, a type and the text.
Nothing is computed again: a file says what the page says.

CSV follows RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180), in UTF-8 with a byte order mark, by which spreadsheets know Chinese.
Text that a spreadsheet would take for a formula is quoted with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection).
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from calculators.framework.chart_data import chart_rows, headed
from calculators.framework.export_markdown import markdown
from calculators.framework.spec import Answer, Calculator, Cell, Chart, Link, Range, Table, Working
from calculators.framework.text import Lang, Text, in_currency, unit_name
from calculators.framework.validate import BadInput, FieldError
from calculators.framework.view import answer_data, certainty
from catalog.model import Catalog

FORMATS = {"csv": "text/csv;charset=utf-8", "json": "application/json", "md": "text/markdown;charset=utf-8"}
BOM = "\ufeff"
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBERS = re.compile(r"[-+]?[\d.,]+( – [-+]?[\d.,]+)?\Z", re.ASCII)

Row = Sequence[str | float]

INPUTS = Text("Inputs", "输入")
OUTPUTS = Text("Results", "结果")
FIELD, LABEL, VALUE = Text("Field", "字段"), Text("Meaning", "含义"), Text("Value", "数值")
LOW, HIGH, UNIT, SURE = Text("Low", "下限"), Text("High", "上限"), Text("Unit", "单位"), Text("How sure", "可信度")


def exported(
    calculator: Calculator, inputs: Any, answer: Answer, working: Working, catalog: Catalog, lang: Lang, asked: Any
) -> dict[str, Any]:
    """`{"export": {name, type, text}}`. `asked` is a format, or `{"format", "table"?, "address"?}`. Raises BadInput."""
    wanted = {"format": asked} if isinstance(asked, str) else asked
    if (
        not isinstance(wanted, dict)
        or wanted.get("format") not in FORMATS
        or set(wanted) - {"format", "table", "address"}
        or not all(isinstance(v, str) for v in wanted.values())
    ):
        raise _bad(Text(f"Export one of: {', '.join(FORMATS)}.", f"可导出的格式：{'、'.join(FORMATS)}。"), lang)
    kind = wanted["format"]
    name = f"gpuguide-{calculator.id}"
    if kind == "csv":
        blocks = csv_blocks(calculator, inputs, answer, lang)
        if "table" in wanted:
            if wanted["table"] not in blocks:
                raise _bad(Text(f"There are these tables: {', '.join(blocks)}.", f"可导出的表：{'、'.join(blocks)}。"), lang)
            text = csv_text(blocks[wanted["table"]][1])
            name += f"-{wanted['table']}"
        else:
            text = _whole(calculator, blocks, catalog, lang)
    elif kind == "json":
        data = answer_data(calculator, inputs, answer, working, catalog, lang)
        text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    else:
        text = markdown(calculator, inputs, answer, working, catalog, lang, wanted.get("address", ""))
    return {"export": {"name": f"{name}.{kind}", "type": FORMATS[kind], "text": text}}


def csv_blocks(calculator: Calculator, inputs: Any, answer: Answer, lang: Lang) -> dict[str, tuple[str, list[Row]]]:
    """Inputs, results, every table and every chart's numbers: id -> title and rows, the first of them the head."""
    blocks: dict[str, tuple[str, list[Row]]] = {
        "inputs": (INPUTS.get(lang), _inputs(calculator, inputs, lang)),
        "outputs": (OUTPUTS.get(lang), _outputs(calculator, inputs, answer, lang)),
    }
    blocks |= {t.id: (t.title.get(lang), _table(t, lang)) for t in answer.tables}
    for chart in answer.charts:
        id = chart.id if chart.id not in blocks else f"{chart.id}-chart"
        blocks[id] = (chart.title.get(lang), _chart(chart, lang))
    return blocks


def csv_text(rows: Iterable[Row]) -> str:
    """Rows as RFC 4180 has them, after a byte order mark."""
    return BOM + "".join(",".join(_quoted(cell) for cell in row) + "\r\n" for row in rows)


def _whole(calculator: Calculator, blocks: dict[str, tuple[str, list[Row]]], catalog: Catalog, lang: Lang) -> str:
    """All blocks in one sheet, each under its title, a blank line between."""
    edition = Text(
        f"version {calculator.version}, data {catalog.version}", f"版本 {calculator.version}，数据 {catalog.version}"
    )
    rows: list[Row] = [[calculator.title.get(lang), edition.get(lang)]]
    for title, block in blocks.values():
        rows += [[], [title], *block]
    return csv_text(rows)


def _inputs(calculator: Calculator, inputs: Any, lang: Lang) -> list[Row]:
    currency = str(getattr(inputs, "currency", ""))
    rows: list[Row] = [[h.get(lang) for h in (FIELD, LABEL, VALUE, UNIT)]]
    for name, spec in calculator.fields().items():
        unit = unit_name(in_currency(spec.unit, currency), lang)
        rows.append([name, spec.label.get(lang), _bare(getattr(inputs, name), lang), unit])
    return rows


def _outputs(calculator: Calculator, inputs: Any, answer: Answer, lang: Lang) -> list[Row]:
    currency = str(getattr(inputs, "currency", ""))
    rows: list[Row] = [[h.get(lang) for h in (FIELD, LABEL, VALUE, LOW, HIGH, UNIT, SURE)]]
    for name, spec in calculator.results().items():
        value = getattr(answer.outputs, name)
        ends = [value.low, value.high] if isinstance(value, Range) else ["", ""]
        shown = value.mid if isinstance(value, Range) else _bare(value, lang)
        unit = unit_name(in_currency(spec.unit, currency), lang)
        rows.append([name, spec.label.get(lang), shown, *ends, unit, certainty(spec, lang)])
    return rows


def _table(table: Table, lang: Lang) -> list[Row]:
    head = [headed(c.label.get(lang), unit_name(c.unit, lang), lang) for c in table.columns]
    return [head, *([_bare(row.get(c.key), lang) for c in table.columns] for row in table.rows)]


def _chart(chart: Chart, lang: Lang) -> list[Row]:
    head, rows = chart_rows(chart, lang)
    return [[headed(name, unit, lang) for name, unit in head], *([_bare(c, lang) for c in r] for r in rows)]


def _bare(value: Cell | tuple[str, ...], lang: Lang) -> str | float:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Text():
            return value.get(lang)
        case Link():
            return value.name.get(lang)
        case Range():
            return f"{value.low} – {value.high}"
        case tuple():
            return ",".join(value)
        case _:
            return value


def _quoted(cell: str | float) -> str:
    if not isinstance(cell, str):
        return repr(cell)
    text = f"'{cell}" if _FORMULA.match(cell) and not _NUMBERS.match(cell) else cell
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') or text != text.strip() else text


def _bad(message: Text, lang: Lang) -> BadInput:
    return BadInput([FieldError("export", message.get(lang))])
