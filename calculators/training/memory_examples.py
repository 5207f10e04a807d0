"""Published runs entered as inputs of `vram-training`, and the situations that a reader starts from."""

from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

TORCHTUNE = "torchtune README.md at 0031bfb0 (batch 2, packed 2048, compile), https://github.com/pytorch/torchtune"
TORCHTITAN = "torchtitan benchmarks/llama3_h100_202412_torchtitan.md at 31a17bfd, https://github.com/pytorch/torchtitan"
NO_K = ("q", "v", "o", "gate", "up", "down")
TUNE = {"model": "llama-3-1-8b", "micro_batch": 2, "sequence": 2048, "loss": "chunked"}

EXAMPLES = (
    Example(
        "llama-3-1-8b-lora-rank-8-trainable",
        {"model": "llama-3-1-8b", "method": "lora", "rank": 8},
        {"trainable": 20_971_520},
        0.0,
        "LLaMA-Factory run log of 2025-04-30: 20,971,520 trainable parameters, https://github.com/hiyouga/LLaMA-Factory",
    ),
    Example(
        "llama-3-1-8b-full-on-one-4090",
        {
            **TUNE,
            "method": "full",
            "precision": "bf16",
            "optimizer": "paged-adamw-8bit",
            "fused_backward": True,
        },
        {"peak_gib": 18.9},
        0.20,
        f"{TORCHTUNE}: 18.9 GiB; the recipe's flags are taken from the configuration's name",
    ),
    Example(
        "llama-3-1-8b-lora-on-one-4090",
        {**TUNE, "method": "lora", "rank": 8, "lora_modules": NO_K, "adapter_dtype": "bf16"},
        {"peak_gib": 16.2},
        0.20,
        f"{TORCHTUNE}: 16.2 GiB",
    ),
    Example(
        "llama-3-1-8b-lora-without-recomputation",
        {
            **TUNE,
            "method": "lora",
            "rank": 8,
            "lora_modules": NO_K,
            "adapter_dtype": "bf16",
            "recompute": "none",
            "fused_ffn": True,
            "accelerator": "rtx-6000-ada",
        },
        {"peak_gib": 30.3},
        0.20,
        f"{TORCHTUNE}: 30.3 GiB on an A6000; checkpointing off is read from the difference to the 24 GB row",
    ),
    Example(
        "llama-3-1-8b-qlora-on-one-4090",
        {**TUNE, "method": "qlora", "rank": 8, "lora_modules": NO_K, "adapter_dtype": "bf16"},
        {"peak_gib": 7.4},
        0.20,
        f"{TORCHTUNE}: 7.4 GiB",
    ),
    Example(
        "llama-3-1-8b-fsdp-8-at-32768",
        {
            "model": "llama-3-1-8b",
            "objective": "pretrain",
            "method": "full",
            "precision": "fp32-params",
            "sharding": "fsdp",
            "gpus": 8,
            "micro_batch": 1,
            "sequence": 32768,
            "accelerator": "h100-sxm",
        },
        {"peak_gib": 83.9, "states_gib": 16 * 8030261248 / 8 / 2**30},
        0.20,
        f"{TORCHTITAN}, table 2: 83.9 GiB on 96 GB H100 (its FP8 matrices do not change the states)",
    ),
)

PRESETS = (
    Preset(
        "qlora-8b-24g",
        Text("QLoRA of an 8B model on one 24 GB card", "一张 24 GB 卡 QLoRA 微调 8B"),
        {"method": "qlora", "micro_batch": 2, "sequence": 2048},
    ),
    Preset(
        "lora-32b",
        Text("LoRA of a 32B model on one server", "一台服务器 LoRA 微调 32B"),
        {
            "model": "qwen2-5-32b",
            "method": "lora",
            "gpus": 8,
            "sharding": "zero3",
            "accelerator": "l40s",
            "sequence": 4096,
            "loss": "fused",
        },
    ),
    Preset(
        "full-7b",
        Text("Full fine-tuning of a 7B model on one server", "一台服务器全量微调 7B"),
        {
            "model": "qwen2-5-7b",
            "method": "full",
            "gpus": 8,
            "sharding": "zero3",
            "accelerator": "a800-sxm-80g",
            "sequence": 4096,
            "currency": "CNY",
        },
    ),
    Preset(
        "grpo-8b",
        Text("GRPO of an 8B model, rollouts on the same GPUs", "GRPO 训练 8B，采样共用同一批卡"),
        {
            "objective": "grpo",
            "method": "full",
            "gpus": 8,
            "sharding": "fsdp",
            "accelerator": "h100-sxm",
            "sequence": 8192,
            "rollout_sequences": 32,
            "loss": "fused",
        },
    ),
    Preset(
        "pretrain-70b",
        Text("Pre-training of a 70B model on 512 GPUs", "512 张卡预训练 70B"),
        {
            "model": "llama-3-1-70b",
            "objective": "pretrain",
            "method": "full",
            "precision": "megatron",
            "sharding": "zero1",
            "gpus": 512,
            "tensor_parallel": 8,
            "pipeline_parallel": 4,
            "micro_batches": 32,
            "sequence": 8192,
            "recompute": "selective",
            "accelerator": "h100-sxm",
        },
    ),
)
