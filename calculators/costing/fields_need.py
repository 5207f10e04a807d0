"""What `tco` asks first: the work, the time, the place.

In: nothing. Out: the base record `Need` on which the other groups of fields build, and the choices that they share.
"""

from dataclasses import dataclass

from calculators.costing.workload import LONGEST, short_form
from calculators.framework.spec import Choice, choice, real, text, whole
from calculators.framework.text import Text
from catalog.model import Catalog

NEED = Text("What you need", "你的需求")
RENT = Text("Rent prices", "租用价格")
SIDE = Text("What comes with renting", "租用的附加费用")
BUY = Text("Purchase", "购买")
RUN = Text("Running your own machines", "自有机器的运行成本")
MONEY = Text("Time and money", "时间与资金")
UNITS = Text("Cost per unit of work", "单位成本")
UNCERTAIN = Text("Uncertainty", "不确定性")

_CURRENCY_NAMES = {
    "CNY": Text("CNY (¥)", "人民币（¥）"),
    "USD": Text("USD (US$)", "美元（US$）"),
    "EUR": Text("EUR (€)", "欧元（€）"),
}
_REGION_NAMES = {"cn": Text("China", "中国"), "us": Text("United States", "美国"), "eu": Text("European Union", "欧盟")}


def accelerators(catalog: Catalog) -> tuple[Choice, ...]:
    """Every accelerator of the catalog, grouped by maker."""
    return tuple(
        Choice(a.id, Text(a.name, a.name_zh), Text(a.vendor))
        for a in sorted(catalog.accelerators.values(), key=lambda a: (a.vendor, a.name))
    )


def currencies(catalog: Catalog) -> tuple[Choice, ...]:
    """CNY and USD, and every currency that has a dated rate in the catalog."""
    dated = {c for rate in catalog.exchange_rates.values() for c in (rate.base, rate.quote)}
    known = ("CNY", "USD", *sorted(dated - {"CNY", "USD"}))
    return tuple(Choice(c, _CURRENCY_NAMES.get(c, Text(c))) for c in known)


def regions(catalog: Catalog) -> tuple[Choice, ...]:
    """The regions for which the catalog has defaults."""
    found = catalog.regions
    return tuple(Choice(id, Text(r.name, r.name_zh)) for id, r in found.items()) or tuple(
        Choice(id, name) for id, name in _REGION_NAMES.items()
    )


@dataclass(frozen=True, slots=True)
class Need:
    """The work to be done."""

    accelerator: str = choice(
        Text("Accelerator", "加速卡"),
        "rtx-4090-24g",
        accelerators,
        group=NEED,
        help=Text(
            "The card you would rent or buy. Its prices come from the catalog; type your own quote over any of them.",
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
        Text("Hours of useful work per month", "每月有效工作小时数"),
        500.0,
        low=1,
        high=744,
        unit="h/month",
        group=NEED,
        help=Text(
            "Per card, hours in which the work makes progress. A whole month has 730; times the cards it is your GPU-hours a month.",
            "按单卡计，任务真正推进的小时数。整月为 730 小时；乘以卡数就是每月 GPU 小时数。",
        ),
    )
    profile: str | None = text(
        Text("Months that differ", "各月不同的用量"),
        longest=LONGEST,
        read=short_form,
        group=NEED,
        advanced=True,
        help=Text(
            "Months × hours, in order: 3x200,12x600 means three months of 200 h, then twelve of 600 h; 0 is a month without work. "
            "The last one goes on to the end of the horizon. Empty: the hours above in every month.",
            "按“月数x小时数”依次填写：3x200,12x600 表示先 3 个月每月 200 小时，再 12 个月每月 600 小时；0 表示当月不用。"
            "最后一段延续到期末。留空则每月都用上面的小时数。",
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
            "How long you are sure to need them. What you own is counted as sold at the end of it.",
            "确定要用多久。到期时，自购设备按转卖计算。",
        ),
    )
    region: str = choice(
        Text("Region", "地区"),
        "cn",
        regions,
        group=NEED,
        help=Text(
            "Fills in electricity, PUE, colocation and cost of capital where you leave them empty; a table shows each with its source.",
            "留空的电价、PUE、托管费和资金成本按地区取默认值；下方表格列出每一项及其来源。",
        ),
    )
    currency: str = choice(
        Text("Currency", "币种"),
        "CNY",
        currencies,
        group=NEED,
        help=Text(
            "All money that you enter and read. Catalog prices and regional defaults in another one are converted at the dated rate shown.",
            "所有填写和显示的金额都用这一币种；目录价格和地区默认值若是其他币种，按标明日期的汇率折算。",
        ),
    )
