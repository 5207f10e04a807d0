"""Calculators of the built guide in Chromium, over http and from the unzipped bundle: what DESIGN calls the page's contract."""

import json
import re
from typing import Any

import pytest

from calculators import bridge, registry
from catalog.model import Catalog
from sitebuild.python_assets.requests import requests
from tests.browser import parity
from tests.browser.conftest import Open, Visit

PLACES = ("site", "bundle")


@pytest.fixture(params=PLACES)
def guide(request: pytest.FixtureRequest) -> str:
    """The guide's address, on a host and as a folder."""
    address: str = request.getfixturevalue(request.param)
    return address


def calculator(guide: str, id: str, state: str = "", lang: str = "en") -> str:
    """The address of a calculator's page."""
    return f"{guide}{'' if lang == 'en' else 'zh/'}calculators/{id}/{'index.html' if guide.startswith('file') else ''}{state}"


def outputs(visited: Visit) -> dict[str, str]:
    """Every output of the page as its bare value."""
    found: dict[str, str] = visited.page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-result] [data-output]')].map("
        "e => [e.dataset.output, e.dataset.value || '']))"
    )
    return found


def expected(id: str, inputs: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    """What CPython answers."""
    answer: dict[str, Any] = json.loads(bridge.call(id, json.dumps(inputs | {"lang": lang})))
    return answer


def agree(shown: dict[str, str], wanted: dict[str, Any]) -> bool:
    """Whether the page shows what CPython computed."""
    for name, value in wanted.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not shown[name] or float(f"{float(shown[name]):.12g}") != float(f"{value:.12g}"):
                return False
        elif shown[name] != ("" if value is None else str(value).lower() if isinstance(value, bool) else value):
            return False
    return True


@pytest.mark.parametrize("id", registry.ids())
def test_every_request_is_answered_as_by_cpython(guide: str, visit: Open, catalog: Catalog, id: str) -> None:
    bridge.use(catalog)
    asked = [request for other, request in requests() if other == id]
    visited = visit(calculator(guide, id))
    visited.live()
    answers = visited.page.evaluate(
        "async ([id, all]) => { const out = []; for (const r of all) out.push(await gpuguide.runtime.call(id, JSON.parse(r)));"
        " return out.map(a => JSON.stringify(a)); }",
        [id, [r for r in asked if r.startswith("{") and r != "{"]],
    )
    good = [r for r in asked if r.startswith("{") and r != "{"]
    assert [r for r, a in zip(good, answers, strict=True) if not parity.same(a, bridge.call(id, r))] == []


def test_nothing_starts_by_reading(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    visited.page.mouse.wheel(0, 4000)
    visited.page.wait_for_timeout(400)
    assert visited.page.locator("form[data-calculator]").get_attribute("data-state") == "static"
    assert [url for url in visited.requests if "/python/" in url or "d3." in url] == []


def test_the_printed_answer_is_that_of_python(guide: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    for id in registry.ids():
        visited = visit(calculator(guide, id), java_script_enabled=False)
        shown = {
            name: visited.page.locator(f"[data-result] [data-output='{name}']").first.get_attribute("data-value") or ""
            for name in expected(id, {})["outputs"]
        }
        assert agree(shown, expected(id, {})["outputs"]), id


def enter(visited: Visit, name: str, text: str) -> None:
    """Puts a text in the place of a field's own, with mouse and keys as a reader does."""
    visited.page.click(f"[name={name}]")
    visited.page.keyboard.press("ControlOrMeta+A")
    visited.page.keyboard.type(text)


def until_shown(visited: Visit, inputs: dict[str, Any]) -> None:
    """Waits until every output is that of CPython."""
    wanted = expected("vram-inference", inputs)["outputs"]
    visited.until(lambda: agree(outputs(visited), wanted), f"the outputs of {inputs}")


def test_a_change_is_computed_remembered_and_undone(guide: str, visit: Open, catalog: Catalog) -> None:
    # Browsers pass over history entries of a page that nobody touched; whoever commits a change has just clicked or typed.
    bridge.use(catalog)
    visited = visit(calculator(guide, "vram-inference"))
    page = visited.page
    entries = page.evaluate("() => history.length")
    enter(visited, "context", "4096")
    until_shown(visited, {"context": 4096})
    visited.wait("() => location.hash === '#vram-inference?context=4096'")
    assert page.evaluate("() => history.length") == entries  # typing replaces
    page.keyboard.press("Tab")
    assert page.evaluate("() => history.length") == entries + 1  # a committed change adds
    enter(visited, "batch", "7")
    page.keyboard.press("Enter")  # recomputes, never submits
    visited.wait("() => location.hash === '#vram-inference?context=4096&batch=7'")
    until_shown(visited, {"context": 4096, "batch": 7})
    assert page.evaluate("() => history.length") == entries + 2
    visited.back()
    visited.wait("() => location.hash === '#vram-inference?context=4096'")
    until_shown(visited, {"context": 4096})
    assert page.locator("[name=batch]").input_value() != "7"
    visited.back()
    visited.wait("() => location.hash === ''")
    until_shown(visited, {})
    assert page.locator("[name=context]").input_value() != "4096"


def test_a_link_brings_its_state(guide: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    state = {"context": 16384, "batch": 3}
    visited = visit(calculator(guide, "vram-inference", "#vram-inference?context=16384&batch=3&v=1&data=older&colour=red"))
    visited.wait("() => document.querySelector('form[data-calculator]').dataset.state === 'ready'")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    assert agree(outputs(visited), expected("vram-inference", state)["outputs"])
    note = visited.page.locator("[data-link-note]").inner_text()
    assert "colour" in note
    assert "older" in note
    top = visited.page.evaluate("() => document.querySelector('form[data-calculator]').getBoundingClientRect().top")
    assert -5 < top < 300


BAD = [
    ("context", "", "Enter a number"),
    ("context", "-5", "the least"),
    ("batch", "1e99", "the most"),
    ("context", "1.5", "whole"),
]


@pytest.mark.parametrize(("name", "text", "words"), BAD)
def test_a_bad_input_is_said_beside_its_field(guide: str, visit: Open, name: str, text: str, words: str) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    visited.live()
    good = outputs(visited)
    field = visited.page.locator(f"[name={name}]")
    field.fill(text)
    visited.wait("n => document.querySelector(`[name=${n}]`).getAttribute('aria-invalid') === 'true'", name)
    error = visited.page.locator(f"[data-error={name}]")
    assert error.is_visible()
    assert words in error.inner_text()
    assert field.get_attribute("aria-errormessage") == error.get_attribute("id")
    assert field.input_value() == text
    assert outputs(visited) == good
    assert visited.page.locator("[data-result][data-stale]").count() == 1
    assert visited.page.locator("form[data-calculator]").get_attribute("data-state") == "ready"
    field.fill("64")
    visited.wait("n => !document.querySelector(`[name=${n}]`).hasAttribute('aria-invalid')", name)
    assert not error.is_visible()
    assert visited.page.locator("[data-stale]").count() == 0


def test_presets_suggestions_reset_and_links(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    page = visited.page
    page.locator("[data-preset]").nth(1).click()
    visited.wait("() => location.hash.length > 3")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    page.locator("[data-action=copy-link]").click()
    visited.wait("() => /copied|copy this/i.test(document.querySelector('[data-status]').textContent)")
    report = page.locator("[data-action=report]").get_attribute("href") or ""
    assert "vram-inference" in report
    page.locator("[data-action=reset]").click()
    visited.wait("() => location.hash === ''")
    page.goto(calculator(guide, "vram-inference", "#vram-inference?context=131072&batch=64"))
    page.reload()
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    suggestion = page.locator("[data-part=suggestions] [data-set]").first
    change = json.loads(suggestion.get_attribute("data-set") or "{}")
    suggestion.click()
    for name, value in change.items():
        assert page.locator(f"[name={name}]").input_value() == str(value)
    assert page.evaluate("() => document.activeElement.hasAttribute('data-result')")


def test_charts_are_drawn_again(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    before = visited.page.locator("[data-chart] svg").first.evaluate("e => e.outerHTML")
    visited.page.fill("[name=context]", "100000")
    visited.wait("before => document.querySelector('[data-chart] svg').outerHTML !== before", before)
    svg = visited.page.locator("[data-chart] svg").first
    assert svg.get_attribute("role") == "img"
    assert svg.get_attribute("aria-label")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_links_in_refreshed_tables_lead_to_pages(guide: str, visit: Open, lang: str) -> None:
    visited = visit(calculator(guide, "vram-inference", lang=lang))
    visited.page.fill("[name=context]", "4096")
    visited.wait("() => /Recomputed|已重新计算/.test(document.querySelector('[data-status]').textContent)")
    link = visited.page.locator("[data-part=tables] a[href*='accelerators/']").first
    address = link.evaluate("a => a.href")
    assert f"{guide}{'' if lang == 'en' else 'zh/'}accelerators/" in address
    visited.page.goto(address)
    assert visited.page.locator("h1").count() == 1
    assert "404" not in visited.page.title()


def test_what_python_finds_typed_when_it_is_ready_is_in_the_url(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    # The pause after a key never ends: Python is ready before it.
    visited.page.add_init_script(
        "const real = setTimeout; self.setTimeout = (f, ms, ...a) => real(f, ms === 120 ? 1e8 : ms, ...a)"
    )
    visited.page.reload()
    visited.page.locator("[name=context]").focus()
    visited.page.keyboard.press("ControlOrMeta+A")
    visited.page.keyboard.type("4096")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    assert visited.page.evaluate("() => location.hash") == "#vram-inference?context=4096"


def test_python_that_cannot_load_leaves_a_usable_page(site: str, visit: Open) -> None:
    visited = visit(calculator(site, "vram-inference"))
    visited.page.context.route(re.compile(r"\.wasm$"), lambda route: route.fulfill(status=404))
    before = outputs(visited)
    visited.page.fill("[name=context]", "4096")
    visited.wait("() => document.querySelector('form[data-calculator]').dataset.state === 'unavailable'")
    assert "printed answer" in visited.status()
    assert outputs(visited) == before
    assert visited.page.locator("[name=context]").is_enabled()
    visited.page.context.unroute_all()
    visited.page.fill("[name=context]", "4097")  # trying again needs no reload
    visited.wait("() => document.querySelector('form[data-calculator]').dataset.state === 'ready'")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    assert outputs(visited) != before
    visited.said[:] = [s for s in visited.said if "404" not in s]  # the browser's own word on the file we withheld
