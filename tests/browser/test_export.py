"""An answer kept as a file, from a host and from a folder: the text is CPython's, the page only saves it."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from calculators import bridge
from catalog.model import Catalog
from tests.browser import parity
from tests.browser.conftest import Open, Visit
from tests.browser.test_live import calculator

PLACES = ("site", "bundle")


def save(visited: Visit, kind: str) -> tuple[str, str]:
    """Presses a button: the file's name and text."""
    with visited.page.expect_download() as waiting:
        visited.page.locator(f"[data-export='{kind}']").click()
    file = waiting.value
    return file.suggested_filename, Path(file.path()).read_bytes().decode("utf-8")


def python(id: str, export: Any, **inputs: Any) -> str:
    """The same file as CPython writes it."""
    text: str = json.loads(bridge.call(id, json.dumps(inputs | {"export": export})))["export"]["text"]
    return text


def same(one: str, other: str) -> bool:
    """Equal but for the last digits of a number."""
    return bool(parity.rounded(one) == parity.rounded(other))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("id", "state", "inputs"),
    [("rent-or-buy", "#rent-or-buy?horizon_months=24", {"horizon_months": 24}), ("vram-inference", "", {})],
)
def test_files_are_those_of_cpython(
    request: pytest.FixtureRequest, visit: Open, catalog: Catalog, place: str, id: str, state: str, inputs: dict[str, Any]
) -> None:
    bridge.use(catalog)
    visited = visit(calculator(request.getfixturevalue(place), id, state, lang="zh"))
    inputs = inputs | {"lang": "zh"}
    address = visited.page.url.split("#")[0]
    for kind in ("csv", "json", "md"):
        name, text = save(visited, kind)
        assert name == f"gpuguide-{id}.{kind}"
        assert same(text, python(id, {"format": kind, "address": address}, **inputs))
        assert name in visited.page.locator("[data-exports] [role='status']").inner_text()
    sheet = save(visited, "csv")[1]
    assert sheet.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(sheet.removeprefix("\ufeff"))))
    assert ["字段", "含义", "数值", "单位"] in rows


def test_the_link_in_the_report_opens_the_same_answer(site: str, visit: Open) -> None:
    visited = visit(calculator(site, "rent-or-buy", "#rent-or-buy?horizon_months=24"))
    _, text = save(visited, "md")
    link = next(line for line in text.splitlines() if line.startswith("<") and "#rent-or-buy" in line).strip("<>")
    again = visit(link)
    again.wait("() => document.querySelector('form[data-calculator]').dataset.state === 'ready'")
    assert again.page.locator("[name='horizon_months']").input_value() == "24"
    assert again.page.locator("[data-link-note]").count() == 0


def test_a_copy_is_the_report(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, "rent-or-buy"), permissions=["clipboard-read", "clipboard-write"])
    visited.page.locator("[data-export='copy']").click()
    visited.wait("() => /Copied/.test(document.querySelector(\"[data-exports] [role='status']\").textContent)")
    copied = visited.page.evaluate("() => navigator.clipboard.readText()")
    assert same(copied, python("rent-or-buy", {"format": "md", "address": visited.page.url.split("#")[0]}))


def test_a_bad_input_writes_no_file_and_says_why(site: str, visit: Open) -> None:
    visited = visit(calculator(site, "rent-or-buy"))
    visited.live()
    visited.page.locator("[name='horizon_months']").fill("0")
    # The message about the field moves what stands below it: a pointer is put on the button after that.
    visited.wait("() => document.querySelector(\"[name='horizon_months']\").getAttribute('aria-invalid') === 'true'")
    visited.page.locator("[data-export='csv']").click()
    line = visited.page.locator("[data-exports] [role='status']")
    visited.until(lambda: line.inner_text() not in ("", "Writing the file …"), "a reason")
    assert "mending" in line.inner_text()


def test_after_a_long_run_the_file_rests_on_it(site: str, visit: Open, catalog: Catalog) -> None:
    bridge.use(catalog)
    visited = visit(calculator(site, "tco", "#tco?draws=2000"))
    visited.page.locator("[data-action='simulate']").click()
    visited.wait("() => /rests on/.test(document.querySelector(\"[data-simulate] [role='status']\").textContent)")
    assert json.loads(save(visited, "json")[1])["simulation"]["draws"] == 2000
    visited.page.locator("[name='accelerator_count']").fill("4")
    visited.until(lambda: visited.page.locator("[data-simulate] [role='status']").inner_text() == "", "the quick answer")
    assert json.loads(save(visited, "json")[1])["simulation"]["draws"] < 2000


def test_paper_has_the_working_and_no_buttons(site: str, visit: Open) -> None:
    visited = visit(calculator(site, "rent-or-buy"))
    visited.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    visited.page.emulate_media(media="print")
    assert visited.page.locator("[data-part='working'] li").first.is_visible()
    assert visited.page.locator("form [name='month_hours']").is_visible()  # a setting that is folded on the screen
    assert visited.page.locator("form [name='hourly_price']").is_hidden()  # left empty
    for hidden in (
        "[data-exports]",
        "[data-action='copy-link']",
        "[data-action='compare']",
        ".md-header",
        "[data-part='suggestions']",
    ):
        assert visited.page.locator(hidden).first.is_hidden()
    visited.page.emulate_media(media="screen")
    visited.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert visited.page.locator("[data-part='working'] li").first.is_hidden()
