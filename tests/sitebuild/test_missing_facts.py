"""A fact that leaves the catalog: its page shows a dash, pages that quote it too, and the site is still made."""

import dataclasses
from pathlib import Path

import pytest

from catalog.load import load
from catalog.model import Accelerator, Catalog
from sitebuild import pages
from sitebuild.pages.calculator import Refused, Runs

ROOT = Path(__file__).resolve().parents[2]
CARD = "rtx-4090-24g"
"""Where the calculators start, and what the articles compare: more pages rest on it than on any other."""


def bare(card: Accelerator) -> Accelerator:
    """The card without what a source may not tell."""
    return dataclasses.replace(card, memory_bandwidth=None, power=None, peaks=())


@pytest.fixture
def poorer() -> Catalog:
    found = load()
    return dataclasses.replace(found, accelerators={**found.accelerators, CARD: bare(found.accelerators[CARD])})


def test_the_site_is_made_with_dashes(poorer: Catalog, tmp_path: Path) -> None:
    pages.render(poorer, tmp_path / "pages", "2026-12-01", root=ROOT, cache=tmp_path / "cache")
    for lang in ("en", "zh"):
        card = (tmp_path / "pages" / lang / "accelerators" / CARD / "index.md").read_text("utf-8")
        assert "<dd>—</dd>" in card
        assert "None" not in card
        throughput = (tmp_path / "pages" / lang / "calculators" / "throughput" / "index.md").read_text("utf-8")
        assert 'data-part="answer" data-for="throughput"><p>' in throughput
        assert "<form" in throughput


def test_a_sentence_that_rests_on_no_answer_says_which(poorer: Catalog) -> None:
    with pytest.raises(Refused, match=r"a page asks throughput with .*bandwidth"):
        Runs(poorer).ask("throughput", {"accelerator": CARD}, "en")
