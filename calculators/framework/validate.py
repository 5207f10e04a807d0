"""A reader's raw inputs -> a calculator's frozen `Inputs`, or errors that name the field and the allowed range.

In: a mapping from JSON, a form or a URL: numbers may come as text. Out: `Inputs`. Raises `BadInput` with one
`FieldError` per field, in the reader's language; nothing is guessed, clipped or dropped.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from calculators.framework.numbers import LONGEST, Refused, parse
from calculators.framework.spec import Calculator, Choice, Field
from calculators.framework.text import Lang, Text, bounds, quantity
from catalog.model import Catalog


@dataclass(frozen=True, slots=True)
class FieldError:
    """One input that cannot be used, and how to mend it."""

    field: str
    message: str
    low: float | None = None
    high: float | None = None


class BadInput(Exception):
    """Every field that cannot be used, not the first only."""

    def __init__(self, errors: list[FieldError]) -> None:
        super().__init__("; ".join(f"{e.field}: {e.message}" for e in errors))
        self.errors = errors


def check(calculator: Calculator, raw: Mapping[str, Any], catalog: Catalog, lang: Lang = "en") -> Any:
    """The calculator's `Inputs`; fields that are missing take their default. Raises `BadInput`."""
    specs = calculator.fields()
    values = calculator.defaults()
    errors: list[FieldError] = []
    for name, value in raw.items():
        spec = specs.get(name)
        if spec is None:
            errors.append(FieldError(name, _unknown(name, list(specs), lang)))
            continue
        try:
            values[name] = value_of(spec, value, catalog, lang)
        except Refused as refused:
            errors.append(FieldError(name, refused.message.get(lang), spec.low, spec.high))
    if errors:
        raise BadInput(errors)
    return calculator.inputs(**values)


def _unknown(name: str, known: list[str], lang: Lang) -> str:
    shown = name if len(name) <= LONGEST else name[:LONGEST] + "…"
    near = get_close_matches(name, known, 1)
    if near:
        return Text(
            f"There is no field “{shown}”. Did you mean “{near[0]}”?", f"没有“{shown}”这个字段，是不是“{near[0]}”？"
        ).get(lang)
    listed = ", ".join(known)
    return Text(f"There is no field “{shown}”. The fields are: {listed}.", f"没有“{shown}”这个字段。可用字段：{listed}。").get(
        lang
    )


def value_of(spec: Field, value: Any, catalog: Catalog, lang: Lang) -> Any:
    """One field's value, or None where an optional one is empty. Raises `Refused`."""
    if value is None or (isinstance(value, str) and not value.strip()):
        if spec.optional:
            return None
        raise Refused(_empty(spec, lang))
    match spec.type:
        case "bool":
            return _yes_no(value)
        case "choice":
            return _one(spec, value, catalog)
        case "text":
            return _text(spec, value)
        case "choices":
            items = value.split(",") if isinstance(value, str) else value
            if not isinstance(items, list | tuple):
                raise Refused(
                    Text("Give a list of names, or names with commas between them.", "请给出名称列表，或用逗号分隔的名称。")
                )
            return tuple(dict.fromkeys(_one(spec, item, catalog) for item in items))
        case _:
            return _number(spec, value, lang)


def _text(spec: Field, value: Any) -> str:
    if not isinstance(value, str):
        raise Refused(Text("Give this as text.", "请以文本形式给出。"))
    if len(value) > spec.longest:
        raise Refused(Text(f"Too long: at most {spec.longest:,} characters.", f"过长：最多 {spec.longest:,} 个字符。"))
    return spec.read(value) if spec.read else value


def _empty(spec: Field, lang: Lang) -> Text:
    if spec.type in ("int", "float"):
        span = _span(spec, lang)
        return Text(f"Enter a number {span}.", f"请输入数字，{span}。")
    return Text("Choose one of the list.", "请从列表中选择一项。")


def _span(spec: Field, lang: Lang) -> str:
    span = bounds(spec.low or 0, spec.high or 0, spec.unit, lang)
    return Text(f"in {span}", f"范围 {span}").get(lang)


def _number(spec: Field, value: Any, lang: Lang) -> int | float:
    if isinstance(value, bool):
        raise Refused(Text("This must be a number, not true or false.", "这里必须是数字，不能是 true 或 false。"))
    if isinstance(value, list | tuple | dict):
        raise Refused(Text("Give one number, not a list or an object.", "请给出一个数字，不要给列表或对象。"))
    number = parse(value) if isinstance(value, str) else value
    if isinstance(number, float) and not math.isfinite(number):
        raise Refused(Text("This must be a finite number.", "这里必须是有限的数字。"))
    if spec.low is not None and number < spec.low:
        least = quantity(spec.low, spec.unit, lang)
        raise Refused(
            Text(
                f"Too small: the least is {least}. {_allowed(spec, lang).en}",
                f"太小：最小为 {least}。{_allowed(spec, lang).zh}",
            )
        )
    if spec.high is not None and number > spec.high:
        most = quantity(spec.high, spec.unit, lang)
        raise Refused(
            Text(f"Too large: the most is {most}. {_allowed(spec, lang).en}", f"太大：最大为 {most}。{_allowed(spec, lang).zh}")
        )
    if spec.type == "float":
        return float(number)
    if number != int(number):
        raise Refused(Text("This must be a whole number, without decimals.", "这里必须是整数，不能有小数。"))
    return int(number)


def _allowed(spec: Field, lang: Lang) -> Text:
    return Text(f"Enter a number {_span(spec, lang)}.", f"请输入数字，{_span(spec, lang)}。")


def _one(spec: Field, value: Any, catalog: Catalog) -> str:
    if isinstance(value, list | tuple | dict):
        raise Refused(Text("Choose one entry of the list, not several.", "请只选列表中的一项，不要选多项。"))
    if not isinstance(value, str):
        raise Refused(Text("Give the name of an entry of the list, as text.", "请以文本形式给出列表中某一项的名称。"))
    options = spec.options(catalog)
    values = [c.value for c in options]
    if value in values:
        return value
    raise Refused(_no_such(value, options, values))


def _no_such(value: str, options: tuple[Choice, ...], values: list[str]) -> Text:
    shown = value if len(value) <= LONGEST else value[:LONGEST] + "…"
    wanted = value.strip().casefold()
    for c in options:
        if c.value.casefold() == wanted:
            return Text(f"Names are written exactly: use “{c.value}”.", f"名称必须完全一致：请写“{c.value}”。")
        if wanted in (c.label.en.casefold(), c.label.zh.casefold()):
            return Text(f"This is the label. Use its id: “{c.value}”.", f"这是显示名称，请使用它的 id：“{c.value}”。")
    near = get_close_matches(wanted[:LONGEST], values, 3, 0.6)
    if near:
        listed = ", ".join(near)
        return Text(f"“{shown}” is not in the list. Did you mean: {listed}?", f"列表中没有“{shown}”，是不是：{listed}？")
    listed = ", ".join(values[:8]) + (" …" if len(values) > 8 else "")
    return Text(f"“{shown}” is not in the list. It has: {listed}.", f"列表中没有“{shown}”。可选：{listed}。")


def _yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "1", "on", "yes"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "0", "off", "no"):
        return False
    raise Refused(Text("This is yes or no: write true or false.", "这里只能是“是”或“否”：请写 true 或 false。"))
