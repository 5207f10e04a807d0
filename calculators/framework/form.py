"""A calculator's `Inputs` -> its form, as plain data (for scripts and schemas) and as HTML.

The HTML is a real form with native controls, labels, units, ranges and help; it is complete before any script runs.
"""

import json
from typing import Any

from calculators.framework.compare import MOST
from calculators.framework.markup import escape
from calculators.framework.spec import Calculator, Field
from calculators.framework.text import Lang, Text, bounds, unit_name
from calculators.framework.view import state_link
from catalog.model import Catalog

ONE_LINE = 2000
"""A longer text may be a file: it gets lines and a button to choose one."""
MANY_SETTINGS = 30
ADVANCED = Text("More settings", "更多设置")
RESET = Text("Reset", "重置")
COPY = Text("Copy link", "复制链接")
COMPARE = Text("Compare with another", "与另一方案比较")
REPORT = Text("Report a wrong number", "报告错误数字")
RANGE = Text("Range {}.", "范围 {}。")
FILE = Text("or a file, read in this page and sent nowhere:", "或选择文件（只在本页读取，不会上传）：")
NONE = Text("not set", "未设置")
PRESETS = Text("Start from", "从这些情形开始")


def form_data(calculator: Calculator, catalog: Catalog, lang: Lang) -> dict[str, Any]:
    """What a script needs to bind the form: names, types, defaults and presets."""
    defaults = calculator.defaults()
    return {
        "id": calculator.id,
        "version": calculator.version,
        "catalog": catalog.version,
        "fields": [
            {"name": name, "type": spec.type, "default": _plain(defaults[name]), "optional": spec.optional}
            for name, spec in calculator.fields().items()
        ],
        "scenarios": MOST,
        "presets": [
            {"id": p.id, "title": p.title.get(lang), "change": {k: _plain(v) for k, v in p.change.items()}}
            for p in calculator.presets
        ],
    }


def form_html(calculator: Calculator, catalog: Catalog, lang: Lang, report_url: str) -> str:
    """The whole form. Every control's name is its field; its help, range and error are tied to it for screen readers."""
    specs = calculator.fields()
    defaults = calculator.defaults()
    groups: dict[str, list[str]] = {}
    advanced: dict[str, list[str]] = {}
    for name, spec in specs.items():
        html = _control(calculator.id, name, spec, defaults[name], catalog, lang)
        if spec.advanced:
            advanced.setdefault(spec.group.get(lang), []).append(html)
        else:
            groups.setdefault(spec.group.get(lang), []).append(html)
    body = "".join(
        f'<fieldset><legend>{escape(title)}</legend><div class="fields">{"".join(rows)}</div></fieldset>'
        for title, rows in groups.items()
    )
    body += _advanced(advanced, lang)
    spec_json = json.dumps(form_data(calculator, catalog, lang), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<form id="{calculator.id}" data-calculator="{calculator.id}" data-state="static" data-search-exclude '
        f'autocomplete="off" novalidate aria-label="{escape(calculator.title.get(lang))}">'
        f'{_presets(calculator, lang)}{body}<p class="actions">'
        f'<button type="button" data-action="reset">{escape(RESET.get(lang))}</button> '
        f'<button type="button" data-action="copy-link">{escape(COPY.get(lang))}</button> '
        f'<button type="button" data-action="compare">{escape(COMPARE.get(lang))}</button> '
        f'<a data-action="report" href="{escape(report_url)}" rel="noopener">{escape(REPORT.get(lang))}</a></p>'
        f'<p data-status role="status" aria-live="polite"></p>'
        f'<script type="application/json" data-form-spec="{calculator.id}">{spec_json}</script></form>'
    )


def _advanced(groups: dict[str, list[str]], lang: Lang) -> str:
    """Further settings, folded: all together, or where they are many a fold for each group."""
    title = escape(ADVANCED.get(lang))
    folds = {title: [row for rows in groups.values() for row in rows]} if groups else {}
    if len(folds.get(title, ())) > MANY_SETTINGS:
        between = Text(": ", "：").get(lang)
        folds = {f"{title}{between}{escape(group)}": rows for group, rows in groups.items()}
    return "".join(
        f'<details class="advanced"><summary>{summary}</summary><div class="fields">{"".join(rows)}</div></details>'
        for summary, rows in folds.items()
    )


def _presets(calculator: Calculator, lang: Lang) -> str:
    if not calculator.presets:
        return ""
    inputs = calculator.inputs()
    items = "".join(
        f'<li><a href="{escape(state_link(calculator, inputs, p.change))}" data-set="{escape(json.dumps(dict(p.change)))}" '
        f'data-for="{calculator.id}" data-preset="{p.id}">{escape(p.title.get(lang))}</a></li>'
        for p in calculator.presets
    )
    return f'<nav class="presets" aria-label="{escape(PRESETS.get(lang))}"><span>{escape(PRESETS.get(lang))}</span><ul>{items}</ul></nav>'


def _control(calculator: str, name: str, spec: Field, default: Any, catalog: Catalog, lang: Lang) -> str:
    key = f"{calculator}-{name}"
    described = f'aria-describedby="{key}-help {key}-error"'
    unit = unit_name(spec.unit, lang)
    label = escape(spec.label.get(lang)) + (f" <small>{escape(unit)}</small>" if unit else "")
    match spec.type:
        case "int" | "float":
            step = spec.step or (1 if spec.type == "int" else "any")
            value = "" if default is None else _bare(default)
            control = (
                f'<input type="number" id="{key}" name="{name}" value="{value}" min="{_bare(spec.low)}" max="{_bare(spec.high)}" '
                f'step="{step}" inputmode="{"numeric" if spec.type == "int" else "decimal"}" {described}>'
            )
        case "bool":
            checked = " checked" if default else ""
            control = f'<input type="checkbox" id="{key}" name="{name}" value="true"{checked} {described}>'
        case "text" if spec.longest <= ONE_LINE:
            control = (
                f'<input type="text" id="{key}" name="{name}" maxlength="{spec.longest}" spellcheck="false" '
                f'autocapitalize="off" {described}>'
            )
        case "text":
            control = (
                f'<textarea id="{key}" name="{name}" rows="3" spellcheck="false" autocapitalize="off" {described}></textarea>'
                f'<p class="import" data-import="{name}" hidden><label for="{key}-file">{escape(FILE.get(lang))}</label> '
                f'<input type="file" id="{key}-file"></p><p class="imported" data-imported="{name}" hidden></p>'
            )
        case _:
            many = " multiple" if spec.type == "choices" else ""
            control = f'<select id="{key}" name="{name}"{many} {described}>{_options(spec, default, catalog, lang)}</select>'
    help = escape(spec.help.get(lang))
    if spec.type in ("int", "float") and spec.low is not None and spec.high is not None:
        span = RANGE.get(lang).format(bounds(spec.low, spec.high, spec.unit, lang))
        help += f' <span class="range">{escape(span)}</span>'
    return (
        f'<div class="field"><label for="{key}">{label}</label>{control}'
        f'<p class="help" id="{key}-help">{help}</p><p class="error" id="{key}-error" data-error="{name}" hidden></p></div>'
    )


def _options(spec: Field, default: Any, catalog: Catalog, lang: Lang) -> str:
    chosen = set(default) if isinstance(default, tuple) else {default}
    groups: dict[str, list[str]] = {}
    if spec.optional:
        groups[""] = [f'<option value=""{" selected" if default is None else ""}>{escape(NONE.get(lang))}</option>']
    for c in spec.options(catalog):
        selected = " selected" if c.value in chosen else ""
        option = f'<option value="{escape(c.value)}"{selected}>{escape(c.label.get(lang))}</option>'
        groups.setdefault(c.group.get(lang) if c.group else "", []).append(option)
    return "".join(
        f'<optgroup label="{escape(title)}">{"".join(rows)}</optgroup>' if title else "".join(rows)
        for title, rows in groups.items()
    )


def _bare(value: Any) -> str:
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
