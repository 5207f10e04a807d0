"""Headers of GGUF and safetensors files: counts equal those of the same shapes, whatever stands around them."""

import json
from dataclasses import replace

import pytest

from calculators.importing.gguf_file import read_gguf
from calculators.importing.reading import compact_bytes, read, read_bytes
from calculators.importing.safetensors_file import read_header, read_index
from calculators.importing.shapes import group_of
from calculators.memory.params import parameter_groups
from catalog.model import Architecture
from tests.calculators.importing.headers import entry, gguf, llama_gguf, safetensors

TINY = Architecture(
    hidden_size=256,
    num_hidden_layers=2,
    vocab_size=320,
    num_attention_heads=4,
    num_key_value_heads=2,
    intermediate_size=512,
    max_position_embeddings=4096,
)


def test_a_gguf_header_gives_the_architecture_and_the_same_count() -> None:
    keys, tensors = llama_gguf()
    found = read_gguf(gguf(keys, tensors) + bytes(100))
    assert found.architecture == TINY
    assert found.name == "Tiny Llama"
    assert found.weight_format == "fp16"
    assert found.total == parameter_groups(TINY).total
    assert found.bytes == 2 * found.total + 2 * 256 * (2 * 2 + 1)  # norms are F32
    assert found.not_understood == ()


def test_a_gguf_without_a_head_is_tied() -> None:
    keys, tensors = llama_gguf()
    del tensors["output.weight"]
    found = read_gguf(gguf(keys, tensors))
    assert found.architecture == replace(TINY, tie_word_embeddings=True)


def test_a_tensor_beside_the_known_ones_is_told() -> None:
    keys, tensors = llama_gguf()
    tensors["blk.0.extra.weight"] = ((64, 64), 0)
    found = read_gguf(gguf(keys, tensors))
    assert [u.changes.en for u in found.not_understood] == [
        "the tensors sum to +4,096 parameters beside the architecture read from the keys"
    ]


def test_a_gguf_of_an_unknown_kind_is_counted_and_not_guessed() -> None:
    keys, tensors = llama_gguf()
    keys["general.architecture"] = "rwkv6"
    found = read_gguf(gguf(keys, tensors))
    assert found.architecture is None
    assert found.total == parameter_groups(TINY).total
    assert found.not_understood[0].key == "general.architecture = rwkv6"


def test_experts_and_norms_come_from_the_tensors() -> None:
    keys, tensors = llama_gguf()
    keys = {k.replace("llama.", "qwen3moe."): v for k, v in keys.items()} | {"general.architecture": "qwen3moe"}
    keys |= {"qwen3moe.expert_count": 8, "qwen3moe.expert_used_count": 2, "qwen3moe.expert_feed_forward_length": 96}
    for i in range(2):
        for name in ("gate", "up", "down"):
            del tensors[f"blk.{i}.ffn_{name}.weight"]
        tensors |= {
            f"blk.{i}.ffn_gate_inp.weight": ((256, 8), 0),
            f"blk.{i}.ffn_gate_exps.weight": ((256, 96, 8), 1),
            f"blk.{i}.ffn_up_exps.weight": ((256, 96, 8), 1),
            f"blk.{i}.ffn_down_exps.weight": ((96, 256, 8), 1),
            f"blk.{i}.attn_q_norm.weight": ((64,), 0),
            f"blk.{i}.attn_k_norm.weight": ((64,), 0),
        }
    found = read_gguf(gguf(keys, tensors))
    assert found.architecture == replace(
        TINY, intermediate_size=0, num_experts=8, num_experts_per_tok=2, moe_intermediate_size=96, qk_norm="head"
    )
    assert found.total == parameter_groups(found.architecture).total


def test_a_part_of_a_split_file_says_so() -> None:
    keys, tensors = llama_gguf()
    found = read_gguf(gguf(keys | {"split.count": 3}, tensors))
    assert "one of 3 parts" in found.notes[0].en


def test_a_safetensors_header_is_counted_by_group() -> None:
    entries = {
        "__metadata__": {"format": "pt"},
        "model.embed_tokens.weight": entry("BF16", [320, 256], 163_840),
        "model.layers.0.self_attn.q_proj.weight": entry("BF16", [256, 256], 131_072),
        "model.layers.0.mlp.gate_proj.weight_scale_inv": entry("F32", [2, 4], 32),
        "model.layers.0.input_layernorm.weight": entry("BF16", [256], 512),
        "model.layers.11.mlp.experts.7.up_proj.weight": entry("F8_E4M3", [64, 256], 16_384),
        "lm_head.weight": entry("BF16", [320, 256], 163_840),
    }
    found = read_header(safetensors(entries), "model-00001-of-00004.safetensors")
    assert found.parameters == {
        "embedding": 81_920,
        "attention": 65_536,
        "scales": 8,
        "norms": 256,
        "routed_experts": 16_384,
        "head": 81_920,
    }
    assert found.bytes == 475_680
    assert "layers = 12" in found.understood
    assert "file 1 of 4" in found.notes[1].en
    assert found.architecture is None


def test_an_index_gives_names_and_bytes() -> None:
    names = {
        f"model.layers.{i}.mlp.experts.{e}.w1.weight": "model-00001-of-00002.safetensors" for i in range(4) for e in range(8)
    }
    index = json.dumps({"metadata": {"total_size": 123_456}, "weight_map": names})
    found = read_index(index)
    assert found.bytes == 123_456
    assert {"tensors = 32", "layers = 4", "experts = 8"} <= set(found.understood)
    assert read(index).kind == "index"


def test_bytes_and_their_short_form_are_the_same_model() -> None:
    keys, tensors = llama_gguf(kind=8)
    data = gguf(keys, tensors)
    short = compact_bytes(data, "tiny.gguf")
    assert len(short) < 700
    assert read(short).architecture == read_bytes(data, "tiny.gguf").architecture == TINY
    assert read(short).total == read_bytes(data, "tiny.gguf").total


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("model.layers.3.mlp.gate.weight", "router"),
        ("model.layers.3.mlp.gate_proj.weight", "mlp"),
        ("model.layers.3.mlp.shared_experts.up_proj.weight", "shared_experts"),
        ("model.layers.3.linear_attn.in_proj_qkv.weight", "linear_attention"),
        ("model.visual.blocks.0.attn.qkv.weight", "vision"),
        ("audio_tower.layers.0.fc1.weight", "audio"),
        ("backbone.layers.0.mixer.A_log", "linear_attention"),
        ("blk.3.ffn_gate_inp.weight", "router"),
        ("blk.3.ffn_down_exps.weight", "routed_experts"),
        ("blk.3.attn_k_b.weight", "attention"),
        ("transformer.wpe.weight", "position"),
        ("lm_head.weight", "head"),
        ("model.layers.0.self_attn.rotary_emb.inv_freq", "buffers"),
        ("something.new", "other"),
    ],
)
def test_groups_by_name(name: str, group: str) -> None:
    assert group_of(name) == group
