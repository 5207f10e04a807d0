"""`model-params`: counts from the catalog, a config, a file; the reasons why others state another number."""

import base64
import json
from typing import Any

import pytest

from calculators import bridge
from calculators.framework.text import LANGUAGES
from calculators.model_params import CALCULATOR
from catalog.model import Catalog
from tests.calculators.importing.headers import gguf, llama_gguf
from tests.calculators.importing.test_configs import CASES


def ask(**inputs: Any) -> dict[str, Any]:
    """The answer through the door."""
    answer: dict[str, Any] = json.loads(bridge.call("model-params", json.dumps(inputs)))
    assert "error" not in answer, answer
    return answer


@pytest.mark.parametrize("example", CALCULATOR.examples, ids=lambda e: e.name)
def test_examples(example: Any, catalog: Catalog) -> None:
    outputs = ask(**example.inputs)["outputs"]
    assert {k: outputs[k] for k in example.expected} == example.expected


def test_every_model_of_the_catalog_sums_to_its_groups(catalog: Catalog) -> None:
    for model in catalog.models:
        answer = ask(model=model)
        table = next(t for t in answer["tables"] if t["id"] == "groups")
        *groups, total = table["rows"]
        assert sum(r["count"] for r in groups) == total["count"] == answer["outputs"]["total"]
        assert total["active"] == answer["outputs"]["active"]
        o = answer["outputs"]
        assert 0 < o["active"] <= o["language"] <= o["total"]


@pytest.mark.parametrize("case", CASES[::7], ids=lambda c: c["name"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_imported_config_is_answered_in_both_languages(case: dict[str, Any], lang: str, catalog: Catalog) -> None:
    answer = ask(config=json.dumps(case["config"]), lang=lang, view=True)
    assert answer["outputs"]["total"] >= case["count"]
    assert any(t["id"] == "import" for t in answer["tables"])
    assert answer["notes"]
    again = ask(config=answer["inputs"]["config"], lang=lang, view=True)
    assert again["outputs"] == answer["outputs"]


def test_a_file_is_counted_though_its_kind_is_unknown(catalog: Catalog) -> None:
    keys, tensors = llama_gguf()
    keys["general.architecture"] = "rwkv6"
    body = "name=a.gguf;gguf;base64," + base64.b64encode(gguf(keys, tensors)).decode()
    answer = ask(config=body)
    assert answer["outputs"]["total"] == 1_344_768
    assert answer["outputs"]["active"] is None
    assert any("rwkv6" in n for n in answer["notes"])


def test_reasons_fit_the_model(catalog: Catalog) -> None:
    def reasons(model: str) -> dict[str, int]:
        table = next(t for t in ask(model=model)["tables"] if t["id"] == "reasons")
        return {r["reason"]: r["change"] for r in table["rows"]}

    assert reasons("deepseek-v3")["FP8 block scales"] == 41_540_496
    assert reasons("qwen3-4b")["tied head stored a second time"] == 151_936 * 2560
    assert "tied head stored a second time" not in reasons("deepseek-v3")


def test_a_command_line_names_a_model_of_the_catalog(catalog: Catalog) -> None:
    assert ask(config="vllm serve Qwen/Qwen3-8B")["outputs"]["total"] == 8_190_735_360
    error = json.loads(bridge.call("model-params", '{"config": "vllm serve someone/new"}'))["error"]
    assert error["fields"][0]["field"] == "config"
    assert "no model “new”" in error["fields"][0]["message"]


def test_inference_takes_the_same_field(catalog: Catalog) -> None:
    config = json.dumps(next(c["config"] for c in CASES if c["name"] == "Qwen/Qwen2.5-7B"))
    own = json.loads(bridge.call("vram-inference", json.dumps({"config": config})))["outputs"]
    listed = json.loads(bridge.call("vram-inference", '{"model": "qwen2-5-7b"}'))["outputs"]
    assert own == listed
    line = "vllm serve Qwen/Qwen2.5-7B --max-model-len 4096 --max-num-seqs 8"
    answer = json.loads(bridge.call("vram-inference", json.dumps({"config": line})))
    assert answer["suggestions"][0]["change"] == {"engine": "vllm", "context": 4096, "batch": 8}
    encoder = json.dumps(next(c["config"] for c in CASES if c["name"] == "BAAI/bge-m3"))
    for engine in ("vllm", "sglang"):
        outputs = json.loads(bridge.call("vram-inference", json.dumps({"config": encoder, "engine": engine})))["outputs"]
        assert outputs["kv_cache_gib"] == 0


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_inference_answers_for_every_imported_model(case: dict[str, Any], catalog: Catalog) -> None:
    request = {"config": json.dumps(case["config"]), "accelerator": "h200-sxm", "view": True}
    for change in ({}, {"weight_format": "q4_k_m"}, {"weight_format": "fp8", "lang": "zh"}):
        answer = json.loads(bridge.call("vram-inference", json.dumps(request | change)))
        assert "error" not in answer, answer
        assert answer["outputs"]["weights_gib"] > 0
