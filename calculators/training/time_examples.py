"""Published runs entered as inputs of `training-time`, and the situations that a reader starts from."""

from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

PLAIN = {"tensor_parallel": 1, "recompute": "none", "gpus": 8, "running_percent": 100.0}
LLAMA_2 = "Llama 2, table 2, https://arxiv.org/abs/2307.09288"
TORCHTITAN = (
    "torchtitan benchmarks/llama3_h100_202412_torchtitan.md at 31a17bfd, table 1, https://github.com/pytorch/torchtitan"
)

EXAMPLES = (
    Example(
        "llama-2-7b-gpu-hours",
        {**PLAIN, "model": "llama-2-7b", "tokens_billion": 2000, "accelerator": "a100-80g-sxm"},
        {"gpu_hours": 184_320},
        0.35,
        f"{LLAMA_2}: 184,320 hours of A100 80 GB; the utilisation is our default",
    ),
    Example(
        "llama-2-13b-gpu-hours",
        {**PLAIN, "model": "llama-2-13b", "tokens_billion": 2000, "accelerator": "a100-80g-sxm"},
        {"gpu_hours": 368_640},
        0.35,
        f"{LLAMA_2}: 368,640 hours of A100 80 GB; the utilisation is our default",
    ),
    Example(
        "llama-2-70b-gpu-hours",
        {**PLAIN, "model": "llama-2-70b", "tokens_billion": 2000, "accelerator": "a100-80g-sxm"},
        {"gpu_hours_at_utilisation": 1_720_320},
        0.35,
        f"{LLAMA_2}: 1,720,320 hours of A100 80 GB; the utilisation is our default",
    ),
    Example(
        "deepseek-v3-from-its-rate",
        {
            "model": "deepseek-v3",
            "tokens_billion": 14_800,
            "accelerator": "h800-sxm",
            "gpus": 2048,
            "tensor_parallel": 1,
            "pipeline_parallel": 16,
            "expert_parallel": 64,
            "measured_rate": 1e12 / 180_000 / 3600,
            "running_percent": 100.0,
        },
        {"gpu_hours": 2_664_000},
        0.001,
        "DeepSeek-V3, table 1: 180,000 H800 hours per trillion tokens, 2,664,000 in all, https://arxiv.org/abs/2412.19437",
    ),
    Example(
        "llama-3-1-8b-mfu-compiled",
        {
            "model": "llama-3-1-8b",
            "sequence": 8192,
            "gpus": 8,
            "tensor_parallel": 1,
            "sharding": "zero3",
            "micro_batch": 2,
            "measured_rate": 6667,
            "tokens_billion": 1,
        },
        {"mfu_all_pairs": 39.0},
        0.03,
        f"{TORCHTITAN}: 6,667 tokens/s per H100 with torch.compile, stated as 39 % MFU",
    ),
)

PRESETS = (
    Preset(
        "13b-on-16",
        Text("Pre-train 13B on 16 H100", "16 张 H100 预训练 13B"),
        {"model": "llama-2-13b", "gpus": 16, "tokens_billion": 260},
    ),
    Preset(
        "sft-7b-910b",
        Text("Full fine-tuning of 7B on one Ascend 910B server", "一台昇腾 910B 服务器全量微调 7B"),
        {
            "model": "qwen2-5-7b",
            "gpus": 8,
            "tokens_billion": 0.3,
            "accelerator": "ascend-910b3",
            "tensor_parallel": 1,
            "sharding": "zero3",
            "micro_batches": 4,
            "currency": "CNY",
            "mfu_percent": 35.0,
        },
    ),
    Preset(
        "lora-8b-4090",
        Text("LoRA of 8B on one RTX 4090", "一张 RTX 4090 LoRA 微调 8B"),
        {
            "model": "llama-3-1-8b",
            "method": "lora",
            "gpus": 1,
            "tensor_parallel": 1,
            "tokens_billion": 0.02,
            "sequence": 2048,
            "accelerator": "rtx-4090-24g",
            "sharding": "none",
            "recompute": "full",
            "server_gpus": 1,
        },
    ),
    Preset(
        "70b-1024",
        Text("Pre-train 70B on 1,024 GPUs in 60 days", "1,024 张卡 60 天内预训练 70B"),
        {
            "model": "llama-3-1-70b",
            "gpus": 1024,
            "tokens_billion": 1400,
            "sequence": 8192,
            "tensor_parallel": 8,
            "pipeline_parallel": 4,
            "micro_batches": 32,
            "target_days": 60,
        },
    ),
)
