"""Small sites, built once for all tests that only look at them."""

from datetime import date
from pathlib import Path

import pytest

from sitebuild import engine, links, publish
from sitebuild.layout import Layout
from tests.shared import Shared
from tests.sitebuild import small_site

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="session")
def small(shared: Shared) -> Layout:
    """A published small site, online in `site` and for a folder in `build/offline`. Tests leave it as it is."""

    def make(root: Path) -> None:
        layout = small_site.make(root)
        engine.build(layout, engine.TARGETS + engine.OFFLINE, TODAY)
        publish.publish(layout.html / "en", layout.html / "zh", layout.site)
        english, chinese = (layout.html / name for name in engine.OFFLINE)
        publish.publish(english, chinese, layout.build / "offline", offline=True, finish=links.with_index)

    return Layout(shared.once("small", make))


@pytest.fixture
def own(tmp_path: Path) -> Layout:
    """A small site of the test's own, rendered and not yet built."""
    return small_site.make(tmp_path)
