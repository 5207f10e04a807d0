"""A fact, a price, a source or a date -> the HTML or text that a page shows, in one language.

In: catalog records. Out: strings without line breaks, safe to stand in Markdown and in HTML. Links are written
`~/room/id/`; `sitebuild.links` makes them relative. The day of the build comes in; nothing here reads a clock.
"""

from dataclasses import dataclass
from html import escape

from calculators.framework.text import Lang, Text, number, quantity, unit_name
from catalog.model import Catalog, Fact, Observation, Offer, Peak
from sitebuild.pages import words

HOURS_PER_MONTH = 730.0
"""8,760 h / 12; said wherever a monthly price is turned into an hourly one."""


def plain_number(value: float) -> str:
    """A number as its source gives it: all its digits, thousands separated."""
    return f"{value:,.10g}"


@dataclass(frozen=True, slots=True)
class Show:
    """Everything that is printed, for one language, catalog and day."""

    catalog: Catalog
    lang: Lang
    today: str

    def say(self, en: str, zh: str) -> str:
        """The words of this language."""
        return zh if self.lang == "zh" else en

    def text(self, text: Text) -> str:
        """A label of this language."""
        return text.get(self.lang)

    def word(self, table: str, key: object) -> str:
        """A key of the catalog in the reader's words."""
        found: Text = getattr(words, table)[key]
        return found.get(self.lang)

    def num(self, value: float, digits: int | None = None) -> str:
        """A computed number; three significant figures unless `digits` says otherwise."""
        return number(value, digits)

    def quantity(self, value: float, unit: str, digits: int | None = None) -> str:
        """A computed number with its unit."""
        return quantity(value, unit, self.lang, digits)

    def stated(self, fact: Fact) -> str:
        """The value of a fact with its unit and nothing else, in the digits of its source."""
        unit = unit_name(fact.unit, self.lang)
        if fact.unit in ("USD", "CNY"):
            return f"{unit}{plain_number(fact.value)}"
        return f"{plain_number(fact.value)} {unit}"

    def fact(self, fact: Fact | None) -> str:
        """A value with a link to its source; the tooltip says kind and day; doubtful ones are marked."""
        if fact is None:
            return f'<span class="guide-absent">{self.say("not known", "未知")}</span>'
        return (
            f'<span class="guide-fact" data-value="{fact.value!r}" title="{escape(self.origin(fact))}">{self.stated(fact)}</span>'
            f"{self.cite(fact.source, fact.read)}{self.doubt(fact.confirmed)}"
        )

    def origin(self, fact: Fact) -> str:
        """Kind, source and day in one line of text."""
        title = self.catalog.sources[fact.source].title
        kind = self.word("FACT_KINDS", fact.kind)
        return self.say(f"{kind}; {title}; read {fact.read}", f"{kind}；{title}；读取于 {fact.read}")

    def cite(self, source: str, read: str) -> str:
        """A small link to a source's entry on the sources page."""
        title = escape(
            self.say(
                f"{self.catalog.sources[source].title}, read {read}", f"{self.catalog.sources[source].title}，读取于 {read}"
            )
        )
        return f' <a class="guide-source" href="~/about/sources/#{source}" title="{title}">[{self.say("source", "来源")}]</a>'

    def doubt(self, confirmed: bool) -> str:
        """The mark of a value that no public page was found to confirm."""
        if confirmed:
            return ""
        help = self.say("no public page was found that confirms this", "没有找到可以佐证的公开页面")
        return f' <abbr class="guide-unconfirmed" title="{help}">{self.say("unconfirmed", "未证实")}</abbr>'

    def observed(self, seen: Observation, unit: str) -> str:
        """What another source says, with its link and remark."""
        note = f"<small>{self.foreign(seen.note)}</small>" if seen.note else ""
        return f"{plain_number(seen.value)} {unit_name(unit, self.lang)}{self.cite(seen.source, seen.read)}{note}"

    def age(self, day: str) -> str:
        """A date that ages: a script writes beside it how old it is when the page is read."""
        return f'<time datetime="{day}" data-age>{day}</time>'

    def money(self, amount: float, currency: str, digits: int | None = None) -> str:
        """An amount in its own currency."""
        if digits is None:
            digits = 0 if abs(amount) >= 1000 else 2 if abs(amount) >= 0.1 else 4
        return quantity(amount, currency, self.lang, digits)

    def offer_price(self, offer: Offer) -> str:
        """The price as the provider states it: amount, per what, for how many cards."""
        per = self.word("PER", offer.per)
        amount = self.money(offer.amount, offer.currency)
        cards = (
            ""
            if offer.accelerator_count == 1
            else self.say(f", {offer.accelerator_count} cards", f"，{offer.accelerator_count} 卡")
        )
        return f"{amount}{cards}" if offer.per == "once" else f"{amount}/{per}{cards}"

    def bare_metal(self, offer: Offer) -> str:
        """Said where a whole machine is rented."""
        return self.say(", bare metal", "，裸金属") if offer.bare_metal else ""

    def in_currency(self, amount: float, currency: str, to: str) -> float:
        """The amount at the newest dated rate of the catalog."""
        return self.catalog.convert(amount, currency, to)

    def hourly(self, offer: Offer, to: str) -> float | None:
        """One accelerator for one hour of an offer, in a currency; None for a purchase."""
        amount = offer.per_accelerator_hour(HOURS_PER_MONTH)
        return None if amount is None else self.in_currency(amount, offer.currency, to)

    def name(self, accelerator: str) -> str:
        """An accelerator's name in this language."""
        found = self.catalog.accelerators[accelerator]
        return found.name_zh if self.lang == "zh" and found.name_zh else found.name

    def note(self, thing: object) -> str:
        """A record's remark in this language; the English one where there is no Chinese one, marked as English."""
        en, zh = getattr(thing, "note", ""), getattr(thing, "note_zh", "")
        return self.foreign(en) if self.lang == "zh" and not zh else zh if self.lang == "zh" else en

    def foreign(self, text: str) -> str:
        """English text in a Chinese page, marked for screen readers; plain in an English page."""
        if not text or self.lang == "en":
            return escape(text)
        return f'<span lang="en">{escape(text)}</span>'

    def peak_basis(self, peak: Peak) -> str:
        """`BF16, dense, FP32 accumulate` in words."""
        sparsity = self.word("SPARSITY", peak.sparse)
        name = peak.precision.upper()
        if peak.accumulate == "unstated":
            accumulate = self.say("accumulator not stated", "未说明累加精度")
        else:
            width = self.word("ACCUMULATORS", peak.accumulate)
            accumulate = self.say(f"{width} accumulate", f"{width} 累加")
        units = "" if peak.matrix else self.say(", vector units", "，向量单元")
        return self.say(f"{name}, {sparsity}, {accumulate}{units}", f"{name}，{sparsity}，{accumulate}{units}")
