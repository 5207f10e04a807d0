"""A model's file in the page: read there by its header, shortened for the link, and never sent."""

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Open, Visit
from tests.browser.test_live import calculator, outputs
from tests.calculators.importing.headers import gguf, llama_gguf
from tests.calculators.importing.test_configs import CASES

CONFIG = next(c for c in CASES if c["name"] == "Qwen/Qwen2.5-7B")
PLACES = ("site", "bundle")


@pytest.fixture(params=PLACES)
def guide(request: pytest.FixtureRequest) -> str:
    """The guide's address, on a host and as a folder."""
    address: str = request.getfixturevalue(request.param)
    return address


def shows(visited: Visit, field: str, value: int) -> None:
    """Waits until an output has that value."""
    visited.wait(
        "([f, v]) => document.querySelector(`[data-result] [data-output=${f}]`).dataset.value === v", [field, str(value)]
    )


def test_a_pasted_config_is_computed_and_its_link_is_short(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "model-params"))
    pasted = json.dumps(CONFIG["config"], indent=2)
    visited.page.fill("textarea[name=config]", pasted)
    shows(visited, "total", CONFIG["count"])
    assert visited.page.input_value("textarea[name=config]") == pasted
    visited.wait("() => location.hash.includes('gpuguide')")
    link = visited.page.evaluate("() => location.href")
    assert len(link) < 1500
    assert "qwen2" in (visited.page.text_content("[data-imported=config]") or "")
    again = visit(link)
    shows(again, "total", CONFIG["count"])


def test_a_gguf_file_of_three_gigabytes(guide: str, visit: Open, tmp_path: Path) -> None:
    keys, tensors = llama_gguf(tokens=3000)
    file = tmp_path / "tiny.gguf"
    with file.open("wb") as out:
        out.write(gguf(keys, tensors))
        out.truncate(3 * 2**30)
    visited = visit(calculator(guide, "model-params"))
    visited.page.set_input_files("[data-import=config] input", str(file))
    shows(visited, "total", 1_344_768)
    assert visited.page.input_value("textarea[name=config]").startswith('{"gpuguide":"gguf","name":"Tiny Llama"')


def test_a_broken_file_is_told_and_what_was_typed_stays(guide: str, visit: Open, tmp_path: Path) -> None:
    file = tmp_path / "broken.safetensors"
    file.write_bytes(b"\xff" * 64)
    visited = visit(calculator(guide, "model-params"))
    visited.page.fill("textarea[name=config]", "my notes")
    visited.page.set_input_files("[data-import=config] input", str(file))
    visited.wait("() => document.getElementById('model-params-config-error').textContent.includes('header claims')")
    assert visited.page.input_value("textarea[name=config]") == "my notes"
    assert outputs(visited)["total"] == "684489845504"


def test_settings_of_a_command_line_are_one_click(guide: str, visit: Open) -> None:
    visited = visit(calculator(guide, "vram-inference"))
    visited.page.fill("textarea[name=config]", "vllm serve Qwen/Qwen2.5-7B --max-model-len 4096 --max-num-seqs 8")
    shows(visited, "parameters", CONFIG["count"])
    visited.page.click("[data-part=suggestions] a >> nth=0")
    visited.wait("() => document.querySelector('input[name=batch]').value === '8'")
    assert visited.page.input_value("input[name=context]") == "4096"
