"""Scenarios side by side: kept from the form, in one link, with what differs and what comes out."""

import pytest

from tests.browser import axe
from tests.browser.conftest import Open, Visit
from tests.browser.test_live import calculator

ID = "rent-or-buy"
TABLE = "[data-part='scenarios'] table"


def compare(visited: Visit) -> None:
    visited.page.locator("[data-action='compare']").click()


def row(visited: Visit, name: str) -> list[str]:
    """The cells of a row."""
    return visited.page.locator(f"{TABLE} tr:has(th:text-is('{name}')) td").all_inner_texts()


@pytest.mark.parametrize("place", ["site", "bundle"])
def test_a_kept_scenario_stands_beside_the_form_and_in_the_link(
    request: pytest.FixtureRequest, visit: Open, place: str
) -> None:
    visited = visit(calculator(request.getfixturevalue(place), ID))
    compare(visited)
    visited.wait(f'() => document.querySelector("{TABLE}") !== null')
    assert "All inputs are the same so far" in visited.page.locator(TABLE).inner_text()
    visited.until(lambda: "scenario B" in visited.status(), "what to do next")
    visited.page.locator("[name='horizon_months']").fill("12")
    visited.until(lambda: row(visited, "Horizon") == ["12 months", "36 months"], "the row that differs")
    assert visited.page.url.endswith(f"#{ID}?horizon_months=12/{ID}?")
    totals = row(visited, "By the hour: total")
    assert len(totals) == 2
    assert "%" in totals[1]
    assert visited.page.locator(f"{TABLE} th[scope='row']:text-is('Currency')").count() == 0


def test_one_link_opens_all_scenarios(site: str, visit: Open) -> None:
    state = f"#{ID}?horizon_months=12/{ID}?/{ID}?accelerator_count=4&hours_per_month=100"
    visited = visit(calculator(site, ID, state))
    visited.until(lambda: row(visited, "Horizon") == ["12 months", "36 months", "36 months"], "three columns")
    assert row(visited, "Number of accelerators") == ["8 GPUs", "8 GPUs", "4 GPUs"]
    assert visited.page.locator("[name='horizon_months']").input_value() == "12"
    assert visited.page.url.endswith(state)
    visited.page.locator("[data-action='copy-link']").click()
    link = visited.page.evaluate("() => gpuguide.calculators[0].link()")
    assert link.count("/rent-or-buy?") == 2 + ("/calculators/rent-or-buy?" in link)
    assert "&v=" in link


def test_opened_removed_and_back(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID, f"#{ID}?horizon_months=12/{ID}?horizon_months=24"))
    visited.until(lambda: row(visited, "Horizon") == ["12 months", "24 months"], "two columns")
    visited.page.locator("[data-action='open-scenario']").first.click()
    visited.until(lambda: row(visited, "Horizon") == ["24 months", "12 months"], "changed places")
    assert visited.page.locator("[name='horizon_months']").input_value() == "24"
    visited.page.locator("[data-action='remove-scenario']").first.click()
    visited.wait(f'() => document.querySelector("{TABLE}") === null')
    assert visited.page.url.endswith(f"#{ID}?horizon_months=24")
    visited.back()
    visited.until(lambda: row(visited, "Horizon") == ["24 months", "12 months"], "Back brings it again")
    visited.back()
    visited.until(lambda: row(visited, "Horizon") == ["12 months", "24 months"], "and again")


def test_a_scenario_at_the_defaults_is_written(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID))
    compare(visited)
    visited.wait(f'() => document.querySelector("{TABLE}") !== null')
    assert visited.page.url.endswith(f"#{ID}?/{ID}?")


def test_what_finds_no_place_is_named(site: str, visit: Open) -> None:
    many = "/".join(f"{ID}?horizon_months={n}" for n in range(12, 22))
    visited = visit(calculator(site, ID, f"#{many}/nobody?x=1/{ID}?colour=red"))
    note = visited.page.locator("[data-link-note]").inner_text()
    assert "5 beside the form" in note
    assert "5 were left out" in note
    assert "nobody" in note
    assert "colour" in note
    visited.wait(f'() => document.querySelectorAll("{TABLE} thead th").length === 6')
    assert visited.page.locator("[data-action='compare']").is_disabled()


def test_a_scenario_that_cannot_be_computed_keeps_its_place(site: str, visit: Open) -> None:
    visited = visit(calculator(site, ID, f"#{ID}?/{ID}?horizon_months=9999/{ID}?horizon_months=12"))
    visited.wait(f'() => document.querySelectorAll("{TABLE} thead th").length === 3')
    assert "1–" in visited.page.locator(TABLE).inner_text()
    assert row(visited, "By the hour: total")[1] == "—"
    assert row(visited, "By the hour: total")[2] != "—"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_with_the_keyboard_and_for_assistive_technology(site: str, visit: Open, scheme: str) -> None:
    visited = visit(calculator(site, ID, f"#{ID}?horizon_months=12/{ID}?horizon_months=24"), color_scheme=scheme)
    visited.until(lambda: row(visited, "Horizon") == ["12 months", "24 months"], "two columns")
    visited.page.locator("[data-action='open-scenario']").focus()
    visited.page.keyboard.press("Enter")
    visited.until(lambda: row(visited, "Horizon") == ["24 months", "12 months"], "changed places")
    assert visited.page.evaluate("() => document.activeElement.dataset.action") == "open-scenario"
    assert axe.find(visited.page) == []


def test_nothing_runs_over_at_360_px(site: str, visit: Open) -> None:
    state = "/".join(f"{ID}?horizon_months={n}" for n in (12, 24, 36))
    visited = visit(calculator(site, ID, f"#{state}", lang="zh"), viewport={"width": 360, "height": 800})
    visited.wait(f'() => document.querySelector("{TABLE}") !== null')
    assert visited.page.evaluate("() => document.documentElement.scrollWidth") <= 360
