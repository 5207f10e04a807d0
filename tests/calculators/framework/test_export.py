"""Files that a reader keeps: they hold what the page says, open in a spreadsheet, and lead back."""

import csv
import io
import json
import re
from typing import Any

import pytest

from calculators import bridge, registry
from calculators.framework.export import csv_text
from catalog.model import Catalog

LANGS = ("en", "zh")


def ask(id: str, **request: Any) -> Any:
    return json.loads(bridge.call(id, json.dumps(request)))


def file(id: str, export: Any, **request: Any) -> dict[str, str]:
    found: dict[str, str] = ask(id, export=export, **request)["export"]
    return found


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id", registry.ids())
def test_a_sheet_holds_inputs_results_and_tables(id: str, lang: str) -> None:
    answer = ask(id, lang=lang)
    made = file(id, "csv", lang=lang)
    assert made["name"] == f"gpuguide-{id}.csv"
    assert made["text"].startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(made["text"].removeprefix("\ufeff"))))
    by_field = {row[0]: row for row in rows if row}
    for name in answer["inputs"]:
        assert name in by_field
    for name, value in answer["outputs"].items():
        if isinstance(value, float):
            assert float(by_field[name][2]) == value
    for table in answer["tables"]:
        assert any(row[:1] == [table["title"]] for row in rows)
    if lang == "zh":
        assert re.search(r"[\u4e00-\u9fff]", made["text"])


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("id", registry.ids())
def test_one_table_alone_is_rows_of_equal_length(id: str) -> None:
    for table in ("inputs", "outputs", *(t["id"] for t in ask(id)["tables"])):
        made = file(id, {"format": "csv", "table": table})
        rows = list(csv.reader(io.StringIO(made["text"].removeprefix("\ufeff"))))
        assert len({len(r) for r in rows}) == 1
        assert made["name"] == f"gpuguide-{id}-{table}.csv"


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id", registry.ids())
def test_json_is_the_answer_itself(id: str, lang: str) -> None:
    assert json.loads(file(id, "json", lang=lang)["text"]) == ask(id, lang=lang)


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id", registry.ids())
def test_markdown_holds_answer_working_sources_and_the_way_back(id: str, lang: str) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    change = dict(calculator.presets[0].change) if calculator.presets else {}
    answer = ask(id, lang=lang, **change)
    text = file(id, {"format": "md", "address": "https://example.org/tools/"}, lang=lang, **change)["text"]
    assert f"v={answer['version']}&data={answer['catalog']}>" in text
    assert f"<https://example.org/tools/#{id}" in text
    for step in answer["working"]:
        assert step["numbers"] in text
    for name in (*answer["inputs"], *answer["outputs"]):
        assert f"| `{name}` |" in text
    tables = re.findall(r"^(\|.*\|)\n\| ---.*\n((?:\|.*\n)*)", text, re.MULTILINE)
    assert len(tables) >= 2
    for head, rows in tables:
        width = len(re.findall(r"(?<!\\)\|", head))
        assert all(len(re.findall(r"(?<!\\)\|", row)) == width for row in rows.splitlines())


@pytest.mark.usefixtures("catalog")
def test_without_an_address_the_fragment_alone_leads_back() -> None:
    text = file("rent-or-buy", "md", horizon_months=12)["text"]
    assert "`#rent-or-buy?horizon_months=12&v=" in text


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize(
    "bad", ["xlsx", 1, [], {}, {"format": "csv", "table": "none"}, {"format": "md", "address": 1}, {"format": "md", "x": "1"}]
)
@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_exported_is_told(bad: Any, lang: str) -> None:
    error = ask("rent-or-buy", export=bad, lang=lang)["error"]
    assert error["fields"][0]["field"] == "export"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        ("-2+3", "'-2+3"),
        ("-10.0 – 40.0", "-10.0 – 40.0"),
        (-5.5, "-5.5"),
        (1e-9, "1e-09"),
        ('a "b"', '"a ""b"""'),
        ("a,b", '"a,b"'),
        ("a\nb", '"a\nb"'),
        (" a", '" a"'),
        ("显存", "显存"),
    ],
)
def test_a_cell_is_quoted_and_never_a_formula(cell: str | float, text: str) -> None:
    assert csv_text([[cell, 1]]) == f"\ufeff{text},1\r\n"


def test_a_reader_s_own_words_are_no_markdown_and_no_formula(catalog: Catalog) -> None:
    bridge.use(catalog)
    config = json.dumps(
        {
            "model_type": "llama",
            "num_hidden_layers": 2,
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_attention_heads": 4,
            "vocab_size": 1000,
            "_name_or_path": "=cmd|x `<b>*evil*</b>` [a](http://e.org)",
        }
    )
    made = file("model-params", "md", config=config)
    assert "<b>*evil" not in made["text"].replace("\\", "§")
    sheet = file("model-params", "csv", config=config)["text"]
    cells = [c for row in csv.reader(io.StringIO(sheet.removeprefix("\ufeff"))) for c in row]
    assert not [c for c in cells if c.startswith("=")]
