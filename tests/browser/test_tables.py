"""Tables that sort and filter, by keyboard, in both languages; without scripts they are tables all the same."""

import pytest

from calculators.framework.text import LANGUAGES
from tests.browser.conftest import Open, Visit
from tests.browser.test_pages import KINDS, address

TABLES = ("accelerators", "models", "servers", "offers", "prices-claimed", "sources")


def column(visited: Visit, nth: int) -> list[str]:
    """The bare values of the shown rows in a column of the page's first live table."""
    found: list[str] = visited.page.evaluate(
        "nth => [...document.querySelector('table[data-table]').tBodies[0].rows].filter(r => !r.hidden)"
        ".map(r => r.cells[nth].dataset.value ?? r.cells[nth].textContent.trim())",
        nth,
    )
    return found


def figure(text: str) -> float | None:
    """A bare number, where it is one."""
    try:
        return float(text)
    except ValueError:
        return None


def number_column(visited: Visit) -> int:
    """The first column whose cells carry bare numbers."""
    found: int = visited.page.evaluate(
        "() => [...document.querySelector('table[data-table] tbody tr').cells].findIndex(c => c.dataset.value)"
    )
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", TABLES)
def test_every_head_sorts_by_keyboard(site: str, visit: Open, kind: str, lang: str) -> None:
    visited = visit(address(site, KINDS[kind], lang))
    table = visited.page.locator("table[data-table]").first
    heads = table.locator("thead th")
    assert table.locator("thead button").count() == table.locator("thead th:not([data-sort=none])").count() > 2
    for nth in range(heads.count()):
        button = heads.nth(nth).locator("button")
        if not button.count():
            continue
        for key, order in (("Enter", "ascending"), ("Space", "descending")):
            button.press(key)
            assert heads.nth(nth).get_attribute("aria-sort") == order
            assert table.locator("[aria-sort]").count() == 1
            values = column(visited, nth)
            known = [v for v in values if v not in {"", "—", "–"}]
            assert values[: len(known)] == known  # what is not known stands last either way
            figures = [number for v in known if (number := figure(v)) is not None]
            assert figures == sorted(figures, reverse=order == "descending")
    assert visited.page.evaluate("() => document.activeElement.matches('table[data-table] th button')")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_filters_say_how_many_rows_are_left(site: str, visit: Open, lang: str) -> None:
    visited = visit(address(site, KINDS["accelerators"], lang))
    page = visited.page
    said = page.locator(".guide-count").first
    total = len(column(visited, 0))
    assert said.get_attribute("role") == "status"
    assert said.inner_text().count(str(total)) == 2
    search = page.locator(".guide-filters input[type=search]").first
    search.fill("  h100   SXM ")
    assert column(visited, 0) == [name for name in column(visited, 0) if "H100" in name]
    assert str(len(column(visited, 0))) in said.inner_text()
    search.fill("<script>(.*[")
    assert column(visited, 0) == []
    assert "0" in said.inner_text()
    search.fill("")
    vendor = page.locator(".guide-filters select").first
    vendor.focus()
    page.keyboard.press("ArrowDown")
    chosen = vendor.input_value()
    assert chosen
    assert set(column(visited, 1)) == {chosen}
    page.locator("table[data-table] thead button").nth(number_column(visited)).press("Enter")
    assert set(column(visited, 1)) == {chosen}  # sorting brings no hidden row back
    vendor.select_option("")
    assert len(column(visited, 0)) == total


@pytest.mark.parametrize("kind", TABLES)
def test_without_scripts_a_table_is_whole(site: str, visit: Open, kind: str) -> None:
    plain = visit(address(site, KINDS[kind]), java_script_enabled=False).page
    live = visit(address(site, KINDS[kind])).page
    rows = "table[data-table] tbody tr"
    assert plain.locator(rows).count() == live.locator(rows).count() > 5
    assert plain.locator("table[data-table] button, .guide-filters").count() == 0
