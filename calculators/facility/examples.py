"""Named, sourced cases of `power-cooling`, and situations in a reader's words.

In: nothing. Out: `EXAMPLES` (inputs, and outputs that must come back within a tolerance) and `PRESETS`.
"""

from calculators.framework.spec import Example, Preset
from calculators.framework.text import Text

ALWAYS = {"utilisation_percent": 100, "idle_power_percent": 0, "currency": "USD", "grid": "us-east"}
LLAMA = "Llama 3.1 model card, https://github.com/meta-llama/llama-models/blob/1b28708fc46501a449e03d8d618340a052d9ba07/models/llama3_1/MODEL_CARD.md"

EXAMPLES = (
    Example(
        "H100 at 70%: US$674 a year",
        ALWAYS
        | {
            "accelerator_count": 1,
            "gpus_per_server": 1,
            "server_kw": 1.275,
            "utilisation_percent": 70,
            "pue": 1,
            "tariff": 0.0862,
        },
        {"cost_per_year": 674},
        0.001,
        "an H100 cost model over NVIDIA's DGX H100 datasheet (10.2 kW / 8) and EIA's US industrial tariff of 2025",
    ),
    Example(
        "One node at the meter: 7.4 kW",
        ALWAYS | {"accelerator_count": 8, "server_kw": 6.2, "pue": 1.2},
        {"facility_kw": 7.4},
        0.01,
        "8 x 700 W, 500 W host, 100 W network, PUE 1.2: https://lynx-cortex.pages.dev/extension-track/X4-hardware-deep-dive/theory/04-datacenter-economics/",
    ),
    Example(
        "Llama 3.1 405B: 8,930 t by the factor of its 70B row",
        # 30.84 M GPU-hours at 700 W, PUE inside the factor, run as 8,760 h a year of work
        ALWAYS
        | {
            "accelerator_count": 3_521,
            "gpus_per_server": 1,
            "server_kw": 0.7,
            "pue": 1,
            "factor": 2040 / (7_000_000 * 0.0007),
        },
        {"carbon_t_per_year": 8_930},
        0.01,
        f"{LLAMA}: 7.0 M GPU-hours of the 70B gave 2,040 t",
    ),
    Example(
        "128 nodes at their greatest: US$124,000 a month, not 200,000",
        ALWAYS | {"accelerator_count": 1024, "server_kw": 10.2, "pue": 1.3, "tariff": 0.1},
        {"cost_per_year": 12 * 123_907},
        0.001,
        "https://tensorsmesh.com/blog/article-5.html says US$200,000-250,000; 128 x 10.2 kW x 1.3 x 730 h x US$0.10 is the upper bound",
    ),
)

PRESETS = (
    Preset("dgx", Text("One DGX H100 in a US colo", "美国托管一台 DGX H100"), {"accelerator": "h100-sxm", "pue": 1.4}),
    Preset(
        "ascend",
        Text("64 Ascend 910B in North China", "华北 64 张昇腾 910B"),
        {"accelerator": "ascend-910b3", "accelerator_count": 64, "grid": "cn-north", "currency": "CNY"},
    ),
    Preset(
        "rack",
        Text("A GB200 NVL72 rack", "一柜 GB200 NVL72"),
        {"accelerator": "gb200", "accelerator_count": 72, "gpus_per_server": 72, "rack_kw": 150},
    ),
    Preset(
        "office",
        Text("Eight 4090s in an office", "办公室里 8 张 4090"),
        {"accelerator": "rtx-4090-24g", "grid": "cn-east", "currency": "CNY", "rack_kw": 8, "utilisation_percent": 30},
    ),
)
