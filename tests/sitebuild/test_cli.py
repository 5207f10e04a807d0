"""`gpuguide`: JSON on standard output, errors as JSON with exit code 2, one flag per input."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from calculators import registry
from sitebuild import cli


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    try:
        code = cli.main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, capsys.readouterr().out


def test_list_names_every_calculator(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run("list", capsys=capsys)
    assert code == 0
    assert [c["id"] for c in json.loads(out)] == list(registry.ids())


def test_calc_by_json_flags_and_standard_input_agree(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, by_json = run("calc", "vram-inference", "--json", '{"context": 4096, "batch": 2}', capsys=capsys)
    code, by_flags = run("calc", "vram-inference", "--context", "4096", "--batch", "2", capsys=capsys)
    monkeypatch.setattr("sys.stdin", io.StringIO('{"context": 4096, "batch": 2}'))
    _, by_stdin = run("calc", "vram-inference", "--json", "-", capsys=capsys)
    assert code == 0
    assert by_json == by_flags == by_stdin
    assert json.loads(by_json)["inputs"]["context"] == 4096


def test_language(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = run("calc", "vram-inference", "--lang", "zh", "--json", "{}", capsys=capsys)
    assert json.loads(out)["outputs"]["verdict"] == "放得下，按上限也够"


def test_a_file_instead_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("calc", "rent-or-buy", "--json", '{"horizon_months": 12}', "--format", "csv", "--lang", "zh")
    code, sheet = run(*words, capsys=capsys)
    assert code == 0
    assert sheet.startswith("\ufeff")
    assert "horizon_months,比较期限,12," in sheet
    code, report = run("calc", "rent-or-buy", "--horizon-months", "12", "--format", "md", capsys=capsys)
    assert code == 0
    assert report.startswith("# Rent or buy\n")
    code, table = run("calc", "rent-or-buy", "--format", "csv", "--table", "inputs", capsys=capsys)
    assert code == 0
    assert table.startswith("\ufeffField,Meaning,Value,Unit\r\n")


def test_all_draws_from_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    code, few = run("calc", "tco", "--draws", "3000", capsys=capsys)
    assert code == 0
    _, all_of_them = run("calc", "tco", "--draws", "3000", "--simulate", capsys=capsys)
    assert (json.loads(few)["simulation"]["draws"], json.loads(all_of_them)["simulation"]["draws"]) == (200, 3000)


@pytest.mark.parametrize("id", registry.ids())
def test_schema(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run("calc", id, "--schema", capsys=capsys)
    assert code == 0
    assert json.loads(out)["x-calculator"] == id


@pytest.mark.parametrize("id", registry.ids())
def test_help_has_a_flag_for_every_input(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    code, out = run("calc", id, "--help", capsys=capsys)
    assert code == 0
    assert {f"--{name.replace('_', '-')}" for name in calculator.fields()} <= set(re.findall(r"--[a-z0-9-]+", out))


BAD: list[tuple[tuple[str, ...], str]] = [
    (("calc", "no-such", "--json", "{}"), "unknown-calculator"),
    (("calc", "vram-inference", "--json", "{"), "bad-json"),
    (("calc", "vram-inference", "--json", '{"context": 0}'), "bad-input"),
    (("calc", "vram-inference", "--context", "abc"), "bad-input"),
    (("calc", "vram-inference", "--colour", "red"), "usage"),
    (("calc", "vram-inference", "--json", "{}", "--batch", "2"), "usage"),
    (("calc",), "usage"),
    (("paint",), "usage"),
    (("list", "extra"), "usage"),
    (("calc", "rent-or-buy", "--table", "inputs"), "usage"),
    (("calc", "rent-or-buy", "--format", "csv", "--table", "none"), "bad-input"),
    (("calc", "vram-inference", "--simulate"), "bad-input"),
]


@pytest.mark.parametrize(("words", "code"), BAD, ids=[" ".join(row[0]) for row in BAD])
def test_errors_are_json_with_exit_code_2(words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    found, out = run(*words, capsys=capsys)
    assert found == 2
    error: dict[str, Any] = json.loads(out)["error"]
    assert error["code"] == code
    assert error["message"]


def test_catalog_check_tells_file_line_and_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("catalog", "check", capsys=capsys) == (0, "catalog: no problems\n")
    bad = tmp_path / "catalog" / "sources"
    bad.mkdir(parents=True)
    (bad / "x.yaml").write_text("id: x\ntitle: T\npublisher: P\nurl: https://example.com/\nurll: y\n")
    code, out = run("catalog", "check", str(tmp_path / "catalog"), capsys=capsys)
    assert code == 2
    assert re.search(r"sources/x\.yaml:5: .*urll.*url", out)
