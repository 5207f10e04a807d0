"""Named, sourced cases of `rent-or-buy`, and situations in a reader's words.

In: nothing. Out: `EXAMPLES` (inputs, and outputs that must come back within a tolerance) and `PRESETS`. Every example
enters its own prices, so that a changed catalog cannot move it.
"""

from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

GUIDE = "极智算, GPU服务器选购指南, price table of 2026-07"
H100_UNIT = (
    "an H100 cost model over Epoch AI's chip prices, NVIDIA's DGX H100 datasheet (10.2 kW / 8), EIA's US industrial tariff of 2025 "
    "and CBRE's colocation rent of H2 2025; 3 years, nothing left at the end"
)
CLUSTERMAX = "https://www.clustermax.ai/tco (SemiAnalysis ClusterMAX, 4,096 GPUs, gold, default view)"
NOMINAL = {"discount_rate_percent": 0, "rent_decline_percent": 0}
H100 = NOMINAL | {
    "accelerator": "h100-sxm",
    "accelerator_count": 1,
    "currency": "USD",
    "horizon_months": 36,
    "hours_per_month": 511,
    "hourly_price": 2.5,
    "card_price": 25_600,
    "server_premium_percent": 38,
    "residual_percent": 0,
    "maintenance_percent": 0,
    "kw_per_accelerator": 1.275,
    "idle_power_percent": 0,
    "tariff": 0.0862,
    "hosting": "colo",
    "colo_per_kw_month": 196.25,
}

EXAMPLES = (
    Example(
        "seed-breakeven-4090",
        {"accelerator": "rtx-4090-24g", "accelerator_count": 8, "hourly_price": 1.96, "bare_metal_price": 7920},
        {"break_even_hours_bare_metal_vs_hourly": 505.1},
        0.001,
        f"{GUIDE}: ¥7,920 / (8 × ¥1.96), derived",
    ),
    Example(
        "seed-breakeven-910b",
        {"accelerator": "ascend-910b-64g", "accelerator_count": 8, "hourly_price": 3.58, "bare_metal_price": 15_600},
        {"break_even_hours_bare_metal_vs_hourly": 544.7},
        0.001,
        f"{GUIDE}: ¥15,600 / (8 × ¥3.58), derived",
    ),
    Example(
        "seed-month-per-card",
        {"accelerator": "rtx-4090-24g", "hourly_price": 1.96, "monthly_price": 990},
        {"break_even_hours_month_vs_hourly": 505.1},
        0.001,
        f"{GUIDE}: the same month price per card, ¥7,920 / 8 = ¥990",
    ),
    Example(
        "seed-day-month",
        NOMINAL
        | {
            "accelerator": "rtx-4090-48g",
            "horizon_months": 1,
            "bare_metal_price": 320,
            "bare_metal_per": "day",
            "accelerator_count": 8,
        },
        {"bare_metal_month": 9600, "bare_metal_total": 9600},
        1e-9,
        f"{GUIDE}: ¥320 a day × 30 = ¥9,600 a month",
    ),
    Example("h100-unit-capex", H100, {"capex_per_accelerator": 35_300}, 0.001, H100_UNIT),
    Example("h100-unit-depreciation", H100, {"depreciation_per_year": 11_776}, 0.0001, H100_UNIT),
    Example("h100-unit-power-70", H100, {"electricity_per_year": 674}, 0.001, H100_UNIT),
    Example("h100-unit-power-100", H100 | {"hours_per_month": 730}, {"electricity_per_year": 963}, 0.001, H100_UNIT),
    Example("h100-unit-colo", H100, {"colo_per_year": 3003}, 0.001, H100_UNIT),
    Example("h100-unit-breakeven-price", H100, {"break_even_price": 2.52, "purchase_per_used_hour": 2.52}, 0.002, H100_UNIT),
    Example(
        "h100-unit-revenue", H100 | {"horizon_months": 12}, {"hourly_total": 15_330}, 1e-9, f"{H100_UNIT}; at US$2.50 an hour"
    ),
    Example(
        "clustermax-gold-36m",
        NOMINAL
        | {
            "accelerator": "h100-sxm",
            "accelerator_count": 4096,
            "currency": "USD",
            "horizon_months": 36,
            "monthly_price": 5_539_138 / 4096,
        },
        {"monthly_total": 199_408_973},
        1e-6,
        CLUSTERMAX,
    ),
    Example(
        "grid-monthly-720",
        NOMINAL
        | {
            "accelerator": "h100-sxm",
            "accelerator_count": 1,
            "currency": "USD",
            "horizon_months": 1,
            "hourly_price": 2.23,
            "month_hours": 720,
            "hours_per_month": 720,
        },
        {"hourly_total": 1606},
        0.001,
        "https://gridstackhub.ai/learn/reserved-vs-spot-vs-on-demand-gpu",
    ),
    Example(
        "rtx5090-box-monthly",
        {
            "accelerator": "rtx-5090",
            "accelerator_count": 1,
            "capex_per_accelerator": 4000,
            "residual_percent": 0,
            "horizon_months": 36,
        },
        {"depreciation_per_year": 111 * 12},
        0.002,
        "https://morgannriu.fr/en/blog/ia-locale-vs-api-cout-break-even",
    ),
)

PRESETS = (
    Preset(
        "eight-4090",
        Text("8 × 4090 24G, one long training run after another", "8 × 4090 24G，连续训练"),
        {
            "accelerator": "rtx-4090-24g",
            "accelerator_count": 8,
            "hours_per_month": 600,
            "horizon_months": 12,
            "currency": "CNY",
        },
    ),
    Preset(
        "eight-910b",
        Text("8 × Ascend 910B for a domestic-only project", "8 × 昇腾 910B，国产化项目"),
        {
            "accelerator": "ascend-910b-64g",
            "accelerator_count": 8,
            "hours_per_month": 500,
            "horizon_months": 24,
            "currency": "CNY",
        },
    ),
    Preset(
        "eight-h100",
        Text("8 × H100 in colocation for 3 years", "8 × H100，托管 3 年"),
        {
            "accelerator": "h100-sxm",
            "accelerator_count": 8,
            "hours_per_month": 511,
            "horizon_months": 36,
            "currency": "USD",
            "hosting": "colo",
        },
    ),
    Preset(
        "one-4090-evenings",
        Text("One 4090 in the evenings", "一张 4090，晚上用"),
        {"accelerator": "rtx-4090-24g", "accelerator_count": 1, "hours_per_month": 60, "horizon_months": 24, "currency": "CNY"},
    ),
)
