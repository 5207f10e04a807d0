"""Where prices come from, as every calculator of money says it: the table of origins, and notes on currency, age and flags.

In: `Price`s by option, names for the options, the catalog. Out: a `Table`, and notes in both languages.
"""

from collections.abc import Mapping

from calculators.framework.spec import Cell, Column, Range, Table
from calculators.framework.text import LANGUAGES, Text, number, quantity
from calculators.market.prices import STALE_DAYS, Price
from catalog.model import Catalog

TAX = {
    "included": Text("included", "含税"),
    "excluded": Text("excluded", "不含税"),
    "not-stated": Text("not stated", "未说明"),
    "": Text("as you entered it", "按填写"),
}
YES, NO = Text("yes", "是"), Text("no", "否")
BARE_CARD = Text("per bare card", "裸卡")


def money(value: float, currency: str, digits: int | None = 0) -> Text:
    """An amount in both languages."""
    en, zh = (quantity(value, currency, lang, digits) for lang in LANGUAGES)
    return Text(en, zh)


def prices_table(prices: Mapping[str, Price], names: Mapping[str, Text], units: Mapping[str, Text], currency: str) -> Table:
    """Each option's price, in the order of `units`: offer, provider, date, age, confirmation, tax, source."""
    rows: list[dict[str, Cell]] = []
    for id, unit in units.items():
        price = prices.get(id)
        if price is None:
            rows.append({"option": names[id], "unit": unit, "origin": Text("not priced", "没有价格")})
            continue
        rows.append(
            {
                "option": names[id],
                "amount": price.amount,
                "unit": BARE_CARD if price.bare_card else unit,
                "origin": price.origin,
                "offer": price.offer or None,
                "date": price.date or None,
                "age": price.age_days,
                "confirmed": None if price.confirmed is None else YES if price.confirmed else NO,
                "tax": TAX[price.tax],
                "span": Range(price.low, price.high) if price.low is not None and price.high is not None else None,
                "count": price.count or None,
                "source": price.source or None,
            }
        )
    return Table(
        "prices",
        Text("Where each price comes from", "每个价格的出处"),
        (
            Column("option", Text("Option", "方式"), kind="text"),
            Column("amount", Text("Price used", "采用价格"), currency),
            Column("unit", Text("For", "计价单位"), kind="text"),
            Column("origin", Text("Who says so", "报价方"), kind="text"),
            Column("offer", Text("Offer", "报价记录"), kind="text"),
            Column("date", Text("Price of", "价格日期"), kind="text"),
            Column("age", Text("Age, days", "已过天数"), digits=0),
            Column("confirmed", Text("Public page found", "有公开出处"), kind="text"),
            Column("tax", Text("Tax", "税"), kind="text"),
            Column("span", Text("Offers from – to", "报价区间"), currency),
            Column("count", Text("Offers", "报价数"), digits=0),
            Column("source", Text("Source", "来源"), kind="text"),
        ),
        tuple(rows),
        Text(
            "Age is counted to the catalog's date. Of several recent offers the middle one is used.",
            "天数算到目录日期为止；有多个近期报价时取中位。",
        ),
    )


def converted_note(catalog: Catalog, currency: str, to: str, options: Text) -> Text:
    """Prices of another market: the rate, its date, and that they may not be had."""
    rate = catalog.rate(currency, to)
    return Text(
        f"Converted at 1 {rate.base} = {number(rate.rate, 4)} {rate.quote} ({rate.date}): {options.en}. "
        "That is a price of another market; it may not be offered to you.",
        f"按 1 {rate.base} = {number(rate.rate, 4)} {rate.quote}（{rate.date}）折算：{options.zh}。这是另一市场的价格，未必能拿到。",
    )


def stale_note(options: Text) -> Text:
    """Prices that should be asked for again."""
    return Text(
        f"Older than {STALE_DAYS} days, ask again before you decide: {options.en}.",
        f"以下价格已超过 {STALE_DAYS} 天，决定前请重新询价：{options.zh}。",
    )


def flag_notes(catalog: Catalog, accelerator: str) -> list[Text]:
    """What a buyer of the card must be warned of."""
    flags, found = catalog.accelerators[accelerator].flags, list[Text]()
    if "export-controlled" in flags:
        found.append(
            Text(
                "Export of this card to some countries is controlled: check before you buy.",
                "该卡受出口管制，购买前请先核实合规性。",
            )
        )
    if "no-vendor-warranty" in flags:
        found.append(
            Text("The maker gives no warranty on this card: its maintenance costs more.", "该卡没有原厂质保，维保成本更高。")
        )
    return found
