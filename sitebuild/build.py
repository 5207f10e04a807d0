"""`make build`: catalog -> pages -> Python for the browser -> theme -> HTML -> site/.

In: the repository, the day of the build (the only place that reads a clock is the command line). Out: site/, complete,
and one line a step on standard output. Each step touches only what changed, and the engine makes only those pages again.

`python -m sitebuild.build [--today YYYY-MM-DD] [--fresh] [--lenient]`
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from catalog.load import CatalogErrors, load
from catalog.model import Catalog, to_json
from sitebuild import charts, configs, engine, files, pages, publish, python_assets, search, theme
from sitebuild.charts import ChartError
from sitebuild.layout import Layout
from sitebuild.pages.calculator import Refused
from sitebuild.python_assets.inside import PyodideError
from sitebuild.python_assets.pin import PinError

FAILURES = (ChartError, PinError, PyodideError, configs.TranslationMissing, engine.EngineError, theme.ThemeError, Refused)
"""What a step says in words that help; anything else is a fault of ours and keeps its traceback."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What both the online and the offline site are made from."""

    catalog: Catalog
    json: str
    online: dict[str, Any]


@contextmanager
def step(name: str) -> Iterator[list[str]]:
    """One line on standard output: what was done, with its result and the seconds it took."""
    said: list[str] = []
    begun = time.perf_counter()
    yield said
    print(f"{name:<8} {' · '.join(said)} ({time.perf_counter() - begun:.1f} s)", flush=True)


def read(layout: Layout, today: date) -> Catalog:
    """The catalog as it stands on that day. Raises CatalogErrors."""
    return load(layout.root / "catalog", today)


def render(layout: Layout, out: Path, today: date, catalog: Catalog | None = None) -> list[Path]:
    """Both languages' Markdown; gives the files."""
    return pages.render(catalog or read(layout, today), out, today.isoformat(), root=layout.root, draw=charts.render)


def prepare(layout: Layout, today: date) -> Inputs:
    """Everything that the engine reads: pages, theme, search terms, the browser's Python."""
    with step("catalog") as said:
        catalog = read(layout, today)
        text = to_json(catalog)
        said.append(f"{len(catalog.accelerators)} accelerators, {len(catalog.models)} models, {len(catalog.offers)} offers")
    with ThreadPoolExecutor(1) as pool:  # compiling Python for the browser runs in node, beside the pages
        runtime = pool.submit(python_assets.build, layout.pages / "en", text)
        with step("pages") as said:
            before = _times(layout)
            written = render(layout, layout.pages, today, catalog)
            after = _times(layout)
            said.append(f"{len(written)} files, {sum(1 for path, at in after.items() if before.get(path) != at)} new")
        with step("python") as said:
            online = runtime.result()
            said.append(online["python"])
    with step("theme") as said:
        changes = theme.build(layout, online["python"], catalog.date)
        names = [n for record in (*catalog.accelerators.values(), *catalog.models.values()) for n in _chinese(record)]
        terms = search.write_dictionary(layout, names)
        said.append("changed" if changes or terms else "as it was")
    return Inputs(catalog, text, online)


def _times(layout: Layout) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in layout.pages.rglob("*.md")}


def _chinese(record: object) -> list[str]:
    return [value for name in ("name", "name_zh", "vendor") if isinstance(value := getattr(record, name, None), str)]


def build(layout: Layout, today: date, *, strict: bool = True) -> files.Changes:
    """Bring site/ up to date. Raises CatalogErrors, engine.EngineError and what the steps raise."""
    prepare(layout, today)
    with step("engine") as said:
        done = engine.build(layout, engine.TARGETS, today, strict)
        said.extend(f"{target}: {what}" for target, what in done.items())
    with step("site") as said:
        changes = publish.publish(layout.html / "en", layout.html / "zh", layout.site)
        said.append(f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.removed)} removed")
    return changes


def fresh(layout: Layout) -> None:
    """Forget everything that was built; downloads stay."""
    for folder in (layout.site, layout.html, layout.pages, layout.theme):
        shutil.rmtree(folder, ignore_errors=True)


def day(text: str) -> date:
    """A day on the command line."""
    return date.fromisoformat(text)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 with the reason where the site could not be built."""
    parser = argparse.ArgumentParser(prog="sitebuild.build", description="Build site/ in both languages.")
    parser.add_argument("--today", type=day, default=datetime.now(UTC).date(), help="the day of the build, YYYY-MM-DD")
    parser.add_argument("--fresh", action="store_true", help="forget earlier builds first")
    parser.add_argument("--lenient", action="store_true", help="print the engine's warnings and go on")
    asked = parser.parse_args(argv)
    layout = Layout()
    try:
        with files.alone(layout.build):
            if asked.fresh:
                fresh(layout)
            build(layout, asked.today, strict=not asked.lenient)
    except CatalogErrors as error:
        for problem in error.errors:
            print(problem, file=sys.stderr)
        return 1
    except FAILURES as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
