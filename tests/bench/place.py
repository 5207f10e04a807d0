"""The places that are measured: the built site and the plain page behind one server, the offline folder beside them.

In: site/ and build/offline as they are built (or are brought up to date first), the catalog. Out: a running `Place`.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from calculators import registry
from catalog.load import load
from catalog.model import Catalog, to_json
from sitebuild.layout import Layout
from tests.bench import plain, task
from tests.bench.server import Server

ASKED = ("assets/guide/**/*", "assets/python/**/*", "assets/javascripts/*", "assets/stylesheets/*", "assets/*.svg")
LANGUAGES = ("", "zh/")
STEPS = 16
"""Changes of an input in one visit where recalculations are measured; the first one starts Python."""


class NotBuilt(Exception):
    """Something to measure is not there."""


@dataclass(frozen=True, slots=True)
class Place:
    """Everything that a row needs to send browsers somewhere."""

    layout: Layout
    server: Server
    catalog: Catalog
    tasks: tuple[task.Task, ...]
    plains: tuple[str, ...]
    """The plain page's path for each task."""

    def page(self, n: int = 0) -> str:
        """The address of a task's calculator page."""
        return f"{self.server.origin}/calculators/{self.tasks[n].id}/"

    def plain(self, n: int = 0) -> str:
        """The address of a task's plain page."""
        return self.server.origin + self.plains[n]

    def file(self, n: int = 0) -> str:
        """The address of a task's calculator page in the offline folder. Raises NotBuilt."""
        path = self.layout.build / "offline" / "calculators" / self.tasks[n].id / "index.html"
        if not path.is_file():
            raise NotBuilt(f"{path} is missing: run `make bundle`")
        return path.as_uri()

    def paths(self) -> list[str]:
        """Every calculator page of both languages."""
        return [f"/{lang}calculators/{id}/" for lang in LANGUAGES for id in registry.ids()]


def update(layout: Layout) -> None:
    """Bring site and offline folder up to date. Raises CalledProcessError; the build's own words are on the terminal."""
    for step in ("sitebuild.build", "sitebuild.bundle"):
        subprocess.run([sys.executable, "-m", step], cwd=layout.root, check=True)


def _tasks(catalog: Catalog) -> tuple[task.Task, ...]:
    """Memory for inference is the guide's main calculator; the next page of a visit is another one that takes a number."""
    found = []
    for id in sorted(registry.ids(), key=lambda id: id != "vram-inference"):
        with suppress(task.NoTask):
            found.append(task.find(id, catalog, STEPS))
    return tuple(found[:2])


@contextmanager
def place(layout: Layout) -> Iterator[Place]:
    """A copy of the site with the plain pages in it, served. Raises NotBuilt."""
    if not (layout.site / "index.html").is_file():
        raise NotBuilt(f"{layout.site} is missing: run `make build`")
    www = layout.build / "bench" / "www"
    shutil.rmtree(www, ignore_errors=True)
    shutil.copytree(layout.site, www)  # a build during the measurement must not change what is measured
    catalog = load(layout.root / "catalog")
    tasks = _tasks(catalog)
    text = to_json(catalog)
    plains = tuple(plain.write(www, text, t) for t in tasks)
    with Server(www).running() as server:
        made = Place(layout, server, catalog, tasks, plains)
        server.warm([*ASKED, *(f"{path.strip('/')}/index.html" for path in [*made.paths(), *plains])])
        yield made
    shutil.rmtree(www)
