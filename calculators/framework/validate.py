"""A reader's raw inputs -> a calculator's frozen `Inputs`, or errors that name the field and the allowed range.

In: a mapping from JSON, a form or a URL: numbers may come as text. Out: `Inputs`. Raises `BadInput` with one
`FieldError` per field, in the reader's language; nothing is guessed, clipped or dropped.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from calculators.framework.spec import Calculator, Field
from calculators.framework.text import Lang, Text, quantity
from catalog.model import Catalog

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_LONGEST = 64


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


class _Refused(Exception):
    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


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
            values[name] = _value(spec, value, catalog, lang)
        except _Refused as refused:
            errors.append(FieldError(name, refused.message.get(lang), spec.low, spec.high))
    if errors:
        raise BadInput(errors)
    return calculator.inputs(**values)


def _unknown(name: str, known: list[str], lang: Lang) -> str:
    shown = name if len(name) <= _LONGEST else name[:_LONGEST] + "…"
    near = get_close_matches(name, known, 1)
    if near:
        return Text(f"There is no field “{shown}”. Did you mean “{near[0]}”?", f"没有“{shown}”这个字段，是不是“{near[0]}”？").get(lang)
    listed = ", ".join(known)
    return Text(f"There is no field “{shown}”. The fields are: {listed}.", f"没有“{shown}”这个字段。可用字段：{listed}。").get(lang)


def _value(spec: Field, value: Any, catalog: Catalog, lang: Lang) -> Any:
    if value is None or (isinstance(value, str) and not value.strip()):
        if spec.optional:
            return None
        raise _Refused(_empty(spec, lang))
    match spec.type:
        case "bool":
            return _yes_no(value)
        case "choice":
            return _one(spec, value, catalog)
        case "choices":
            items = value.split(",") if isinstance(value, str) else value
            if not isinstance(items, list | tuple):
                raise _Refused(Text("Give a list of names.", "请给出名称列表。"))
            return tuple(dict.fromkeys(_one(spec, item, catalog) for item in items))
        case _:
            return _number(spec, value, lang)


def _empty(spec: Field, lang: Lang) -> Text:
    if spec.type in ("int", "float"):
        span = _span(spec, lang)
        return Text(f"Enter a number {span}.", f"请输入数字，{span}。")
    return Text("Choose one of the list.", "请从列表中选择一项。")


def _span(spec: Field, lang: Lang) -> str:
    low = quantity(spec.low or 0, spec.unit, lang)
    high = quantity(spec.high or 0, spec.unit, lang)
    return Text(f"from {low} to {high}", f"范围 {low} 至 {high}").get(lang)


def _number(spec: Field, value: Any, lang: Lang) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _Refused(Text("This must be a number.", "这里必须是数字。"))
    if isinstance(value, str):
        text = value.strip()
        if len(text) > _LONGEST or not _NUMBER.match(text):
            raise _Refused(
                Text("This is not a number. Write digits, for example 8192 or 0.5.", "这不是数字。请只写数字，例如 8192 或 0.5。")
            )
        value = float(text) if re.search(r"[.eE]", text) else int(text)
    if isinstance(value, float) and not math.isfinite(value):
        raise _Refused(Text("This must be a finite number.", "这里必须是有限的数字。"))
    if spec.low is not None and value < spec.low or spec.high is not None and value > spec.high:
        span = _span(spec, lang)
        raise _Refused(Text(f"Out of range: enter a number {span}.", f"超出范围：请输入数字，{span}。"))
    if spec.type == "int":
        if value != int(value):
            raise _Refused(Text("This must be a whole number.", "这里必须是整数。"))
        return int(value)
    return float(value)


def _one(spec: Field, value: Any, catalog: Catalog) -> str:
    if not isinstance(value, str):
        raise _Refused(Text("Choose one of the list.", "请从列表中选择一项。"))
    values = [c.value for c in spec.options(catalog)]
    if value in values:
        return value
    shown = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    near = get_close_matches(value.lower()[:_LONGEST], values, 3, 0.5) or values[:5]
    listed = ", ".join(near)
    raise _Refused(
        Text(f"“{shown}” is not in the list. Close to it: {listed}.", f"列表中没有“{shown}”。相近的有：{listed}。")
    )


def _yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "1", "on", "yes"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "0", "off", "no"):
        return False
    raise _Refused(Text("This is yes or no: true or false.", "这里只能是“是”或“否”：true 或 false。"))
