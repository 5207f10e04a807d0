"""The pages as they are rendered from the real rooms: complete in both languages, linked, and equal to what the calculators answer."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import yaml

from calculators import bridge, registry
from calculators.framework.text import LANGUAGES, Lang
from catalog.model import COLLECTIONS, Catalog, from_json
from sitebuild import pages
from sitebuild.pages.claims import recompute
from sitebuild.pages.fit import all_fits
from sitebuild.pages.measured import kind_name
from sitebuild.pages.memo import Memo
from sitebuild.pages.show import Show

ROOT = Path(__file__).parents[2]
TODAY = "2026-11-30"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LINK = re.compile(r'\]\(([^)\s]+)\)|\shref="([^"]*)"')
ANCHOR = re.compile(r'\{#([^}\s]+)\}|\sid="([^"]+)"')
HEADING = re.compile(r"^(#{1,6}) (.+?)(?: \{#[^}]+\})?$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
STATE = re.compile(r"\]\(#([a-z-]+)\?([^)\s]+)\)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
CODE = re.compile(r"`[^`\n]*`|<code>.*?</code>")


@pytest.fixture(scope="module")
def out(catalog: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both languages, rendered once for this file; charts are named, not drawn."""
    folder = tmp_path_factory.mktemp("pages") / "pages"

    def draw(specs: list[dict[str, object]]) -> list[str]:
        return [f'<svg data-drawn="{spec["id"]}"></svg>' for spec in specs]

    pages.render(catalog, folder, TODAY, root=ROOT, draw=draw)
    return folder


def texts(out: Path, lang: str) -> Iterator[tuple[str, str]]:
    """Page folder -> its Markdown."""
    for file in sorted((out / lang).rglob("*.md")):
        yield file.parent.relative_to(out / lang).as_posix(), file.read_text(encoding="utf-8")


def front(text: str) -> dict[str, object]:
    """A page's front matter."""
    found: dict[str, object] = yaml.safe_load(text.split("---\n")[1])
    return found


def test_both_languages_have_the_same_pages(out: Path) -> None:
    english, chinese = ({path for path, _ in texts(out, lang)} for lang in LANGUAGES)
    assert english == chinese
    assert len(english) > 100


@pytest.mark.parametrize("collection", ["accelerators", "models", "servers"])
def test_every_record_has_a_page_and_a_row(out: Path, catalog: Catalog, collection: str) -> None:
    for lang in LANGUAGES:
        index = (out / lang / collection / "index.md").read_text(encoding="utf-8")
        for id in getattr(catalog, collection):
            assert (out / lang / collection / id / "index.md").is_file()
            assert f'href="../{collection}/{id}/"' in index


def test_every_offer_and_source_has_a_row(out: Path, catalog: Catalog) -> None:
    for lang in LANGUAGES:
        offers = (out / lang / "offers" / "index.md").read_text(encoding="utf-8")
        assert offers.count('<tr><th scope="row">') == len(catalog.offers)
        sources = (out / lang / "about" / "sources" / "index.md").read_text(encoding="utf-8")
        assert all(f'<tr id="{id}">' in sources for id in catalog.sources)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", registry.ids())
def test_a_calculator_page_has_its_hooks_and_its_answer(out: Path, id: str, lang: Lang) -> None:
    text = (out / lang / "calculators" / id / "index.md").read_text(encoding="utf-8")
    answer = json.loads(bridge.call(id, json.dumps({"lang": lang, "view": True})))
    calculator = registry.find(id)
    assert calculator is not None
    assert text.count(f'<form id="{id}" data-calculator="{id}" data-state="static" data-search-exclude') == 1
    assert text.count(f'data-result="{id}"') == 1
    for name in calculator.fields():
        assert f' name="{name}"' in text
        assert f'id="{id}-{name}-error" data-error="{name}" hidden' in text
    for name, shown in answer["view"]["display"].items():
        cell = re.search(rf'<output data-output="{name}" data-for="{id}" data-value="([^"]*)">(.*?)</output>', text)
        assert cell is not None
        assert unescape(cell.group(2)) == shown
        value = answer["outputs"][name]
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert float(cell.group(1)) == value
    for part, html in answer["view"]["parts"].items():
        assert f'<div data-part="{part}" data-for="{id}">' in text
        if "~/" not in html:
            assert " ".join(html.split("\n")) in text
    for chart in answer["charts"]:
        assert f'data-chart="{chart["id"]}"' in text
        assert f'data-drawn="{chart["id"]}"' in text
    assert front(text)["calculators"] == [id]


def test_a_form_is_one_line_so_that_no_engine_rewrites_it(out: Path) -> None:
    for lang in LANGUAGES:
        for path, text in texts(out, lang):
            for line in text.splitlines():
                assert line.count("<form") == line.count("</form>"), path
                assert line.count("<table") == line.count("</table>"), path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_chapter_opens_its_calculator_with_inputs_that_it_takes(out: Path, lang: Lang) -> None:
    found = [m for path, text in texts(out, lang) if path.startswith("guide/") for m in STATE.findall(text)]
    assert found
    for id, state in found:
        given = {name: json.loads(value) if NUMBER.fullmatch(value) else value for name, value in parse_qsl(state)}
        answer = json.loads(bridge.call(id, json.dumps({**given, "lang": lang})))
        assert "error" not in answer, (id, state, answer)
        assert all(answer["inputs"][name] == value for name, value in given.items())


def test_a_price_in_prose_is_the_offers(out: Path, catalog: Catalog) -> None:
    offer = catalog.offers["jizhisuan-rtx-4090-24g-hour"]
    text = (out / "en" / "guide" / "buy-or-rent" / "index.md").read_text(encoding="utf-8")
    assert f'data-value="{offer.amount!r}" title="{offer.provider}, {offer.date}">¥1.96/hour</span>' in text
    assert f'about/sources/#{offer.source}"' in text


def test_a_chinese_paragraph_has_no_space_where_its_source_has_a_line_end(out: Path) -> None:
    text = (out / "zh" / "guide" / "what-decides-memory" / "index.md").read_text(encoding="utf-8")
    assert "答案是四项之和：两项由" in text
    assert "\n| 组成 | 随什么增长" in text
    assert "\n## 四个组成部分" in text


def test_nothing_of_the_templates_is_left(out: Path) -> None:
    for lang in LANGUAGES:
        for path, text in texts(out, lang):
            prose = CODE.sub("", FENCE.sub("", text))
            for mark in ("{{", "{%", "<#--", "@@", "](~/", '="~/', ">None<", ">nan<", ">inf<", "Undefined"):
                assert mark not in prose, f"{lang}/{path}: {mark}"


def test_every_link_leads_to_a_page_and_every_anchor_is_there(out: Path) -> None:
    anchors = {(lang, path): {a or b for a, b in ANCHOR.findall(text)} for lang in LANGUAGES for path, text in texts(out, lang)}
    for lang in LANGUAGES:
        for path, text in texts(out, lang):
            for markdown, html in LINK.findall(FENCE.sub("", text)):
                link = unescape(markdown or html)
                if re.match(r"[a-z]+:", link):
                    continue
                target, _, anchor = link.partition("#")
                file = (out / lang / path / target).resolve() if target else out / lang / path / "index.md"
                site_root = lang == "zh" and target.startswith("../" * (path.count("/") + (path != ".")) + "../")
                if site_root:
                    file = (out / "en" / re.sub(r"^(\.\./)+", "", target)).resolve()
                file = file / "index.md" if file.is_dir() else file
                assert file.is_file(), f"{lang}/{path}: {link}"
                if anchor and "?" not in anchor and not site_root:
                    folder = file.parent.relative_to((out / lang).resolve()).as_posix()
                    assert anchor in anchors[lang, folder], f"{lang}/{path}: {link}"


def test_front_matter_tells_the_scripts_that_a_page_needs(out: Path) -> None:
    for lang in LANGUAGES:
        for path, text in texts(out, lang):
            head = front(text)
            assert head["title"], path
            assert len(str(head["description"])) >= 20, path
            forms = re.findall(r'<form id="[^"]+" data-calculator="([^"]+)"', text)
            assert head.get("calculators", []) == forms, path
            if "data-table " in text:
                assert head.get("tables"), path
            if " data-age>" in text:
                assert head.get("tables") or forms, path


def test_headings_are_in_the_language_of_the_page(out: Path, catalog: Catalog) -> None:
    names = {n for c in ("accelerators", "models", "servers") for r in getattr(catalog, c).values() for n in (r.name,)}
    for path, text in texts(out, "en"):
        for _, heading in HEADING.findall(FENCE.sub("", text)):
            assert not CHINESE.search(heading), f"{path}: {heading}"
        assert not CHINESE.search(str(front(text)["description"])), path
    for path, text in texts(out, "zh"):
        for _, heading in HEADING.findall(FENCE.sub("", text)):
            assert CHINESE.search(heading) or heading in names, f"{path}: {heading}"
        assert CHINESE.search(str(front(text)["description"])), path


def test_doubtful_values_are_marked_wherever_they_stand(out: Path, catalog: Catalog) -> None:
    doubtful = [a for a in catalog.accelerators.values() if not a.memory.confirmed]
    assert doubtful
    for a in doubtful:
        text = (out / "en" / "accelerators" / a.id / "index.md").read_text(encoding="utf-8")
        row = next(r for r in text.split("<tr>") if r.startswith('<th scope="row">Memory'))
        assert 'class="guide-unconfirmed"' in row
    unlocated = sum(s.unlocated for s in catalog.sources.values())
    sources = (out / "zh" / "about" / "sources" / "index.md").read_text(encoding="utf-8")
    assert sources.count('<span class="guide-unconfirmed">') == unlocated


def test_flags_are_warnings_on_the_page_and_rows_on_the_rules_page(out: Path, catalog: Catalog) -> None:
    rules = (out / "en" / "rules" / "index.md").read_text(encoding="utf-8")
    for a in catalog.accelerators.values():
        text = (out / "en" / "accelerators" / a.id / "index.md").read_text(encoding="utf-8")
        assert text.count("\n!!! ") == len(a.flags)
        for flag in a.flags:
            section = rules.split(f"{{#{flag}}}")[1].split("\n## ")[0]
            assert f'href="../accelerators/{a.id}/"' in section


def test_the_published_data_are_the_catalog_and_its_schemas(out: Path, catalog: Catalog) -> None:
    text = (out / "en" / "assets" / "data" / "catalog.json").read_text(encoding="utf-8")
    assert from_json(text) == catalog
    names = {f"catalog.{c}.json" for c in COLLECTIONS} | {f"{id}.json" for id in registry.ids()}
    assert {p.name for p in (out / "en" / "assets" / "schema").iterdir()} == names


def test_a_second_rendering_writes_nothing_and_clears_what_is_stale(out: Path, catalog: Catalog) -> None:
    stale = out / "en" / "accelerators" / "gone" / "index.md"
    stale.parent.mkdir()
    stale.write_text("# Gone\n", encoding="utf-8")
    before = {p: p.stat().st_mtime_ns for p in out.rglob("index.md") if p != stale and "calculators" not in p.parts}
    pages.render(catalog, out, TODAY, root=ROOT)
    assert not stale.exists()
    after = {p: p.stat().st_mtime_ns for p in before}
    # without the drawing of charts, pages with charts differ
    assert {p for p in before if before[p] != after[p]} <= {p for p in before if "guide" in p.parts}


CLAIMED = [
    # label, divisor, cheapest and dearest cost on one basis, break-even hours; checked by hand from the printed prices
    ("4090 24G", 330.0, 5.99, 5.99, 505.1),
    ("4090 48G", 329.7, 7.26, 7.26, None),
    ("昇腾910B 64G", 320.2, 4.71, 6.23, 544.7),
    ("H20 96G", None, None, None, None),
    ("H100 80G", 1977.5, 10.67, 10.67, None),
]


@pytest.mark.parametrize(("label", "divisor", "low", "high", "hours"), CLAIMED, ids=[row[0] for row in CLAIMED])
def test_the_claimed_table_recomputed(
    catalog: Catalog, label: str, divisor: float | None, low: float | None, high: float | None, hours: float | None
) -> None:
    table = next(iter(catalog.claims.values()))
    row = next(r for r in recompute(table, catalog) if r.row.label == label)
    costs = [o.cost for o in row.like_for_like]
    assert row.divisor == (None if divisor is None else pytest.approx(divisor, rel=1e-3))
    assert (min(costs, default=None), max(costs, default=None)) == (
        None if low is None else pytest.approx(low, abs=0.005),
        None if high is None else pytest.approx(high, abs=0.005),
    )
    assert row.break_even_hours == (None if hours is None else pytest.approx(hours, rel=1e-3))


def test_the_printed_costs_stand_on_different_bases(catalog: Catalog) -> None:
    rows = {r.row.label: r for r in recompute(next(iter(catalog.claims.values())), catalog)}
    h100 = {(b.peak.precision, b.peak.sparse) for b in rows["H100 80G"].reproduced_by}
    assert h100 == {("bf16", True), ("fp8", False)}
    assert ("fp16", False, "fp16") in {
        (b.peak.precision, b.peak.sparse, b.peak.accumulate) for b in rows["4090 24G"].reproduced_by
    }
    assert all(not b.peak.sparse for b in rows["昇腾910B 64G"].reproduced_by)
    assert rows["4090 48G"].thirty_days == rows["4090 48G"].row.month_8


ARTICLES = {
    "break-even of the 4090 24G": ("505 h (4090 24G)", "505 小时（4090 24G）"),
    "break-even of the 910B": ("545 h (910B)", "545 小时（910B）"),
    "thirty days are the month": ("¥320 × 30 days is ¥9,600", "¥320 × 30 天为 ¥9,600"),
    "three days": ("3 × ¥320 = ¥960", "3 × ¥320 = ¥960"),
    "a day against hours": ("after 20.4 h", "满 20.4 小时"),
    "no month price for one card": ("For an eighth of the machine, ¥990", "按整机八分之一即 ¥990"),
    "H100 by the article's own TFLOPS": ("¥71.35, not ¥5.34", "¥71.35，而不是 ¥5.34"),
}


@pytest.mark.parametrize("name", ARTICLES)
def test_the_articles_sums_stand_on_the_page(out: Path, name: str) -> None:
    """Worked out by hand from the printed prices: 7,920 / (8 x 1.96), 15,600 / (8 x 3.58), 320 / (8 x 1.96), 84,480 / 8 / 148."""
    for lang, said in zip(LANGUAGES, ARTICLES[name], strict=True):
        assert said in (out / lang / "prices-claimed" / "index.md").read_text(encoding="utf-8")


PER_TFLOPS = {
    "4090 24G": (3.0, "5.99"),
    "4090 48G": (3.64, "7.26"),
    "昇腾910B 64G": (6.09, "6.23"),
    "H100 80G": (5.34, "10.67"),
}
"""As printed, and on one basis: dense BF16 with FP32 accumulate (the 910B as the sub-model of 313 TFLOPS)."""


@pytest.mark.parametrize("label", PER_TFLOPS)
def test_the_column_per_tflops_stands_as_printed_and_on_one_basis(out: Path, catalog: Catalog, label: str) -> None:
    printed, basis = PER_TFLOPS[label]
    row = next(r for r in recompute(next(iter(catalog.claims.values())), catalog) if r.row.label == label)
    assert row.row.per_tflops_month == printed
    for lang in LANGUAGES:
        text = (out / lang / "prices-claimed" / "index.md").read_text(encoding="utf-8")
        cells = [part for part in text.split("<tr>") if f">{label}<" in part]
        assert any(f"¥{printed:.2f}" in part for part in cells), lang
        assert any(f">¥{basis}<" in part for part in cells), lang


@pytest.mark.parametrize(
    ("amount", "currency", "english", "chinese"),
    [(1.96, "CNY", "¥1.96", "¥1.96"), (15600, "CNY", "¥15,600", "¥15,600"), (0.03, "USD", "US$0.0300", "US$0.0300")],
)
def test_money(catalog: Catalog, amount: float, currency: str, english: str, chinese: str) -> None:
    assert Show(catalog, "en", TODAY).money(amount, currency) == english
    assert Show(catalog, "zh", TODAY).money(amount, currency) == chinese


def test_fits_are_what_the_calculator_answers(catalog: Catalog, tmp_path: Path) -> None:
    memo = Memo(tmp_path / "memo.json", ROOT)
    fits = all_fits(catalog, registry.ids(), memo)
    fit = next(f for f in fits if f.model == "llama-3-3-70b" and f.accelerator == "h100-sxm")
    answer = json.loads(bridge.call("vram-inference", json.dumps({"model": "llama-3-3-70b", "accelerator": "h100-sxm"})))
    assert fit.cards[0] is not None
    assert fit.cards[0].count == answer["outputs"]["gpus_needed"]
    memo.save()
    again = all_fits(catalog, registry.ids(), Memo(tmp_path / "memo.json", ROOT))
    assert again == fits


def test_a_memo_computes_once_and_again_when_something_changed(tmp_path: Path) -> None:
    calls: list[int] = []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    first = Memo(tmp_path / "m.json", ROOT)
    assert [first.get(["a"], compute), first.get(["a"], compute), first.get(["b"], compute)] == [1, 1, 2]
    first.save()
    second = Memo(tmp_path / "m.json", ROOT)
    assert [second.get(["a"], compute), second.get(["c"], compute)] == [1, 3]
    (tmp_path / "m.json").write_text("{", encoding="utf-8")
    assert Memo(tmp_path / "m.json", ROOT).get(["a"], compute) == 4


def test_the_cases_page_shows_each_case_and_scores_no_case_outside_its_tolerance(out: Path) -> None:
    files = [ROOT / "tests" / "cases" / name for name in ("memory.yaml", "cost.yaml")]
    found = [case for file in files for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]]
    for lang in LANGUAGES:
        text = (out / lang / "about" / "cases" / "index.md").read_text(encoding="utf-8")
        assert all(f"<code>{case['id']}</code>" in text for case in found)
        assert {"en": "outside tolerance", "zh": "超出容差"}[lang] not in text


def test_the_accuracy_page_says_which_published_figures_of_cost_are_wrong_and_why(out: Path) -> None:
    found = yaml.safe_load((ROOT / "tests" / "cases" / "cost.yaml").read_text(encoding="utf-8"))["cases"]
    wrong = [case for case in found if case["kind"] == "published_error"]
    assert wrong
    for lang, note in (("en", "note"), ("zh", "note_zh")):
        for page in ("accuracy", "cases"):
            text = unescape((out / lang / "about" / page / "index.md").read_text(encoding="utf-8"))
            assert [case["id"] for case in wrong if case[note] not in text] == [], (lang, page)
    text = (out / "en" / "about" / "accuracy" / "index.md").read_text(encoding="utf-8")
    topics = {kind_name(case["topic"]) for case in found if case["kind"] == "agree"}
    assert all(f'<th scope="row">{topic.en}</th>' in text for topic in topics)
    assert all(topic.zh != topic.en for topic in topics)
