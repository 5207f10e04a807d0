"""Words and numbers for a reader, in English or 简体中文.

In: a `Text` (both languages), or a number with its unit. Out: a string in one language. No locale module: the same
bytes must print the same number in CPython and in the browser.
"""

import math
from dataclasses import dataclass
from typing import Literal

Lang = Literal["en", "zh"]
LANGUAGES: tuple[Lang, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Text:
    """One label in both languages. `Text("GPU")` is the same word in both."""

    en: str
    zh: str = ""

    def get(self, lang: Lang) -> str:
        """The words in `lang`; English where both languages use the same word."""
        return (self.zh or self.en) if lang == "zh" else self.en


UNITS: dict[str, Text] = {
    "": Text(""),
    "token": Text("tokens", "token"),
    "token/s": Text("tokens/s", "token/s"),
    "request": Text("requests", "个请求"),
    "request/s": Text("requests/s", "个请求/秒"),
    "gpu": Text("GPUs", "张卡"),
    "frame": Text("frames", "帧"),
    "px": Text("px", "像素"),
    "month": Text("months", "个月"),
    "year": Text("years", "年"),
    "h": Text("h", "小时"),
    "min": Text("min", "分钟"),
    "s": Text("s", "秒"),
    "day": Text("days", "天"),
    "GPU-h": Text("GPU-h", "GPU 小时"),
    "billion-token": Text("billion tokens", "十亿 token"),
    "h/month": Text("h/month", "小时/月"),
    "%": Text("%"),
    "layer": Text("layers", "层"),
    "server": Text("servers", "台"),
    "USD": Text("US$"),
    "CNY": Text("¥"),
    "EUR": Text("€"),
    "money": Text("in the chosen currency", "所选币种"),
    "money/h": Text("per hour, in the chosen currency", "每小时，所选币种"),
    "money/month": Text("per month, in the chosen currency", "每月，所选币种"),
    "money/kWh": Text("per kWh, in the chosen currency", "每 kWh，所选币种"),
    "money/kW-month": Text("per kW and month, in the chosen currency", "每 kW 每月，所选币种"),
}
"""Units that a reader sees otherwise than they are written in code; all others print as they stand.
`money` is a currency that another input names: `in_currency` puts it in."""

_PER: dict[str, Text] = {"month": Text("month", "月"), "year": Text("year", "年"), "h": Text("h", "小时")}
"""Units after a slash: one of them."""

_ONE: dict[str, str] = {
    "token": "token",
    "request": "request",
    "gpu": "GPU",
    "frame": "frame",
    "month": "month",
    "year": "year",
    "layer": "layer",
    "server": "server",
}
"""Units that English counts: their form for exactly one."""

_BEFORE = ("USD", "CNY", "EUR")


def in_currency(unit: str, currency: str) -> str:
    """`money/h` -> `CNY/h`; any other unit as it stands."""
    return currency + unit.removeprefix("money") if unit.startswith("money") and currency else unit


def unit_name(unit: str, lang: Lang) -> str:
    """The unit as a reader sees it."""
    known = UNITS.get(unit)
    return unit if known is None else known.get(lang)


def number(value: float, digits: int | None = None) -> str:
    """A number with thousands separators; `digits` decimals, or three significant figures where none are given.

    Raises ValueError for NaN or infinity: no answer may print one.
    """
    if not math.isfinite(value):
        raise ValueError(f"not a finite number: {value}")
    if digits is None:
        if isinstance(value, int) or (value == int(value) and abs(value) < 1e15):
            return f"{int(value):,}"
        size = abs(value)
        digits = max(0, 2 - math.floor(math.log10(size))) if size > 0 else 0
        text = f"{value:,.{min(digits, 8)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:,.{digits}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.,") else text


def quantity(value: float, unit: str, lang: Lang, digits: int | None = None) -> str:
    """A number with its unit, in the order and spacing of the language."""
    text = number(value, digits)
    name = unit_name(unit, lang)
    if not name:
        return text
    if unit in _BEFORE:
        return f"-{name}{text[1:]}" if text.startswith("-") else f"{name}{text}"
    money, _, per = unit.partition("/")
    if per and money in _BEFORE:
        return f"{quantity(value, money, lang, digits)}/{_PER[per].get(lang) if per in _PER else unit_name(per, lang)}"
    if unit.startswith("money"):
        return text
    if unit == "%":
        return f"{text}%"
    if text == "1" and lang == "en":
        name = _ONE.get(unit, name)
    return f"{text} {name}"


def bounds(low: float, high: float, unit: str, lang: Lang, digits: int | None = None) -> str:
    """A range with its unit once."""
    if low == high:
        return quantity(low, unit, lang, digits)
    if unit in _BEFORE or ("/" in unit and unit.split("/", maxsplit=1)[0] in _BEFORE):
        return f"{quantity(low, unit, lang, digits)} – {quantity(high, unit, lang, digits)}"
    return f"{number(low, digits)}–{quantity(high, unit, lang, digits)}"
