"""`gpuguide import` and `--model-file`: the same import as in the page, from files and standard input."""

import io
import json
from pathlib import Path

import pytest

from tests.calculators.importing.headers import gguf, llama_gguf
from tests.calculators.importing.test_configs import CASES
from tests.sitebuild.test_cli import run

CONFIG = next(c for c in CASES if c["name"] == "Qwen/Qwen2.5-7B")


def test_a_config_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIG["config"] | {"mystery_size": 3}))
    code, out = run("import", str(file), capsys=capsys)
    found = json.loads(out)
    assert code == 0
    assert found["total"] == CONFIG["count"]
    assert found["not_understood"][0]["key"] == "mystery_size"
    assert found["architecture"]["hidden_size"] == 3584
    code, out = run("calc", "vram-inference", "--model-file", str(file), "--context", "4096", capsys=capsys)
    assert code == 0
    assert json.loads(out)["outputs"]["parameters"] == CONFIG["count"]


def test_a_gguf_file_of_any_size_by_its_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys, tensors = llama_gguf()
    file = tmp_path / "tiny.gguf"
    with file.open("wb") as out:
        out.write(gguf(keys, tensors))
        out.truncate(3 * 2**30)  # sparse: nothing is stored
    code, printed = run("import", str(file), capsys=capsys)
    found = json.loads(printed)
    assert code == 0
    assert found["kind"] == "gguf"
    assert found["name"] == "Tiny Llama"
    assert found["inputs"]["weight_format"] == "fp16"


def test_a_command_line_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("vllm serve Qwen/Qwen3-8B -tp 2 --max-model-len 16384"))
    code, out = run("import", "-", capsys=capsys)
    assert code == 0
    assert json.loads(out)["inputs"] == {"model": "qwen3-8b", "engine": "vllm", "tensor_parallel": 2, "context": 16384}


def test_errors_are_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF\x03")
    for words, code in (
        (("import", str(bad)), "bad-input"),
        (("import", str(tmp_path / "none.json")), "file"),
        (("calc", "rent-or-buy", "--model-file", str(bad)), "usage"),
        (("import",), "usage"),
    ):
        found, out = run(*words, capsys=capsys)
        assert found == 2
        assert json.loads(out)["error"]["code"] == code
    _, out = run("import", str(bad), "--lang", "zh", capsys=capsys)
    assert "文件头" in json.loads(out)["error"]["message"]
