"""A calculator -> the block that a page shows: its form, and its answer to the default inputs, complete without a script.

In: a calculator's id and the runs of this build. Out: HTML in one line, so that no Markdown engine rewrites it. The
fragments are those that the browser gets from the same `calculators.bridge`; here they are only put in their places.
"""

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from calculators import bridge, registry
from calculators.framework.form import form_html
from calculators.framework.spec import Calculator
from calculators.framework.text import Lang, Text, number
from calculators.framework.view import certainty, outputs_html
from catalog.model import Catalog
from sitebuild.pages.actions import exports_html, simulate_html

Draw = Callable[[list[dict[str, Any]]], list[str]]

SUGGESTIONS = Text("What would change the answer", "怎样调整")
WORKING = Text("Show the working", "查看计算过程")
NOTES = Text("Notes", "说明")
RESULT = Text("Result", "结果")

NARROW = 340
"""Width in pixels of a chart on a phone; others are drawn 640 wide."""

PARTS = ("answer", "suggestions", "tables", "chart-tables", "working", "notes")
_CELL = re.compile(r"<(th|td)\b([^>]*)>")
_HEAD = re.compile(r'<th scope="col"')


class Refused(RuntimeError):
    """A page's sentence rests on an answer that the calculator does not give."""


class Runs:
    """Every call of this build, made once."""

    def __init__(self, catalog: Catalog) -> None:
        bridge.use(catalog)
        self.catalog = catalog
        self._answers: dict[tuple[str, str], dict[str, Any]] = {}

    def ask(self, id: str, inputs: Mapping[str, Any], lang: Lang) -> dict[str, Any]:
        """The answer with its view. Raises Refused where the calculator refuses what the page states."""
        answer = self._call(id, inputs, lang)
        if "error" in answer:
            error = answer["error"]
            reasons = [f"{e['field']}: {e['message']}" for e in error["fields"]] or [error["message"]]
            raise Refused(f"a page asks {id} with {json.dumps(dict(inputs))} and is refused. {' '.join(reasons)}")
        return answer

    def printed(self, id: str, lang: Lang, inputs: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        """The answer at the defaults, or at a preset. Where the catalog no longer has a fact that it needs, the reason stands
        in its place and a dash for each output: the page still serves every other input."""
        answer = self._call(id, inputs, lang)
        if "error" not in answer:
            return answer
        outputs = self.calculator(id).results()
        parts = dict.fromkeys(PARTS, "") | {"answer": f"<p>{escape(answer['error']['message'])}</p>"}
        view = {"display": dict.fromkeys(outputs, "—"), "parts": parts}
        return {"outputs": dict.fromkeys(outputs), "ranges": {}, "charts": [], "view": view}

    def _call(self, id: str, inputs: Mapping[str, Any], lang: Lang) -> dict[str, Any]:
        request = json.dumps({**inputs, "lang": lang, "view": True}, ensure_ascii=False, sort_keys=True)
        key = (id, request)
        if key not in self._answers:
            self._answers[key] = json.loads(bridge.call(id, request))
        return self._answers[key]

    @staticmethod
    def calculator(id: str) -> Calculator:
        """The calculator; raises LookupError where a page names one that does not exist."""
        found = registry.find(id)
        if found is None:
            raise LookupError(f"no calculator {id!r}; there are {', '.join(registry.ids())}")
        return found


class Charts:
    """All charts of a build, drawn in one go: starting the drawing library costs more than drawing."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}

    def draw(self, specs: list[dict[str, Any]], draw: Draw) -> None:
        """Draw those not drawn yet."""
        fresh = {key: spec for spec in specs if (key := _key(spec)) not in self._drawn}
        if fresh:
            self._drawn |= dict(zip(fresh, draw(list(fresh.values())), strict=True))

    def svg(self, spec: dict[str, Any]) -> str:
        """The drawing of a chart, or nothing: the table below it says the same."""
        return self._drawn.get(_key(spec), "")


def _key(spec: dict[str, Any]) -> str:
    return json.dumps(spec, ensure_ascii=False, sort_keys=True)


def block(id: str, runs: Runs, charts: Charts, lang: Lang, report_url: str) -> str:
    """Form and answer of one calculator, at its defaults."""
    calculator = runs.calculator(id)
    data = runs.printed(id, lang)
    form = form_html(calculator, runs.catalog, lang, report_url)
    answer = f'<div data-part="answer" data-for="{id}">{data["view"]["parts"]["answer"]}</div>'
    # the answer stands before the form: it is what a reader came for, and it is on the first screen
    question = f'<div class="question">{answer}{form}</div>'
    return one_line(f'<div class="calculator">{question}{result_html(calculator, data, charts, lang)}</div>')


def result_html(calculator: Calculator, data: dict[str, Any], charts: Charts, lang: Lang) -> str:
    """The answer's blocks, each where a script can refresh it."""
    parts = data["view"]["parts"]
    id = calculator.id

    def part(name: str, html: str) -> str:
        return f'<div data-part="{name}" data-for="{id}">{html}</div>'

    def titled(name: str, title: Text) -> str:
        return f'<div class="part"><p class="part-title">{escape(title.get(lang))}</p>{part(name, parts[name])}</div>'

    figures = "".join(figure_html(spec, charts.svg(narrow(spec)) + charts.svg(spec)) for spec in data["charts"])
    label = f"{calculator.title.get(lang)}: {RESULT.get(lang)}"
    return (
        f'<section data-result="{id}" aria-label="{escape(calculator.title.get(lang))}">'
        f'<div data-part="scenarios" data-for="{id}"></div>'
        f"{titled('suggestions', SUGGESTIONS)}"
        f'<div class="numbers"><div class="scroll" role="region" tabindex="0" aria-label="{escape(label)}">{outputs_html(calculator, data, lang)}</div></div>'
        f"{simulate_html(calculator, data, lang)}"
        f'<div class="drawn">{part("charts", figures)}{part("chart-tables", parts["chart-tables"])}</div>{part("tables", parts["tables"])}'
        f"<details><summary>{escape(WORKING.get(lang))}</summary>{part('working', parts['working'])}</details>"
        f"{titled('notes', NOTES)}{exports_html(calculator, lang)}</section>"
    )


def narrow(spec: dict[str, Any]) -> dict[str, Any]:
    """The same chart for a phone: drawn for its width, so that its text stays readable; styles show one of the two."""
    return {**spec, "width": NARROW}


def figure_html(spec: dict[str, Any], svg: str) -> str:
    """A chart with its caption; its numbers stand in the part `chart-tables`."""
    title = f'<p class="part-title">{escape(spec["title"])}</p>'
    return f'<figure data-chart="{spec["id"]}">{title}{svg}<figcaption>{escape(spec["text"])}</figcaption></figure>'


def inputs_table(calculator: Calculator, catalog: Catalog, lang: Lang) -> str:
    """The docs table of inputs: name, meaning, unit, range or choices, default."""
    head = (Text("Field", "字段"), Text("Meaning", "含义"), Text("Range", "范围"), Text("Default", "默认值"))
    rows = []
    for name, spec in calculator.fields().items():
        default = calculator.defaults()[name]
        if spec.type in ("int", "float"):
            span = f"{number(spec.low or 0)} – {number(spec.high or 0)} {spec.unit}".strip()
        elif spec.type == "bool":
            span = "true / false"
        elif spec.type == "text":
            span = Text("text or a file", "文本或文件").get(lang)
        else:
            options = spec.options(catalog)
            span = ", ".join(c.value for c in options[:6])
            if len(options) > 6:
                span += Text(f" … ({len(options)} in all)", f" …（共 {len(options)} 项）").get(lang)
        shown = "—" if default is None else ",".join(default) if isinstance(default, tuple) else str(default)
        rows.append(
            f'<tr><th scope="row"><code>{name}</code></th><td class="text">{escape(spec.label.get(lang))}'
            f'<small>{escape(spec.help.get(lang))}</small></td><td class="text">{escape(span)}</td>'
            f'<td class="text"><code>{escape(shown)}</code></td></tr>'
        )
    return _table(Text("Inputs", "输入").get(lang), head, rows, lang)


def results_table(calculator: Calculator, lang: Lang) -> str:
    """The docs table of outputs: name, meaning, unit, how sure."""
    head = (Text("Field", "字段"), Text("Meaning", "含义"), Text("Unit", "单位"), Text("How sure", "可信度"))
    rows = [
        f'<tr><th scope="row"><code>{name}</code></th><td class="text">{escape(spec.label.get(lang))}'
        f'<small>{escape(spec.help.get(lang))}</small></td><td class="text">{escape(spec.unit) or "—"}</td>'
        f'<td class="text"><span class="kind kind-{spec.kind}">{escape(certainty(spec, lang))}</span></td></tr>'
        for name, spec in calculator.results().items()
    ]
    return _table(Text("Outputs", "输出").get(lang), head, rows, lang)


def _table(title: str, head: tuple[Text, ...], rows: list[str], lang: Lang) -> str:
    cells = "".join(f'<th scope="col">{escape(h.get(lang))}</th>' for h in head)
    return one_line(
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}"><table><caption>{escape(title)}</caption>'
        f"<thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def aligned(html: str) -> str:
    """A table whose heads stand over their cells: a head of text cells is marked as text, as its first cell is."""
    head, body, rest = html.partition("<tbody>")
    row = rest.partition("</tr>")[0]
    texts = [("class=" in attributes or kind == "th") for kind, attributes in _CELL.findall(row)]
    heads = iter(texts)
    return _HEAD.sub(lambda _: '<th scope="col" class="text"' if next(heads, False) else '<th scope="col"', head) + body + rest


def one_line(html: str) -> str:
    """HTML without line breaks: what stands in one line at the start of a line passes every Markdown engine."""
    return " ".join(line.strip() for line in html.splitlines() if line.strip())
