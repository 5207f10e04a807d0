"""A bare page around one real calculator, for tests of the browser's scripts apart from any site engine.

In: a calculator's id, a folder. Out: `index.html` there with form, printed answer, scripts and the runtime.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from calculators import bridge, registry
from calculators.framework.form import form_html
from calculators.framework.text import Lang
from calculators.framework.view import outputs_html
from catalog.model import from_json
from sitebuild import charts, python_assets
from sitebuild.pages.actions import exports_html, simulate_html
from sitebuild.python_assets.pin import ROOT

SCRIPTS = (
    "config",
    "state",
    "fields",
    "runtime",
    "table",
    "age",
    "chart",
    "result",
    "import",
    "form",
    "simulate",
    "export",
    "scenarios",
)
PARTS = ("answer", "suggestions", "charts", "tables", "working", "notes")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:"
)


def texts(lang: Lang) -> dict[str, str]:
    """The scripts' sentences in one language."""
    table: dict[str, dict[str, str]] = json.loads((ROOT / "browser" / "text.json").read_text("utf-8"))
    return {key: text[lang] for key, text in table.items()}


def write(folder: Path, id: str, catalog_json: str, *, lang: Lang = "en", local: bool = False) -> dict[str, Any]:
    """The page with everything it loads; gives what `python_assets.build` gave."""
    built = python_assets.build(folder, catalog_json, http=not local, local=local)
    assets = folder / "assets" / "browser"
    assets.mkdir(parents=True, exist_ok=True)
    for name in (*(f"{s}.js" for s in SCRIPTS), "chart-range.js", "guide.css"):
        shutil.copyfile(ROOT / "browser" / name, assets / name)
    for path in charts.LIBRARIES:
        shutil.copyfile(ROOT / path, assets / path.name)
    catalog = from_json(catalog_json)
    bridge.use(catalog)
    calculator = registry.find(id)
    assert calculator is not None
    data = json.loads(bridge.call(id, json.dumps({"lang": lang, "view": True})))
    config = {"base": "./", "lang": lang, "offline": local, "python": built["python"], "text": texts(lang)}
    parts = "".join(
        f'<div data-part="{name}" data-for="{id}">{data["view"]["parts"].get(name, "")}</div>'
        + (outputs_html(calculator, data, lang) if name == "answer" else "")
        for name in PARTS
    )
    parts = '<div data-part="scenarios"></div>' + simulate_html(calculator, data, lang) + parts + exports_html(calculator, lang)
    scripts = "".join(f'<script defer src="assets/browser/{name}.js"></script>' for name in SCRIPTS)
    (folder / "index.html").write_text(
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{id}</title><link rel="icon" href="data:,">'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="assets/browser/guide.css">'
        f'<script type="application/json" id="gpuguide-config">{json.dumps(config)}</script>{scripts}</head>'
        f'<body><h1>{id}</h1><div class="calculator">{form_html(calculator, catalog, lang, "https://example.org/new?body=Wrong")}'
        f'<section data-result="{id}">{parts}</section></div><p>Elsewhere</p></body></html>',
        "utf-8",
    )
    return built
