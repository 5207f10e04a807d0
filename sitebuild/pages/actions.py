"""What a reader can do with an answer: run more draws, keep it as a file, print it.

In: a calculator. Out: HTML of buttons; `browser/simulate.js` and `browser/export.js` bring them to life.
"""

from html import escape
from typing import Any

from calculators.framework.spec import Calculator
from calculators.framework.text import Lang, Text, number

RUN = Text("Run {} draws", "运行 {} 次抽样")
PROGRESS = Text("Draws done", "抽样进度")
SAVE = Text("Keep this answer", "保存此结果")
FILES = (
    ("csv", Text("CSV", "CSV 表格")),
    ("md", Text("Markdown")),
    ("copy", Text("Copy as Markdown", "复制为 Markdown")),
    ("json", Text("JSON")),
    ("print", Text("Print", "打印")),
)


def simulate_html(calculator: Calculator, data: dict[str, Any], lang: Lang) -> str:
    """The button of the long run, where something is drawn."""
    if calculator.study is None:
        return ""
    of = data.get("simulation", {}).get("of", 10_000)
    hidden = "" if "simulation" in data else " hidden"
    return (
        f'<div class="longrun" data-simulate data-for="{calculator.id}" data-of="{of}"{hidden}><p class="actions">'
        f'<button type="button" data-action="simulate">{escape(RUN.get(lang).format(number(of)))}</button> '
        f'<progress aria-label="{escape(PROGRESS.get(lang))}" max="{of}" hidden></progress> '
        f'<span role="status" aria-live="polite"></span></p></div>'
    )


def exports_html(calculator: Calculator, lang: Lang) -> str:
    """A button for each form in which the answer can be kept."""
    buttons = " ".join(
        f'<button type="button" data-export="{kind}">{escape(label.get(lang))}</button>' for kind, label in FILES
    )
    return (
        f'<div class="exports" data-exports data-for="{calculator.id}"><p class="actions"><span>{escape(SAVE.get(lang))}</span> {buttons} '
        f'<span role="status" aria-live="polite"></span></p></div>'
    )
