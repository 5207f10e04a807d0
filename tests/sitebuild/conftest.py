"""Small sites, built once for all tests that only look at them."""

from datetime import date
from pathlib import Path

import pytest

from sitebuild import engine, links, publish
from sitebuild.layout import Layout
from tests.sitebuild import small_site

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A published small site, online in `site` and for a folder in `build/offline`. Tests leave it as it is."""
    layout = small_site.make(tmp_path_factory.mktemp("small"))
    engine.build(layout, engine.TARGETS + engine.OFFLINE, TODAY)
    publish.publish(layout.html / "en", layout.html / "zh", layout.site)
    english, chinese = (layout.html / name for name in engine.OFFLINE)
    publish.publish(english, chinese, layout.build / "offline", offline=True, finish=links.with_index)
    return layout


@pytest.fixture
def own(tmp_path: Path) -> Layout:
    """A small site of the test's own, rendered and not yet built."""
    return small_site.make(tmp_path)
