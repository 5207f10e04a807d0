"""What every test shares: the order of the rooms, how processes share them, what is built for them, the browsers.

The quick rooms run first, so that a wrong formula is told in seconds and not after a build and two browsers. A browser that is
missing fails the tests that ask for it; nothing is skipped.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from calculators import bridge
from catalog import load
from catalog.model import Catalog
from tests.shared import Shared
from tools import browsers

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("catalog", "calculators", "tools", "bench", "sitebuild", "browser")
"""The bench waits more than it works and asserts no time: beside others it costs little, alone at the end a minute."""
SINGLY = ("tests/browser/", "tests/sitebuild/test_search_page.py")
"""Where each test is a page of its own: these are handed out one by one, other files whole, for what their tests share."""
TOGETHER = "tests/browser/test_runtime_node.py"
MOST_WORKERS = 4
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

settings.register_profile("guide", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("guide")
"""A busy machine is no fault of the code; what a change must pass asks the same examples every time."""


def room(item: pytest.Item) -> int:
    """The place of a test's room in the order; a room that the order does not name comes last."""
    name = item.path.relative_to(ROOT / "tests").parts[0]
    return ROOMS.index(name) if name in ROOMS else len(ROOMS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts by room alone: within one, the order that keeps shared fixtures together stays."""
    items.sort(key=room)


def unit(test: str) -> str:
    """What goes to one process as a whole: the test's file, or the test alone."""
    file = test.split("::", 1)[0]
    return test if file.startswith(SINGLY) and file != TOGETHER else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hands the units out in the order of the rooms, the next one to whoever is free."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - one process alone does without

    config.option.loadscopereorder = False
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = unit
    return scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process a core; each has a browser of its own, so that many cores do not fill the memory."""
    return min(os.process_cpu_count() or 1, MOST_WORKERS)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """What is made once for all processes of this run."""
    return Shared.of(tmp_path_factory.getbasetemp())


def make(module: str) -> None:
    """Runs a build step: quick where nothing has changed."""
    subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True)


@pytest.fixture(scope="session")
def built_site(shared: Shared) -> Path:
    """site/, up to date."""
    shared.once("site", lambda _: make("sitebuild.build"))
    return ROOT / "site"


@pytest.fixture(scope="session")
def built_bundle(shared: Shared) -> Path:
    """The newest zip in dist/, up to date."""
    shared.once("zip", lambda _: make("sitebuild.bundle"))
    return max((ROOT / "dist").glob("gpu-server-guide-offline-*.zip"), key=lambda p: p.stat().st_mtime)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that starts."""
    return browsers.path("chromium")


@pytest.fixture(scope="session")
def firefox() -> str:
    """The path of a Firefox that starts."""
    return browsers.path("firefox")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests of a process; each opens contexts of its own in it."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The real catalog, set in the bridge, so that a test may call calculators as a page does."""
    found = load.load()
    bridge.use(found)
    return found
