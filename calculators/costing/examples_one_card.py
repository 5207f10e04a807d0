"""Named, sourced cases of `tco` for a single card: rented, spot, bought, second-hand; each enters its own prices.

In: nothing. Out: `ONE_CARD`, joined to the others in `examples`.
"""

from calculators.framework.spec import Example

HACECUENTAS = "https://hacecuentas.com/en/gpu-rental-cost-vast-runpod-calculator"
LLMTCO = "https://llmtco.com/self-hosting/gpu-tco-calculator/"
ONE = {
    "accelerator_count": 1,
    "region": "us",
    "currency": "USD",
    "discount_rate_percent": 0,
    "rent_decline_percent": 0,
    "insurance_percent": 0,
    "maintenance_percent": 0,
    "residual_percent": 0,
    "idle_power_percent": 0,
    "load_power_percent": 100,
    "pue": 1,
}
"""One card at home or in an office: nothing counted that the source does not count."""
H100_UNIT = ONE | {
    "accelerator": "h100-sxm",
    "horizon_months": 36,
    "hours_per_month": 511,
    "card_price": 25_600,
    "server_premium_percent": 38,
    "kw_per_accelerator": 1.275,
    "tariff": 0.0862,
    "hosting": "colo",
    "colo_per_kw_month": 196.25,
}

ONE_CARD = (
    Example(
        "hacecuentas-4090-rent",
        ONE | {"accelerator": "rtx-4090-24g", "horizon_months": 1, "hours_per_month": 6 * 22, "hourly_price": 0.42},
        {"on_demand_total": 55.44},
        1e-9,
        f"{HACECUENTAS}: 6 hours on 22 days at US$0.42",
    ),
    Example(
        "hacecuentas-4090-spot",
        ONE
        | {"accelerator": "rtx-4090-24g", "horizon_months": 1, "hours_per_month": 4 * 20, "hourly_price": 0.42}
        | {"spot_price": 0.22, "spot_goodput_percent": 100},
        {"spot_total": 17.60, "spot_per_useful_hour": 0.22},
        1e-9,
        f"{HACECUENTAS}: 4 hours on 20 days at US$0.22",
    ),
    Example(
        "nebius-spot-ratio",
        ONE
        | {"accelerator": "h100-sxm", "horizon_months": 1, "hours_per_month": 730, "hourly_price": 2.95}
        | {"spot_percent": 42.37, "spot_goodput_percent": 100},
        {"spot_per_useful_hour": 1.25, "spot_total": 1.25 * 730},
        0.001,
        "SkyPilot's price catalog v8, nebius: US$1.25 spot for US$2.95, https://github.com/skypilot-org/skypilot-catalog",
    ),
    Example(
        "hacecuentas-used-3090",
        ONE
        | {"accelerator": "rtx-3090", "horizon_months": 24, "hours_per_month": 8 * 30, "used_price_per_accelerator": 650}
        | {"kw_per_accelerator": 0.35, "tariff": 0.16, "own_network_per_month": 650 * 0.06 / 12}
        | {"used_failure_percent": 0, "used_test_cost": 0, "spare_level_percent": 0},
        {"used_total": 42 * 24},
        0.05,
        f"{HACECUENTAS}: US$650 over 24 months, 350 W, 8 hours a day at US$0.16, 6 % a year: about US$42 a month",
    ),
    Example(
        "llmtco-owned-month",
        ONE
        | {"accelerator": "a100-80g-sxm", "horizon_months": 36, "month_hours": 720, "hours_per_month": 360}
        | {"capex_per_accelerator": 15_000, "kw_per_accelerator": 0.4, "tariff": 0.12, "own_network_per_month": 500},
        {"purchase_total": 933.95 * 36, "electricity_per_year": 17.28 * 12, "purchase_per_useful_hour": 933.95 / 360},
        1e-5,
        f"{LLMTCO}: 416.67 + 17.28 + 500 = US$933.95 a month",
    ),
    Example(
        "msft-rig-monthly-depr",
        ONE
        | {"accelerator": "rtx-5090", "horizon_months": 24, "hours_per_month": 1, "capex_per_accelerator": 36_000}
        | {"residual_percent": 100 * 0.5 ** (36 / 24), "kw_per_accelerator": 0.8, "tariff": 0},
        {"resale_total": 18_000, "purchase_total": 750 * 24},
        1e-6,
        "https://dodatathings.dev/blog/local-ai-hardware-roi-rtx-5090-clusters-vs-api-economics: half of US$36,000 lost in 24 months; "
        "US$750 a month, where the page says 1,500",
    ),
    Example(
        "h100-unit-breakeven-use",
        H100_UNIT | {"hourly_price": 2.52},
        {"break_even_utilisation_percent": 70, "break_even_hours_purchase": 511},
        0.002,
        "an H100 cost model over Epoch AI's chip prices, NVIDIA's DGX H100 datasheet (10.2 kW / 8), EIA's US industrial tariff of 2025 "
        "and CBRE's colocation rent of H2 2025: at US$2.52 an hour buying breaks even at 70 % use",
    ),
    Example(
        "h100-unit-breakeven-month",
        H100_UNIT | {"hourly_price": 2.53, "spot_price": 100, "reserved_price": 100, "bare_metal_price": 1e6},
        {"break_even_month": 36},
        1e-9,
        "the same model: one cent above its break-even price of US$2.52, buying is ahead in the last of the 36 months",
    ),
)
