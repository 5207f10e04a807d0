"""What every test shares: the order of the rooms and the browsers' paths.

The quick rooms run first, so that a wrong formula is told in seconds and not after a build and two browsers. A browser that is
missing fails the tests that ask for it; nothing is skipped.
"""

from pathlib import Path

import pytest

from calculators import bridge
from catalog import load
from catalog.model import Catalog
from tools import browsers

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("catalog", "calculators", "tools", "sitebuild", "browser", "bench")


def room(item: pytest.Item) -> int:
    """The place of a test's room in the order; a room that the order does not name comes last."""
    name = item.path.relative_to(ROOT / "tests").parts[0]
    return ROOMS.index(name) if name in ROOMS else len(ROOMS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts by room alone: within one, the order that keeps shared fixtures together stays."""
    items.sort(key=room)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that starts."""
    return browsers.path("chromium")


@pytest.fixture(scope="session")
def firefox() -> str:
    """The path of a Firefox that starts."""
    return browsers.path("firefox")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The real catalog, set in the bridge, so that a test may call calculators as a page does."""
    found = load.load()
    bridge.use(found)
    return found
