"""The working of `tco`: every headline figure with its formula, its numbers and its source, in both languages.

In: `Results` and the `Working` of this call. Out: steps, in the order in which they build on each other.
"""

from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, OWNED, PURCHASE, RENTS, RESERVED, RESIDUAL_MONTHS, SPOT
from calculators.costing.owning import market_value, month_costs, price_of
from calculators.costing.renting import hour_price
from calculators.costing.results import Results
from calculators.costing.words import KINDS, NAMES
from calculators.finance.annuity import crf
from calculators.finance.discount import npv
from calculators.framework.spec import Working
from calculators.framework.text import Text, number
from calculators.market.prices import ENTERED

DEFINITION = Text("definition", "定义")
GITMAN = Text("Gitman, Principles of Managerial Finance", "Gitman《Principles of Managerial Finance》")
FISHER = Text("Fisher, The Theory of Interest", "Fisher《利息理论》")
DALY = Text("Daly 2006, https://doi.org/10.1016/j.future.2004.11.016")
ENERGY = Text("PUE as The Green Grid defines it", "PUE 按 The Green Grid 的定义")
ASSUMED = Text("assumption", "假设")
POISSON = Text("base-stock rule under Poisson failures", "泊松故障下的基本库存规则")


def show_working(r: Results, work: Working) -> None:
    """Time and money, rents, owning, then where they meet."""
    _show_money(r, work)
    for option in (o for o in r.options if o in RENTS):
        _show_rent(r, work, option)
    for option in (o for o in r.options if o in OWNED):
        _show_owned(r, work, option)
    _show_meeting(r, work)


def _show_money(r: Results, work: Working) -> None:
    t, wacc = r.terms, r.values.discount_rate_percent
    if t.inflation:
        work.show(
            Text("Real cost of capital", "实际资金成本"),
            Text("(1 + nominal rate) / (1 + inflation) − 1", "(1 + 名义利率) / (1 + 通胀率) − 1"),
            f"(1 + {wacc / 100:g}) / (1 + {t.inflation:g}) − 1",
            100 * r.yearly_rate,
            "%",
            FISHER,
            3,
        )
    work.show(
        Text("Monthly rate", "月利率"),
        Text("(1 + yearly rate)^(1/12) − 1", "(1 + 年利率)^(1/12) − 1"),
        f"(1 + {r.yearly_rate:g})^(1/12) − 1",
        100 * r.rate,
        "%",
        GITMAN,
        4,
    )
    work.show(
        Text("Useful GPU-hours, discounted as the costs are", "有效 GPU 小时数（与成本同样折现）"),
        Text(
            "cards × sum over the months of hours / (1 + monthly rate)^month",
            "卡数 × 对各月求和：小时数 / (1 + 月利率)^月数",
        ),
        Text(
            f"{t.cards} × {t.months} months of {number(t.mean_hours)} h on average",
            f"{t.cards} × {t.months} 个月，平均每月 {number(t.mean_hours)} 小时",
        ),
        r.useful_hours,
        "GPU-h",
        DEFINITION,
        0,
    )


def _show_rent(r: Results, work: Working, option: str) -> None:
    t, v, i, name = r.terms, r.values, r.plan.inputs, NAMES[option]
    price = r.plan.prices[option]
    said = price.source or price.origin
    hours = next(s.hours for s in t.stretches if s.hours > 0)
    cards = t.cards_for(hours / t.goodput)
    if option == SPOT and i.spot_goodput_percent is None:
        work.show(
            Text("Spot: share of paid hours that makes progress", "竞价：付费小时的有效占比"),
            Text(
                "τ / (M × e^(R/M) × (e^((τ + C)/M) − 1)), τ by Daly's higher order",
                "τ / (M × e^(R/M) × (e^((τ + C)/M) − 1))，τ 取 Daly 高阶最优间隔",
            ),
            f"M = {i.spot_interrupted_every:g} h, C = {i.spot_checkpoint_minutes:g} min, R = {i.spot_restart_minutes:g} min",
            100 / t.spot_wall(v.spot_interrupted_every),
            "%",
            DALY,
            2,
        )
    goodput = 1 / t.spot_wall(v.spot_interrupted_every) if option == SPOT else t.goodput
    if option in (ON_DEMAND, SPOT):
        formula = Text(
            "cards × price × hours of work / goodput, rounded up to billing steps",
            "卡数 × 时价 × 工作小时 / 有效占比，按计费粒度上取整",
        )
        numbers = f"{t.cards} × {number(hour_price(t, v, option))} × {number(hours)} / {goodput:.4g}"
    elif option == RESERVED:
        formula = Text("cards × price × hours of the month, used or not", "卡数 × 时价 × 整月小时数，用不用都付")
        numbers = f"{cards} × {number(hour_price(t, v, option))} × {t.month_hours:g}"
    elif option == MONTHLY:
        formula, numbers = Text("cards × month price", "卡数 × 单卡月价"), f"{cards} × {number(v.monthly_price)}"
    else:
        formula = Text("whole nodes × node price", "整机台数 × 整机月价")
        numbers = f"{-(-cards // t.metal_size)} × {number(v.bare_metal_price)}"
    first = first_month(r, option)
    work.show(
        Text(f"{name.en}: first month with work", f"{name.zh}：首个有任务的月份"), formula, numbers, first, i.currency, said, 0
    )
    work.show(
        Text(f"{name.en}, total", f"{name.zh}，合计"),
        Text(
            "sum over the months of cost at that month's price / (1 + monthly rate)^month; prices move with (1 − yearly decline)^((month − 1)/12)",
            "对各月求和：当月价格下的成本 / (1 + 月利率)^月数；价格按 (1 − 年降幅)^((月数 − 1)/12) 变动",
        ),
        Text(
            f"{t.months} months, rents fall {v.rent_decline_percent:g} % a year, with what comes with the rent",
            f"{t.months} 个月，租价每年降 {v.rent_decline_percent:g}%，含附加费用",
        ),
        r.totals[option],
        i.currency,
        GITMAN,
        0,
    )


def first_month(r: Results, option: str) -> float:
    """What the first month with work costs at today's price, VAT that stays included."""
    t, v = r.terms, r.values
    begin, _ = t.active
    if option == RESERVED:
        cards = t.cards_for(max(s.hours for s in t.stretches) / t.goodput)
        return cards * t.month_hours * hour_price(t, v, option) * t.services
    paid = r.flows[option].kinds["rent"][begin + 1]
    return float(paid / (1 - v.rent_decline_percent / 100) ** (begin / 12))


def _show_owned(r: Results, work: Working, option: str) -> None:
    t, v, i, name = r.terms, r.values, r.plan.inputs, NAMES[option]
    asset = next(a for a in t.assets if a.id == option)
    p, price = r.purchases[option], r.plan.prices[option]
    said = price.source or ENTERED
    card_only = price.bare_card
    work.show(
        Text(f"{name.en}: server per accelerator", f"{name.zh}：整机价，折合单卡"),
        Text("card price × (1 + server on top)", "卡价 × (1 + 服务器溢价)") if card_only else Text("as quoted", "报价"),
        f"{number(price.amount)} × (1 + {t.premium:g})" if card_only else number(price.amount),
        price_of(asset, v),
        i.currency,
        said,
        0,
    )
    parts = [(KINDS[k], x) for k, x in p.lines.items()]
    work.show(
        Text(f"{name.en}: paid at the start", f"{name.zh}：期初支付"),
        Text(" + ".join(n.en.lower() for n, _ in parts), " + ".join(n.get("zh") for n, _ in parts)),
        " + ".join(number(x, 0) for _, x in parts),
        p.total,
        i.currency,
        DEFINITION,
        0,
    )
    if p.spare_cards:
        work.show(
            Text(f"{name.en}: spare cards", f"{name.zh}：备卡数"),
            Text("smallest k with P(failures in the lead time ≤ k) ≥ certainty", "满足 P(补货期内故障数 ≤ k) ≥ 保障率的最小 k"),
            f"λ = {p.cards} × {asset.failure:g} × {t.spare_lead_days:g} / 365, P ≥ {t.spare_level:g}",
            p.spare_cards,
            "",
            POISSON,
            0,
        )
    work.show(
        Text(f"{name.en}: sold for at the end", f"{name.zh}：期末转卖"),
        Text("hardware × share left after 36 months^(months / 36)", "硬件 × 36 个月残值率^(月数 / 36)"),
        f"{number(p.resold, 0)} × {v.residual_percent / 100:g}^({t.months} / {RESIDUAL_MONTHS})",
        market_value(v, p, t.months),
        i.currency,
        ASSUMED,
        0,
    )
    _show_running(r, work, option)
    work.show(
        Text(f"{name.en}, total", f"{name.zh}，合计"),
        Text(
            "paid at the start + present value of running − present value of the sale",
            "期初支付 + 运行成本现值 − 转卖现值",
        ),
        _three(r, option),
        r.totals[option],
        i.currency,
        GITMAN,
        0,
    )
    work.show(
        Text(f"{name.en}: equivalent annual cost", f"{name.zh}：等额年成本"),
        Text("present value × r / (1 − (1 + r)^(−years))", "现值 × r / (1 − (1 + r)^(−年数))"),
        f"{number(r.totals[option], 0)} × {crf(r.yearly_rate, t.months / 12):.5f}",
        r.per_year(option),
        f"{i.currency}/year",
        GITMAN,
        0,
    )


def _three(r: Results, option: str) -> str:
    kinds, p = r.flows[option].kinds, r.purchases[option]
    sale = npv(r.rate, kinds["resale"])
    return f"{number(p.total, 0)} + {number(r.totals[option] - p.total - sale, 0)} − {number(-sale, 0)}"


def _show_running(r: Results, work: Working, option: str) -> None:
    t, v, i, name = r.terms, r.values, r.plan.inputs, NAMES[option]
    asset = next(a for a in t.assets if a.id == option)
    p, years = r.purchases[option], t.months / 12
    kinds = r.flows[option].kinds
    if "electricity" in kinds:
        hours = next(s.hours for s in t.stretches if s.hours > 0) / t.goodput
        use = t.cards * hours / (p.cards * t.month_hours)
        work.show(
            Text(f"{name.en}: electricity per year", f"{name.zh}：每年电费"),
            Text(
                "cards × kW × share at work × hours × (idle + (1 − idle) × use) × PUE × tariff",
                "卡数 × kW × 工作功率占比 × 小时 × (空闲 + (1 − 空闲) × 利用率) × PUE × 电价",
            ),
            f"{p.cards} × {t.kw:g} × {t.load:g} × {12 * t.month_hours:g} × ({t.idle:g} + {1 - t.idle:g} × {use:.4g}) × "
            f"{1 if t.colo else v.pue:g} × {number(v.tariff)}",
            sum(kinds["electricity"]) / years,
            f"{i.currency}/year",
            Text(
                f"{ENERGY.en}; power: {r.plan.kw_words} {r.plan.kw_source}",
                f"{ENERGY.zh}；功率：{r.plan.kw_words} {r.plan.kw_source}",
            ),
            0,
        )
    formulas = {
        "demand": (Text("kW × PUE × rate × 12", "kW × PUE × 单价 × 12"), f"{number(p.cards * t.kw)} kW × {number(t.demand)}"),
        "colo": (
            Text("contracted kW × rate × 12 + lines", "签约 kW × 单价 × 12 + 专线"),
            f"{number(t.colo_kw or p.cards * t.kw)} kW × {number(v.colo_per_kw_month)} × 12",
        ),
        "maintenance": (
            Text("hardware × yearly share, within the warranty", "硬件 × 年费率，质保期内"),
            f"{number(p.maintained, 0)} × {v.maintenance_percent:g} / 100",
        ),
        "replacement": (
            Text("cards × failures per year × card price, without warranty", "卡数 × 年故障率 × 卡价，无质保时"),
            f"{p.cards} × {asset.failure:g} × {number(p.card_price, 0)}",
        ),
        "staff": (
            Text("max(least posts, nodes / nodes per post) × salary", "max(最少人数, 台数 / 每人台数) × 年薪"),
            f"max({t.least_operators:g}, {-(-p.cards // 8)} / {t.servers_per_operator:g}) × {number(t.salary, 0)}",
        ),
    }
    today = month_costs(t, v, asset, p)
    for kind, (formula, numbers) in formulas.items():
        if kind in today:
            label = KINDS[kind]
            work.show(
                Text(f"{name.en}: {label.en.lower()}, a year at today's price", f"{name.zh}：{label.zh}，按当前价格每年"),
                formula,
                numbers,
                12 * today[kind][0],
                f"{i.currency}/year",
                DEFINITION,
                0,
            )


def _show_meeting(r: Results, work: Working) -> None:
    currency = r.plan.inputs.currency
    for option in (MONTHLY, BARE_METAL, RESERVED, PURCHASE):
        hours = r.break_even_hours(option, (ON_DEMAND,))
        if hours is None or hours == 0:
            continue
        costs = r.costs_at(hours_per_month=hours)
        work.show(
            Text(f"{NAMES[option].en} costs as much as on demand at", f"{NAMES[option].zh}与按需持平于"),
            Text("hours a month at which both totals are equal, searched", "使两者合计相等的每月小时数（搜索得出）"),
            f"{number(costs[option], 0)} = {number(costs[ON_DEMAND], 0)}",
            hours,
            "h/month",
            DEFINITION,
            1,
        )
    price = r.break_even_price(PURCHASE)
    if price is not None:
        work.show(
            Text("On-demand price at which renting costs as much as buying new", "与购买新机持平的按需价格"),
            Text(
                "today's price × buying, total / on demand, total (less what comes with it)",
                "当前时价 × 购买合计 / 按需合计（扣除附加费用）",
            ),
            f"{number(r.values.hourly_price)} × {number(r.totals[PURCHASE], 0)} / {number(r.totals[ON_DEMAND], 0)}",
            price,
            f"{currency}/h",
            DEFINITION,
            3,
        )
    best = r.ranking[0] if r.ranking else None
    if best is not None:
        work.show(
            Text("Cheapest, per useful GPU-hour", "最省方式，每有效卡时"),
            Text("total / useful GPU-hours, both discounted", "合计 / 有效 GPU 小时数（均已折现）"),
            f"{number(r.totals[best], 0)} / {number(r.useful_hours, 0)}",
            r.per_hour(best),
            f"{currency}/h",
            DEFINITION,
            3,
        )
    _show_return(r, work)


def _show_return(r: Results, work: Working) -> None:
    found = r.buying_instead
    if found is None or r.best_owned is None:
        return
    gain, rates, rent = found
    work.show(
        Text("Gain by buying instead of renting", "以购代租的净现值"),
        Text("rent, total − buying, total", "租用合计 − 购买合计"),
        f"{number(r.totals[rent], 0)} − {number(r.totals[r.best_owned], 0)}",
        gain,
        r.plan.inputs.currency,
        GITMAN,
        0,
    )
    if rates:
        rate = min(rates, key=abs)
        work.show(
            Text("Return on buying instead of renting", "以购代租的内部收益率"),
            Text("the yearly rate at which that gain is 0", "使上述净现值为 0 的年利率"),
            Text(f"{len(rates)} rate{'s' if len(rates) > 1 else ''} found", f"共有 {len(rates)} 个解"),
            100 * rate,
            "%",
            GITMAN,
            2,
        )
