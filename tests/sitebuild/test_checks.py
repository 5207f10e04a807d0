"""Each check finds the fault it is for, and passes over what is right."""

from pathlib import Path

import pytest

from sitebuild.checks import chinese, languages, links, zensical
from sitebuild.checks.page import Page, read, read_all
from sitebuild.layout import Layout
from tests.sitebuild.conftest import TODAY

HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>'


def site(folder: Path, body: str) -> Path:
    (folder / "b").mkdir()
    (folder / "b" / "index.html").write_text(f'{HEAD}<h2 id="there">There</h2><form id="calc"></form></body></html>')
    (folder / "index.html").write_text(f'{HEAD}<p id="here">{body}</p></body></html>')
    return folder


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b/">x</a>', ""),
        ('<a href="b/index.html#there">x</a>', ""),
        ('<a href="#here">x</a>', ""),
        ('<a href="b/#calc?a=1/there?b=2">x</a>', ""),
        ('<a href="https://example.org/">x</a>', ""),
        ('<img src="data:image/png;base64,AA" alt="">', ""),
        ('<link rel="alternate " href="https://example.org/zh/">', ""),
        ('<a href="c/">x</a>', "does not exist"),
        ('<a href="../out/">x</a>', "out of the site"),
        ('<a href="b/#gone">x</a>', "no id gone"),
        ('<a href="#gone?x=1">x</a>', "no id gone"),
        ('<script src="https://example.org/x.js"></script>', "another host"),
        ('<script src="//example.org/x.js"></script>', "another host"),
        ('<img src="https://example.org/x.png" alt="">', "another host"),
        ('<link rel="stylesheet" href="https://example.org/x.css">', "another host"),
    ],
)
def test_links(tmp_path: Path, body: str, fault: str) -> None:
    folder = site(tmp_path, body)
    found = links.check(folder, read_all(folder))
    assert [fault in problem.message for problem in found] == ([True] if fault else [])


def test_a_style_sheet_fetches_nothing_elsewhere(tmp_path: Path) -> None:
    folder = site(tmp_path, "")
    (folder / "a.css").write_text("a{background:url(https://example.org/x.png)} b{background:url(data:image/png;base64,AA)}")
    assert [p.file for p in links.check(folder, read_all(folder))] == ["a.css"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p>a<br>b<img src='x' alt=''></p>", ""),
        ("<svg><path d='M0'/></svg>", ""),
        ("<p><b>x</p></b>", "is not closed before"),
        ("<p>x</p></div>", "closes nothing"),
        ("<div>x", "is never closed"),
    ],
)
def test_tags_match(tmp_path: Path, body: str, fault: str) -> None:
    file = tmp_path / "a.html"
    file.write_text(body)
    faults = read(file, "a.html").faults
    assert any(fault in message for _, message in faults) if fault else not faults


def test_an_id_that_stands_twice_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text('<p id="a"></p><p id="a"></p>')
    assert read(file, "a.html").twice == [("a", 1)]


def pair(**changed: object) -> dict[str, Page]:
    english = Page("a/index.html", lang="en", language_link="../zh/a/", headings=[("x", "h2 X")], forms=["calc"], outputs=["n"])
    chinese_page = Page(
        "zh/a/index.html", lang="zh", language_link="../../a/", headings=[("x", "h2 甲")], forms=["calc"], outputs=["n"]
    )
    for name, value in changed.items():
        setattr(chinese_page, name, value)
    return {page.path: page for page in (english, chinese_page)}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({}, ""),
        ({"lang": "en"}, "should be"),
        ({"language_link": "../../"}, "does not lead to a/index.html"),
        ({"headings": [("y", "h2 甲")]}, "sections' ids"),
        ({"forms": []}, "forms"),
        ({"outputs": ["m"]}, "outputs"),
    ],
)
def test_languages(changed: dict[str, object], fault: str) -> None:
    found = languages.check(pair(**changed))
    assert [fault in problem.message for problem in found] == ([True] if fault else [])


def test_a_page_in_one_language_only_is_told() -> None:
    pages = pair()
    del pages["zh/a/index.html"]
    assert [p.message for p in languages.check(pages)] == ["has no Chinese page"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("一张 4090 有 24 GB 显存。", 0),
        ("`8卡` 与 [卡](https://example.org/8卡) 以及 {{ say('8卡') }}。", 0),
        ("## 权重 {#weights}", 0),
        ("```\n8卡\n```", 0),
        ("<b class='x'>显存</b>", 0),
        ("8卡服务器", 1),
        ("使用vLLM", 1),
        ("显存,带宽", 1),
        ("显存(24 GB)", 1),
    ],
)
def test_chinese_text(text: str, faults: int) -> None:
    assert len(chinese.check_text("a.md", text)) == faults


def test_one_word_for_one_concept() -> None:
    text = "租用裸机。\n抢占式实例\n有的厂商叫“抢占式实例”。"
    found = chinese.check_terms("a.md", text, {"裸机": "裸金属", "抢占式实例": "竞价实例"})
    assert [(p.line, p.message.split(",")[0]) for p in found] == [(1, "the guide says 裸金属"), (2, "the guide says 竞价实例")]


def test_the_shipped_terms_do_not_contradict_each_other() -> None:
    words = chinese.avoided(Layout().docs / "terms.yaml")
    assert not set(words) & set(words.values())


def test_the_second_engine_shows_the_same(small: Layout) -> None:
    assert zensical.check(small, TODAY) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"headings": [("x", "h2 Other")]}, "headings differ"),
        ({"forms": []}, "forms differ"),
        ({"outputs": []}, "outputs differ"),
    ],
)
def test_a_difference_between_engines_is_told(change: dict[str, object], fault: str) -> None:
    one, two = pair(), pair(**change)
    found = zensical.compare({"a": one["zh/a/index.html"]}, {"a": two["zh/a/index.html"]}, "zh")
    assert [fault in problem.message for problem in found] == [True]
