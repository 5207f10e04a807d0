"""`make check`, the part that looks at the site: build it, then ask every check.

In: the repository, the day of the build. Out: problems as `file:line: message`, a line for each check; exit code 1 where
there is one.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from sitebuild import build, configs, files, theme
from sitebuild.accuracy import bands
from sitebuild.checks import chinese, languages, links, zensical
from sitebuild.checks.page import Page, read_all
from sitebuild.checks.problem import Problem
from sitebuild.layout import Layout


def well_formed(pages: dict[str, Page]) -> list[Problem]:
    """Tags that match, ids that are unique."""
    found = [Problem(page.path, line, message) for page in pages.values() for line, message in page.faults]
    return found + [
        Problem(page.path, line, f"id {name!r} stands twice") for page in pages.values() for name, line in page.twice
    ]


def outside_navigation(layout: Layout) -> list[Problem]:
    """Every page is in the navigation or names its parent, in both languages."""
    listed = set(_paths(configs.complete(configs.read(layout.config))["nav"]))
    found = [
        Problem("mkdocs.yml", 1, f"nav names {path}, which is not rendered")
        for path in sorted(listed)
        if not _rendered(layout, path)
    ]
    for file in sorted((layout.pages / "en").rglob("*.md")):
        name = file.relative_to(layout.pages / "en").as_posix()
        if name not in listed and "\nup: " not in file.read_text(encoding="utf-8").split("\n---\n")[0]:
            found.append(Problem(name, 1, "is not in the nav of mkdocs.yml and has no `up` in its front matter"))
    return found


def _rendered(layout: Layout, path: str) -> bool:
    return all((layout.pages / lang / path).is_file() for lang in ("en", "zh"))


def _paths(node: object) -> list[str]:
    match node:
        case str():
            return [node]
        case list():
            return [path for item in node for path in _paths(item)]
        case dict():
            return [path for value in node.values() for path in _paths(value)]
        case _:
            return []


def up_to_date(layout: Layout, today: date) -> list[Problem]:
    """Rendered again from nothing, the pages are the same bytes: nothing is stale and nothing depends on the run."""
    with tempfile.TemporaryDirectory() as name:
        again = Path(name)
        build.render(layout, again, today)
        found = []
        for lang in ("en", "zh"):
            for page in sorted((again / lang).rglob("*.md")):
                path = page.relative_to(again)
                if (layout.pages / path).read_bytes() != page.read_bytes():
                    found.append(Problem(f"build/pages/{path.as_posix()}", 1, "is not what the sources give now"))
        return found


def stated_errors() -> list[Problem]:
    """The errors that results state are those of the published cases."""
    if not bands.stale():
        return []
    return [Problem("calculators/framework/bands.py", 1, f"is not what the cases give now; run `{bands.COMMAND}`")]


def run(layout: Layout, today: date, second_engine: bool = True) -> list[Problem]:
    """All checks of a site that has just been built."""
    pages = read_all(layout.site)
    checks: dict[str, Callable[[], list[Problem]]] = {
        "html": lambda: well_formed(pages),
        "links": lambda: links.check(layout.site, pages),
        "languages": lambda: languages.check(pages),
        "chinese": lambda: chinese.check(layout.docs),
        "nav": lambda: outside_navigation(layout),
        "bands": stated_errors,
        "pages": lambda: up_to_date(layout, today),
    }
    if second_engine:
        checks["zensical"] = lambda: zensical.check(layout, today)
    found: list[Problem] = []
    for name, check in checks.items():
        with build.step(name) as said:
            problems = check()
            said.append(f"{len(problems)} problems" if problems else "good")
        found += problems
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="sitebuild.check", description="Build the site and check it.")
    parser.add_argument("--today", type=build.day, default=datetime.now(UTC).date(), help="the day of the build, YYYY-MM-DD")
    parser.add_argument("--no-zensical", action="store_true", help="leave the second engine out")
    asked = parser.parse_args(argv)
    layout = Layout()
    try:
        with files.alone(layout.build):
            build.build(layout, asked.today, strict=False)
            problems = run(layout, asked.today, not asked.no_zensical)
    except (*build.FAILURES, theme.ThemeError, zensical.ZensicalError) as error:
        print(error, file=sys.stderr)
        return 1
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
