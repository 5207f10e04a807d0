"""Forty kinds of broken input: each is its own cause, with its own words and its own mend, in both languages.

A row: what is wrong, the request, the field that the error names, words of the message, words of the mend.
"""

import json
from typing import Any

import pytest

from calculators import bridge
from catalog.model import Catalog

DEEP = "[" * 20000 + "]" * 20000

WHOLE: list[tuple[str, str, str, str, str]] = [
    ("not JSON", "{context: 1}", "bad-json", "not JSON", "line 1, column 2"),
    ("an array", "[1, 2]", "bad-json", "no JSON object", '{"field": value}'),
    ("NaN literal", '{"context": NaN}', "bad-json", "NaN is no JSON number", "write a finite one"),
    ("a field twice", '{"batch": 1, "batch": 2}', "bad-json", "given twice", "keep one"),
    ("nested too deep", DEEP, "bad-json", "nested too deeply", "flat object"),
    ("too long", " " * 100_001, "bad-json", "longer than", "100,000 characters"),
]
"""Requests that are no object of fields: name, text, code, message, mend."""

FIELDS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("unknown field, close to one", {"contxt": 1}, "contxt", "no field", "Did you mean “context”"),
    ("unknown field, far from all", {"zzz": 1}, "zzz", "no field", "The fields are: model"),
    ("unknown language", {"lang": "fr"}, "lang", "“lang” must be", "en or zh"),
    ("empty number", {"context": ""}, "context", "Enter a number", "in 1–10,000,000 tokens"),
    ("null where required", {"batch": None}, "batch", "Enter a number", "in 1–4,096 requests"),
    ("empty choice", {"model": "  "}, "model", "Choose one", "of the list"),
    ("yes-or-no for a number", {"context": True}, "context", "must be a number", "not true or false"),
    ("a list for a number", {"context": [1]}, "context", "Give one number", "not a list"),
    ("below the range", {"context": 0}, "context", "Too small", "the least is 1 token"),
    ("above the range", {"batch": 4097}, "batch", "Too large", "the most is 4,096 requests"),
    ("decimals in a whole number", {"batch": 1.5}, "batch", "whole number", "without decimals"),
    ("words for a number", {"context": "many"}, "context", "not a number", "Write digits"),
    ("thousands separators", {"context": "8,192"}, "context", "thousands separators", "write 8192"),
    ("decimal comma", {"usable_percent": "87,5"}, "usable_percent", "point for decimals", "write 0.5"),
    ("k for thousand", {"context": "8k"}, "context", "Write the number out", "8000 or 8192"),
    ("percent sign", {"usable_percent": "90%"}, "usable_percent", "percent sign", "already in percent"),
    ("currency sign", {"usable_percent": "¥90"}, "usable_percent", "currency sign", "in its own field"),
    ("full-width digits", {"context": "８１９２"}, "context", "half-width digits", "8192"),
    ("hexadecimal", {"context": "0x2000"}, "context", "decimal number", "not a hexadecimal"),
    ("spaces between digits", {"context": "8 192"}, "context", "spaces, underscores", "write 8192"),
    ("a fraction", {"usable_percent": "9/10"}, "usable_percent", "not a fraction", "Write the result"),
    ("a range", {"context": "4096-8192"}, "context", "not a range", "Write one number"),
    ("the word NaN", {"context": "NaN"}, "context", "NaN and infinity", "write a finite one"),
    ("too large to hold", {"context": "1e999"}, "context", "too large for a computer", "Write a smaller one"),
    ("a comparison", {"context": ">8192"}, "context", "comparison sign", "the number alone"),
    ("a unit", {"context": "8192 tokens"}, "context", "Leave out the unit", "beside the field"),
    ("a formula", {"context": "2*4096"}, "context", "not a formula", "Write the result"),
    ("two decimal points", {"usable_percent": "9.0.5"}, "usable_percent", "one decimal point", "A number has"),
    ("two signs", {"context": "--5"}, "context", "one sign", "at most"),
    ("a novel for a number", {"context": "9" * 65}, "context", "too long for a number", "64 characters"),
    ("a name close to one", {"model": "lama-3-1-8b"}, "model", "not in the list", "Did you mean: llama-3-1-8b"),
    ("a name far from all", {"kv_dtype": "wood"}, "kv_dtype", "not in the list", "It has: bf16"),
    ("the wrong case", {"kv_dtype": "FP8"}, "kv_dtype", "written exactly", "use “fp8”"),
    ("the label for the id", {"model": "Llama 3.1 8B"}, "model", "This is the label", "“llama-3-1-8b”"),
    ("a number for a name", {"model": 7}, "model", "name of an entry", "as text"),
    ("several for one", {"model": ["llama-3-1-8b"]}, "model", "Choose one entry", "not several"),
    ("neither yes nor no", {"mla_expanded": "maybe"}, "mla_expanded", "yes or no", "true or false"),
    (
        "heads that do not divide",
        {"tensor_parallel": 3},
        "tensor_parallel",
        "32 attention heads do not divide by 3",
        "1, 2, 4, 8",
    ),
    ("a cache type of another engine", {"kv_dtype": "q8_0"}, "kv_dtype", "vLLM cannot store", "It takes: bf16, fp8"),
    (
        "a format of another engine",
        {"engine": "llama.cpp", "weight_format": "fp8"},
        "weight_format",
        "llama.cpp does not run",
        "Choose a GGUF type",
    ),
    ("more stages than layers", {"pipeline_parallel": 33}, "pipeline_parallel", "cannot make 33 stages", "at most 32"),
    (
        "more layers than the model has",
        {"host_layers": 33, "engine": "llama.cpp"},
        "host_layers",
        "has 32 layers",
        "at most 32",
    ),
    ("host layers in another engine", {"host_layers": 4}, "host_layers", "no layers in host memory", "Choose llama.cpp"),
    ("experts that are not there", {"expert_parallel": True}, "expert_parallel", "no experts", "Switch this off"),
    ("ranks without a second copy", {"context_parallel": 2}, "context_parallel", "hold a cache twice", "a divisor up to 1"),
    ("replicas in llama.cpp", {"engine": "llama.cpp", "data_parallel": 2}, "data_parallel", "does not do this", "enter 1"),
    ("a switch that the model has not", {"mla_expanded": True}, "mla_expanded", "no MLA latent", "Switch this off"),
]
"""Objects whose one field is wrong: name, request, field, message, mend."""


@pytest.mark.parametrize(("text", "code", "message", "mend"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_request_is_refused(text: str, code: str, message: str, mend: str, catalog: Catalog) -> None:
    error = json.loads(bridge.call("vram-inference", text))["error"]
    assert error["code"] == code
    assert message in error["message"]
    assert mend in error["message"]


@pytest.mark.parametrize(("request_", "field", "message", "mend"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_field_is_refused(request_: dict[str, Any], field: str, message: str, mend: str, catalog: Catalog) -> None:
    error = json.loads(bridge.call("vram-inference", json.dumps(request_)))["error"]
    assert error["code"] == "bad-input"
    assert [f["field"] for f in error["fields"]] == [field]
    assert message in error["fields"][0]["message"]
    assert mend in error["fields"][0]["message"]


@pytest.mark.parametrize(
    "request_", [row[1] for row in FIELDS if row[2] != "lang"], ids=[r[0] for r in FIELDS if r[2] != "lang"]
)
def test_chinese_message_is_chinese(request_: dict[str, Any], catalog: Catalog) -> None:
    error = json.loads(bridge.call("vram-inference", json.dumps({**request_, "lang": "zh"})))["error"]
    assert any("\u4e00" <= c <= "\u9fff" for c in error["fields"][0]["message"])


def test_there_are_forty_kinds_and_no_two_alike(catalog: Catalog) -> None:
    messages = [json.loads(bridge.call("vram-inference", row[1]))["error"]["message"] for row in WHOLE]
    messages += [
        json.loads(bridge.call("vram-inference", json.dumps(row[1])))["error"]["fields"][0]["message"] for row in FIELDS
    ]
    assert len(messages) >= 40
    assert len({(row[3], row[4]) for row in [*WHOLE, *FIELDS]}) >= 40


def test_unknown_calculator_lists_the_known_ones(catalog: Catalog) -> None:
    for id in ("no-such", "../bridge", "bridge", "registry", "framework", "", "vram_inference", "os"):
        error = json.loads(bridge.call(id, "{}"))["error"]
        assert error["code"] == "unknown-calculator"
        assert "vram-inference" in error["message"]


def test_all_bad_fields_are_told_at_once(catalog: Catalog) -> None:
    error = json.loads(bridge.call("vram-inference", '{"context": 0, "batch": "x", "model": "?"}'))["error"]
    assert [f["field"] for f in error["fields"]] == ["context", "batch", "model"]
    assert error["fields"][0]["low"] == 1
