"""The same pages through the second engine: what one engine shows, the other shows too.

In: the rendered pages and the configurations. Out: problems where page list, headings, forms or outputs differ.
Material's end of life is 2027-05-05; while this passes, a change of engine is a change of configuration.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from sitebuild import configs, engine
from sitebuild.checks.page import Page, read
from sitebuild.checks.problem import Problem
from sitebuild.layout import LANGUAGES, Layout


class ZensicalError(Exception):
    """The second engine did not build."""


def build(layout: Layout, lang: str, today: date) -> Path:
    """The second engine's HTML of one language."""
    folder = layout.html / f"zensical-{lang}"
    shutil.rmtree(folder, ignore_errors=True)
    config = configs.write(layout)[f"zensical-{lang}"]
    command = [str(Path(sys.executable).with_name("zensical")), "build", "-f", str(config), "-c"]
    done = subprocess.run(command, cwd=layout.root, env=engine.environment(today), capture_output=True, text=True, check=False)
    if done.returncode or not folder.is_dir():
        raise ZensicalError((done.stdout + done.stderr)[-3000:])
    return folder


def check(layout: Layout, today: date, languages: Sequence[str] = LANGUAGES) -> list[Problem]:
    """Build with the second engine and compare with the first one's HTML."""
    found = []
    for lang in languages:
        found += compare(_content(layout.html / lang), _content(build(layout, lang, today)), lang)
    return found


def _content(folder: Path) -> dict[str, Page]:
    """Pages that the Markdown gave; each engine has its own 404."""
    pages = [(file, file.relative_to(folder).as_posix()) for file in folder.rglob("*.html")]
    return {name: read(file, name) for file, name in sorted(pages) if name != "404.html"}


def compare(first: dict[str, Page], second: dict[str, Page], lang: str) -> list[Problem]:
    """Differences that a reader would see."""
    found = [Problem(f"{lang}/{name}", 1, "zensical does not make this page") for name in sorted(first.keys() - second.keys())]
    found += [Problem(f"{lang}/{name}", 1, "only zensical makes this page") for name in sorted(second.keys() - first.keys())]
    for name in sorted(first.keys() & second.keys()):
        one, two = first[name], second[name]
        for what, left, right in (
            ("headings", one.headings, two.headings),
            ("forms", one.forms, two.forms),
            ("outputs", one.outputs, two.outputs),
        ):
            if left != right:
                differ = next(
                    (f"{a} / {b}" for a, b in zip(left, right, strict=False) if a != b), f"{len(left)} / {len(right)}"
                )
                found.append(Problem(f"{lang}/{name}", 1, f"{what} differ between mkdocs and zensical: {differ}"))
    return found
