"""Python restored from memory: where it is, and that a page that cannot restore it starts it from its library."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route

from calculators import bridge
from catalog.model import Catalog, to_json
from tests.browser import page as bare
from tests.browser.conftest import Open, Visit

MEMORY = re.compile(r"/memory\.gz$")
RESTORED = "() => gpuguide.runtime.restored"
CONTEXT = 4096


def answers(visited: Visit) -> bool:
    """Whether the page's Python, however it started, gives CPython's answer."""
    visited.page.fill("[name=context]", str(CONTEXT))
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    wanted = json.loads(bridge.call("vram-inference", json.dumps({"context": CONTEXT})))["outputs"]["kv_cache_gib"]
    return float(visited.value("kv_cache_gib") or "nan") == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("place", ["site", "bundle"])
def test_chromium_restores_python(place: str, request: pytest.FixtureRequest, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    file = "index.html" if place == "bundle" else ""
    visited = visit(f"{request.getfixturevalue(place)}calculators/vram-inference/{file}")
    assert answers(visited)
    assert visited.page.evaluate(RESTORED)


def absent(route: Route) -> None:
    """The host has no such file."""
    route.fulfill(status=404)


def garbage(route: Route) -> None:
    """Another program's file."""
    route.fulfill(body=b"not gzip at all" * 1000)


def another(route: Route) -> None:
    """A file of the right form and size that is no memory of this Python."""
    size = len(gzip.decompress(route.fetch().body()))
    route.fulfill(body=gzip.compress(bytes(size), 1))


@pytest.mark.parametrize("host", [absent, garbage, another])
def test_a_memory_that_does_not_fit_costs_no_answer(
    host: Callable[[Route], None], site: str, visit: Open, catalog: Catalog
) -> None:
    bridge.use(catalog)
    visited = visit(f"{site}calculators/vram-inference/")
    visited.page.context.route(MEMORY, host)
    assert answers(visited)
    assert not visited.page.evaluate(RESTORED)
    visited.said[:] = [s for s in visited.said if "404" not in s]  # the browser's own word on the file we withheld


def test_a_damaged_folder_still_answers(tmp_path: Path, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    built = bare.write(tmp_path, "vram-inference", to_json(catalog), local=True)
    last = max((tmp_path / built["python"] / "local").glob("memory-*.js"), key=lambda p: int(p.stem.split("-")[1]))
    text = last.read_text("utf-8")
    last.write_text(re.sub(r'"[A-Za-z0-9+/=]{1000,}"', '"AAAA"', text), "utf-8")
    assert last.read_text("utf-8") != text
    visited = visit((tmp_path / "index.html").as_uri())
    assert answers(visited)
    assert not visited.page.evaluate(RESTORED)
