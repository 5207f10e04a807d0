"""Named, sourced cases of `tco`, and situations in a reader's words.

In: nothing. Out: `EXAMPLES` (inputs, and outputs that must come back within a tolerance) and `PRESETS`. Every example enters its own
prices, so that a changed catalog cannot move it.
"""

from calculators.costing.examples_one_card import ONE_CARD
from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

GUIDE = "极智算, GPU服务器选购指南, price table of 2026-07"
H100_UNIT = (
    "an H100 cost model over Epoch AI's chip prices, NVIDIA's DGX H100 datasheet (10.2 kW / 8), EIA's US industrial tariff of 2025 "
    "and CBRE's colocation rent of H2 2025; 3 years, nothing left at the end"
)
CLUSTERMAX = "https://www.clustermax.ai/tco (SemiAnalysis ClusterMAX, 4,096 GPUs, gold, default view)"
GRIDSTACK = "https://gridstackhub.ai/learn/reserved-vs-spot-vs-on-demand-gpu"
COMPUTESPEC = "https://computespec.pages.dev/learn/pricing/cloud-gpu-pricing-explained"
DEEPSEEK_NODE = "DeepSeek, open-infra-index day 6: US$2 a GPU-hour, 8 GPUs, 14,800 output tokens/s a node; derived"
FLAT = {
    "discount_rate_percent": 0,
    "rent_decline_percent": 0,
    "insurance_percent": 0,
    "maintenance_percent": 0,
    "residual_percent": 0,
    "idle_power_percent": 0,
    "pue": 1,
}
"""Plain sums: no cost of capital, no moving prices, nothing left, nothing that the source does not count."""
ONE_H100 = FLAT | {
    "accelerator": "h100-sxm",
    "accelerator_count": 1,
    "region": "us",
    "currency": "USD",
    "horizon_months": 36,
    "hours_per_month": 511,
    "hourly_price": 2.5,
}
H100 = ONE_H100 | {
    "card_price": 25_600,
    "server_premium_percent": 38,
    "kw_per_accelerator": 1.275,
    "tariff": 0.0862,
    "hosting": "colo",
    "colo_per_kw_month": 196.25,
    "book_life_years": 3,
}
SEED = (
    FLAT
    | {"spot_price": 100}
    | {"region": "cn", "currency": "CNY", "tariff": 0.65, "horizon_months": 1, "hours_per_month": 730}
)
CLUSTER = FLAT | {
    "accelerator": "h100-sxm",
    "accelerator_count": 4096,
    "region": "us",
    "currency": "USD",
    "horizon_months": 36,
    "hours_per_month": 730,
}

EXAMPLES = (
    Example(
        "seed-breakeven-4090",
        {"accelerator": "rtx-4090-24g", "accelerator_count": 8, "hourly_price": 1.96, "bare_metal_price": 7920},
        {"break_even_hours_bare_metal": 505.1},
        0.001,
        f"{GUIDE}: ¥7,920 / (8 × ¥1.96), derived",
    ),
    Example(
        "seed-breakeven-910b",
        {"accelerator": "ascend-910b-64g", "accelerator_count": 8, "hourly_price": 3.58, "bare_metal_price": 15_600},
        {"break_even_hours_bare_metal": 544.7},
        0.001,
        f"{GUIDE}: ¥15,600 / (8 × ¥3.58), derived",
    ),
    Example(
        "seed-month-per-card",
        {"accelerator": "rtx-4090-24g", "hourly_price": 1.96, "monthly_price": 990},
        {"break_even_hours_month": 505.1},
        0.001,
        f"{GUIDE}: the same month price per card, ¥7,920 / 8 = ¥990",
    ),
    Example(
        "seed-day-month",
        SEED | {"accelerator": "rtx-4090-48g", "bare_metal_price": 320, "bare_metal_per": "day"},
        {"bare_metal_month": 9600, "bare_metal_total": 9600},
        1e-9,
        f"{GUIDE}: ¥320 a day × 30 = ¥9,600 a month",
    ),
    *(
        Example(
            f"seed-{name}-tflops",
            SEED
            | {"accelerator": card, "bare_metal_price": price, "hourly_price": 100, "capex_per_accelerator": 1e6}
            | ({"tflops": tflops} if tflops else {}),
            {"per_tflops_month": expected, "bare_metal_total": price},
            rel,
            f"{GUIDE}: {said}",
        )
        for name, card, price, tflops, expected, rel, said in (
            ("4090-24g", "rtx-4090-24g", 7920, 330, 3.00, 0.001, "per TFLOPS as printed, on 330 (FP16 accumulate)"),
            ("4090-48g", "rtx-4090-48g", 9600, 330, 3.64, 0.002, "per TFLOPS as printed, on 330 (FP16 accumulate)"),
            ("910b", "ascend-910b-64g", 15_600, 320, 6.09, 0.001, "per TFLOPS as printed, on 320 (a dense figure)"),
            ("h100", "h100-sxm", 84_480, 1979, 5.34, 0.001, "per TFLOPS as printed, on 1,979 (with sparsity)"),
            ("4090-24g-one-basis", "rtx-4090-24g", 7920, 165.2, 5.99, 0.001, "recomputed on dense BF16, FP32 accumulate"),
            ("4090-48g-one-basis", "rtx-4090-48g", 9600, 165.2, 7.26, 0.001, "recomputed on dense BF16, FP32 accumulate"),
            ("h100-one-basis", "h100-sxm", 84_480, 989.4, 10.67, 0.001, "recomputed on dense BF16, FP32 accumulate"),
        )
    ),
    Example("h100-unit-capex", H100, {"capex_total": 35_300}, 0.001, H100_UNIT),
    Example("h100-unit-depreciation", H100, {"depreciation_first_year": 11_776}, 0.0001, H100_UNIT),
    Example("h100-unit-power-70", H100, {"electricity_per_year": 674}, 0.001, H100_UNIT),
    Example("h100-unit-power-100", H100 | {"hours_per_month": 730}, {"electricity_per_year": 963}, 0.001, H100_UNIT),
    Example("h100-unit-colo", H100, {"colo_per_year": 3003}, 0.001, H100_UNIT),
    Example("h100-unit-total", H100, {"purchase_eac": 15_453}, 0.0001, f"{H100_UNIT}: 11,776 + 674 + 3,003"),
    Example("h100-unit-breakeven-price", H100, {"break_even_price": 2.52, "purchase_per_useful_hour": 2.52}, 0.002, H100_UNIT),
    Example(
        "h100-unit-revenue",
        H100 | {"horizon_months": 12},
        {"on_demand_total": 15_330},
        1e-9,
        f"{H100_UNIT}; at US$2.50 an hour",
    ),
    Example(
        "rtx5090-box-monthly",
        FLAT
        | {"accelerator": "rtx-5090", "accelerator_count": 1, "region": "eu", "currency": "USD", "horizon_months": 36}
        | {"capex_per_accelerator": 4000, "tariff": 0, "kw_per_accelerator": 0.8, "book_life_years": 3},
        {"purchase_total": 111 * 36, "depreciation_first_year": 111 * 12},
        0.002,
        "https://morgannriu.fr/en/blog/ia-locale-vs-api-cout-break-even: 4,000 over 36 months = 111 a month",
    ),
    Example(
        "one-kilowatt-year",
        FLAT
        | {"accelerator": "rtx-4090-24g", "accelerator_count": 1, "horizon_months": 12, "hours_per_month": 730}
        | {"capex_per_accelerator": 20_000, "kw_per_accelerator": 1, "tariff": 0.1},
        {"electricity_per_year": 876},
        1e-9,
        "1 kW × 8,760 h × 0.1 a kWh",
    ),
    Example(
        "clustermax-gold-36m",
        CLUSTER | {"monthly_price": 5_539_138 / 4096},
        {"monthly_total": 199_408_973},
        1e-6,
        CLUSTERMAX,
    ),
    Example(
        "clustermax-gold-parts",
        CLUSTER
        | {
            "horizon_months": 1,
            "hourly_price": 5_426_381 / 4096 / 730,
            "goodput_percent": 100 / (1 + 111_349 / 5_426_381),
            "storage_tb": 1,
            "storage_price": 1408,
        },
        {"on_demand_total": 5_539_138},
        1e-6,
        f"{CLUSTERMAX}: GPUs 5,426,381, storage 1,408, goodput 111,349 a month",
    ),
    Example(
        "grid-monthly-720",
        ONE_H100 | {"horizon_months": 1, "hourly_price": 2.23, "month_hours": 720, "hours_per_month": 720},
        {"on_demand_total": 1606},
        0.001,
        GRIDSTACK,
    ),
    Example(
        "grid-reserved-pct",
        ONE_H100 | {"horizon_months": 12, "hourly_price": 2.23, "reserved_price": 1.79},
        {"break_even_hours_reserved": 0.8 * 730},
        0.02,
        f"{GRIDSTACK}: 20 % off, so reserving pays from 80 % of the month",
    ),
    Example(
        "grid-reserved-year",
        ONE_H100 | {"horizon_months": 12, "hourly_price": 2.23, "reserved_price": 1.79},
        {"reserved_total": 15_680},
        1e-4,
        f"{GRIDSTACK}: US$1.79 an hour for a year",
    ),
    Example(
        "grid-reserved-month-720",
        ONE_H100 | {"horizon_months": 1, "reserved_term_months": 1, "reserved_price": 1.79, "month_hours": 720},
        {"reserved_total": 1289},
        1e-3,
        f"{GRIDSTACK}: US$1.79 × 720 h",
    ),
    Example(
        "legitlads-64",
        FLAT
        | {"accelerator": "h100-sxm", "accelerator_count": 64, "region": "us", "currency": "USD", "horizon_months": 48}
        | {"hours_per_month": 0.7 * 730, "hourly_price": 2, "capex_per_accelerator": 30_000, "network_percent": 0}
        | {"tariff": 0, "own_network_per_month": 728_681 / 48, "reserved_price": 100, "spot_price": 100}
        | {"failure_percent": 0},
        {
            "purchase_total": 2_648_681,
            "on_demand_total": 3_139_584,
            "npv_of_buying": 490_903,
            "break_even_utilisation_percent": 59,
            "break_even_month": 3.2 * 12,
        },
        0.02,
        "https://www.legitlads.com/hub/tools/ai/ai-hardware/accelerator-roi-calculator/ (64 accelerators, US$1.92M, 4 years, 70 % use, "
        "energy and operations together 728,681; payback 3.2 years)",
    ),
    Example(
        "used-dgx-h100",
        ONE_H100
        | {"accelerator_count": 8, "used_price_per_accelerator": 24_875, "install_cost": 39_800, "capex_per_accelerator": 1e6}
        | {"tariff": 0, "failure_percent": 0},
        {"used_total": 238_800},
        1e-9,
        "catalog source supercluster-dgx-h100: a second-hand DGX H100 at US$199,000 and one year of support, 238,800 together",
    ),
    Example(
        "p5-reserved-discount",
        ONE_H100 | {"accelerator_count": 8, "horizon_months": 12, "hourly_price": 98.32 / 8, "reserved_discount_percent": 47},
        {"reserved_total": 52 * 8760},
        0.005,
        "https://disintermediate.global/insights/gpu-cloud-pricing-models: US$98.32 an hour on demand, 52 for a year's commitment (47 % off)",
    ),
    Example(
        "p5-per-gpu",
        ONE_H100 | {"accelerator_count": 8, "horizon_months": 1, "hours_per_month": 1, "hourly_price": 12.29},
        {"on_demand_total": 98.32},
        1e-9,
        COMPUTESPEC,
    ),
    Example(
        "billing-granularity",
        ONE_H100
        | {"accelerator_count": 10, "horizon_months": 1, "hourly_price": 3, "billing_step": "minute"}
        | {"hours_per_month": 1, "session_hours": 1 / 3},
        {"on_demand_total": 30},
        1e-9,
        f"{COMPUTESPEC}: 20 minutes of 10 GPUs at US$3 cost 10, three times a month 30",
    ),
    Example(
        "billing-per-hour",
        ONE_H100
        | {"accelerator_count": 10, "horizon_months": 1, "hourly_price": 3, "billing_step": "hour"}
        | {"hours_per_month": 1, "session_hours": 1 / 3},
        {"on_demand_total": 90},
        1e-9,
        f"{COMPUTESPEC}: by the hour 20 minutes of 10 GPUs cost 30, three times a month 90",
    ),
    Example(
        "deepseek-v3-train",
        ONE_H100
        | {"hourly_price": 2, "reserved_price": 100, "capex_per_accelerator": 1e6, "spot_price": 100}
        | {"run_gpu_hours": 2_788_000},
        {"on_demand_per_useful_hour": 2, "per_run": 5_576_000},
        1e-9,
        "DeepSeek-V3 technical report, https://arxiv.org/abs/2412.19437: 2.788M H800-hours at US$2",
    ),
    Example(
        "deepseek-output-tokens",
        ONE_H100
        | {"accelerator_count": 8, "hourly_price": 2, "reserved_price": 100, "capex_per_accelerator": 1e6, "spot_price": 100}
        | {"tokens_per_second": 14_800},
        {"per_million_tokens": 0.300},
        0.002,
        DEEPSEEK_NODE,
    ),
    Example(
        "numpy-financial-npv",
        FLAT
        | {"accelerator": "rtx-4090-24g", "accelerator_count": 1, "horizon_months": 12, "hours_per_month": 500}
        | {"discount_rate_percent": 8, "monthly_price": 100},
        {"monthly_total": 1151.285785},
        1e-8,
        "numpy_financial.npv(1.08 ** (1 / 12) - 1, [0] + [100] * 12)",
    ),
    *ONE_CARD,
)

PRESETS = (
    Preset(
        "eight-4090",
        Text("8 × 4090 24G, one long training run after another", "8 × 4090 24G，连续训练"),
        {"accelerator": "rtx-4090-24g", "accelerator_count": 8, "hours_per_month": 600, "horizon_months": 24},
    ),
    Preset(
        "eight-910b",
        Text("8 × Ascend 910B for a domestic-only project", "8 × 昇腾 910B，国产化项目"),
        {"accelerator": "ascend-910b-64g", "accelerator_count": 8, "hours_per_month": 500, "horizon_months": 24},
    ),
    Preset(
        "h100-us",
        Text("8 × H100 in US colocation, new or a used DGX for US$199,000", "美国托管 8 × H100，新机或 19.9 万美元的二手 DGX"),
        {
            "accelerator": "h100-sxm",
            "accelerator_count": 8,
            "hours_per_month": 511,
            "horizon_months": 36,
            "region": "us",
            "currency": "USD",
            "hosting": "colo",
            "used_price_per_accelerator": 24_875,
        },
    ),
    Preset(
        "growing-team",
        Text("A team that grows: 3 months of trials, then production", "成长中的团队：先试 3 个月，再上生产"),
        {"accelerator": "rtx-4090-24g", "accelerator_count": 8, "profile": "3x120,9x400,24x650", "horizon_months": 36},
    ),
    Preset(
        "campaigns",
        Text("Training campaigns: one month in three", "阶段性训练：每三个月跑一个月"),
        {
            "accelerator": "rtx-4090-24g",
            "accelerator_count": 8,
            "profile": "1x700,2x0,1x700,2x0,1x700,2x0,1x700,2x0",
            "horizon_months": 12,
        },
    ),
    Preset(
        "one-4090-evenings",
        Text("One 4090 in the evenings", "一张 4090，晚上用"),
        {"accelerator": "rtx-4090-24g", "accelerator_count": 1, "hours_per_month": 90, "horizon_months": 24},
    ),
)
