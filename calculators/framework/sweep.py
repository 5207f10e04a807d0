"""Many values of one input in one request: what a curve or a what-if asks, without a message for each point.

In: a calculator, its inputs, `{"field": name, "values": [...]}`. Out: for each numeric output the list of its values, `null` where
there is none. A calculator may bring a `sweep` of its own that computes fewer outputs, faster; else each point is a whole answer.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

from calculators.framework.numbers import Refused
from calculators.framework.spec import Calculator, Range, Working
from calculators.framework.text import Lang, Text
from calculators.framework.validate import BadInput, FieldError, value_of
from catalog.model import Catalog

MOST_POINTS = 10_000
MOST_WHOLE_ANSWERS = 200
Curves = dict[str, list[float | None]]


def sweep_data(calculator: Calculator, inputs: Any, asked: Any, catalog: Catalog, lang: Lang) -> dict[str, Any]:
    """The curves as plain data. Raises `BadInput` for a sweep that cannot be used, `InputError` as the calculator does."""
    field, values = _asked(calculator, asked, catalog, lang)
    curves = calculator.sweep(inputs, catalog, field, values) if calculator.sweep else None
    if curves is None:
        if len(values) > MOST_WHOLE_ANSWERS:
            raise _bad(
                Text(f"At most {MOST_WHOLE_ANSWERS} values of this field.", f"该字段最多 {MOST_WHOLE_ANSWERS} 个值。"), lang
            )
        curves = _whole_answers(calculator, inputs, catalog, field, values)
    return {
        "calculator": calculator.id,
        "version": calculator.version,
        "catalog": catalog.version,
        "sweep": {"field": field, "values": list(values), "outputs": curves},
    }


def _asked(calculator: Calculator, asked: Any, catalog: Catalog, lang: Lang) -> tuple[str, Sequence[Any]]:
    if not isinstance(asked, dict) or set(asked) != {"field", "values"} or not isinstance(asked["values"], list):
        raise _bad(
            Text('A sweep is {"field": name, "values": [numbers]}.', 'sweep 应写成 {"field": 字段名, "values": [数值]}。'), lang
        )
    field, values = asked["field"], asked["values"]
    spec = calculator.fields().get(field) if isinstance(field, str) else None
    if spec is None or spec.type not in ("int", "float"):
        names = ", ".join(name for name, f in calculator.fields().items() if f.type in ("int", "float"))
        raise _bad(Text(f"Sweep a number: one of {names}.", f"只能扫描数值字段：{names}。"), lang)
    if not 1 <= len(values) <= MOST_POINTS:
        raise _bad(Text(f"Give 1 to {MOST_POINTS:,} values.", f"请给出 1 至 {MOST_POINTS:,} 个值。"), lang)
    found = []
    for value in values:
        try:
            found.append(value_of(spec, value, catalog, lang))
        except Refused as refused:
            raise _bad(refused.message, lang) from refused
        if found[-1] is None:
            raise _bad(Text("Every value of a sweep is a number.", "sweep 的每个值都必须是数字。"), lang)
    return str(field), found


def _whole_answers(calculator: Calculator, inputs: Any, catalog: Catalog, field: str, values: Sequence[Any]) -> Curves:
    answers = [calculator.compute(dataclasses.replace(inputs, **{field: v}), catalog, Working()).outputs for v in values]
    curves: Curves = {}
    for name in calculator.results():
        points = [_number(getattr(outputs, name)) for outputs in answers]
        if any(p is not None for p in points):
            curves[name] = points
    return curves


def _number(value: Any) -> float | None:
    if isinstance(value, Range):
        return value.mid
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _bad(message: Text, lang: Lang) -> BadInput:
    return BadInput([FieldError("sweep", message.get(lang))])
