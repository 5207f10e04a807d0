"""The engine builds both languages, and again only what changed."""

import json
import shutil
from dataclasses import replace

import pytest

from sitebuild import engine, files, publish, search, theme
from sitebuild.layout import Layout
from tests.sitebuild import small_site
from tests.sitebuild.conftest import TODAY

PAGE = "guide/memory/index.md"


def test_only_the_changed_page_is_made_again_and_the_result_is_that_of_a_whole_build(own: Layout) -> None:
    assert engine.build(own, engine.TARGETS, TODAY) == {"en": "all pages", "zh": "all pages"}
    publish.publish(own.html / "en", own.html / "zh", own.site)
    assert engine.build(own, engine.TARGETS, TODAY) == {"en": "nothing", "zh": "nothing"}
    page = own.pages / "zh" / PAGE
    page.write_text(page.read_text(encoding="utf-8") + "\n新增一段：专家并行。\n", encoding="utf-8")
    assert engine.build(own, engine.TARGETS, TODAY) == {"en": "nothing", "zh": "some pages"}
    changes = publish.publish(own.html / "en", own.html / "zh", own.site)
    assert set(changes.changed) <= {"zh/guide/memory/index.html", "zh/search/search_index.json", "zh/sitemap.xml"}
    partial = snapshot(own)
    shutil.rmtree(own.html)
    engine.build(own, engine.TARGETS, TODAY)
    shutil.rmtree(own.site)
    publish.publish(own.html / "en", own.html / "zh", own.site)
    assert snapshot(own) == partial


def snapshot(layout: Layout) -> dict[str, bytes]:
    """Every file of the published site."""
    return {name: (layout.site / name).read_bytes() for name in files.listing(layout.site)}


def test_what_pages_share_makes_all_of_them_again(own: Layout) -> None:
    engine.build(own, ["en"], TODAY)
    (own.theme / "main.html").write_text((own.theme / "main.html").read_text() + "\n")
    assert engine.build(own, ["en"], TODAY) == {"en": "all pages"}
    files.write(own.pages / "en/new/index.md", "# New\n")
    assert engine.build(own, ["en"], TODAY) == {"en": "all pages"}


def test_a_new_python_runtime_makes_only_the_calculators_pages_again(own: Layout) -> None:
    files.write(own.pages / "en/assets/python/old/x.txt", "old")
    engine.build(own, ["en"], TODAY)
    before = {name: (own.html / "en" / name).stat().st_mtime_ns for name in ("index.html", "guide/memory/index.html")}
    (own.pages / "en/assets/python/old/x.txt").unlink()
    files.write(own.pages / "en/assets/python/new/x.txt", "new")
    theme.build(own, "assets/python/new/", "2026-11-30")
    assert engine.build(own, ["en"], TODAY) == {"en": "some pages"}
    after = {name: (own.html / "en" / name).stat().st_mtime_ns for name in before}
    assert [name for name in before if before[name] != after[name]] == ["guide/memory/index.html"]
    assert "assets/python/new/" in (own.html / "en/guide/memory/index.html").read_text(encoding="utf-8")
    assert [name for name in files.listing(own.html / "en") if "/python/" in name] == ["assets/python/new/x.txt"]


def test_a_broken_link_stops_the_build_and_is_tried_again(own: Layout) -> None:
    page = own.pages / "en" / PAGE
    page.write_text(page.read_text() + "\n[gone](../gone/index.md)\n")
    for _ in range(2):
        with pytest.raises(engine.EngineError, match="gone/index"):
            engine.build(own, ["en"], TODAY)


def test_two_builds_in_two_places_are_the_same_bytes(small: Layout, own: Layout) -> None:
    engine.build(own, engine.TARGETS, TODAY)
    publish.publish(own.html / "en", own.html / "zh", own.site)
    assert snapshot(own) == snapshot(small)


def test_plain_mkdocs_takes_seconds_and_gives_both_languages(own: Layout) -> None:
    assert engine.bare_build(own, TODAY) > 0
    for lang in engine.TARGETS:
        assert (own.html / f"bare-{lang}" / "guide/memory/index.html").is_file()


def test_a_merged_index_keeps_the_order_of_pages() -> None:
    def index(*entries: tuple[str, str]) -> str:
        return json.dumps({"config": {}, "docs": [{"location": at, "text": text} for at, text in entries]})

    before = index(("", "home"), ("a/", "old"), ("a/#x", "old x"), ("b/", "b"))
    now = index(("a/", "new"), ("a/#y", "new y"))
    merged = [(entry["location"], entry["text"]) for entry in json.loads(search.merge(before, now))["docs"]]
    assert merged == [("", "home"), ("a/", "new"), ("a/#y", "new y"), ("b/", "b")]


def test_miscut_words_go_into_the_dictionary() -> None:
    kept = search.miscut(["昇腾", "裸金属", "张量并行", "竞价实例", "显存"])
    assert {"昇腾", "裸金属"} <= set(kept)
    assert "张量并行" not in kept, "both of its words are found when it is kept apart"


def test_a_job_says_how_much(own: Layout) -> None:
    job = engine.Job("en", own.config, some=False)
    assert replace(job, some=True).some
    assert set(small_site.PAGES) == {f"{lang}/{path}" for lang in ("en", "zh") for path in files.listing(own.pages / lang)}
