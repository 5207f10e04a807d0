"""Named, sourced cases of `spot`, and situations in a reader's words.

In: nothing. Out: `EXAMPLES` (inputs, and outputs that must come back within a tolerance) and `PRESETS`.
"""

from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

NEVER_RECLAIMED = {"interruption_hours": 1e9, "wait_hours": 0}
NEVER_FAILS = {"gpu_failure_hours": 1e9, "wait_hours": 0}
LLAMA = "Llama 3 405B: 419 unplanned interruptions in 54 days on 16,384 GPUs, arXiv 2407.21783"

EXAMPLES = (
    Example(
        "Llama 3: one interruption in three hours",
        NEVER_RECLAIMED | {"accelerator_count": 16_384, "gpu_failure_hours": 54 * 24 * 16_384 / 419},
        {"job_mtbi_hours": 3.0931},
        1e-3,
        LLAMA,
    ),
    Example(
        "Daly first order: 24 steps of 15 s",
        NEVER_FAILS
        | {
            "accelerator_count": 8,
            "interruption_hours": 6000 / 3600,
            "checkpoint_seconds": 10,
            "restart_minutes": 10,
            "work_hours": 10,
        },
        {"daly_first_minutes": 24 * 15 / 60},
        0.02,
        "https://changlan.org/posts/optimal-checkpointing/: C = 10 s, M = 6,000 s, R = 600 s give 24 steps of 15 s",
    ),
    Example(
        "BLOOM: 40 s every 3 h",
        NEVER_RECLAIMED | {"accelerator_count": 384, "checkpoint_seconds": 40, "interval_minutes": 180, "work_hours": 2_000},
        {"checkpoint_share_percent": 0.37},
        0.01,
        "Machine Learning Engineering Open Book (BLOOM-176B), https://github.com/stas00/ml-engineering",
    ),
    Example(
        "Availability: Young's interval where the save is short",
        NEVER_FAILS
        | {"interruption_hours": 100_000 / 3600, "checkpoint_seconds": 1, "restart_minutes": 100 / 60, "work_hours": 1_000},
        {"availability_minutes": (2 * 100_000) ** 0.5 / 60, "young_minutes": (2 * 100_000) ** 0.5 / 60},
        0.01,
        "NVIDIA, https://arxiv.org/abs/2410.18124",
    ),
    Example(
        "Nebius: spot at 42% of on demand stops paying there",
        {"interruption_hours": 1e9, "gpu_failure_hours": 1e9, "spot_price": 1.25, "on_demand_price": 2.95, "work_hours": 100},
        {"saving_percent": 100 * (1 - 1.25 / 2.95), "spot_cost": 1_000},
        1e-3,
        "Nebius, SkyPilot's price catalog v8, https://github.com/skypilot-org/skypilot-catalog",
    ),
)

PRESETS = (
    Preset(
        "finetune",
        Text("Fine-tune 8B on 8 cards over a weekend", "周末用 8 张卡微调 8B"),
        {"work_hours": 40, "deadline_hours": 60},
    ),
    Preset(
        "cluster",
        Text("Pre-train 70B on 256 cards", "256 张卡预训练 70B"),
        {
            "accelerator_count": 256,
            "work_hours": 500,
            "checkpoint_gb": 980,
            "write_gb_per_second": 20,
            "interruption_hours": 72,
        },
    ),
    Preset(
        "nervous",
        Text("A popular zone: reclaimed every hour", "热门可用区：每小时回收一次"),
        {"interruption_hours": 1, "restart_minutes": 15, "wait_hours": 1},
    ),
    Preset(
        "one-card",
        Text("One 4090 for a night, 30 s of notice", "一张 4090 跑一晚，提前通知 30 秒"),
        {
            "accelerator": "rtx-4090-24g",
            "accelerator_count": 1,
            "instance_gpus": 1,
            "work_hours": 10,
            "checkpoint_gb": 16,
            "write_gb_per_second": 0.5,
            "notice_seconds": 30,
        },
    ),
)
