"""The working of `rent-or-buy`: every formula with its numbers and its source, in both languages.

In: a `Setup` and the `Working` of this call. Out: steps, in the order in which they build on each other.
"""

from calculators.finance.comparison import BARE_METAL, HOURLY, MONTHLY, PURCHASE, RESIDUAL_MONTHS, Setup
from calculators.finance.energy import energy_kwh
from calculators.finance.rent_or_buy_report import NAMES
from calculators.framework.spec import Working
from calculators.framework.text import Text, number
from calculators.market.prices import ENTERED

DEFINITION = Text("definition", "定义")
DISCOUNTING = Text(
    "Gitman, Principles of Managerial Finance; months by the effective rate",
    "Gitman《Principles of Managerial Finance》；按有效月利率",
)
ENERGY = Text("PUE as The Green Grid defines it", "PUE 按 The Green Grid 的定义")
ASSUMED = Text("assumption", "假设")
US_TARIFF = Text("EIA, US industrial average 2025", "EIA，2025 年美国工业均价")
US_COLO = Text("CBRE, North America Data Center Trends H2 2025")


def show_working(s: Setup, work: Working) -> None:
    """Rents first, then owning, then where they meet."""
    _show_renting(s, work)
    if PURCHASE in s.options:
        _show_buying(s, work)
        _show_owning(s, work)
    if HOURLY in s.options:
        _show_break_even(s, work)
    if PURCHASE in s.options:
        _show_owning_meets(s, work)


def _show_renting(s: Setup, work: Working) -> None:
    i, n, months = s.inputs, s.inputs.accelerator_count, s.inputs.horizon_months
    paid = number(s.timeline.moving[months], 4)
    rate = f"{s.timeline.rate:.6f}"
    work.show(
        Text("Rent, in months of today's price", "租金折合成的首月数"),
        Text(
            "sum over m = 1 … months of (1 − yearly decline)^((m − 1) / 12) / (1 + monthly rate)^m",
            "m = 1 … 月数，对 (1 − 年降幅)^((m − 1) / 12) / (1 + 月利率)^m 求和",
        ),
        Text(
            f"{months} months, rents fall {i.rent_decline_percent:g} % a year, monthly rate {rate}",
            f"{months} 个月，租价每年降 {i.rent_decline_percent:g}%，月利率 {rate}",
        ),
        s.timeline.moving[months],
        "month",
        DISCOUNTING,
        4,
    )
    rents = {
        HOURLY: (
            Text("accelerators × hour price × hours a month × months of today's price", "卡数 × 时价 × 每月小时数 × 首月数"),
            f"{n} × {{p}} × {i.hours_per_month:g} × {paid}",
        ),
        MONTHLY: (
            Text("accelerators × month price × months of today's price", "卡数 × 单卡月价 × 首月数"),
            f"{n} × {{p}} × {paid}",
        ),
        BARE_METAL: (
            Text("nodes × node price × months of today's price", "台数 × 整机月价 × 首月数"),
            f"{s.nodes} × {{p}} × {paid}",
        ),
    }
    for id, (formula, numbers) in rents.items():
        if id in s.options:
            price = s.prices[id]
            label = Text(f"{NAMES[id].en}, total", f"{NAMES[id].zh}，合计")
            said = price.source or ENTERED
            work.show(label, formula, numbers.format(p=number(price.amount)), s.totals[id], i.currency, said, 0)


def _show_buying(s: Setup, work: Working) -> None:
    i, price, capex = s.inputs, s.prices[PURCHASE], s.capex or 0.0
    said = price.source or ENTERED
    if price.bare_card:
        work.show(
            Text("Purchase price per accelerator", "购置价，折合单卡"),
            Text("card price × (1 + server on top)", "卡价 × (1 + 服务器溢价)"),
            f"{number(price.amount)} × (1 + {i.server_premium_percent:g} / 100)",
            capex,
            i.currency,
            Text(
                f"{said if isinstance(said, str) else said.en}; server: Epoch AI's estimate for H100 servers",
                f"{said if isinstance(said, str) else said.zh}；溢价：Epoch AI 对 H100 服务器的估计",
            ),
            0,
        )
    else:
        work.show(
            Text("Purchase price per accelerator", "购置价，折合单卡"),
            Text("as quoted, all in", "全包报价"),
            number(price.amount),
            capex,
            i.currency,
            said,
            0,
        )
    left = s.options[PURCHASE].resale
    if left:
        work.show(
            Text("Resale value per accelerator at the end", "期末残值，折合单卡"),
            Text("purchase price × share left after 36 months^(months / 36)", "购置价 × 36 个月残值率^(月数 / 36)"),
            f"{number(capex, 0)} × {i.residual_percent / 100:g}^({i.horizon_months} / {RESIDUAL_MONTHS})",
            left.after(i.horizon_months) / i.accelerator_count,
            i.currency,
            ASSUMED,
            0,
        )


def _show_owning(s: Setup, work: Working) -> None:
    i, n, months, cur = s.inputs, s.inputs.accelerator_count, s.inputs.horizon_months, s.inputs.currency
    option, kw = s.options[PURCHASE], s.kw or 0.0
    power = Text("power of the node / its accelerators, or board power × factor", "整机功率 / 卡数，或卡功率 × 系数")
    work.show(
        Text("Power at load per accelerator", "满载功率，折合单卡"), power, s.kw_words, kw, "kW", s.kw_source or ENTERED, 3
    )
    used, idle = i.hours_per_month / i.month_hours, i.idle_power_percent / 100
    kwh = energy_kwh(kw * n, i.month_hours, used, s.pue, idle)
    work.show(
        Text("Energy a month", "每月电量"),
        Text(
            "kW × accelerators × hours in a month × (idle + (1 − idle) × share of hours used) × PUE",
            "kW × 卡数 × 月小时数 × (空闲比例 + (1 − 空闲比例) × 使用时间占比) × PUE",
        ),
        f"{kw:.4g} × {n} × {i.month_hours:g} × ({idle:g} + {1 - idle:g} × {used:.4f}) × {s.pue:g}",
        kwh,
        "kWh",
        ENERGY,
        0,
    )
    work.show(
        Text("Electricity a month", "每月电费"),
        Text("energy × electricity price", "电量 × 电价"),
        f"{number(kwh, 0)} × {s.tariff:g}",
        kwh * s.tariff,
        cur,
        ENTERED if i.tariff is not None else US_TARIFF if cur == "USD" else ASSUMED,
        0,
    )
    if i.hosting == "colo":
        work.show(
            Text("Colocation a month", "每月托管费"),
            Text("kW × accelerators × rent per kW", "kW × 卡数 × 每 kW 托管费"),
            f"{kw:.4g} × {n} × {s.colo_rate:g}",
            kw * n * s.colo_rate,
            cur,
            US_COLO if i.colo_per_kw_month is None else ENTERED,
            0,
        )
    running = sum(s.timeline.line(line, i.hours_per_month, months) for line in option.lines if not line.upfront)
    capex = s.timeline.spent(option, i.hours_per_month, 0)
    work.show(
        Text("Buying, total", "购买，合计"),
        Text("hardware + running costs, present value − resale, present value", "硬件购置 + 运行成本现值 − 转卖现值"),
        f"{number(capex, 0)} + {number(running, 0)} − {number(s.timeline.resold(option, months), 0)}",
        s.totals[PURCHASE],
        cur,
        DISCOUNTING,
        0,
    )
    work.show(
        Text("Buying, per used GPU-hour", "购买，每使用卡时"),
        Text(
            "total / (accelerators × hours a month × months at a present value of 1 each)",
            "合计 / (卡数 × 每月小时数 × 每月 1 元的现值之和)",
        ),
        f"{number(s.totals[PURCHASE], 0)} / ({n} × {i.hours_per_month:g} × {number(s.timeline.flat[months], 4)})",
        s.per_used_hour(PURCHASE),
        f"{cur}/h",
        DEFINITION,
        3,
    )


def _show_break_even(s: Setup, work: Working) -> None:
    n, hourly = s.inputs.accelerator_count, s.prices[HOURLY].amount
    if MONTHLY in s.options:
        price = s.prices[MONTHLY].amount
        work.show(
            Text("By the month costs as much as by the hour at", "包月与按小时持平于"),
            Text("month price / hour price", "单卡月价 / 时价"),
            f"{number(price)} / {number(hourly)}",
            price / hourly,
            "h/month",
            DEFINITION,
            1,
        )
    if BARE_METAL in s.options:
        price = s.prices[BARE_METAL].amount
        work.show(
            Text("Bare metal costs as much as by the hour at", "裸金属与按小时持平于"),
            Text("nodes × node price / (accelerators × hour price)", "台数 × 整机月价 / (卡数 × 时价)"),
            f"{s.nodes} × {number(price)} / ({n} × {number(hourly)})",
            s.nodes * price / (n * hourly),
            "h/month",
            DEFINITION,
            1,
        )


def _show_owning_meets(s: Setup, work: Working) -> None:
    i, months = s.inputs, s.inputs.horizon_months
    price = s.break_even_price()
    if price is not None:
        work.show(
            Text("Hour price at which renting costs as much as buying", "与购买持平的时价"),
            Text(
                "buying, total / (accelerators × hours a month × months of today's price)",
                "购买合计 / (卡数 × 每月小时数 × 首月数)",
            ),
            f"{number(s.totals[PURCHASE], 0)} / ({i.accelerator_count} × {i.hours_per_month:g} × {number(s.timeline.moving[months], 4)})",
            price,
            f"{i.currency}/h",
            DEFINITION,
            3,
        )
    hours = s.break_even_hours(PURCHASE, (HOURLY,))
    if hours is not None:
        fixed = s.cost(PURCHASE, 0.0)
        running = s.cost(PURCHASE, 1.0) - fixed
        work.show(
            Text("Buying costs as much as by the hour at", "购买与按小时持平于"),
            Text(
                "fixed cost of buying / (rent − running cost, each for one hour a month)",
                "购买的固定成本 / (租金 − 运行成本，均按每月 1 小时计)",
            ),
            f"{number(fixed, 0)} / ({number(s.cost(HOURLY, 1.0))} − {number(running)})",
            hours,
            "h/month",
            DEFINITION,
            1,
        )
