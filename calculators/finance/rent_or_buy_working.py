"""The working of `rent-or-buy`: every formula with its numbers and its source.

In: a `Setup` and the `Working` of this call. Out: steps, in the order in which they build on each other.
"""

from calculators.finance import prices
from calculators.finance.comparison import BARE_METAL, COLO, HOURLY, MONTHLY, PURCHASE, RESIDUAL_MONTHS, Setup
from calculators.finance.energy import energy_kwh
from calculators.finance.rent_or_buy_report import NAMES
from calculators.framework.spec import Working
from calculators.framework.text import Text, number

ARITHMETIC = "definition"
DISCOUNTING = "Gitman, Principles of Managerial Finance; months by the effective rate"
PUE_SOURCE = "PUE: The Green Grid; kW x hours x (idle + (1 - idle) x utilisation) x PUE"
ASSUMED = "assumption"


def show_working(s: Setup, work: Working) -> None:
    """Rents first, then owning, then where they meet."""
    i, n, months = s.inputs, s.inputs.accelerator_count, s.inputs.horizon_months
    cur, end = i.currency, s.timeline
    paid = f"{number(end.moving[months], 4)}"
    work.show(
        Text("Rent, months of today's price", "租金折合的首月数"),
        "sum over m = 1..months of (1 - rent_decline)^((m-1)/12) / (1 + monthly_rate)^m",
        f"{months} months, rents -{i.rent_decline_percent:g} % a year, monthly_rate {end.rate:.6f}",
        end.moving[months],
        "month",
        DISCOUNTING,
        4,
    )
    per_month = {
        HOURLY: (f"accelerators x hourly_price x hours_per_month x {paid}", f"{n} x {{p}} x {i.hours_per_month:g} x {paid}"),
        MONTHLY: (f"accelerators x monthly_price x {paid}", f"{n} x {{p}} x {paid}"),
        BARE_METAL: (f"nodes x node_price x {paid}", f"{s.nodes} x {{p}} x {paid}"),
    }
    for id, (formula, numbers) in per_month.items():
        if id in s.options:
            price = s.prices[id]
            label = Text(f"{NAMES[id].en}, total", f"{NAMES[id].zh}，合计")
            work.show(label, formula, numbers.format(p=number(price.amount)), s.totals[id], cur, price.source, 0)
    if PURCHASE in s.options:
        _show_owning(s, work)
    _show_break_even(s, work)


def _show_owning(s: Setup, work: Working) -> None:
    i, months, cur = s.inputs, s.inputs.horizon_months, s.inputs.currency
    price, option = s.prices[PURCHASE], s.options[PURCHASE]
    capex, kw = s.capex or 0.0, s.kw or 0.0
    if price.accelerators == 1:
        work.show(
            Text("Purchase price per accelerator", "购置价，折合单卡"),
            "card_price x (1 + server_premium)",
            f"{number(price.amount)} x (1 + {i.server_premium_percent:g} / 100)",
            capex,
            cur,
            f"{price.source}; server share: Epoch AI's estimate for H100 servers",
            0,
        )
    if option.resale:
        work.show(
            Text("Resale value per accelerator at the end", "期末残值，折合单卡"),
            "capex x residual^(months / 36)",
            f"{number(capex, 0)} x {i.residual_percent / 100:g}^({months} / {RESIDUAL_MONTHS})",
            option.resale.after(months) / i.accelerator_count,
            cur,
            ASSUMED,
            0,
        )
    work.show(Text("Power at load per accelerator", "满载功率，折合单卡"), "kW", s.kw_words, kw, "kW", s.kw_source, 3)
    used = i.hours_per_month / i.month_hours
    kwh = energy_kwh(kw * i.accelerator_count, i.month_hours, used, s.pue, i.idle_power_percent / 100)
    work.show(
        Text("Energy a month", "每月电量"),
        "kW x accelerators x month_hours x (idle + (1 - idle) x hours_per_month / month_hours) x PUE",
        f"{kw:.4g} x {i.accelerator_count} x {i.month_hours:g} x ({i.idle_power_percent / 100:g} + "
        f"{1 - i.idle_power_percent / 100:g} x {used:.4f}) x {s.pue:g}",
        kwh,
        "kWh",
        PUE_SOURCE,
        0,
    )
    source = prices.YOURS if i.tariff is not None else "EIA, US industrial average 2025" if cur == "USD" else ASSUMED
    work.show(
        Text("Electricity a month", "每月电费"),
        "energy x tariff",
        f"{number(kwh, 0)} x {s.tariff:g}",
        kwh * s.tariff,
        cur,
        source,
        0,
    )
    if i.hosting == "colo":
        colo = kw * i.accelerator_count * s.colo_rate
        default = i.colo_per_kw_month is None and cur in COLO
        work.show(
            Text("Colocation a month", "每月托管费"),
            "kW x accelerators x rent per kW",
            f"{kw:.4g} x {i.accelerator_count} x {s.colo_rate:g}",
            colo,
            cur,
            "CBRE, North America Data Center Trends H2 2025" if default else prices.YOURS,
            0,
        )
    running = sum(s.timeline.line(line, i.hours_per_month, months) for line in option.lines[1:])
    work.show(
        Text("Buying, total", "购买，合计"),
        "hardware + running costs (present value) - resale (present value)",
        f"{number(capex * i.accelerator_count, 0)} + {number(running, 0)} - {number(s.timeline.resold(option, months), 0)}",
        s.totals[PURCHASE],
        cur,
        DISCOUNTING,
        0,
    )
    work.show(
        Text("Buying, per used GPU-hour", "购买，每使用卡时"),
        "total / (accelerators x hours_per_month x months of 1 a month, present value)",
        f"{number(s.totals[PURCHASE], 0)} / ({i.accelerator_count} x {i.hours_per_month:g} x {number(s.timeline.flat[months], 4)})",
        s.per_used_hour(PURCHASE),
        f"{cur}/h",
        ARITHMETIC,
        3,
    )


def _show_break_even(s: Setup, work: Working) -> None:
    if HOURLY not in s.options:
        return
    n, hourly = s.inputs.accelerator_count, s.prices[HOURLY].amount
    for id, formula, a, b in (
        (MONTHLY, "monthly_price / hourly_price", 1, 1),
        (BARE_METAL, "nodes x node_price / (accelerators x hourly_price)", s.nodes, n),
    ):
        if id in s.options:
            price = s.prices[id].amount
            work.show(
                Text(f"{NAMES[id].en} = by the hour at", f"{NAMES[id].zh}与按小时持平"),
                formula,
                f"{a} x {number(price)} / ({b} x {number(hourly)})",
                a * price / (b * hourly),
                "h/month",
                ARITHMETIC,
                1,
            )
    if PURCHASE in s.options:
        _show_owning_meets(s, work)


def _show_owning_meets(s: Setup, work: Working) -> None:
    i, months = s.inputs, s.inputs.horizon_months
    moving = number(s.timeline.moving[months], 4)
    price = s.break_even_price()
    if price is not None:
        work.show(
            Text("Hour price at which renting costs as much as buying", "与购买持平的时价"),
            "buying, total / (accelerators x hours_per_month x months of today's price)",
            f"{number(s.totals[PURCHASE], 0)} / ({i.accelerator_count} x {i.hours_per_month:g} x {moving})",
            price,
            f"{i.currency}/h",
            ARITHMETIC,
            3,
        )
    hours = s.break_even_hours(PURCHASE, (HOURLY,))
    if hours is not None:
        fixed = s.cost(PURCHASE, 0.0)
        running = s.cost(PURCHASE, 1.0) - fixed
        work.show(
            Text("Buying = by the hour at", "购买与按小时持平"),
            "searched: fixed cost of buying = hours x (rent per hour a month - running cost per hour a month)",
            f"{number(fixed, 0)} / ({number(s.cost(HOURLY, 1.0))} - {number(running)})",
            hours,
            "h/month",
            ARITHMETIC,
            1,
        )
