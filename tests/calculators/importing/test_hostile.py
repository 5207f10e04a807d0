"""Hostile input: each kind has its own words, and no input takes more than a second or 100 MB.

A row: what is wrong, the text or bytes, words of the message.
"""

import base64
import json
import struct
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from calculators import bridge
from calculators.importing.gguf_file import LONGEST_HEADER
from calculators.importing.reading import read, read_bytes
from calculators.importing.record import Unusable
from catalog.model import Catalog
from tests.calculators.importing.headers import ARRAY, STRING, U32, entry, gguf, llama_gguf, pair, safetensors, text

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "vocab_size": 32000,
    "num_attention_heads": 32,
    "intermediate_size": 11008,
}
MOE = LLAMA | {"model_type": "qwen3_moe", "num_experts": 64, "num_experts_per_tok": 8, "moe_intermediate_size": 512}
SHORT = '{"gpuguide":"config","name":"x","a":{"hidden_size":4096,"num_hidden_layers":32,"vocab_size":32000,"num_attention_heads":32,"intermediate_size":11008}}'


def llama(**change: Any) -> str:
    """A Llama's config with something wrong."""
    return json.dumps(LLAMA | change)


def short(**change: Any) -> str:
    """A link's short form with something wrong."""
    return (
        '{"gpuguide":'
        + json.dumps("config")
        + ","
        + json.dumps(json.loads(SHORT) | change)[1:].replace('"gpuguide": "config", ', "", 1)
    )


def keys(**change: Any) -> bytes:
    """A GGUF header with changed keys; None leaves one out."""
    have, tensors = llama_gguf()
    have |= {k.replace("__", "."): v for k, v in change.items()}
    return gguf({k: v for k, v in have.items() if v is not None}, tensors)


def shapes(change: dict[str, Any]) -> bytes:
    """A GGUF header with changed tensors."""
    have, tensors = llama_gguf()
    return gguf(have, tensors | change)


def raw_key(key: str, kind: int, rest: bytes) -> bytes:
    """A GGUF header whose only key is written by hand."""
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text(key) + struct.pack("<I", kind) + rest


def one(name: str = "w", **change: Any) -> bytes:
    """A safetensors header of one tensor with something wrong."""
    return safetensors({name: entry("BF16", [4, 4], 32) | change})


TWICE = b"{" + b",".join([b'"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'] * 2) + b"}"
TEXTS: list[tuple[str, str, str]] = [
    ("nothing", "   \n", "nothing to read"),
    ("prose", "please compute my model", "neither JSON nor a command"),
    ("HTML", "<!doctype html><title>404</title>", "neither JSON nor a command"),
    ("a list", "[1, 2, 3]", "is an object"),
    ("a bare number", "7", "neither JSON nor a command"),
    ("cut off", llama()[:-20], "not complete JSON"),
    ("a comma too many", llama()[:-1] + ",}", "not complete JSON"),
    ("no model_type", '{"hidden_size": 4096}', "no “model_type”"),
    ("model_type is a number", '{"model_type": 7}', "“model_type” must be text"),
    ("nested too deep", '{"model_type":' + "[" * 5000 + "]" * 5000 + "}", "Nested deeper than 32"),
    ("nested objects too deep", '{"a":' * 40 + "1" + "}" * 40, "Nested deeper than 32"),
    ("a bomb of lists", '{"model_type":"llama","x":[' + "[]," * 200_000 + "[]]}", "More than 60,000 values"),
    ("a bomb of objects", '{"x":[' + "{}," * 200_000 + "{}]}", "More than 60,000 values"),
    ("a huge JSON", '{"model_type":"llama","pad":"' + "x" * 1_100_000 + '"}', "at most 1,000,000"),
    ("a huge text", "x" * 28_000_001, "More than 28,000,000 characters"),
    ("an endless number", '{"model_type":"llama","hidden_size":' + "9" * 5000 + "}", "is too large"),
    ("a key twice", '{"model_type":"llama","hidden_size":4096,"hidden_size":8192}', "stands twice"),
    ("NaN", llama()[:-1] + ',"hidden_size":NaN}', "stands twice"),
    ("NaN width", llama(hidden_size=float("nan")), "must be a whole number"),
    ("infinite layers", llama(num_hidden_layers=float("inf")), "must be a whole number"),
    ("negative width", llama(hidden_size=-4096), "not from 16"),
    ("zero layers", llama(num_hidden_layers=0), "not from 1"),
    ("a million layers", llama(num_hidden_layers=10**6), "not from 1 to 1,000"),
    ("absurd vocabulary", llama(vocab_size=10**12), "not from 16 to 2,000,000"),
    ("width as text", llama(hidden_size="4096"), "must be a whole number, not '4096'"),
    ("width as list", llama(hidden_size=[4096]), "must be a whole number"),
    ("width true", llama(hidden_size=True), "must be a whole number, not True"),
    ("half a head", llama(num_attention_heads=32.5), "must be a whole number, not 32.5"),
    ("width missing", json.dumps({k: v for k, v in LLAMA.items() if k != "hidden_size"}), "“hidden_size” is missing"),
    ("bias as number", llama(attention_bias=1), "must be true or false"),
    ("heads that do not divide", llama(num_attention_heads=30), "not a multiple"),
    ("KV heads that do not divide", llama(num_key_value_heads=7), "does not divide"),
    ("rope as list", llama(rope_scaling=[1]), "must be an object"),
    ("text_config as text", '{"model_type":"gemma3","text_config":"x"}', "must be an object"),
    ("too few layer types", llama(layer_types=["full_attention"]), "1 entries for 32 layers"),
    ("layer types as text", llama(layer_types="full"), "must be a list"),
    ("an unknown layer type", llama(layer_types=["quantum"] * 32), "which is not known here"),
    ("layer types as objects", llama(layer_types=[{}] * 32), "which is not known here"),
    ("more experts per token than experts", json.dumps(MOE | {"num_experts_per_tok": 100}), "above num_experts"),
    (
        "experts without a width",
        json.dumps({k: v for k, v in MOE.items() if k != "moe_intermediate_size"}),
        "without moe_intermediate_size",
    ),
    ("layer numbers as text", json.dumps(MOE | {"mlp_only_layers": ["a"]}), "must list layer numbers"),
    (
        "a pattern of other length",
        json.dumps(
            LLAMA
            | {"model_type": "nemotron_h", "hybrid_override_pattern": "M*"}
            | dict.fromkeys(("mamba_num_heads", "mamba_head_dim"), 64)
        ),
        "does not name the kind",
    ),
    (
        "Gemma's per-layer embeddings",
        json.dumps(LLAMA | {"model_type": "gemma4_text", "hidden_size_per_layer_input": 256}),
        "are not known here",
    ),
    (
        "a tower of negative width",
        json.dumps(
            {
                "model_type": "qwen3_vl",
                "text_config": LLAMA | {"model_type": "qwen3_vl_text"},
                "vision_config": {"hidden_size": -1},
            }
        ),
        "“hidden_size” is -1",
    ),
    (
        "widths beyond any model",
        llama(hidden_size=65536, num_hidden_layers=1000, intermediate_size=1_000_000),
        "more than 10^14",
    ),
    ("an index without a map", '{"metadata":{"total_size":1},"weight_map":7}', "“weight_map”"),
    ("an index cut off", '{"metadata":{"total_size":9},"weight_map":{"a":"b","c', "breaks off at tensor 2"),
    ("an index of numbers", '{"metadata":{"total_size":9},"weight_map":{"a":1}}', "breaks off at tensor 1"),
    ("a link of another kind", '{"gpuguide":"virus"}', "damaged at “gpuguide”"),
    ("a link with a wrong field", short(a={"hidden_size": 4096, "evil": 1}), "damaged at “evil”"),
    (
        "a link with a negative width",
        short(a={"hidden_size": -1, "num_hidden_layers": 2, "vocab_size": 99}),
        "damaged at “hidden_size”",
    ),
    ("a link with half a model", short(a={"hidden_size": 4096}), "damaged at “a”"),
    ("a link with a bad format", short(format="gold"), "damaged at “format”"),
    ("a link with bad settings", short(set={"context": "x"}), "damaged at “set”"),
    ("a link with bad counts", short(parameters={"mlp": -1}), "damaged at “parameters”"),
    ("a link with bad notes", short(notes=[7]), "damaged at “notes”"),
    ("a command without a model", "vllm serve --port 80", "names no model"),
    ("a command with an open quote", "vllm serve 'a b", "not closed"),
    ("a command with a word for a number", "vllm serve m --max-model-len lots", "must be a whole number, not lots"),
    ("a command with half a GPU", "vllm serve m -tp 1.5", "must be a whole number, not 1.5"),
    ("a command with too much memory", "vllm serve m --gpu-memory-utilization 95", "between 0 and 1"),
    ("a command without a value", "vllm serve m --max-num-seqs", "has no value"),
    ("damaged base64", "name=m.gguf;gguf;base64,####", "not base64"),
]
"""Pasted texts."""

BYTES: list[tuple[str, str, bytes | Callable[[], bytes], str]] = [
    ("an empty file", "m.json", b"", "nothing to read"),
    ("a picture", "m.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "neither text nor GGUF nor safetensors"),
    ("UTF-16", "config.json", llama().encode("utf-16"), "neither text nor GGUF nor safetensors"),
    ("GGUF, four bytes", "m.gguf", b"GGUF", "ends inside the version"),
    ("GGUF version 1", "m.gguf", b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1"),
    ("GGUF in big-endian", "m.gguf", b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "is not read here"),
    ("GGUF of 2^60 tensors", "m.gguf", b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "claims"),
    ("GGUF of 2^60 keys", "m.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "claims"),
    ("GGUF cut off in its keys", "m.gguf", keys()[:100], "ends inside"),
    ("GGUF cut off in its tensors", "m.gguf", keys()[:-30], "ends inside"),
    ("GGUF key of 2^62 bytes", "m.gguf", b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "characters long"),
    ("GGUF list of 2^61 strings", "m.gguf", raw_key("a", ARRAY, struct.pack("<IQ", STRING, 2**61)), "claims"),
    ("GGUF list of 2^61 numbers", "m.gguf", raw_key("a", ARRAY, struct.pack("<IQ", U32, 2**61)), "ends inside"),
    ("GGUF list of lists", "m.gguf", raw_key("a", ARRAY, struct.pack("<IQ", ARRAY, 2)), "unknown type 9"),
    ("GGUF value of unknown type", "m.gguf", raw_key("a", 77, b""), "unknown type 77"),
    ("GGUF key not UTF-8", "m.gguf", b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2) + b"\xff\xfe" + bytes(8), "not UTF-8"),
    ("GGUF key twice", "m.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + pair("a", 1) + pair("a", 2), "stands twice"),
    ("GGUF without an architecture", "m.gguf", keys(general__architecture=None), "“general.architecture” is missing"),
    ("GGUF without layers", "m.gguf", keys(llama__block_count=None), "“llama.block_count” is missing"),
    ("GGUF width as text", "m.gguf", keys(llama__embedding_length="wide"), "must be a whole number"),
    ("GGUF of a billion layers", "m.gguf", keys(llama__block_count=10**9), "above 1,000"),
    ("GGUF without a table", "m.gguf", keys(llama__embedding_length=512), "token_embd.weight"),
    ("GGUF tensor of 2^63", "m.gguf", shapes({"x": ((2**63, 4), 0)}), "is impossible"),
    ("GGUF tensor of no size", "m.gguf", shapes({"x": ((0, 4), 0)}), "is impossible"),
    ("GGUF tensor of nine dimensions", "m.gguf", shapes({"x": ((1,) * 9, 0)}), "9 dimensions"),
    ("GGUF tensor of unknown type", "m.gguf", shapes({"x": ((32,), 200)}), "unknown ggml type 200"),
    ("GGUF rows that do not divide", "m.gguf", shapes({"x": ((100, 4), 12)}), "do not divide into blocks"),
    ("safetensors, five bytes", "m.safetensors", b"12345", "before its header's length"),
    ("safetensors header of 2^60", "m.safetensors", struct.pack("<Q", 2**60), "The header claims"),
    ("safetensors cut off", "m.safetensors", safetensors({"w": entry("BF16", [4], 8)}, length=999), "cut off"),
    ("safetensors not UTF-8", "m.safetensors", struct.pack("<Q", 4) + b"\xff\xfe{}", "not UTF-8"),
    ("safetensors of a list", "m.safetensors", struct.pack("<Q", 2) + b"[]", "no JSON object"),
    ("safetensors of nothing", "m.safetensors", struct.pack("<Q", 2) + b"{}", "is no tensor"),
    ("safetensors without shape", "m.safetensors", safetensors({"w": {"dtype": "BF16"}}), "is no tensor"),
    ("safetensors of a nested object", "m.safetensors", safetensors({"w": {"w": {"w": 1}}}), "is no tensor"),
    ("safetensors of unknown dtype", "m.safetensors", one(dtype="GOLD"), "unknown dtype GOLD"),
    ("safetensors negative shape", "m.safetensors", one(shape=[-4, 4]), "is no tensor"),
    ("safetensors shape as text", "m.safetensors", one(shape=["4", "4"]), "is no tensor"),
    ("safetensors huge shape", "m.safetensors", one(shape=[10**13, 4]), "is impossible"),
    ("safetensors shape beside its bytes", "m.safetensors", one(shape=[4, 5]), "but 32 bytes"),
    ("safetensors offsets backwards", "m.safetensors", one(data_offsets=[32, 0]), "but -32 bytes"),
    ("safetensors tensor twice", "m.safetensors", struct.pack("<Q", len(TWICE)) + TWICE, "stands twice"),
    (
        "safetensors ends early",
        "m.safetensors",
        safetensors({"w": entry("U8", [1], 1)})[:8] + b'{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}x' + b" " * 20,
        "follows the header's end",
    ),
    (
        "GGUF full of strings",
        "m.gguf",
        lambda: raw_key("a", ARRAY, struct.pack("<IQ", STRING, 1_000_000)) + bytes(7_900_000),
        "ends inside",
    ),
    (
        "safetensors of 100,000 tensors, the last broken",
        "m.safetensors",
        lambda: safetensors({f"t{i}": entry("U8", [1], 1) for i in range(100_000)} | {"z": 1}),
        "is no tensor",
    ),
    (
        "an index of 150,000 tensors, cut off",
        "i.json",
        lambda: b'{"metadata":{"total_size":9},"weight_map":{' + b",".join(b'"t%d":"f"' % i for i in range(150_000)),
        "breaks off",
    ),
]
"""Files: what is wrong, the name, the first bytes, words of the message."""


@pytest.mark.parametrize(("content", "words"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_a_text_is_refused(content: str, words: str) -> None:
    with pytest.raises(Unusable) as refused:
        read(content)
    assert words in refused.value.message.en
    assert any("\u4e00" <= c <= "\u9fff" for c in refused.value.message.zh)


@pytest.mark.parametrize(("name", "content", "words"), [row[1:] for row in BYTES], ids=[row[0] for row in BYTES])
def test_a_file_is_refused(name: str, content: bytes | Callable[[], bytes], words: str) -> None:
    data = content if isinstance(content, bytes) else content()
    with pytest.raises(Unusable) as refused:
        read_bytes(data[:LONGEST_HEADER], name)
    assert words in refused.value.message.en
    assert any("\u4e00" <= c <= "\u9fff" for c in refused.value.message.zh)


def test_there_are_sixty_kinds() -> None:
    assert len(TEXTS) + len(BYTES) >= 100
    assert len({row[0] for row in TEXTS} | {row[0] for row in BYTES}) == len(TEXTS) + len(BYTES)


def test_each_takes_less_than_a_second() -> None:
    for label, content, _ in TEXTS:
        begun = time.process_time()
        with pytest.raises(Unusable):
            read(content)
        assert time.process_time() - begun < 1, label
    for label, name, source, _ in BYTES:
        data = (source if isinstance(source, bytes) else source())[:LONGEST_HEADER]
        begun = time.process_time()
        with pytest.raises(Unusable):
            read_bytes(data, name)
        assert time.process_time() - begun < 1, label


def test_each_takes_less_than_100_megabytes() -> None:
    rows: list[tuple[str, Callable[[], object]]] = [(label, partial(read, content)) for label, content, _ in TEXTS]
    for label, name, source, _ in BYTES:
        data = (source if isinstance(source, bytes) else source())[:LONGEST_HEADER]
        rows.append((label, partial(read_bytes, data, name)))
    for label, run in rows:
        tracemalloc.start()
        with pytest.raises(Unusable):
            run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100e6, (label, peak)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_door_names_the_field(lang: str, catalog: Catalog) -> None:
    for id in ("model-params", "vram-inference"):
        for _, content, _ in TEXTS[1:]:
            if len(content) < 100_000:
                error = json.loads(bridge.call(id, json.dumps({"config": content, "lang": lang})))["error"]
                assert [f["field"] for f in error["fields"]] == ["config"], content


def test_a_long_request_holds_one_file_and_nothing_else(catalog: Catalog) -> None:
    name, tensors = llama_gguf(tokens=60_000)
    body = "name=tiny.gguf;gguf;base64," + base64.b64encode(gguf(name, tensors)).decode()
    assert len(body) > bridge.LONGEST_REQUEST
    answer = json.loads(bridge.call("model-params", json.dumps({"config": body})))
    assert answer["outputs"]["total"] > 0
    assert len(answer["inputs"]["config"]) < 1000
    many = json.dumps({f"field{i}": i for i in range(20_000)})
    assert json.loads(bridge.call("model-params", many))["error"]["code"] == "bad-json"
    assert json.loads(bridge.call("model-params", '{"config": "' + "x" * 30_000_001 + '"}'))["error"]["code"] == "bad-json"
