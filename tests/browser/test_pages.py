"""One page of each kind, in both languages, as readers with different means meet it: by keyboard, on a phone, on paper,
with a screen reader, without scripts, from a folder. A page may say nothing on the console and ask no other host.
"""

from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from calculators import registry
from calculators.framework.text import LANGUAGES
from tests.browser import axe
from tests.browser.conftest import Open, Visit

KINDS = {
    "home": "",
    "chapter": "guide/what-decides-memory/",
    "accelerators": "accelerators/",
    "accelerator": "accelerators/h100-sxm/",
    "models": "models/",
    "model": "models/deepseek-v3/",
    "servers": "servers/",
    "server": "servers/dgx-h100/",
    "offers": "offers/",
    "prices-claimed": "prices-claimed/",
    "rules": "rules/",
    "calculators": "calculators/",
    "accuracy": "about/accuracy/",
    "cases": "about/cases/",
    "sources": "about/sources/",
    "report": "about/report/",
    "contribute": "about/contribute/",
    "decisions": "about/decisions/",
    "licence": "about/licence/",
    **{id: f"calculators/{id}/" for id in registry.ids()},
}
MANY = ("guide/*/", "accelerators/*/", "models/*/", "servers/*/")
"""Kinds with many pages, of which one stands for all."""
SAMPLE = ("home", "chapter", "accelerators", "accelerator", "rent-or-buy")
"""What is opened from a folder: each way in which a page comes to life."""
PHONE = {"width": 360, "height": 740}
ZOOMED = {"width": 320, "height": 256}
"""1280 x 1024 at 400 %, the narrowest that the accessibility guidelines ask for."""
UNFOLD = "() => document.querySelectorAll('details').forEach(d => { d.open = true; })"
SIDEWAYS = """() => {
  const width = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth <= width) return [];
  const own = e => !e.closest('.scroll, .md-typeset__scrollwrap, .guide-scroll, pre, .md-sidebar');
  return [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > width + 1 && own(e)).map(e => e.outerHTML.slice(0, 160));
}"""


def address(root: str, path: str, lang: str = "en") -> str:
    """A page's address on a host or in a folder."""
    index = "index.html" if root.startswith("file") and not path.endswith(".html") else ""
    return f"{root}{'' if lang == 'en' else 'zh/'}{path}{index}"


def sound(visited: Visit, *, dark: bool = True) -> None:
    """Nothing for axe to find, and nothing that sticks out on a phone or when zoomed."""
    page = visited.page
    page.evaluate(UNFOLD)
    assert axe.find(page) == []
    if dark:
        page.emulate_media(color_scheme="dark")
        visited.wait("() => document.body.dataset.mdColorScheme === 'slate'")
        assert axe.find(page, axe.COLOURS) == []
    for size in (PHONE, ZOOMED):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert page.evaluate(SIDEWAYS) == [], size


def test_every_page_is_of_a_kind(built_site: Path) -> None:
    paths = {f"{p.parent.relative_to(built_site).as_posix()}/".removeprefix("./") for p in built_site.rglob("index.html")}
    english = {p for p in paths if p != "zh/" and not p.startswith("zh/")}
    assert {f"zh/{p}" for p in english} == paths - english
    assert sorted(p for p in english if p not in KINDS.values() and not any(fnmatch(p, many) for many in MANY)) == []
    assert sorted(set(KINDS.values()) - english) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_sound(site: str, visit: Open, kind: str, lang: str) -> None:
    # The dark colours of a page are the same in its other language.
    sound(visit(address(site, KINDS[kind], lang), reduced_motion="reduce"), dark=lang == "en")


def test_the_page_for_a_wrong_address_is_sound(site: str, visit: Open) -> None:
    visited = visit(f"{site}no/such/page/", reduced_motion="reduce")
    assert visited.said.pop(0).startswith("Failed to load resource")  # the browser's own word on the answer 404
    assert visited.page.locator("h1").inner_text().startswith("404")
    sound(visited)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", SAMPLE)
def test_a_page_from_a_folder_is_sound(bundle: str, visit: Open, kind: str, lang: str) -> None:
    sound(visit(address(bundle, KINDS[kind], lang), reduced_motion="reduce"), dark=False)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", registry.ids())
def test_a_calculator_without_scripts_has_its_answer(site: str, visit: Open, id: str, lang: str) -> None:
    page = visit(address(site, KINDS[id], lang), java_script_enabled=False).page
    assert len(page.locator("[data-part=answer]").inner_text()) > 40
    shown = page.locator("[data-result] [data-output]")
    assert shown.count() > 3
    assert all(text.strip() for text in shown.all_inner_texts())
    assert page.locator("[data-part=tables] tbody tr, [data-part=chart-tables] tbody tr").count() > 2
    page.locator("[data-result] > details summary", has_text="working" if lang == "en" else "计算过程").click()
    assert page.locator("[data-part=working] li").first.is_visible()
    assert page.locator("[data-part=charts] svg[role=img]:visible").count() == page.locator("[data-part=charts] figure").count()


@pytest.mark.parametrize("kind", ["home", "chapter", "accelerator", "accelerators", "offers"])
def test_a_page_without_scripts_reads_the_same(site: str, visit: Open, kind: str) -> None:
    def content(visited: Visit) -> str:
        marks = visited.page.locator(".md-content a[href], .md-content tbody tr, .md-content h2, .md-content [data-output]")
        return str(marks.count())

    plain = visit(address(site, KINDS[kind]), java_script_enabled=False)
    assert content(plain) == content(visit(address(site, KINDS[kind])))
    assert plain.page.locator("h1").is_visible()


@pytest.mark.parametrize("place", ["site", "bundle"])
@pytest.mark.parametrize("path", ["calculators/rent-or-buy/", "guide/what-decides-memory/", "accelerators/h100-sxm/", ""])
def test_the_language_link_leads_to_the_same_page_and_back(
    request: pytest.FixtureRequest, visit: Open, place: str, path: str
) -> None:
    root = request.getfixturevalue(place)
    visited = visit(address(root, path) + "#somewhere")
    for lang in ("zh", "en"):
        visited.page.locator("a[data-guide-language]").click()
        visited.wait("lang => document.documentElement.lang.startsWith(lang)", lang)
        assert visited.page.url == address(root, path, lang) + "#somewhere"


def test_the_language_link_keeps_a_calculators_state(site: str, visit: Open) -> None:
    visited = visit(address(site, KINDS["rent-or-buy"]))
    page = visited.page
    page.fill("[name=hours_per_month]", "321")
    page.locator("a[data-guide-language]").click()
    visited.wait("() => document.documentElement.lang.startsWith('zh')")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('已重新计算')")
    assert page.locator("[name=hours_per_month]").input_value() == "321"


def focused(visited: Visit) -> dict[str, Any]:
    """The element that has the focus."""
    found: dict[str, Any] = visited.page.evaluate(
        """() => { const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
        return { name: e.getAttribute('name') || '', text: e.innerText || '', skip: e.classList.contains('md-skip'),
          seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && style.visibility === 'visible',
          ring: style.outlineStyle !== 'none' || style.boxShadow !== 'none' || style.borderStyle !== 'none' }; }"""
    )
    return found


def test_a_calculator_by_keyboard(site: str, visit: Open) -> None:
    visited = visit(address(site, KINDS["vram-inference"]), reduced_motion="reduce")
    page = visited.page
    page.keyboard.press("Tab")
    assert focused(visited)["skip"]
    page.keyboard.press("Enter")
    met = []
    for _ in range(80):
        page.keyboard.press("Tab")
        here = focused(visited)
        assert here["seen"], here
        assert here["ring"], here
        met.append(here["name"] or here["text"])
    names = page.locator("form[data-calculator] :is(input, select)[name]:visible").evaluate_all("all => all.map(e => e.name)")
    assert [name for name in met if name in names] == names  # in the order in which they are read
    assert met.index(names[0]) < 15  # the skip link passed the navigation over
    assert met.index("Copy link") > met.index(names[-1])


HIDDEN_ON_PAPER = (".md-header", ".md-sidebar", ".md-footer", ".actions", ".guide-filters", ".presets", ".md-top")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["chapter", "accelerators", "rent-or-buy"])
def test_paper_has_the_numbers_and_no_navigation(site: str, visit: Open, kind: str, lang: str) -> None:
    page = visit(address(site, KINDS[kind], lang)).page
    page.emulate_media(media="print")
    for part in HIDDEN_ON_PAPER:
        assert page.locator(part).locator("visible=true").count() == 0, part
    numbers = page.locator(".md-content :is([data-output], td[data-value])")
    assert numbers.count() > 5
    assert numbers.first.is_visible()
    assert (
        page.locator("form[data-calculator] :is(input, select)").locator("visible=true").count()
        >= page.locator("form[data-calculator] fieldset:not(details fieldset) :is(input, select)").count()
    )


def test_going_on_and_back_keeps_what_was_typed(site: str, visit: Open) -> None:
    visited = visit(address(site, KINDS["rent-or-buy"]))
    page = visited.page
    page.fill("[name=hours_per_month]", "321")
    visited.wait("() => document.querySelector('[data-status]').textContent.startsWith('Recomputed')")
    answer = page.locator("[data-part=answer]").inner_text()
    page.locator(".md-footer__link--prev").click()
    visited.wait("() => !document.querySelector('[name=hours_per_month]')")
    visited.back()
    visited.wait("() => document.querySelector('[name=hours_per_month]')?.value === '321'")
    visited.wait("text => document.querySelector('[data-part=answer]').innerText === text", answer)


@pytest.mark.parametrize(("lang", "query"), [("en", "bare metal"), ("zh", "显存"), ("zh", "昇腾"), ("zh", "裸金属")])
@pytest.mark.parametrize("place", ["site", "bundle"])
def test_search_of_the_whole_guide(request: pytest.FixtureRequest, visit: Open, place: str, lang: str, query: str) -> None:
    visited = visit(address(request.getfixturevalue(place), "", lang), reduced_motion="reduce")
    visited.page.keyboard.press("/")
    visited.page.locator("input[name=query]").press_sequentially(query)
    found = visited.page.locator(".md-search-result__item")
    visited.steadily(lambda: any(query in text for text in found.all_inner_texts()[:3]), f"{query} among the first three")
    visited.page.locator(".md-search-result__link").first.click()
    visited.wait("q => document.querySelector('.md-content')?.innerText.toLowerCase().includes(q)", query)
