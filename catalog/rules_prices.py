"""Rules for prices: offers, exchange rates and claimed price tables."""

from collections.abc import Iterator

from catalog.entry import Entries, Entry
from catalog.model import ExchangeRate, Offer
from catalog.problems import Problem

PLAUSIBLE_HOUR = {"USD": (0.01, 200.0), "CNY": (0.05, 1500.0)}
"""One accelerator for one hour: from the oldest card on a spot market to a rack-scale part of today, with room."""

PLAUSIBLE_PURCHASE = {"USD": (20.0, 1_000_000.0), "CNY": (100.0, 8_000_000.0)}
"""One accelerator bought, alone or with its share of a server."""

USD_IN_CNY = (4.0, 12.0)
"""Wider than any rate since 1990 that this catalog could quote; outside it the two currencies are swapped."""


def held_before_read(entries: Entries) -> Iterator[Problem]:
    """A price was read when it held, or later."""
    for collection in ("offers", "exchange_rates", "claims"):
        for e in entries[collection]:
            held, read = e.record.date, e.record.read
            if held > read[: len(held)]:
                yield e.problem(
                    ("date",),
                    f"`date` {held} lies after `read` {read}",
                    "Write when the price held; it was read then or later.",
                )


def offers(entries: Entries) -> Iterator[Problem]:
    """Each offer's amount goes with what it buys."""
    for e in entries["offers"]:
        offer: Offer = e.record
        once, purchase = offer.per == "once", offer.commitment == "purchase"
        if once and not purchase:
            yield e.problem(
                ("per",),
                f"`per: once` with `commitment: {offer.commitment}`",
                "Write `commitment: purchase`, or the period that the amount pays for.",
            )
        elif purchase and not once:
            yield e.problem(
                ("per",), f"`commitment: purchase` with `per: {offer.per}`", "Write `per: once`, or another commitment."
            )
        else:
            yield from _plausible(e, offer)


def _plausible(e: Entry, offer: Offer) -> Iterator[Problem]:
    hourly = offer.per_accelerator_hour()
    each = offer.amount / offer.accelerator_count if hourly is None else hourly
    low, high = (PLAUSIBLE_PURCHASE if hourly is None else PLAUSIBLE_HOUR)[offer.currency]
    if not low <= each <= high:
        what = "accelerator" if hourly is None else "accelerator and hour"
        yield e.problem(
            ("amount",),
            f"`amount` {offer.amount:g} {offer.currency} makes {each:.4g} an {what}, outside {low:g} to {high:g}",
            "Check the decimal point, `accelerator_count`, `per` and `currency`.",
        )


def repeated_offers(entries: Entries) -> Iterator[Problem]:
    """One provider states one price of one thing on one day."""
    first: dict[tuple[object, ...], Entry] = {}
    for e in entries["offers"]:
        o: Offer = e.record
        key = (
            o.provider.casefold(),
            o.accelerator,
            o.accelerator_count,
            o.instance,
            o.commitment,
            o.region,
            o.date,
            o.per,
            o.currency,
            o.tax,
            o.bare_metal,
        )
        if first.setdefault(key, e) is not e:
            yield e.problem(
                ("id",),
                f"this offer repeats {first[key].document.id}: the same thing from the same provider on the same date",
                "Delete one, or say in `instance` or `region` what sets it apart.",
            )


def exchange_rates(entries: Entries) -> Iterator[Problem]:
    """A rate joins two currencies, once a day, the right way round."""
    first: dict[tuple[frozenset[str], str], Entry] = {}
    for e in entries["exchange_rates"]:
        r: ExchangeRate = e.record
        if r.base == r.quote:
            yield e.problem(("quote",), f"`base` and `quote` are both {r.base}", "Name the two currencies that the rate joins.")
            continue
        low, high = USD_IN_CNY
        in_cny = r.rate if (r.base, r.quote) == ("USD", "CNY") else 1 / r.rate
        if not low <= in_cny <= high:
            yield e.problem(
                ("rate",),
                f"`rate` {r.rate:g} puts the dollar at {in_cny:.4g} yuan, outside {low:g} to {high:g}",
                "Check the decimal point; if it is the other way round, swap `base` and `quote`.",
            )
        key = (frozenset((r.base, r.quote)), r.date)
        if first.setdefault(key, e) is not e:
            yield e.problem(
                ("date",),
                f"{first[key].document.id} already gives the rate of {r.base} and {r.quote} on {r.date}",
                "Keep one rate a day and pair.",
            )


def claim_rows(entries: Entries) -> Iterator[Problem]:
    """A claimed table has rows that say something, each once."""
    for e in entries["claims"]:
        seen: set[tuple[str, str]] = set()
        for i, row in enumerate(e.record.rows):
            if row.hourly is None and row.month_8 is None and row.day_8 is None and row.per_tflops_month is None:
                yield e.problem(
                    ("rows", i), f"row {i + 1}, {row.label}, has no price", "Add the price that is printed, or delete the row."
                )
            if (row.accelerator, row.label) in seen:
                yield e.problem(
                    ("rows", i), f"row {i + 1} repeats the row {row.label}", "Delete one, or copy its printed label."
                )
            seen.add((row.accelerator, row.label))
