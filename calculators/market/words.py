"""Cards and their prices in words and cells, as every calculator that lists cards says them."""

from calculators.framework.spec import Cell, Column
from calculators.framework.text import LANGUAGES, Text, quantity
from calculators.market.offers import Quote
from catalog.model import Accelerator


def card_name(card: Accelerator) -> Text:
    """The card's name in both languages."""
    return Text(card.name, card.name_zh or card.name)


def per_hour(amount: float, currency: str) -> Text:
    """A price per hour in words."""
    en, zh = (quantity(amount, f"{currency}/h", lang, 2) for lang in LANGUAGES)
    return Text(en, zh)


def priced(what: Text, amount: float, currency: str, quote: Quote) -> Text:
    """Something, its price per hour, the date of the price, and whether no public page confirms it."""
    money, offer = per_hour(amount, currency), quote.offer
    return Text(
        f"{what.en}, {money.en} ({offer.date}{'' if offer.confirmed else ', unconfirmed'})",
        f"{what.zh}，{money.zh}（{offer.date}{'' if offer.confirmed else '，未证实'}）",
    )


def count_of(number: int, card: Accelerator) -> Text:
    """So many of a card."""
    name = card_name(card)
    return Text(f"{number} × {name.en}", f"{number} × {name.zh}")


def with_price(words: Text, amount: float | None, currency: str) -> Text:
    """Words, and the price per hour where there is one."""
    if amount is None:
        return words
    price = per_hour(amount, currency)
    return Text(f"{words.en}, {price.en}", f"{words.zh}，{price.zh}")


def price_cells(quote: Quote | None) -> dict[str, Cell]:
    """Who asks a price, and when: the cells of `PRICE_COLUMNS`. (?) = no public page confirms it."""
    if quote is None:
        return {"date": None, "provider": None}
    return {"date": quote.offer.date, "provider": quote.offer.provider + ("" if quote.offer.confirmed else " (?)")}


def price_column(currency: str) -> Column:
    """The price of all cards for an hour."""
    return Column("price", Text("Per hour", "每小时"), currency, 2)


PRICE_COLUMNS = (
    Column("date", Text("Price of", "价格日期"), kind="text"),
    Column("provider", Text("Provider", "服务商"), kind="text"),
)
