"""Where the numbers of `tco` come from: units of prices, a table of assumptions, and the notes that a reader needs to trust the answer.

In: `Results`, the catalog. Out: plain `Table`s and notes.
"""

from calculators.costing.defaults import Assumed
from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, OWNED, PURCHASE, RENTS, RESERVED, SPOT, USED
from calculators.costing.results import Results
from calculators.costing.study import moving
from calculators.costing.words import FIELD_NAMES, NAMES, SAID, VALUE_NAMES, listed, percent
from calculators.framework.spec import Cell, Column, Range, Table
from calculators.framework.text import Text, in_currency, number, unit_name
from calculators.market.origins import converted_note, flag_notes, stale_note
from catalog.model import Catalog

UNITS = {
    ON_DEMAND: Text("per GPU-hour", "每卡时"),
    MONTHLY: Text("per GPU and month", "每卡每月"),
    RESERVED: Text("per GPU-hour of the term", "承诺期内每卡时"),
    SPOT: Text("per GPU-hour", "每卡时"),
    BARE_METAL: Text("per node and month", "每台每月"),
    PURCHASE: Text("per GPU, with server", "每卡，含整机"),
    USED: Text("per GPU, with server", "每卡，含整机"),
}


def assumptions_table(r: Results) -> Table:
    """What is uncertain or filled in: the value used, its range, where both are from, and how sure that is."""
    places = set(moving(r.plan))
    shown = [m for k, m in enumerate(r.plan.moves) if k in places or (m.name in ("tariff", "discount_rate_percent"))]
    if r.plan.vat is not None:
        shown.append(r.plan.vat)
    return Table(
        "assumptions",
        Text("What is filled in or uncertain", "默认值与不确定因素"),
        (
            Column("name", Text("Number", "项目"), kind="text"),
            Column("value", Text("Used", "采用值")),
            Column("range", Text("Range", "区间")),
            Column("sure", Text("Kind", "性质"), kind="text"),
            Column("source", Text("Where from", "出处"), kind="text"),
        ),
        tuple(_assumed(m, r.plan.inputs.currency) for m in shown),
        Text(
            "The range is what the draws and the tornado use; enter your own low and high under the settings.",
            "抽样与龙卷风图按此区间计算；可在设置中填写自己的低值和高值。",
        ),
    )


def _assumed(m: Assumed, currency: str) -> dict[str, Cell]:
    label, unit = VALUE_NAMES[m.name]
    unit = in_currency(unit, currency)
    en, zh = (unit_name(unit, "en"), unit_name(unit, "zh")) if unit else ("", "")
    kind = (
        Text("entered", "自行填写")
        if m.entered
        else Text("sourced", "有来源")
        if m.known
        else Text("assumption or unconfirmed", "假设或未证实")
    )
    return {
        "name": Text(f"{label.en}{', ' + en if en else ''}", f"{label.get('zh')}{'，' + zh if zh else ''}"),
        "value": m.value,
        "range": Range(m.low, m.high) if m.low < m.high else None,
        "sure": kind,
        "source": m.source,
    }


def notes(r: Results, catalog: Catalog) -> tuple[Text, ...]:
    """What a reader must know: what is not priced, rates and ages, tax, money, what is left out."""
    found = [*_missing(r), *_market(r, catalog), _money(r)]
    if any(o in RENTS for o in r.options):
        found.extend(_renting(r))
    if any(o in OWNED for o in r.options):
        found.extend(_owning(r))
    return (*found, *flag_notes(catalog, r.plan.inputs.accelerator))


def _missing(r: Results) -> list[Text]:
    by_field: dict[str, list[str]] = {}
    for option, field in r.plan.missing.items():
        by_field.setdefault(field, []).append(option)
    if not by_field:
        return []
    said = [(listed(options), FIELD_NAMES[field]) for field, options in by_field.items()]
    return [
        Text(
            f"Not priced, as the catalog has no figure: {'; '.join(f'{o.en} (fill in {f.en})' for o, f in said)}.",
            f"目录里没有数据，未参与比较：{'；'.join(f'{o.zh}（请填写{f.get("zh")}）' for o, f in said)}。",
        )
    ]


def _market(r: Results, catalog: Catalog) -> list[Text]:
    used = {id: p for id, p in r.plan.prices.items() if id in r.options}
    by_currency: dict[str, list[str]] = {}
    for id, p in used.items():
        if p.converted_from:
            by_currency.setdefault(p.converted_from, []).append(id)
    to = r.plan.inputs.currency
    found = [converted_note(catalog, currency, to, listed(ids)) for currency, ids in by_currency.items()]
    region = catalog.regions.get(r.plan.inputs.region)
    if region is not None and region.currency != r.plan.inputs.currency:
        found.append(_region_money(r, catalog, region.currency))
    old = [id for id, p in used.items() if p.stale]
    if old:
        found.append(stale_note(listed(old)))
    return found


def _region_money(r: Results, catalog: Catalog, currency: str) -> Text:
    to = r.plan.inputs.currency
    try:
        rate = catalog.rate(currency, to)
    except LookupError:
        return Text(
            f"The region's prices are in {currency}, for which the catalog has no dated rate to {to}: enter electricity and colocation yourself.",
            f"该地区默认值以 {currency} 计，目录中没有它与 {to} 的汇率：电价和托管费请自行填写。",
        )
    return Text(
        f"The region's prices are converted at 1 {rate.base} = {number(rate.rate, 4)} {rate.quote} ({rate.date}).",
        f"地区默认值按 1 {rate.base} = {number(rate.rate, 4)} {rate.quote}（{rate.date}）折算。",
    )


def _money(r: Results) -> Text:
    i = r.plan.inputs
    basis = (
        Text("real: today's purchasing power", "实际（今天的购买力）")
        if i.basis == "real"
        else Text("nominal: as paid", "名义（按实际支付）")
    )
    vat = (
        Text(
            "prices are read as containing VAT, which is taken out as it can be reclaimed",
            "价格视为含税，可抵扣的增值税已扣除",
        )
        if i.prices_include_vat and i.vat_recoverable
        else Text("prices are read as containing VAT, which is a cost", "价格视为含税，增值税计入成本")
        if i.prices_include_vat
        else Text("prices are taken as quoted, VAT left out as it can be reclaimed", "价格按报价计，增值税可抵扣，不计入")
        if i.vat_recoverable
        else Text("VAT is added to the prices, as it cannot be reclaimed", "增值税不可抵扣，已加到价格上")
    )
    income = (
        Text("income tax is left out", "不计所得税")
        if i.tax_percent == 0
        else Text(f"income tax of {i.tax_percent:g} % is counted", f"计入 {i.tax_percent:g}% 的所得税")
    )
    return Text(
        f"Money is {basis.en}, in {i.currency}, discounted at {percent(r.yearly_rate, 2)} a year; {vat.en}; {income.en}.",
        f"金额口径为{basis.zh}，币种 {i.currency}，年折现率 {percent(r.yearly_rate, 2)}；{vat.zh}；{income.zh}。",
    )


def _renting(r: Results) -> list[Text]:
    i, t, found = r.plan.inputs, r.terms, list[Text]()
    if not (i.storage_tb or i.egress_tb or i.rent_network_per_month or i.support_percent):
        found.append(
            Text(
                "Storage, traffic, network and support are counted as 0: in a real bill the GPUs are about 60 to 70 % "
                "(https://www.mercatus-ai.com/blog/cloud-gpu-pricing).",
                "存储、流量、网络与技术支持按 0 计；实际账单中 GPU 费用约占 60%–70%（https://www.mercatus-ai.com/blog/cloud-gpu-pricing）。",
            )
        )
    if RESERVED in r.options:
        begin, end = t.active
        paid = -(-(end - begin) // t.term) * t.term
        if paid > t.months - begin:
            found.append(
                Text(
                    f"The reservation is paid for {paid} months, beyond the horizon of {t.months}.",
                    f"预留按 {paid} 个月付费，超出 {t.months} 个月的比较期限。",
                )
            )
    if SPOT in r.options:
        found.append(
            Text(
                f"{NAMES[SPOT].en}: {percent(1 / t.spot_wall(r.values.spot_interrupted_every), 1)} of the paid hours make progress, from an assumed interruption every "
                f"{i.spot_interrupted_every:g} h; time spent waiting for machines costs nothing here, but the work comes later.",
                f"竞价实例：按每 {i.spot_interrupted_every:g} 小时中断一次的假设，付费小时中有 {percent(1 / t.spot_wall(r.values.spot_interrupted_every), 1)} 有效；"
                "等待资源的时间不计费，但任务会推迟完成。",
            )
            if i.spot_goodput_percent is None
            else Text(
                f"{NAMES[SPOT].en}: {percent(1 / t.spot_wall(r.values.spot_interrupted_every), 1)} of the paid hours make progress, as you entered.",
                f"竞价实例：付费小时中有 {percent(1 / t.spot_wall(r.values.spot_interrupted_every), 1)} 有效（自行填写）。",
            )
        )
    return found


def _owning(r: Results) -> list[Text]:
    i, t, found = r.plan.inputs, r.terms, list[Text]()
    if t.colo:
        found.append(
            Text("Colocation: cooling is in the rent, so PUE is taken as 1.", "托管：制冷已含在托管费中，PUE 按 1 计。")
        )
    else:
        found.append(
            Text("Own room: rent of the floor and the fit-out are not counted.", "自有机房：场地租金与机房建设未计入。")
        )
    if i.salary_per_year is None:
        found.append(Text("Staff is counted as 0, which favours buying.", "人工按 0 计，会偏向购买。"))
    held = {p.cards for p in r.purchases.values()}
    if any(cards > t.cards for cards in held):
        found.append(
            Text(
                f"With a goodput of {percent(t.goodput, 1)} the busiest month needs {max(held)} cards instead of {t.cards}.",
                f"有效运行占比为 {percent(t.goodput, 1)} 时，最忙的月份需要 {max(held)} 张卡，而不是 {t.cards} 张。",
            )
        )
    if USED in r.options:
        found.append(
            Text(
                f"{SAID[USED].en.capitalize()}: no warranty, failed cards are replaced at your cost; the failure rate is that of new cards "
                "unless you enter one.",
                "二手设备没有质保，故障卡自费更换；未填写故障率时与新卡相同。",
            )
        )
    return found
