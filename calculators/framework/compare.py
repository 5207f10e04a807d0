"""Several sets of inputs of one calculator, side by side: which inputs differ, and what comes out of each.

In: a calculator, the reader's inputs and what the request's `compare` holds: `[{field: value, …}, …]`. Out: plain data, and the
table that a page shows. What one set of inputs gave is kept: only what changed is computed again.
"""

import dataclasses
from typing import Any

from calculators.framework.markup import escape
from calculators.framework.spec import Calculator, InputError, Range, Result, Working
from calculators.framework.text import Lang, Text, in_currency, number, unit_name
from calculators.framework.validate import BadInput, FieldError, check
from calculators.framework.view import YES_NO, display
from catalog.model import Catalog

MOST = 5
"""Scenarios beside the form's own."""
_KEPT = 2 * MOST
_NAMES = "ABCDEF"

_HERE = Text("this form", "当前表单")
_SCENARIO = Text("Scenario", "方案")
_SAME = Text(
    "All inputs are the same so far: change one in the form, and the difference stands here.",
    "目前各方案输入相同：在表单中修改任一项，差异就会显示在这里。",
)
_TITLE = Text("Scenarios side by side", "方案并排比较")
_INPUTS = Text("Inputs that differ", "不同的输入")
_OUTPUTS = Text("Results", "结果")
_OPEN = Text("Put into the form", "载入表单")
_REMOVE = Text("Remove", "移除")
_NO_MONEY = Text(
    "The scenarios are in different currencies: no difference of money is shown.", "各方案币种不同，不显示金额差异。"
)

_known: dict[tuple[str, str, Any], Any] = {}  # calculator, catalog, inputs -> outputs, or the error


def compared(calculator: Calculator, inputs: Any, asked: Any, catalog: Catalog, lang: Lang) -> dict[str, Any]:
    """`{"compare": {scenarios, differing, html}}`. Raises BadInput for what is no list of scenarios."""
    if not isinstance(asked, list) or not 1 <= len(asked) <= MOST or not all(isinstance(a, dict) for a in asked):
        text = Text(f"“compare” is a list of 1 to {MOST} objects of fields.", f"“compare” 应为 1 至 {MOST} 个字段对象的列表。")
        raise BadInput([FieldError("compare", text.get(lang))])
    columns = [(inputs, _result(calculator, inputs, catalog))]
    for raw in asked:
        try:
            scenario = check(calculator, raw, catalog, lang)
            columns.append((scenario, _result(calculator, scenario, catalog)))
        except BadInput as bad:
            columns.append((None, Text("; ".join(e.message for e in bad.errors))))
    names = [name for name in calculator.fields() if len({getattr(i, name) for i, _ in columns if i is not None}) > 1]
    return {
        "compare": {
            "scenarios": [_data(calculator, i, found, lang) for i, found in columns],
            "differing": names,
            "html": _html(calculator, columns, names, catalog, lang),
        }
    }


def _result(calculator: Calculator, inputs: Any, catalog: Catalog) -> Any:
    """The outputs, or the words of what these inputs cannot give."""
    key = (calculator.id, catalog.version, inputs)
    if key not in _known:
        try:
            found: Any = calculator.compute(inputs, catalog, Working()).outputs
        except InputError as bad:
            found = bad.message
        except (OverflowError, ZeroDivisionError):
            found = Text("too large to compute", "数值过大，无法计算")
        while len(_known) >= _KEPT:
            del _known[next(iter(_known))]
        _known[key] = found
    return _known[key]


def _data(calculator: Calculator, inputs: Any, found: Any, lang: Lang) -> dict[str, Any]:
    given = {} if inputs is None else {name: _plain(getattr(inputs, name)) for name in calculator.fields()}
    if isinstance(found, Text):
        return {"inputs": given, "error": found.get(lang)}
    return {"inputs": given, "outputs": {name: _bare(getattr(found, name), lang) for name in calculator.results()}}


def _html(calculator: Calculator, columns: list[tuple[Any, Any]], names: list[str], catalog: Catalog, lang: Lang) -> str:
    title = _TITLE.get(lang)
    heads = [f'<th scope="col" class="text">{escape(_NAMES[0])} <small>{escape(_HERE.get(lang))}</small></th>']
    for i in range(1, len(columns)):
        name = f"{_SCENARIO.get(lang)} {_NAMES[i]}"
        buttons = "".join(
            f'<button type="button" data-action="{action}" data-scenario="{i - 1}" aria-label="{escape(name)}: {escape(word.get(lang))}">'
            f"{escape(word.get(lang))}</button>"
            for action, word in (("open-scenario", _OPEN), ("remove-scenario", _REMOVE))
        )
        heads.append(f'<th scope="col" class="text">{escape(_NAMES[i])}<span class="actions">{buttons}</span></th>')
    width = len(columns) + 1
    rows = [_band(_INPUTS, width, lang)]
    rows += [_input_row(calculator, name, columns, catalog, lang) for name in names]
    if not names:
        rows.append(f'<tr><td class="text" colspan="{width}">{escape(_SAME.get(lang))}</td></tr>')
    rows.append(_band(_OUTPUTS, width, lang))
    if any(isinstance(found, Text) for _, found in columns):
        refused = (escape(found.get(lang)) if isinstance(found, Text) else "" for _, found in columns)
        rows.append(f"<tr><td></td>{''.join(f"<td class='text'>{words}</td>" for words in refused)}</tr>")
    units = {str(getattr(i, "currency", "")) for i, _ in columns if i is not None}
    said = [n for n in calculator.results() if any(not isinstance(f, Text) and getattr(f, n) is not None for _, f in columns)]
    rows += [_output_row(name, calculator.results()[name], columns, len(units) == 1, lang) for name in said]
    note = "" if len(units) == 1 else f"<p>{escape(_NO_MONEY.get(lang))}</p>"
    return (
        f'<p class="part-title">{escape(title)}</p><div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}">'
        f'<table class="scenarios"><thead><tr><td></td>{"".join(heads)}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>{note}'
    )


def _band(title: Text, width: int, lang: Lang) -> str:
    return f'<tr><th scope="rowgroup" class="text" colspan="{width}">{escape(title.get(lang))}</th></tr>'


def _input_row(calculator: Calculator, name: str, columns: list[tuple[Any, Any]], catalog: Catalog, lang: Lang) -> str:
    spec = calculator.fields()[name]
    labels = {c.value: c.label.get(lang) for c in spec.options(catalog)} if spec.type in ("choice", "choices") else {}
    cells = []
    for inputs, _ in columns:
        value = None if inputs is None else getattr(inputs, name)
        currency = str(getattr(inputs, "currency", ""))
        shown: str
        match value:
            case None | ():
                shown = "—"
            case bool():
                shown = YES_NO[value].get(lang)
            case tuple():
                shown = ", ".join(labels.get(str(v), str(v)) for v in value)
            case str():
                shown = labels.get(value, value if len(value) <= 40 else value[:40] + "…")
            case _:
                unit = unit_name(in_currency(spec.unit, currency), lang)
                shown = f"{value!r} {unit}".strip() if unit != "%" else f"{value!r}%"
        cells.append(f'<td class="text">{escape(shown)}</td>')
    return f'<tr><th scope="row">{escape(spec.label.get(lang))}</th>{"".join(cells)}</tr>'


def _output_row(name: str, spec: Result, columns: list[tuple[Any, Any]], one_currency: bool, lang: Lang) -> str:
    cells = []
    first: float | None = None
    for i, (inputs, found) in enumerate(columns):
        if isinstance(found, Text):
            cells.append("<td>—</td>")
            continue
        value = getattr(found, name)
        priced = dataclasses.replace(spec, unit=in_currency(spec.unit, str(getattr(inputs, "currency", ""))))
        size = value.mid if isinstance(value, Range) else value
        size = float(size) if isinstance(size, int | float) and not isinstance(size, bool) else None
        change = ""
        if i == 0:
            first = size
        elif (
            size is not None
            and first is not None
            and first > 0
            and spec.unit != "%"
            and (one_currency or not spec.unit.startswith("money"))
        ):
            change = _change(size / first - 1)
        cells.append(f"<td>{escape(display(priced, value, lang))}{change}</td>")
    strong = ' class="headline"' if spec.headline else ""
    return f'<tr{strong}><th scope="row">{escape(spec.label.get(lang))}</th>{"".join(cells)}</tr>'


def _change(share: float) -> str:
    """A difference from the form's own in percent; none where it would print as zero."""
    text = number(share * 100, 1 if abs(share) < 10 else 0)
    return "" if text.strip("-0.") == "" else f"<small>{'+' if share > 0 else ''}{text}%</small>"


def _bare(value: Any, lang: Lang) -> Any:
    if isinstance(value, Range):
        return [value.low, value.high]
    return value.get(lang) if isinstance(value, Text) else value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
