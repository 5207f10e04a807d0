"""One site from two languages: shared assets, a policy that fits the page, nothing from elsewhere."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from sitebuild import bundle, files, publish
from sitebuild.checks import languages, links
from sitebuild.checks.page import read_all
from sitebuild.layout import Layout
from tests.sitebuild.conftest import TODAY


@pytest.mark.parametrize("place", ["site", "build/offline"])
def test_pages_are_well_formed_linked_in_both_languages_and_fetch_nothing_elsewhere(small: Layout, place: str) -> None:
    site = small.root / place
    pages = read_all(site)
    assert [(page.path, page.faults, page.twice) for page in pages.values() if page.faults or page.twice] == []
    assert links.check(site, pages) == []
    assert languages.check(pages) == []


def test_the_chinese_site_has_no_copy_of_shared_assets(small: Layout) -> None:
    names = files.listing(small.site)
    assert [name for name in names if name.startswith("zh/assets/")] == []
    assert "../../../assets/stylesheets/main." in (small.site / "zh/guide/memory/index.html").read_text(encoding="utf-8")
    assert [name for name in names if name.endswith(".map") or "/lunr/" in name] == []


def test_plain_mkdocs_output_needs_no_other_step(small: Layout) -> None:
    pages = read_all(small.html / "en")
    assert {name for name in pages if name != "404.html"} == {
        "index.html",
        "guide/memory/index.html",
        "accelerators/ascend/index.html",
        "about/licence/index.html",
        "about/report/index.html",
    }
    wrong = [p for p in links.check(small.html / "en", pages) if "zh/" not in p.message and "out of the site" not in p.message]
    assert wrong == []


@pytest.mark.parametrize("name", ["index.html", "zh/guide/memory/index.html", "404.html"])
def test_the_policy_allows_the_pages_own_scripts_and_no_others(small: Layout, name: str) -> None:
    html = (small.site / name).read_text(encoding="utf-8")
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    assert found
    rules = dict(rule.split(" ", 1) for rule in found[1].split("; "))
    assert "unsafe-inline" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    for code in re.findall(r"<script>(.*?)</script>", html, re.DOTALL):
        value = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"'sha256-{value}'" in rules["script-src"]


def test_pages_with_a_calculator_carry_its_scripts_and_others_do_not(small: Layout) -> None:
    with_form = (small.site / "guide/memory/index.html").read_text(encoding="utf-8")
    without = (small.site / "index.html").read_text(encoding="utf-8")
    assert "calculators.js" in with_form
    assert '"base":"../../"' in with_form.replace(": ", ":").replace("\\u002F", "/")
    assert "calculators.js" not in without
    assert "gpuguide-config" not in without


def test_unchanged_files_are_left_alone(small: Layout) -> None:
    assert not publish.publish(small.html / "en", small.html / "zh", small.site)


def test_two_zips_of_the_same_folder_are_the_same_bytes(small: Layout, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        bundle.pack(small.build / "offline", tmp_path / name, TODAY)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
