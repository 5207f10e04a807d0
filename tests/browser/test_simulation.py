"""The long run in a real page: draws in steps, words on the way, an end that is CPython's, and ways to stop."""

import json
from typing import Any

import pytest

from calculators import bridge
from catalog.model import Catalog
from tests.browser import axe, parity
from tests.browser.conftest import Open, Visit
from tests.browser.test_live import agree, calculator, outputs

ID = "tco"
RUN = "[data-action='simulate']"
STATUS = "[data-simulate] [role='status']"
DONE = "() => /rests on|已基于|现已基于/.test(document.querySelector(\"[data-simulate] [role='status']\").textContent)"


def asked(**inputs: Any) -> dict[str, Any]:
    """What CPython answers, all draws made at once."""
    found: dict[str, Any] = json.loads(bridge.call(ID, json.dumps({"simulate": True} | inputs)))
    return found


def drawn(visited: Visit) -> str:
    """The table of draws as it stands in the page; what is not laid out yet has its text too."""
    return visited.page.locator("[data-part='tables'] table[data-table-id='draws']").text_content() or ""


def words(visited: Visit) -> str:
    """What the long run says of itself."""
    return visited.page.locator(STATUS).inner_text()


@pytest.mark.parametrize("place", ["site", "bundle"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_long_run_replaces_the_quick_answer(
    request: pytest.FixtureRequest, visit: Open, catalog: Catalog, place: str, lang: str
) -> None:
    bridge.use(catalog)
    visited = visit(calculator(request.getfixturevalue(place), ID, lang=lang))
    quick = drawn(visited)
    button = visited.page.locator(RUN)
    assert "10,000" in button.inner_text()
    button.click()
    visited.wait(DONE)
    expected = asked(lang=lang)
    assert agree(outputs(visited), expected["outputs"])
    assert drawn(visited) != quick
    assert "10,000" in words(visited)
    caption = visited.page.locator("[data-chart='draws'] figcaption")
    visited.until(lambda: "10,000" in caption.inner_text(), "the chart of the long run")
    visited.wait("() => document.querySelector(\"[data-chart='draws'] svg[data-kind='fan']:not(.narrow)\") !== null")


def test_the_same_seed_gives_the_same_draws_here_and_there(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, ID))
    visited.live()
    request = {"simulate": True, "lang": "en", "seed": 7}
    found = visited.page.evaluate("async ([id, r]) => JSON.stringify(await gpuguide.runtime.call(id, r))", [ID, request])
    assert parity.same(found, bridge.call(ID, json.dumps(request)))


def test_how_far_it_is_is_told_and_the_same_button_stops_it(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID, "#tco?draws=100000"))
    visited.live()
    before = drawn(visited)
    button = visited.page.locator(RUN)
    button.focus()
    visited.page.keyboard.press("Enter")
    visited.wait("() => / of 100,000 draws/.test(document.querySelector(\"[data-simulate] [role='status']\").textContent)")
    bar = visited.page.locator("[data-simulate] progress")
    assert bar.is_visible()
    assert 0 < float(bar.evaluate("e => e.value")) < 100_000
    assert button.inner_text() == "Cancel"
    assert visited.page.evaluate("() => document.activeElement.dataset.action") == "simulate"
    visited.page.keyboard.press("Enter")
    assert words(visited).startswith("Stopped.")
    assert bar.is_hidden()
    visited.page.wait_for_timeout(600)
    assert words(visited).startswith("Stopped.")
    assert drawn(visited) == before


def test_a_changed_input_ends_the_run_and_its_own_answer_comes(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, ID, "#tco?draws=100000"))
    visited.live()
    visited.page.locator(RUN).click()
    visited.wait("() => document.querySelector('[data-simulate]').hasAttribute('data-running')")
    visited.page.locator("[name='accelerator_count']").fill("4")
    visited.wait("() => !document.querySelector('[data-simulate]').hasAttribute('data-running')")
    expected = json.loads(bridge.call(ID, json.dumps({"accelerator_count": 4, "draws": 100_000})))
    visited.until(lambda: agree(outputs(visited), expected["outputs"]), "the quick answer to the new input")
    visited.page.wait_for_timeout(500)
    assert agree(outputs(visited), expected["outputs"])


def test_enter_keeps_what_a_long_run_answered_and_another_input_does_not(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, ID))
    visited.page.locator(RUN).click()
    visited.wait(DONE)
    field = visited.page.locator("[name='accelerator_count']")
    field.press("Enter")
    visited.page.wait_for_timeout(500)
    assert agree(outputs(visited), asked()["outputs"])
    field.fill("-1")
    visited.until(lambda: field.get_attribute("aria-invalid") == "true", "the error")
    field.fill("8")
    quick = json.loads(bridge.call(ID, "{}"))
    visited.until(lambda: agree(outputs(visited), quick["outputs"]), "the quick answer again")
    assert field.get_attribute("aria-invalid") is None
    assert words(visited) == ""


def test_an_input_that_cannot_be_used_is_told_where_it_was_asked(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID))
    visited.live()
    visited.page.locator("[name='accelerator_count']").fill("-1")
    visited.page.locator(RUN).click()
    visited.wait("() => !document.querySelector('[data-simulate]').hasAttribute('data-running')")
    assert words(visited)
    assert "rests on" not in words(visited)


def test_draws_and_seed_are_in_the_link(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, ID, "#tco?draws=3000&seed=5"))
    visited.page.locator(RUN).click()
    visited.wait(DONE)
    assert "3,000" in words(visited)
    assert agree(outputs(visited), asked(draws=3000, seed=5)["outputs"])
    assert visited.page.url.endswith("#tco?draws=3000&seed=5") or visited.page.url.endswith("#tco?seed=5&draws=3000")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_run_has_no_faults_for_assistive_technology(site: str, visit: Open, scheme: str) -> None:
    visited = visit(calculator(site, ID), color_scheme=scheme)
    visited.page.locator(RUN).click()
    visited.wait(DONE)
    assert axe.find(visited.page) == []


def test_nothing_runs_over_at_360_px(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID, lang="zh"), viewport={"width": 360, "height": 800})
    visited.page.locator(RUN).click()
    visited.wait(DONE)
    assert visited.page.evaluate("() => document.documentElement.scrollWidth") <= 360
