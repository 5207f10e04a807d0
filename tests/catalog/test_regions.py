"""Regions: the rules of their spans, and what the real ones say."""

import shutil
from pathlib import Path

import pytest

from catalog import load
from catalog.model import Catalog, from_json, to_json

ROOT = Path(load.__file__).parent


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("value: 1.3,", "value: 1.9,", "not in order"),
        ('value: 0.65, unit: "CNY"', 'value: 0.65, unit: "USD"', "is in USD, not CNY"),
        ('value: 8, unit: "%"', 'value: 8, unit: "ratio"', "is in ratio, not %"),
        ("id: cn-north,", "id: cn,", "two grids are called cn"),
        ("year: 2023, factor: {value: 0.5306", "year: 1923, factor: {value: 0.5306", "year"),
        ("value: 0.5306", "value: 5.306", "factor"),
        ("source: mee-electricity-factors-2023", "source: nobody", "nobody"),
    ],
)
def test_a_broken_region_is_told_with_its_mend(tmp_path: Path, old: str, new: str, words: str) -> None:
    shutil.copytree(ROOT, tmp_path / "catalog", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    file = tmp_path / "catalog" / "regions" / "cn.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    found = load.check(tmp_path / "catalog")
    assert [p for p in found if words in p.message and p.path.endswith("cn.yaml") and p.line and p.mend]


def test_three_regions_with_their_grids(catalog: Catalog) -> None:
    assert set(catalog.regions) == {"cn", "us", "eu"}
    for region in catalog.regions.values():
        assert region.grids
        assert region.pue.low.value <= region.pue.base.value <= region.pue.high.value
    assert from_json(to_json(catalog)).regions["cn"] == catalog.regions["cn"]
