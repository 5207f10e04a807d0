"""What readers, links and networks do wrong to a calculator's page: it says what is the matter and stays usable."""

from typing import Any

import pytest

from tests.browser.conftest import Open, Visit
from tests.browser.test_pages import KINDS, address

RENT = KINDS["rent-or-buy"]
MEMORY = KINDS["vram-inference"]
STATE = "() => document.querySelector('form[data-calculator]').dataset.state"


def until_status(visited: Visit, word: str) -> None:
    """Waits for what the form says of itself."""
    visited.wait("w => document.querySelector('form[data-calculator] [data-status]').textContent.includes(w)", word)


def note(visited: Visit) -> str:
    """What the form says of the link that brought the reader."""
    line = visited.page.locator("[data-link-note]")
    return line.inner_text() if line.count() else ""


LINKS: list[tuple[str, str, str, list[str]]] = [
    ("a number that is none", "context=%3Cscript%3Ealert(1)%3C%2Fscript%3E", "cannot take: context", ["context"]),
    ("a number with spaces", "context=%20%204096%20", "", []),
    ("an optional number that is none", "available_memory=many", "cannot take", []),
    ("a choice that is none", "model=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E", "cannot take: model", ["model"]),
    ("broken percent-encoding", "context=%E0%A4%A&model=%", "cannot take: model, context", ["model", "context"]),
    ("a very long value", "model=" + "a" * 100_000, "cannot take: model", ["model"]),
    ("very many unknown fields", "&".join(f"f{i}=1" for i in range(3000)), "f0, f1, f2, f3, f4, f5 … (3000)", []),
    ("names of the language itself", "__proto__=1&constructor=2&context=4096", "__proto__, constructor", []),
    ("markup as a name", "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E=1", "<img src=x onerror=alert(1)>", []),
    ("a field twice: the last holds", "context=1024&context=4096", "", []),
    ("another version", "context=4096&v=99", "another version of this calculator (99", []),
    ("another edition", "context=4096&data=old", "another edition of the catalog (old", []),
]


@pytest.mark.parametrize(("state", "said", "bad"), [link[1:] for link in LINKS], ids=[link[0] for link in LINKS])
def test_a_strange_link_is_told_and_harmless(site: str, visit: Open, state: str, said: str, bad: list[str]) -> None:
    visited = visit(f"{address(site, MEMORY)}#vram-inference?{state}")
    visited.page.on("dialog", lambda dialog: visited.said.append(dialog.message))
    visited.wait(f"() => ({STATE})() === 'ready'")
    until_status(visited, "last valid" if bad else "Recomputed" if "4096" in state else "Ready")
    if state.startswith("available_memory"):
        said = "does not have" if not visited.page.locator("[name=available_memory]").count() else said
    assert said in note(visited)
    assert len(note(visited)) < 400
    invalid = visited.page.locator("form [aria-invalid=true]").evaluate_all("all => all.map(e => e.name)")
    assert sorted(invalid) == sorted(bad)
    if "4096" in state:
        assert "4,096" in visited.page.locator("[data-part=answer]").inner_text()
    visited.page.locator("[data-action=reset]").click()
    until_status(visited, "Recomputed")
    assert visited.page.locator("form [aria-invalid=true]").count() == 0


@pytest.mark.parametrize(
    "fragment", ["#", "#?", "#//", "#%", '#"]', "#rent-or-buy?hours_per_month=3", "#VRAM-INFERENCE?context=5"]
)
def test_a_fragment_for_nobody_starts_nothing(site: str, visit: Open, fragment: str) -> None:
    visited = visit(address(site, MEMORY) + fragment)
    visited.page.wait_for_timeout(300)
    assert visited.page.evaluate(STATE) == "static"


def test_a_half_typed_number_is_not_an_absent_one(site: str, visit: Open) -> None:
    visited = visit(address(site, RENT))
    visited.live()
    optional: list[str] = visited.page.evaluate(
        "() => gpuguide.spec('rent-or-buy').fields.filter(f => f.optional && f.type === 'float').map(f => f.name)"
    )
    field = visited.page.locator(f"[name={optional[0]}]")
    field.evaluate("e => e.closest('details')?.setAttribute('open', '')")
    field.focus()
    visited.page.keyboard.type("1e")
    assert field.input_value() == ""
    visited.wait("n => document.querySelector(`[name=${n}]`).getAttribute('aria-invalid') === 'true'", optional[0])
    assert "not a number" in visited.page.locator(f"[data-error={optional[0]}]").inner_text()
    visited.page.keyboard.type("1")
    visited.wait("n => !document.querySelector(`[name=${n}]`).hasAttribute('aria-invalid')", optional[0])


def test_typing_and_pressing_while_python_starts(site: str, visit: Open) -> None:
    visited = visit(address(site, MEMORY))
    page = visited.page
    page.locator("[data-action=reset]").dblclick()
    page.locator("[data-preset]").first.dblclick()
    page.locator("[data-action=copy-link]").dblclick()
    for batch in range(1, 20):
        page.fill("[name=batch]", str(batch))
    page.fill("[name=context]", "12345")
    until_status(visited, "Recomputed")
    visited.wait("() => /12,345/.test(document.querySelector('[data-part=answer]').innerText)")
    assert "19 requests" in page.locator("[data-part=answer]").inner_text()


def test_a_line_that_breaks_and_comes_back(site: str, visit: Open) -> None:
    visited = visit(address(site, RENT))
    page = visited.page
    printed = page.locator("[data-part=answer]").inner_text()
    page.context.set_offline(True)
    page.fill("[name=hours_per_month]", "300")
    visited.wait(f"() => ({STATE})() === 'unavailable'")
    assert "printed answer" in visited.status()
    assert page.locator("[data-part=answer]").inner_text() == printed
    page.context.set_offline(False)
    page.fill("[name=hours_per_month]", "301")
    until_status(visited, "Recomputed")
    assert "301 h" in page.locator("[data-part=answer]").inner_text()
    visited.said[:] = [s for s in visited.said if "ERR_INTERNET_DISCONNECTED" not in s]  # the browser's own words


def test_without_its_chart_library_a_page_shows_no_old_picture(site: str, visit: Open) -> None:
    visited = visit(address(site, RENT))
    page = visited.page
    page.context.route("**/d3.min.js", lambda route: route.abort())
    page.fill("[name=hours_per_month]", "300")
    until_status(visited, "Recomputed")
    visited.wait("() => !document.querySelector('[data-part=charts] svg')")
    assert len(page.locator("[data-part=charts] figcaption").first.inner_text()) > 20
    page.context.unroute_all()
    page.fill("[name=hours_per_month]", "301")  # the next answer asks for the library again
    visited.wait("() => document.querySelector('[data-part=charts] svg')")
    visited.said[:] = [s for s in visited.said if "ERR_FAILED" not in s]  # the browser's own word on the file we withheld


REFUSED = (
    "Object.defineProperty(window, '%s', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });"
)


def test_a_browser_that_keeps_nothing(site: str, visit: Open) -> None:
    opened = visit("about:blank")
    opened.page.add_init_script("".join(REFUSED % name for name in ("localStorage", "sessionStorage")))
    opened.page.goto(address(site, RENT))
    opened.page.fill("[name=hours_per_month]", "300")
    until_status(opened, "Recomputed")
    opened.page.locator("h1").click()
    opened.page.keyboard.press("/")
    opened.page.locator("input[name=query]").press_sequentially("memory")
    opened.wait("() => document.querySelectorAll('.md-search-result__item').length > 0")


@pytest.mark.parametrize("missing", ["Worker", "WebAssembly", "DecompressionStream"])
def test_a_browser_that_cannot_run_python(site: str, visit: Open, missing: str) -> None:
    opened = visit("about:blank")
    opened.page.add_init_script(f"window.{missing} = undefined;")
    opened.page.goto(address(site, RENT))
    opened.page.fill("[name=hours_per_month]", "300")
    opened.wait(f"() => ({STATE})() === 'unavailable'")
    assert "WebAssembly" in opened.status()
    assert opened.page.locator("[name=hours_per_month]").input_value() == "300"
    opened.wait("() => location.hash === '#rent-or-buy?hours_per_month=300'")


def test_two_tabs_and_a_reload(site: str, visit: Open) -> None:
    first = visit(f"{address(site, RENT)}#rent-or-buy?hours_per_month=300")
    second: Any = first.page.context.new_page()
    second.goto(f"{address(site, RENT)}#rent-or-buy?hours_per_month=50")
    until_status(first, "Recomputed")
    first.page.reload()
    until_status(first, "Recomputed")
    assert "300 h" in first.page.locator("[data-part=answer]").inner_text()
    assert second.locator("[name=hours_per_month]").input_value() == "50"
