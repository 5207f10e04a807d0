"""What `tco` asks about money and time, units of work, and how far each number may be off.

In: nothing. Out: the calculator's `Inputs`, the last link of the chain `Need` <- `Rent` <- `Buy` <- `Own`.
"""

from dataclasses import dataclass
from typing import Any

from calculators.costing.fields_need import MONEY, UNCERTAIN, UNITS
from calculators.costing.fields_own import Own
from calculators.framework.spec import Choice, choice, real, switch, whole
from calculators.framework.text import Text

METHODS = (
    Choice("straight-line", Text("straight line", "直线法")),
    Choice("declining", Text("double declining balance", "双倍余额递减法")),
    Choice("units", Text("units of production, by hours of work", "工作量法，按运行小时")),
)
BASES = (
    Choice("nominal", Text("nominal: money as it is paid", "名义：按实际支付金额")),
    Choice("real", Text("real: in today's purchasing power", "实际：按今天的购买力")),
)
TFLOPS_BASES = (
    Choice("peak", Text("peak: dense BF16, FP32 accumulate", "峰值：稠密 BF16，FP32 累加")),
    Choice("achieved", Text("achieved: peak × MFU", "实际达到：峰值 × MFU")),
)


@dataclass(frozen=True, slots=True)
class Money(Own):
    """Cost of capital, taxes, depreciation."""

    discount_rate_percent: float | None = real(
        Text("Cost of capital per year", "资金成本（年）"),
        None,
        low=0,
        high=60,
        unit="%",
        group=MONEY,
        help=Text(
            "Effective per year; the month takes (1 + r)^(1/12) − 1. 0 compares plain sums. Empty: the region's, an assumption.",
            "按年有效利率计，月利率为 (1 + r)^(1/12) − 1。填 0 即比较名义金额。留空则取地区默认值（假设）。",
        ),
    )
    basis: str = choice(
        Text("Money is", "金额口径"),
        "nominal",
        BASES,
        group=MONEY,
        advanced=True,
        help=Text(
            "Real: price changes above are read as beyond inflation, and the rate is (1 + rate) / (1 + inflation) − 1.",
            "选“实际”时，上面的涨跌幅视为扣除通胀后的变化，折现率为 (1 + 利率) / (1 + 通胀) − 1。",
        ),
    )
    inflation_percent: float = real(
        Text("Inflation per year", "年通胀率"),
        0.0,
        low=-5,
        high=50,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text("Used where money is real.", "仅在“实际”口径下使用。"),
    )
    prices_include_vat: bool = switch(
        Text("Prices contain VAT", "价格含增值税"),
        False,
        group=MONEY,
        advanced=True,
        help=Text("How all prices above, also the catalog's, are read.", "上面所有价格（含目录价格）按此理解。"),
    )
    vat_recoverable: bool = switch(
        Text("VAT can be reclaimed", "增值税可抵扣"),
        True,
        group=MONEY,
        advanced=True,
        help=Text("As a general taxpayer does: then VAT is no cost.", "一般纳税人可抵扣，此时增值税不计入成本。"),
    )
    vat_percent: float | None = real(
        Text("VAT on goods", "商品增值税率"),
        None,
        low=0,
        high=50,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text("Empty: the region's, where it has one.", "留空则取地区默认值（如有）。"),
    )
    vat_services_percent: float | None = real(
        Text("VAT on rent and services", "租赁与服务增值税率"),
        None,
        low=0,
        high=50,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text("Empty: as on goods.", "留空则与商品相同。"),
    )
    tax_percent: float = real(
        Text("Income tax", "所得税率"),
        0.0,
        low=0,
        high=60,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text(
            "0 leaves it out. Else costs and depreciation save tax, and the sale is taxed over book value; enter an after-tax cost of capital.",
            "填 0 表示不计。否则费用与折旧可抵税，转卖所得超过账面价值的部分计税；此时资金成本应填税后值。",
        ),
    )
    depreciation: str = choice(
        Text("Depreciation in the books", "账面折旧方法"),
        "straight-line",
        METHODS,
        group=MONEY,
        advanced=True,
        help=Text(
            "Moves no money by itself: it shows the book value, and saves tax where there is income tax.",
            "本身不动用现金：用于显示账面价值；有所得税时影响抵税。",
        ),
    )
    book_life_years: int = whole(
        Text("Life in the books", "折旧年限"),
        5,
        low=1,
        high=15,
        unit="year",
        group=MONEY,
        advanced=True,
        help=Text(
            "3 to 6 years in filings: Amazon 5, Meta 5.5, Alphabet and Microsoft 6. Not the years of use.",
            "上市公司披露为 3–6 年：亚马逊 5 年、Meta 5.5 年、Alphabet 与微软 6 年。与实际使用年限是两回事。",
        ),
    )
    book_salvage_percent: float = real(
        Text("Salvage value in the books", "账面残值率"),
        0.0,
        low=0,
        high=100,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text("Of the purchase; 0 to 5 % is usual.", "占购置成本，常见 0%–5%。"),
    )
    life_hours: float = real(
        Text("Hours of work in a card's life", "单卡寿命工作小时数"),
        30_000.0,
        low=100,
        high=200_000,
        unit="h",
        group=MONEY,
        advanced=True,
        help=Text("For units of production only. An assumption.", "仅用于工作量法。假设值。"),
    )
    month_hours: float = real(
        Text("Hours in a month", "一个月的小时数"),
        730.0,
        low=672,
        high=744,
        unit="h",
        group=MONEY,
        advanced=True,
        help=Text("8,760 / 12 = 730. Some price lists use 720.", "8760 / 12 = 730。有的价目表按 720 计。"),
    )
    tflops_basis: str = choice(
        Text("TFLOPS are", "TFLOPS 口径"),
        "peak",
        TFLOPS_BASES,
        group=UNITS,
        advanced=True,
        help=Text(
            "One basis for every card: never sparse, never FP16 accumulate.",
            "所有卡用同一口径：不用稀疏值，也不用 FP16 累加值。",
        ),
    )
    tflops: float | None = real(
        Text("TFLOPS of a card", "单卡 TFLOPS"),
        None,
        low=0.1,
        high=100_000,
        unit="TFLOPS",
        group=UNITS,
        advanced=True,
        help=Text("Empty: the catalog's peak on that basis.", "留空则取目录中该口径的峰值。"),
    )
    mfu_percent: float = real(
        Text("Share of the peak that your work reaches (MFU)", "实际算力利用率（MFU）"),
        40.0,
        low=1,
        high=100,
        unit="%",
        group=UNITS,
        advanced=True,
        help=Text("For the achieved basis. Training: 25 to 50 %.", "用于“实际达到”口径。训练一般 25%–50%。"),
    )
    tokens_per_second: float | None = real(
        Text("Tokens per second, all cards together", "全部卡合计每秒 token 数"),
        None,
        low=0.01,
        high=1e9,
        unit="token/s",
        group=UNITS,
        help=Text(
            "Gives the cost per million tokens. From the throughput calculator or your own load test.",
            "用于计算每百万 token 成本。可取自吞吐量计算器或压测结果。",
        ),
    )
    run_gpu_hours: float | None = real(
        Text("GPU-hours of a training run", "一次训练的 GPU 小时数"),
        None,
        low=0.01,
        high=1e10,
        unit="GPU-h",
        group=UNITS,
        help=Text(
            "Gives the cost of the run. From the training-time calculator.", "用于计算一次训练的成本。可取自训练时间计算器。"
        ),
    )


def _end(en: str, zh: str, *, low: float, high: float, unit: str = "") -> Any:
    """One end of a range; empty = the published or regional range."""
    return real(
        Text(en, zh),
        None,
        low=low,
        high=high,
        unit=unit,
        group=UNCERTAIN,
        advanced=True,
        help=Text("Empty: the published or regional range.", "留空则取公开或地区的范围。"),
    )


@dataclass(frozen=True, slots=True)
class Inputs(Money):
    """Everything that the comparison depends on."""

    hours_per_month_low: float | None = _end("Hours per month, low", "每月小时数，低", low=1, high=744, unit="h/month")
    hours_per_month_high: float | None = _end("Hours per month, high", "每月小时数，高", low=1, high=744, unit="h/month")
    hourly_price_low: float | None = _end("On-demand price, low", "按需价格，低", low=0.001, high=10_000, unit="money/h")
    hourly_price_high: float | None = _end("On-demand price, high", "按需价格，高", low=0.001, high=10_000, unit="money/h")
    rent_decline_percent_low: float | None = _end("Rents fall per year, low", "租价年降幅，低", low=-50, high=90, unit="%")
    rent_decline_percent_high: float | None = _end("Rents fall per year, high", "租价年降幅，高", low=-50, high=90, unit="%")
    spot_percent_low: float | None = _end("Spot share, low", "竞价比例，低", low=1, high=200, unit="%")
    spot_percent_high: float | None = _end("Spot share, high", "竞价比例，高", low=1, high=200, unit="%")
    reserved_discount_percent_low: float | None = _end("Reserving discount, low", "预留折扣，低", low=0, high=95, unit="%")
    reserved_discount_percent_high: float | None = _end("Reserving discount, high", "预留折扣，高", low=0, high=95, unit="%")
    capex_per_accelerator_low: float | None = _end("Server price, low", "整机价，低", low=1, high=10_000_000, unit="money")
    capex_per_accelerator_high: float | None = _end("Server price, high", "整机价，高", low=1, high=10_000_000, unit="money")
    residual_percent_low: float | None = _end("Resale value, low", "残值，低", low=0, high=100, unit="%")
    residual_percent_high: float | None = _end("Resale value, high", "残值，高", low=0, high=100, unit="%")
    maintenance_percent_low: float | None = _end("Maintenance, low", "维保，低", low=0, high=50, unit="%")
    maintenance_percent_high: float | None = _end("Maintenance, high", "维保，高", low=0, high=50, unit="%")
    tariff_low: float | None = _end("Electricity price, low", "电价，低", low=0, high=10, unit="money/kWh")
    tariff_high: float | None = _end("Electricity price, high", "电价，高", low=0, high=10, unit="money/kWh")
    pue_low: float | None = _end("PUE, low", "PUE，低", low=1, high=3)
    pue_high: float | None = _end("PUE, high", "PUE，高", low=1, high=3)
    colo_per_kw_month_low: float | None = _end("Colocation rent, low", "托管费，低", low=0, high=10_000, unit="money/kW-month")
    colo_per_kw_month_high: float | None = _end(
        "Colocation rent, high", "托管费，高", low=0, high=10_000, unit="money/kW-month"
    )
    discount_rate_percent_low: float | None = _end("Cost of capital, low", "资金成本，低", low=0, high=60, unit="%")
    discount_rate_percent_high: float | None = _end("Cost of capital, high", "资金成本，高", low=0, high=60, unit="%")
    spot_interrupted_every_low: float | None = _end(
        "Spot: hours between interruptions, low", "竞价中断间隔，低", low=0.1, high=100_000, unit="h"
    )
    spot_interrupted_every_high: float | None = _end(
        "Spot: hours between interruptions, high", "竞价中断间隔，高", low=0.1, high=100_000, unit="h"
    )
    monthly_price_low: float | None = _end("Month price, low", "包月价，低", low=0.1, high=10_000_000, unit="money/month")
    monthly_price_high: float | None = _end("Month price, high", "包月价，高", low=0.1, high=10_000_000, unit="money/month")
    bare_metal_price_low: float | None = _end("Bare metal, low", "裸金属价，低", low=0.1, high=100_000_000, unit="money")
    bare_metal_price_high: float | None = _end("Bare metal, high", "裸金属价，高", low=0.1, high=100_000_000, unit="money")
    used_price_per_accelerator_low: float | None = _end("Second-hand, low", "二手价，低", low=1, high=10_000_000, unit="money")
    used_price_per_accelerator_high: float | None = _end(
        "Second-hand, high", "二手价，高", low=1, high=10_000_000, unit="money"
    )
    decline_residual_correlation: float = real(
        Text("Falling rents go with low resale", "租价下跌与残值走低的相关性"),
        0.5,
        low=0,
        high=0.99,
        group=UNCERTAIN,
        advanced=True,
        help=Text(
            "Rank correlation in the draws; 0 = independent. An assumption: the same market sets both.",
            "抽样时的秩相关系数，0 表示相互独立。假设值：两者由同一个市场决定。",
        ),
    )
    seed: int = whole(
        Text("Seed of the draws", "随机种子"),
        1,
        low=0,
        high=2_147_483_647,
        group=UNCERTAIN,
        advanced=True,
        help=Text("The same seed gives the same draws.", "种子相同，抽样结果相同。"),
    )
    draws: int = whole(
        Text("Draws of the long run", "模拟次数"),
        10_000,
        low=100,
        high=100_000,
        group=UNCERTAIN,
        advanced=True,
        help=Text("The answer at once uses 200 of them.", "页面即时结果只用其中 200 次。"),
    )
