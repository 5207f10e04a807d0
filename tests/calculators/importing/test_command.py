"""Command lines of vLLM, SGLang and llama.cpp -> inputs of `vram-inference`; what is not understood is told."""

from typing import Any

import pytest

from calculators import registry
from calculators.framework.validate import check
from calculators.importing.choose import known_model, model_of
from calculators.importing.reading import compact, read
from catalog.model import Catalog

LINES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    (
        (
            "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 32768 --max-num-seqs 64 --tensor-parallel-size 2 "
            "--kv-cache-dtype fp8 --gpu-memory-utilization 0.92 --max-num-batched-tokens 4096 --port 8000"
        ),
        "llama-3-1-8b",
        {
            "engine": "vllm",
            "context": 32768,
            "batch": 64,
            "tensor_parallel": 2,
            "kv_dtype": "fp8",
            "usable_percent": 92.0,
            "step_tokens": 4096,
        },
        [],
    ),
    (
        (
            "docker run --gpus all vllm/vllm-openai python -m vllm.entrypoints.openai.api_server --model=Qwen/Qwen3-32B "
            "--quantization=awq --max_model_len=32k"
        ),
        "qwen3-32b",
        {"engine": "vllm", "weight_format": "awq-int4-g128", "context": 32000},
        [],
    ),
    (
        "vllm serve Qwen/Qwen3-8B -tp 4 --max-model-len 32K --pipeline-parallel-size 2 --enforce-eager",
        "qwen3-8b",
        {"engine": "vllm", "tensor_parallel": 4, "context": 32768, "pipeline_parallel": 2, "cuda_graphs": False},
        [],
    ),
    (
        "vllm serve --enforce-eager --enable-expert-parallel -dp 4 -tp 2 deepseek-ai/DeepSeek-V3 --max-loras 8 --max-lora-rank 32",
        "deepseek-v3",
        {
            "engine": "vllm",
            "cuda_graphs": False,
            "expert_parallel": True,
            "data_parallel": 4,
            "tensor_parallel": 2,
            "lora_adapters": 8,
            "lora_rank": 32,
        },
        [],
    ),
    (
        "vllm serve Qwen/Qwen3-8B \\\n  --max-num-seqs 16 \\\n  --kv-cache-dtype int4_custom  # a comment",
        "qwen3-8b",
        {"engine": "vllm", "batch": 16},
        ["--kv-cache-dtype int4_custom"],
    ),
    (
        "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --mem-fraction-static 0.85 --context-length 65536",
        "deepseek-v3",
        {"engine": "sglang", "tensor_parallel": 8, "usable_percent": 85.0, "context": 65536},
        [],
    ),
    (
        "./llama-server -m models/Qwen3-8B-Q4_K_M.gguf -c 32768 -np 4 -ngl 99 -ctk q8_0 -ctv q8_0 -fa on --host 0.0.0.0",
        "qwen3-8b",
        {
            "engine": "llama.cpp",
            "context": 8192,
            "batch": 4,
            "kv_dtype": "q8_0",
            "weight_format": "q4_k_m",
            "host_layers": 0,
        },
        [],
    ),
    (
        "llama-server -hf ggml-org/gpt-oss-20b-GGUF --ctx-size 0 --jinja -ub 2048",
        "gpt-oss-20b",
        {"engine": "llama.cpp"},
        ["-ub"],
    ),
    (
        "llama-server.exe -m C:\\models\\Llama-3.1-8B.gguf -ngl 20 -c 4096",
        "llama-3-1-8b",
        {"engine": "llama.cpp", "context": 4096, "host_layers": 12},
        [],
    ),
    (
        "llama-server -hf unsloth/gpt-oss-20b-GGUF:Q6_K --cpu-moe -ctk q5_1 -ctv q5_1 --n-gpu-layers all",
        "gpt-oss-20b",
        {"engine": "llama.cpp", "host_experts": True, "kv_dtype": "q5_1", "weight_format": "q6_k"},
        [],
    ),
]
"""The line, the catalog's model, the inputs, the keys that are not understood."""


@pytest.mark.parametrize(("line", "model", "settings", "unread"), LINES, ids=[row[1] + str(i) for i, row in enumerate(LINES)])
def test_a_command_line_is_understood(
    line: str, model: str, settings: dict[str, Any], unread: list[str], catalog: Catalog
) -> None:
    found = model_of("x", line, catalog)
    assert found.imported is not None
    assert dict(found.imported.settings) == settings
    assert [u.key for u in found.imported.not_understood] == unread
    assert found.model.id == model
    calculator = registry.find("vram-inference")
    assert calculator is not None
    check(calculator, settings, catalog)  # every value is one that the calculator takes


def test_notes_of_llama_server() -> None:
    notes = " ".join(n.en for n in read("llama-server -m a.gguf -c 8192 -np 2 -ctk q8_0 -ctv f16 -fa off").notes)
    for words in ("shared by 2 slots: 4,096", "-ctk and -ctv differ", "Without flash attention"):
        assert words in notes


@pytest.mark.parametrize("line", [row[0] for row in LINES])
def test_the_short_form_keeps_the_settings(line: str) -> None:
    assert read(compact(line)).settings == read(line).settings


def test_a_value_that_the_calculator_does_not_offer_is_told_and_not_set() -> None:
    found = read("llama-server -m a.gguf -ctk f32 -ngl auto")
    assert set(found.settings) == {"engine"}
    assert [u.key for u in found.not_understood] == ["-ctk f32"]


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("Qwen/Qwen3-32B-AWQ", "qwen3-32b"),
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "llama-3-1-8b"),
        ("unsloth/gpt-oss-120b", "gpt-oss-120b"),
        ("Qwen/Qwen3-32B-VL", ""),
        ("someone/new-model", ""),
        ("Qwen/Qwen3", ""),
    ],
)
def test_names_of_the_catalog(words: str, id: str, catalog: Catalog) -> None:
    found = known_model(words, catalog)
    assert (found.id if found else "") == id
