"""Links: from an author's `~/room/id/` to what a page online and a page in a folder need."""

from pathlib import Path

import pytest

from sitebuild.links import from_sources, relative, resolve, site_root, with_index

RELATIVE = [
    ("", "[a](~/models/x/)", "[a](models/x/index.md)"),
    ("", "[a](~/)", "[a](index.md)"),
    ("models/x", "[a](~/models/)", "[a](../../models/index.md)"),
    ("models/x", "[a](~/about/report/#where)", "[a](../../about/report/index.md#where)"),
    ("models/x", "[a](~/calculators/c/#c?model=x&batch=2)", "[a](../../calculators/c/index.md#c?model=x&batch=2)"),
    ("rules", '<a href="~/models/x/">', '<a href="../models/x/">'),
    ("rules", '<a class="y" href="~/">', '<a class="y" href="../">'),
    ("", '<a href="~/">', '<a href="./">'),
    ("rules", "[a](https://example.org/~/b/)", "[a](https://example.org/~/b/)"),
    ("rules", "~/models/ in words", "~/models/ in words"),
]


@pytest.mark.parametrize(("page", "given", "expected"), RELATIVE)
def test_relative(page: str, given: str, expected: str) -> None:
    assert relative(given, page) == expected


SOURCES = [
    ("guide/a.md", "[x](../about/sources.md)", "[x](~/about/sources/)"),
    ("guide/a.md", "[x](b.md#part)", "[x](~/guide/b/#part)"),
    ("guide/a.md", "[x](../index.md)", "[x](~/)"),
    ("index.md", "[x](models/index.md)", "[x](~/models/)"),
    ("guide/a.md", "[x](https://example.org/a.md)", "[x](https://example.org/a.md)"),
    ("guide/a.md", "[x](~/models/)", "[x](~/models/)"),
]


@pytest.mark.parametrize(("file", "given", "expected"), SOURCES)
def test_from_sources(file: str, given: str, expected: str) -> None:
    assert from_sources(given, file) == expected


def test_the_root_of_the_site_is_the_english_root() -> None:
    assert [site_root("", "en"), site_root("a/b", "en"), site_root("", "zh"), site_root("a/b", "zh")] == [
        "./",
        "../../",
        "../",
        "../../../",
    ]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Three pages as an engine writes them."""
    for page in ("", "models", "models/x"):
        folder = tmp_path / page
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text('<a href="models/x/">x</a>', encoding="utf-8")
    return tmp_path


INDEXED = [
    ("", '<a href="models/x/">', '<a href="models/x/index.html">'),
    ("", '<a href="models/x/#part">', '<a href="models/x/index.html#part">'),
    ("", '<a class="y" href="models/">', '<a class="y" href="models/index.html">'),
    ("models/x", '<a href="..">', '<a href="../index.html">'),
    ("models/x", '<a href="../../">', '<a href="../../index.html">'),
    ("models/x", '<a href="../../#c?model=x">', '<a href="../../index.html#c?model=x">'),
    ("models", '<a href=".">', '<a href="./index.html">'),
    ("models", '<a href="#part">', '<a href="#part">'),
    ("models", '<a href="">', '<a href="">'),
    ("models", '<a href="https://example.org/">', '<a href="https://example.org/">'),
    ("models", '<a href="//example.org/">', '<a href="//example.org/">'),
    ("models", '<a href="nowhere/">', '<a href="nowhere/">'),
    ("models", '<a href="x/index.html">', '<a href="x/index.html">'),
]


@pytest.mark.parametrize(("page", "given", "expected"), INDEXED)
def test_with_index(site: Path, page: str, given: str, expected: str) -> None:
    assert with_index(given, site / page) == expected


def test_resolve_changes_pages_of_a_folder_only(site: Path) -> None:
    assert resolve(site, directory_urls=True) == 0
    assert resolve(site, directory_urls=False) == 1
    assert "models/x/index.html" in (site / "index.html").read_text(encoding="utf-8")
    assert resolve(site, directory_urls=False) == 0
