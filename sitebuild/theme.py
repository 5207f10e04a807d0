"""The theme that the engine reads: docs/theme with everything that a page's scripts need beside it.

In: docs/theme, browser/, the two chart libraries of node_modules, the name of the Python runtime's folder.
Out: build/theme: Material's overrides, `assets/guide/<hash>/` (scripts and styles, those that a page needs together joined
in one file; the name may be cached for ever) and `guide.html`, which tells the templates these names and the scripts' sentences; `runtime.html`, the Python runtime's folder.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from sitebuild import files
from sitebuild.layout import LANGUAGES, Layout

CHARTS = {"d3.min.js": "d3/dist/d3.min.js", "plot.umd.min.js": "@observablehq/plot/dist/plot.umd.min.js"}
"""Loaded when the first chart is drawn again, in this order."""
CHART = "chart.js"
RANGES = "chart-range.js"
"""The kinds of chart that need the drawing library to be there, after which it is loaded."""
WORKER = "worker.js"
"""Goes into the Python runtime's folder, not here."""
ACTIONS = ("simulate.js", "export.js", "scenarios.js")
"""What a reader does with an answer; they bind to the forms, so they follow form.js."""
CALCULATORS = (
    "config.js",
    "state.js",
    "fields.js",
    "result.js",
    "runtime.js",
    "import.js",
    "form.js",
    *ACTIONS,
    "age.js",
    CHART,
)
TABLES = ("config.js", "age.js", "table.js")
JOINED = {"calculators.js": tuple(dict.fromkeys((*CALCULATORS, *TABLES))), "tables.js": TABLES}
"""One request each: a page asks for one of them."""
EVERYWHERE, SCRIPTED = "guide.css", "scripted.css"
WITH_SCRIPTS = "calculator.css"
"""The theme's styles that only pages with scripts need; browser/ has the others."""
RUNTIME = "runtime.html"
UP = {"en": "You are in", "zh": "当前位置"}
SEARCH = {"en": "Search", "zh": "搜索"}
FOOT = {
    "en": {
        "data": "Facts and prices as read up to",
        "licence": "Content CC BY 4.0, code Apache-2.0",
        "report": "Report a wrong number",
    },
    "zh": {"data": "数据与价格读取截至", "licence": "内容 CC BY 4.0，代码 Apache-2.0", "report": "报告错误数字"},
}


class ThemeError(Exception):
    """A file that a page would ask for is not there."""


def _sources(layout: Layout) -> dict[str, Path]:
    """Name in the hashed folder -> the file that it is."""
    theme = layout.docs / "theme"
    found = [
        *theme.glob("scripts/*.js"),
        *theme.glob("styles/*.css"),
        *layout.browser.glob("*.js"),
        *layout.browser.glob("*.css"),
    ]
    found = [path for path in found if path.stat().st_size]
    names = [path.name for path in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ThemeError(f"docs/theme and browser both have {', '.join(twice)}; one folder serves both")
    sources = {path.name: path for path in found if path.name != WORKER}
    sources |= {name: layout.packages / path for name, path in CHARTS.items()}
    for name in {*CALCULATORS, *TABLES, *CHARTS, RANGES}:
        if name not in sources or not sources[name].is_file():
            raise ThemeError(f"{name} is not there: {sources.get(name, layout.browser / name)} (run `make setup` for packages)")
    return sources


def _joined(layout: Layout, sources: Mapping[str, Path]) -> dict[str, bytes]:
    """Name in the hashed folder -> its bytes: scripts and styles joined, the others as they are."""
    of_theme = [path.name for path in (layout.docs / "theme").glob("styles/*.css") if path.name != WITH_SCRIPTS]
    styles = [name for name in sources if name.endswith(".css")]
    groups = {
        **JOINED,
        EVERYWHERE: sorted((n for n in styles if n in of_theme), key=lambda n: (n != "theme.css", n)),
        SCRIPTED: sorted(n for n in styles if n not in of_theme),
    }
    within = {name for names in groups.values() for name in names}
    alone = {name: path.read_bytes() for name, path in sources.items() if name not in within}
    return alone | {name: b"\n".join(sources[n].read_bytes() for n in names) for name, names in groups.items()}


def _sentences(layout: Layout) -> dict[str, dict[str, str]]:
    """browser/text.json, one table a language."""
    both: Mapping[str, Mapping[str, str]] = json.loads((layout.browser / "text.json").read_text(encoding="utf-8"))
    return {lang: {key: words[lang] for key, words in both.items()} for lang in LANGUAGES}


def build(layout: Layout, python: str, date: str) -> files.Changes:
    """Write build/theme; `python` is the runtime's folder seen from the site's root, "" where there is none; `date` is the catalog's."""
    staging = layout.build / "theme-new"
    overrides = layout.docs / "theme"
    sources = _sources(layout)
    served = _joined(layout, sources)
    folder = f"assets/guide/{files.digest(sources.values())}/"
    for path in [*overrides.glob("*.html"), *overrides.glob("partials/**/*.html"), *overrides.glob("assets/**/*.*")]:
        files.write(staging / path.relative_to(overrides), path.read_bytes())
    for name, content in served.items():
        files.write(staging / folder / name, content)
    values: dict[str, object] = {
        "files": folder,
        "charts": [folder + name for name in (*CHARTS, RANGES)],
        "text": _sentences(layout),
        "up": UP,
        "search": SEARCH,
        "foot": FOOT,
        # The day alone: the edition changes with each value, and every page would be made again.
        "date": date,
    }
    lines = [f"{{% set {name} = {json.dumps(value, ensure_ascii=False)} %}}" for name, value in values.items()]
    files.write(staging / "guide.html", "\n".join(lines) + "\n")
    # Apart, because it changes with each fact of the catalog and only pages with a calculator read it.
    files.write(staging / RUNTIME, f"{{% set folder = {json.dumps(python)} %}}\n")
    wanted = {"guide.html", RUNTIME, *(f"{folder}{name}" for name in served)}
    wanted |= {p.relative_to(overrides).as_posix() for p in overrides.rglob("*") if p.is_file()}
    for name in files.listing(staging):
        if name not in wanted:
            (staging / name).unlink()
    return files.mirror(staging, layout.theme)
