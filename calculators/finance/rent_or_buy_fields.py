"""What `rent-or-buy` asks and what it answers: the words, units and ranges of its fields.

In: nothing. Out: the frozen `Inputs` and `Outputs` of the calculator. Prices without a default are optional: empty means
"take the catalog's", and where the catalog has none the option is not priced.
"""

from dataclasses import dataclass
from typing import Any

from calculators.framework.spec import Choice, Range, choice, real, result, whole
from calculators.framework.text import Text
from catalog.model import Catalog

NEED = Text("What you need", "你的需求")
RENT = Text("Rent prices", "租用价格")
BUY = Text("Purchase", "购买")
RUN = Text("Running your own machines", "自有机器的运行成本")
MONEY = Text("Time and money", "时间与资金")

CURRENCIES = (Choice("CNY", Text("CNY (¥)", "人民币（¥）")), Choice("USD", Text("USD (US$)", "美元（US$）")))
BARE_METAL_UNITS = (
    Choice("month", Text("a month", "月")),
    Choice("day", Text("a day (30 days a month)", "天（每月按 30 天）")),
)
HOSTING = (
    Choice("own-room", Text("my own room: energy × PUE", "自有机房：电量 × PUE")),
    Choice("colo", Text("colocation, rented by the kW", "托管机房，按 kW 计费")),
)


def accelerators(catalog: Catalog) -> tuple[Choice, ...]:
    """Every accelerator of the catalog, grouped by maker."""
    return tuple(
        Choice(a.id, Text(a.name, a.name_zh), Text(a.vendor))
        for a in sorted(catalog.accelerators.values(), key=lambda a: (a.vendor, a.name))
    )


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that the comparison depends on."""

    accelerator: str = choice(
        Text("Accelerator", "加速卡"),
        "rtx-4090-24g",
        accelerators,
        group=NEED,
        help=Text(
            "The card you would rent or buy. Its prices are filled in from the catalog; type your own quote over any of them.",
            "要租或买的卡。价格默认取自目录，拿到报价后直接填写即可覆盖。",
        ),
    )
    accelerator_count: int = whole(
        Text("Number of accelerators", "卡数"),
        8,
        low=1,
        high=100_000,
        unit="gpu",
        group=NEED,
        help=Text(
            "How many run at the same time. Bare metal comes in whole nodes: 10 cards mean two 8-card nodes.",
            "同时运行的卡数。裸金属按整机出租：10 张卡要租两台 8 卡机。",
        ),
    )
    hours_per_month: float = real(
        Text("Hours used per month", "每月实际使用小时数"),
        500.0,
        low=1,
        high=744,
        unit="h/month",
        group=NEED,
        help=Text(
            "Hours in which the cards work for you, not hours in which you hold them. A whole month has 730. "
            "Office hours are about 170; one 3-day training run a week is about 310.",
            "卡真正在干活的小时数，不是占用的小时数。整月为 730 小时；只在上班时间用约 170 小时，每周跑一次 3 天的训练约 310 小时。",
        ),
    )
    horizon_months: int = whole(
        Text("Horizon", "比较期限"),
        36,
        low=1,
        high=120,
        unit="month",
        group=NEED,
        help=Text(
            "How long you are sure to need them. Purchase is counted as sold at the end of it.",
            "确定要用多久。到期时，自购设备按转卖计算。",
        ),
    )
    currency: str = choice(
        Text("Currency", "币种"),
        "CNY",
        CURRENCIES,
        group=NEED,
        help=Text(
            "All money that you enter and read is in this currency. Catalog prices in the other one are converted at the dated rate shown.",
            "所有填写和显示的金额都用这一币种；目录里另一币种的价格按标明日期的汇率折算。",
        ),
    )
    hourly_price: float | None = real(
        Text("On demand, one accelerator", "按小时租，单卡"),
        None,
        low=0.001,
        high=10_000,
        unit="money/h",
        group=RENT,
        help=Text(
            "Per accelerator and hour, no commitment. Empty: the catalog's middle offer.",
            "单卡每小时价格，无承诺期。留空则取目录中的中位报价。",
        ),
    )
    monthly_price: float | None = real(
        Text("By the month, one accelerator", "包月，单卡"),
        None,
        low=0.1,
        high=10_000_000,
        unit="money/month",
        group=RENT,
        help=Text(
            "Per accelerator of a cloud instance paid by the month, used or not. Empty: the catalog's middle offer, if it has one.",
            "云主机包月的单卡价格，用不用都付。留空则取目录中的中位报价；目录没有时不比较此项。",
        ),
    )
    bare_metal_price: float | None = real(
        Text("Bare metal, whole node", "裸金属，整机"),
        None,
        low=0.1,
        high=100_000_000,
        unit="money",
        group=RENT,
        help=Text(
            "For the whole machine with all its cards, not per card: the 8-card node of the price lists. Empty: the catalog's.",
            "整台机器（含全部卡）的价格，不是单卡价，即价目表上的“8 卡裸金属”。留空则取目录报价。",
        ),
    )
    bare_metal_per: str = choice(
        Text("Bare metal is priced by", "裸金属计价周期"),
        "month",
        BARE_METAL_UNITS,
        group=RENT,
        advanced=True,
        help=Text(
            "What the price above pays for. A day price is multiplied by 30; it applies to a price that you enter.",
            "上面填写的价格对应的周期。日价按 30 天折成月价，只作用于自己填写的价格。",
        ),
    )
    bare_metal_accelerators: int | None = whole(
        Text("Accelerators per bare-metal node", "裸金属每台卡数"),
        None,
        low=1,
        high=1024,
        unit="gpu",
        group=RENT,
        advanced=True,
        help=Text(
            "You pay for whole nodes. Empty: as the catalog's offer says, else 8.",
            "裸金属按整机付费。留空则按目录报价的卡数，没有时按 8 卡。",
        ),
    )
    rent_decline_percent: float = real(
        Text("Rents fall per year by", "租价每年下降"),
        15.0,
        low=-50,
        high=90,
        unit="%",
        group=RENT,
        help=Text(
            "An assumption, the mirror of the resale value: what makes old cards cheap to rent makes them cheap to resell. "
            "Negative = rents rise, as those of the H100 did from October 2025 to March 2026.",
            "这是假设，与残值互为镜像：旧卡租价跌，转卖价也跌。填负数表示涨价，例如 2025 年 10 月至 2026 年 3 月的 H100。",
        ),
    )
    capex_per_accelerator: float | None = real(
        Text("Purchase price, all in, per accelerator", "购置总价，折合单卡"),
        None,
        low=1,
        high=10_000_000,
        unit="money",
        group=BUY,
        help=Text(
            "Server, network and installation divided by the number of cards. Empty: server price from the catalog, "
            "else card price plus the server premium.",
            "服务器、网络、安装等总价除以卡数。留空则取目录中的整机价；没有整机价时用卡价加服务器溢价。",
        ),
    )
    card_price: float | None = real(
        Text("Price of the bare card", "裸卡价格"),
        None,
        low=1,
        high=10_000_000,
        unit="money",
        group=BUY,
        advanced=True,
        help=Text(
            "Used only where the all-in price is empty; the server premium is added to it.",
            "仅在未填购置总价时使用，会再加上服务器溢价。",
        ),
    )
    server_premium_percent: float = real(
        Text("Server on top of the cards", "服务器溢价"),
        38.0,
        low=0,
        high=300,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text(
            "Chassis, CPUs, RAM, disks and NICs as a share of the card price. 38 % is an estimate for an 8-card H100 server; "
            "for cheap cards the share is larger.",
            "机箱、CPU、内存、硬盘、网卡相对卡价的比例。38% 是 8 卡 H100 服务器的估计值；卡越便宜，这个比例越高。",
        ),
    )
    residual_percent: float = real(
        Text("Resale value after 36 months", "36 个月后的残值"),
        25.0,
        low=0,
        high=100,
        unit="%",
        group=BUY,
        help=Text(
            "Of the purchase price. Nobody knows it, and it decides more than anything else here: published guesses run from 10 to 35 %. "
            "Other horizons follow the same curve.",
            "占购置价的比例。没人能准确预知，却最影响结论：公开估计在 10%–35% 之间。其他期限按同一条曲线推算。",
        ),
    )
    maintenance_percent: float = real(
        Text("Maintenance and warranty per year", "每年维保"),
        6.0,
        low=0,
        high=50,
        unit="%",
        group=RUN,
        help=Text("Of the purchase price: 3 to 12 % is usual.", "占购置价的比例，常见 3%–12%。"),
    )
    hosting: str = choice(
        Text("The machines stand in", "机器放在"),
        "own-room",
        HOSTING,
        group=RUN,
        help=Text(
            "Colocation rent covers cooling, so PUE is not charged twice. Your own room costs energy × PUE; its rent is not counted.",
            "托管费已含制冷，不再乘 PUE。自有机房按电量 × PUE 计，场地费不计入。",
        ),
    )
    kw_per_accelerator: float | None = real(
        Text("Power at load, per accelerator", "满载功率，折合单卡"),
        None,
        low=0.01,
        high=20,
        unit="kW",
        group=RUN,
        help=Text(
            "The node's power divided by its cards: a DGX H100 is 10.2 kW / 8 = 1.275 kW, well above the 0.7 kW of the card. "
            "Empty: from the catalog.",
            "整机功率除以卡数：DGX H100 为 10.2 kW / 8 = 1.275 kW，远高于单卡的 0.7 kW。留空则取自目录。",
        ),
    )
    node_power_factor: float = real(
        Text("Node power over card power", "整机功率与卡功率之比"),
        1.25,
        low=1,
        high=3,
        group=RUN,
        advanced=True,
        help=Text(
            "Used where the catalog has no server with this card: CPUs, fans and network on top. 1.25 is typical, 1.8 the nameplate maximum.",
            "目录没有该卡整机时使用，计入 CPU、风扇和网络。一般取 1.25，按铭牌上限约 1.8。",
        ),
    )
    idle_power_percent: float = real(
        Text("Idle power", "空闲功率"),
        15.0,
        low=0,
        high=100,
        unit="%",
        group=RUN,
        advanced=True,
        help=Text("Of the power at load, in the hours not used: 10 to 15 %.", "不用时的功率占满载的比例，一般 10%–15%。"),
    )
    tariff: float | None = real(
        Text("Electricity price", "电价"),
        None,
        low=0,
        high=10,
        unit="money/kWh",
        group=RUN,
        help=Text(
            "Per kWh on your bill. Empty: ¥0.65 (an assumption) or US$0.0862 (US industrial average, 2025).",
            "账单上的每 kWh 价格。留空则按 ¥0.65（假设值）或 US$0.0862（2025 年美国工业均价）。",
        ),
    )
    pue: float = real(
        Text("PUE", "PUE"),
        1.3,
        low=1,
        high=3,
        group=RUN,
        help=Text(
            "Energy of the room over energy of the machines. Surveyed average 1.56 (2024); the best large sites 1.10.",
            "机房总电量与 IT 设备电量之比。2024 年调查均值 1.56，最好的大型数据中心约 1.10。",
        ),
    )
    colo_per_kw_month: float | None = real(
        Text("Colocation rent", "托管费"),
        None,
        low=0,
        high=10_000,
        unit="money/kW-month",
        group=RUN,
        help=Text(
            "Per kW of contracted power, not of average use. Empty: US$196.25 (US asking rate, H2 2025); in CNY enter your quote.",
            "按签约功率（不是平均功率）计。留空时美元取 US$196.25（2025 下半年美国报价）；人民币没有公开来源，请填写报价。",
        ),
    )
    staff_per_month: float = real(
        Text("Staff", "人工"),
        0.0,
        low=0,
        high=100_000_000,
        unit="money/month",
        group=RUN,
        help=Text(
            "For the whole fleet. 0 counts nobody's time, which favours buying. One person looks after 50 to 100 servers.",
            "整个集群的人工费。填 0 表示不计人工，会偏向购买。一名运维一般管 50–100 台服务器。",
        ),
    )
    discount_rate_percent: float = real(
        Text("Cost of capital per year", "资金成本（年）"),
        8.0,
        low=0,
        high=60,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text(
            "Money later is worth less than money now. Effective per year; the month takes (1 + r)^(1/12) − 1. 0 compares nominal sums.",
            "以后的钱不如现在的钱值钱。按年有效利率计，月利率为 (1 + r)^(1/12) − 1。填 0 即比较名义金额。",
        ),
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


def _total(en: str, zh: str) -> Any:
    help = Text("Present value over the horizon.", "期限内现值。")
    return result(Text(f"{en}: total", f"{zh}：总成本"), "money", kind="assumed", help=help, digits=0)


def _hour(en: str, zh: str) -> Any:
    help = Text("Present value of the cost over present value of the hours used.", "成本现值除以使用小时的现值。")
    return result(Text(f"{en}: per used GPU-hour", f"{zh}：每使用卡时"), "money/h", kind="assumed", help=help, digits=3)


@dataclass(frozen=True, slots=True)
class Outputs:
    """None = not priced, or never."""

    cheapest: Text = result(
        Text("Cheapest", "最省的方式"), kind="assumed", headline=True, help=Text("Lowest present value.", "现值最低者。")
    )
    next_cheapest: Text | None = result(Text("Next", "其次"), kind="assumed")
    margin_percent: float | None = result(
        Text("The next costs more by", "其次的方式贵"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("Below 5 % call it a tie.", "低于 5% 可视为打平。"),
    )
    verdict: Text = result(
        Text("Rent or buy, over the assumed ranges", "在假设区间内，租还是买"),
        kind="assumed",
        help=Text(
            "Resale 10–35 %, maintenance 3–12 %, rents −40 % to +10 % a year, and your own values.",
            "残值 10%–35%、维保 3%–12%、租价每年 −40% 至 +10%，并包含你填写的值。",
        ),
    )
    break_even: Text = result(Text("Break-even in words", "盈亏平衡点"), kind="assumed")
    hourly_total: float | None = _total("By the hour", "按小时租")
    monthly_total: float | None = _total("By the month", "包月")
    bare_metal_total: float | None = _total("Bare metal", "裸金属")
    purchase_total: float | None = _total("Purchase", "购买")
    hourly_per_used_hour: float | None = _hour("By the hour", "按小时租")
    monthly_per_used_hour: float | None = _hour("By the month", "包月")
    bare_metal_per_used_hour: float | None = _hour("Bare metal", "裸金属")
    purchase_per_used_hour: float | None = _hour("Purchase", "购买")
    purchase_total_range: Range | None = result(
        Text("Purchase, over the assumed ranges", "购买，假设区间"), "money", kind="assumed", digits=0
    )
    cheapest_rent_range: Range | None = result(
        Text("Cheapest rent, over the assumed ranges", "最省的租用，假设区间"), "money", kind="assumed", digits=0
    )
    break_even_hours_month_vs_hourly: float | None = result(
        Text("By the month beats by the hour from", "包月比按小时划算的起点"),
        "h/month",
        kind="exact",
        digits=1,
        help=Text("Month price / hour price: exact for these two prices.", "月价 / 时价：就这两个价格而言是精确值。"),
    )
    break_even_hours_bare_metal_vs_hourly: float | None = result(
        Text("Bare metal beats by the hour from", "裸金属比按小时划算的起点"),
        "h/month",
        kind="exact",
        digits=1,
        help=Text("Price of the nodes / (cards × hour price).", "整机月价 /（卡数 × 时价）。"),
    )
    break_even_hours_purchase_vs_hourly: float | None = result(
        Text("Purchase beats by the hour from", "购买比按小时划算的起点"), "h/month", kind="assumed", digits=1
    )
    break_even_hours_purchase_vs_rent: float | None = result(
        Text("Purchase beats the cheapest rent from", "购买比最省的租用划算的起点"), "h/month", kind="assumed", digits=1
    )
    break_even_month: float | None = result(
        Text("Purchase is ahead from month", "购买开始划算的月份"),
        "",
        kind="assumed",
        help=Text(
            "First month in which what was paid, less the resale value then, is not more than the rent so far.",
            "第一个“已付金额减当时残值”不高于累计租金的月份。",
        ),
    )
    break_even_price: float | None = result(
        Text("Purchase equals an hourly price of", "与购买持平的时价"),
        "money/h",
        kind="assumed",
        digits=3,
        help=Text("Today's price per GPU-hour at which both cost the same.", "使两者成本相同的当前单卡时价。"),
    )
    bare_metal_month: float | None = result(
        Text("Bare metal, first month", "裸金属首月"), "money/month", kind="exact", digits=0
    )
    capex_per_accelerator: float | None = result(
        Text("Purchase price per accelerator", "购置价，折合单卡"), "money", kind="assumed", digits=0
    )
    depreciation_per_year: float | None = result(
        Text("Loss of value per accelerator and year", "单卡每年折旧"), "money/year", kind="assumed", digits=0
    )
    electricity_per_year: float | None = result(
        Text("Electricity per accelerator and year", "单卡每年电费"), "money/year", kind="assumed", digits=0
    )
    colo_per_year: float | None = result(
        Text("Colocation per accelerator and year", "单卡每年托管费"), "money/year", kind="assumed", digits=0
    )
