"""What `tco` answers: the words, units and certainty of its outputs.

In: nothing. Out: the frozen `Outputs`. None = not priced, or never.
"""

from dataclasses import dataclass
from typing import Any

from calculators.framework.spec import Kind, Range, result
from calculators.framework.text import Text

PRESENT = Text("Present value over the horizon.", "期限内现值。")


def _total(en: str, zh: str) -> Any:
    return result(Text(f"{en}: total", f"{zh}：总成本"), "money", kind="assumed", help=PRESENT, digits=0)


def _hour(en: str, zh: str) -> Any:
    help = Text("Present value of the cost over that of the useful GPU-hours.", "成本现值除以有效 GPU 小时的现值。")
    return result(Text(f"{en}: per useful GPU-hour", f"{zh}：每有效卡时"), "money/h", kind="assumed", help=help, digits=3)


def _hours(en: str, zh: str, kind: Kind = "exact") -> Any:
    help = Text(
        "Searched over the hours of a month; exact for these prices. A dash: never, or not priced.",
        "在一个月的小时数内搜索得出，就这些价格而言是精确值。“—”表示始终不划算或没有价格。",
    )
    return result(Text(en, zh), "h/month", kind=kind, digits=1, help=help)


@dataclass(frozen=True, slots=True)
class Outputs:
    """The comparison in numbers."""

    cheapest: Text = result(
        Text("Cheapest", "最省的方式"), kind="assumed", headline=True, help=Text("Lowest present value.", "现值最低者。")
    )
    cheapest_total: float | None = result(
        Text("Its total", "其总成本"), "money", kind="assumed", digits=0, help=PRESENT, headline=True
    )
    cheapest_range: Range | None = result(
        Text("Its P10 to P90", "其 P10 至 P90"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("Four draws of five fall between.", "五次抽样中有四次落在其间。"),
    )
    chance_percent: float | None = result(
        Text("It is the cheapest in", "其成本最低的概率"),
        "%",
        kind="assumed",
        digits=0,
        help=Text("Of the draws over the ranges of what is uncertain.", "在不确定因素的区间内抽样所得。"),
    )
    next_cheapest: Text | None = result(Text("Next", "其次"), kind="assumed")
    margin_percent: float | None = result(
        Text("The next costs more by", "其次的方式贵"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("Below 5 % call it a tie.", "低于 5% 可视为打平。"),
    )
    break_even: Text = result(Text("Break-even in words", "盈亏平衡点"), kind="assumed")
    on_demand_total: float | None = _total("On demand", "按需")
    monthly_total: float | None = _total("By the month", "包月")
    reserved_total: float | None = _total("Reserved", "预留")
    spot_total: float | None = _total("Spot", "竞价实例")
    bare_metal_total: float | None = _total("Bare metal", "裸金属")
    purchase_total: float | None = _total("Buying new", "购买新机")
    used_total: float | None = _total("Buying second-hand", "购买二手")
    on_demand_per_useful_hour: float | None = _hour("On demand", "按需")
    monthly_per_useful_hour: float | None = _hour("By the month", "包月")
    reserved_per_useful_hour: float | None = _hour("Reserved", "预留")
    spot_per_useful_hour: float | None = _hour("Spot", "竞价实例")
    bare_metal_per_useful_hour: float | None = _hour("Bare metal", "裸金属")
    purchase_per_useful_hour: float | None = _hour("Buying new", "购买新机")
    used_per_useful_hour: float | None = _hour("Buying second-hand", "购买二手")
    break_even_hours_month: float | None = _hours("By the month beats on demand from", "包月比按需划算的起点")
    break_even_hours_bare_metal: float | None = _hours("Bare metal beats on demand from", "裸金属比按需划算的起点")
    break_even_hours_reserved: float | None = _hours("Reserving beats on demand from", "预留比按需划算的起点")
    break_even_hours_purchase: float | None = _hours("Buying new beats on demand from", "购买新机比按需划算的起点", "assumed")
    break_even_hours_purchase_vs_rent: float | None = _hours(
        "Buying new beats every rent from", "购买新机比各种租用都划算的起点", "assumed"
    )
    break_even_utilisation_percent: float | None = result(
        Text("Buying new beats on demand from a use of", "购买新机比按需划算的利用率"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("The hours above as a share of the month.", "上述小时数占整月的比例。"),
    )
    break_even_month: float | None = result(
        Text("Buying is ahead from month", "购买开始划算的月份"),
        "",
        kind="assumed",
        help=Text(
            "First month in which what was paid, less the resale value then, is not more than the cheapest rent so far.",
            "第一个“已付金额减当时残值”不高于最省租法累计租金的月份。",
        ),
    )
    break_even_price: float | None = result(
        Text("Buying equals an on-demand price of", "与购买持平的按需价格"),
        "money/h",
        kind="assumed",
        digits=3,
        help=Text("Today's price per GPU-hour at which both cost the same.", "使两者成本相同的当前单卡时价。"),
    )
    npv_of_buying: float | None = result(
        Text("Gain by buying instead of the cheapest rent (NPV)", "购买相对最省租法的净现值（NPV）"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("Negative: renting is cheaper.", "负数表示租用更省。"),
    )
    irr_of_buying_percent: float | None = result(
        Text("Return on buying instead of renting (IRR)", "以购代租的内部收益率（IRR）"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("Effective per year; of several the one nearest to 0.", "按年有效利率；有多个解时取最接近 0 的。"),
    )
    irr_in_words: Text = result(Text("About that return", "关于该收益率"), kind="assumed")
    purchase_eac: float | None = result(
        Text("Buying new: equivalent annual cost", "购买新机：等额年成本"),
        "money/year",
        kind="assumed",
        digits=0,
        help=Text("Present value × capital recovery factor of the horizon.", "现值 × 期限内的资金回收系数。"),
    )
    capex_total: float | None = result(
        Text("Buying new: paid at the start", "购买新机：期初支付"), "money", kind="assumed", digits=0
    )
    resale_total: float | None = result(
        Text("Buying new: sold for at the end", "购买新机：期末转卖"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("Not discounted.", "未折现。"),
    )
    depreciation_first_year: float | None = result(
        Text("Buying new: depreciation of the first year", "购买新机：首年折旧"),
        "money",
        kind="exact",
        digits=0,
        help=Text("In the books, by the method that you chose.", "账面值，按所选折旧方法。"),
    )
    electricity_per_year: float | None = result(
        Text("Buying new: electricity per year", "购买新机：每年电费"),
        "money/year",
        kind="assumed",
        digits=0,
        help=Text("Mean over the horizon, not discounted.", "期限内平均，未折现。"),
    )
    colo_per_year: float | None = result(
        Text("Buying new: colocation per year", "购买新机：每年托管费"),
        "money/year",
        kind="assumed",
        digits=0,
        help=Text("Mean over the horizon, not discounted.", "期限内平均，未折现。"),
    )
    staff_per_year: float | None = result(
        Text("Buying new: staff per year", "购买新机：每年人工"), "money/year", kind="assumed", digits=0
    )
    spare_cards: float | None = result(Text("Buying new: spare cards", "购买新机：备卡数"), "gpu", kind="assumed", digits=0)
    bare_metal_month: float | None = result(
        Text("Bare metal, first month", "裸金属首月"), "money/month", kind="exact", digits=0
    )
    on_demand_month: float | None = result(
        Text("On demand, first month with work", "按需，首个有任务的月份"), "money/month", kind="exact", digits=0
    )
    per_tflops_month: float | None = result(
        Text("Cheapest: per TFLOPS and month", "最省方式：每 TFLOPS 每月"),
        "money",
        kind="assumed",
        digits=2,
        help=Text(
            "On the basis that you chose: dense BF16 with FP32 accumulate, at the peak or as achieved.",
            "按所选口径：稠密 BF16、FP32 累加，取峰值或实际达到值。",
        ),
    )
    per_million_tokens: float | None = result(
        Text("Cheapest: per million tokens", "最省方式：每百万 token"), "money", kind="assumed", digits=3
    )
    per_run: float | None = result(Text("Cheapest: per training run", "最省方式：每次训练"), "money", kind="assumed", digits=0)
    useful_gpu_hours: float = result(
        Text("Useful GPU-hours over the horizon", "期限内有效 GPU 小时数"), "GPU-h", kind="exact", digits=0
    )
    spot_goodput_percent: float | None = result(
        Text("Spot: paid hours that make progress", "竞价：付费小时的有效占比"),
        "%",
        kind="assumed",
        digits=1,
        help=Text(
            "By Daly's expected wall time, from the assumed interruptions.", "按 Daly 期望墙钟时间，由假设的中断间隔算得。"
        ),
    )
