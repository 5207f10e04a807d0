"""A GPU is one YAML file and a calculator is one module: both are added to a copy of the repository and looked for everywhere.

The copy runs in a Python of its own, so that nothing of this repository's own calculators is imported there.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from catalog.model import COLLECTIONS
from sitebuild.pages.contribute import annotated

ROOT = Path(__file__).parents[2]
ROOMS = ("catalog", "calculators", "sitebuild", "docs", "browser", "mkdocs.yml")
LANGUAGES = ("en", "zh")

CARD = """
id: example-x1
name: Example X1
name_zh: 示例 X1
vendor: Example
ecosystem: CUDA
form_factor: PCIe
memory: {value: 36, unit: GB, source: example-sheet, read: 2026-11-30, kind: datasheet}
memory_bandwidth: {value: 1234.5, unit: GB/s, source: example-sheet, read: 2026-11-30, kind: datasheet}
peaks:
- {precision: bf16, sparse: false, accumulate: fp32, rate: {value: 222.5, unit: TFLOPS, source: example-sheet, read: 2026-11-30, kind: datasheet}}
flags: [export-controlled]
"""
SOURCE = """
id: example-sheet
title: Example X1 datasheet
publisher: Example
url: https://example.org/x1.pdf
"""
OFFER = """
id: example-cloud-x1
provider: Example Cloud
accelerator: example-x1
accelerator_count: 2
amount: 3.0
currency: USD
per: hour
commitment: on-demand
bare_metal: false
source: example-sheet
date: 2026-11-01
read: 2026-11-30
kind: quoted
"""
MODULE = '''
"""Bytes of a disk image. In: files and their size. Out: bytes together."""

from dataclasses import dataclass

from calculators.framework.spec import Answer, Calculator, Example, Preset, Working, choice, real, result, whole
from calculators.framework.text import Text
from catalog.model import Catalog

GROUP = Text("Disk", "磁盘")


def _cards(catalog: Catalog):
    from calculators.framework.spec import Choice

    return tuple(Choice(a.id, Text(a.name, a.name_zh)) for a in catalog.accelerators.values())


@dataclass(frozen=True, slots=True)
class Inputs:
    files: int = whole(Text("Files", "文件数"), 3, low=1, high=1000, group=GROUP, help=Text("How many.", "多少个。"))
    file_gb: float = real(Text("Size", "大小"), 1.5, low=0.1, high=100, unit="GB", group=GROUP, help=Text("Of each.", "每个文件。"))
    card: str = choice(Text("Card", "显卡"), "example-x1", _cards, group=GROUP, help=Text("Any.", "任意。"))


@dataclass(frozen=True, slots=True)
class Outputs:
    disk_gb: float = result(Text("Disk space", "磁盘空间"), "GB", kind="exact", digits=1, headline=True)


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    total = show.show(Text("Disk space", "磁盘空间"), "files × size", f"{inputs.files} × {inputs.file_gb}", inputs.files * inputs.file_gb, "GB", "arithmetic")
    return Answer(Outputs(total))


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    return Text(f"You need {outputs.disk_gb:.1f} GB.", f"需要 {outputs.disk_gb:.1f} GB。")


CALCULATOR = Calculator(
    id="disk-space",
    version=1,
    title=Text("Disk space", "磁盘空间"),
    summary=Text("How much disk a number of files takes.", "若干文件占用多少磁盘。"),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=(Example("three", {"files": 3}, {"disk_gb": 4.5}, 1e-9, "3 × 1.5"),),
    presets=(Preset("many", Text("Many files", "很多文件"), {"files": 500}),),
)
'''
RENDER = "from pathlib import Path; from catalog import load; from sitebuild import pages; pages.render(load.load(), Path('out'), '2026-11-30')"


def run(copy: Path, *words: str) -> str:
    """A command of the copy; gives its standard output."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def gpuguide(copy: Path, *words: str) -> str:
    """The command line of the copy."""
    return run(copy, "-c", "import sys; from sitebuild.cli import main; sys.exit(main(sys.argv[1:]))", *words)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's rooms with one card (its source and a price) and one calculator more, rendered."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ROOMS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    (copy / "catalog" / "accelerators" / "example-x1.yaml").write_text(CARD, encoding="utf-8")
    (copy / "catalog" / "sources" / "example-sheet.yaml").write_text(SOURCE, encoding="utf-8")
    (copy / "catalog" / "offers" / "example-cloud-x1.yaml").write_text(OFFER, encoding="utf-8")
    (copy / "calculators" / "disk_space.py").write_text(MODULE, encoding="utf-8")
    run(copy, "-c", RENDER)
    return copy


def page(copy: Path, lang: str, path: str) -> str:
    """A rendered page."""
    return (copy / "out" / lang / path / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_card_has_a_page_with_its_facts(copy: Path, lang: str) -> None:
    text = page(copy, lang, "accelerators/example-x1")
    for shown in ("36 GB", "1,234.5 GB/s", "222.5 TFLOPS", "Example Cloud", "US$3.00"):
        assert shown in text
    assert {"en": "# Example X1", "zh": "# 示例 X1"}[lang] in text
    assert {"en": "Export-controlled", "zh": "受出口管制"}[lang] in text
    assert 'href="../../models/llama-3-1-8b/"' in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_card_has_rows_in_the_tables(copy: Path, lang: str) -> None:
    row = next(r for r in page(copy, lang, "accelerators").split("<tr>") if "accelerators/example-x1/" in r)
    assert 'data-value="36"' in row
    assert 'data-value="222.5"' in row
    assert "accelerators/example-x1/" in page(copy, lang, "offers")
    assert "accelerators/example-x1/" in page(copy, lang, "rules")
    assert '<tr id="example-sheet">' in page(copy, lang, "about/sources")
    assert "accelerators/example-x1/" in page(copy, lang, "models/llama-3-1-8b")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_card_can_be_chosen_in_the_forms(copy: Path, lang: str) -> None:
    assert '<option value="example-x1">' in page(copy, lang, "calculators/vram-inference")


def test_a_new_card_is_known_to_the_command_line(copy: Path) -> None:
    answer = json.loads(gpuguide(copy, "calc", "vram-inference", "--json", '{"accelerator": "example-x1"}'))
    assert answer["inputs"]["accelerator"] == "example-x1"
    assert "example-x1" in gpuguide(copy, "calc", "vram-inference", "--schema")


WORDS: Mapping[str, tuple[str, str, str]] = {
    "en": ("Disk space", "You need 4.5 GB.", "Many files"),
    "zh": ("磁盘空间", "需要 4.5 GB。", "很多文件"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_calculator_has_a_page_with_form_and_answer(copy: Path, lang: str) -> None:
    text = page(copy, lang, "calculators/disk-space")
    title, answer, preset = WORDS[lang]
    assert f"# {title}" in text
    assert answer in text
    assert preset in text
    assert '<form id="disk-space" data-calculator="disk-space"' in text
    assert '<input type="number" id="disk-space-files" name="files" value="3" min="1" max="1000"' in text
    assert '<output data-output="disk_gb" data-for="disk-space" data-value="4.5">4.5 GB</output>' in text
    assert 'href="#disk-space?files=500"' in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_calculator_is_listed_and_has_a_schema(copy: Path, lang: str) -> None:
    assert "](disk-space/index.md)" in page(copy, lang, "calculators").replace("../calculators/", "")
    assert "calculators/disk-space/#disk-space?files=500" in page(copy, lang, ".")
    schema = json.loads((copy / "out" / lang / "assets" / "schema" / "disk-space.json").read_text(encoding="utf-8"))
    assert schema["properties"]["files"]["title"] == {"en": "Files", "zh": "文件数"}[lang]


def test_a_new_calculator_has_its_flags_on_the_command_line(copy: Path) -> None:
    assert "disk-space" in {c["id"] for c in json.loads(gpuguide(copy, "list"))}
    answer = json.loads(gpuguide(copy, "calc", "disk-space", "--files", "10", "--file-gb", "2"))
    assert answer["outputs"]["disk_gb"] == 20


def test_the_catalog_check_is_content_with_the_card(copy: Path) -> None:
    gpuguide(copy, "catalog", "check")


@pytest.mark.parametrize("collection", list(COLLECTIONS))
def test_the_template_for_contributors_names_every_field(collection: str) -> None:
    text = annotated(collection)
    assert isinstance(yaml.safe_load(text), dict)
    for field in fields(COLLECTIONS[collection]):
        assert f"{field.name}:" in text
