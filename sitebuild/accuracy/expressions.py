"""Cases of money, reliability and power: a `formula` that is an expression -> its number.

In: the expression and the case's inputs. Out: the number, worked out by the functions that the calculators call. Those are
reached through their modules, so that breaking one in a test breaks its cases.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from calculators.finance import annuity, depreciation, discount, energy
from calculators.reliability import checkpoints
from sitebuild.accuracy.cases import number
from sitebuild.accuracy.language import ITEMS, ExpressionError, Function, evaluate, parse

AGREE, PUBLISHED_ERROR = "agree", "published_error"
KINDS = (AGREE, PUBLISHED_ERROR)
DIGITS = 30
DEEPEST_INPUT = 3
# `irr` looks at the present value 2,800 times before it closes in
IRR_PER_ITEM = 1_200


def _product(module: ModuleType, name: str, words: Mapping[str, str], required: int, per_item: int = 1) -> Function:
    """A function of the project under the argument names of the case files; `words`: theirs -> ours, in order."""

    def call(**given: Any) -> Any:
        for key, value in given.items():
            if isinstance(value, list | range) != (key == "cf"):
                raise ExpressionError(f"`{name}`: `{key}` must be {'a list' if key == 'cf' else 'a number'}")
            for item in value if isinstance(value, list | range) else [value]:
                _plain(item, f"`{name}`: `{key}`")
        return getattr(module, name)(**{words[key]: value for key, value in given.items()})

    return Function(call, tuple(words), required, per_item)


def _plain(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"{where} must be a number")
    return value


def _numbers(items: Any, where: str) -> Sequence[float]:
    if not isinstance(items, list | range):
        raise ExpressionError(f"{where} takes a list")
    return items if isinstance(items, range) else [_plain(int(i) if isinstance(i, bool) else i, where) for i in items]


def _math(name: str, call: Callable[[float], float]) -> Function:
    return Function(lambda x: call(_plain(x, f"`{name}`")), ("x",), 1)


def _log(x: Any, base: Any = math.e) -> float:
    return math.log(_plain(x, "`log`")) if base == math.e else math.log(_plain(x, "`log`"), _plain(base, "`log`"))


def _round(x: Any, digits: Any = 0) -> float:
    if isinstance(digits, bool) or not isinstance(digits, int) or abs(digits) > DIGITS:
        raise ExpressionError(f"`round`: `digits` must be a whole number of at most {DIGITS}")
    return round(_plain(x, "`round`"), digits) if digits else round(_plain(x, "`round`"))


def _range(start: Any, stop: Any = None, step: Any = 1) -> range:
    parts = (start, stop, step) if stop is not None else (0, start, step)
    if any(isinstance(p, bool) or not isinstance(p, int) or abs(p) > 2**53 for p in parts):
        raise ExpressionError("`range` takes whole numbers")
    found = range(*parts)
    if len(found) > ITEMS:
        raise ExpressionError(f"a range has more than {ITEMS} items")
    return found


def _sum(items: Any, start: Any = 0) -> float:
    return sum(_numbers(items, "`sum`"), _plain(start, "`sum`"))


def _extreme(name: str, pick: Callable[[Sequence[float]], float]) -> Function:
    """The least or largest of a list, or of up to four numbers."""

    def call(a: Any, **more: Any) -> float:
        items = _numbers(a if isinstance(a, list | range) and not more else [a, *more.values()], f"`{name}`")
        if not items:
            raise ExpressionError(f"`{name}` of nothing")
        return pick(items)

    return Function(call, ("a", "b", "c", "d"), 1)


FUNCTIONS: dict[str, Function] = {
    "npv": _product(discount, "npv", {"r": "rate", "cf": "cash_flows"}, 2),
    "irr": _product(discount, "irr", {"cf": "cash_flows"}, 1, IRR_PER_ITEM),
    "pmt": _product(annuity, "pmt", {"rate": "rate", "n": "periods", "pv": "present_value"}, 3),
    "crf": _product(annuity, "crf", {"rate": "rate", "n": "periods"}, 2),
    "straight_line": _product(depreciation, "straight_line", {"cost": "cost", "salvage": "salvage", "n": "periods"}, 3),
    "energy_kwh": _product(energy, "energy_kwh", {"kw": "kw", "hours": "hours", "util": "util", "pue": "pue"}, 2),
    "young": _product(checkpoints, "young", {"C": "checkpoint", "M": "mtbi"}, 2),
    "daly_first": _product(checkpoints, "daly_first", {"C": "checkpoint", "M": "mtbi", "R": "restart"}, 3),
    "daly_high": _product(checkpoints, "daly_high", {"C": "checkpoint", "M": "mtbi"}, 2),
    "availability_opt": _product(checkpoints, "availability_opt", {"Ts": "checkpoint", "Tf": "mtbi", "Tr": "restart"}, 3),
    "t_wall_expected": _product(
        checkpoints,
        "t_wall_expected",
        {"W": "work", "tau": "interval", "C": "checkpoint", "R": "restart", "M": "mtbi"},
        5,
    ),
    "sqrt": _math("sqrt", math.sqrt),
    "exp": _math("exp", math.exp),
    "ceil": _math("ceil", math.ceil),
    "floor": _math("floor", math.floor),
    "abs": _math("abs", abs),
    "min": _extreme("min", min),
    "max": _extreme("max", max),
    "log": Function(_log, ("x", "base"), 1),
    "round": Function(_round, ("x", "digits"), 1),
    "sum": Function(_sum, ("items", "start"), 1),
    "range": Function(_range, ("start", "stop", "step"), 1),
    "len": Function(lambda items: len(_numbers(items, "`len`")), ("items",), 1),
}


def _input(name: str, value: Any, depth: int = 0) -> Any:
    """An input as the language has it: a finite number, true or false, or a list of such."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list) and depth < DEEPEST_INPUT and len(value) <= ITEMS:
        return [_input(name, item, depth + 1) for item in value]
    found = number(value)
    if found is None:
        raise ExpressionError(f"input `{name}` must be a finite number or a list of them")
    return found


def compute(formula: str, inputs: Mapping[str, Any]) -> int | float:
    """The value of an expression. Raises ValueError or ArithmeticError for what cannot be worked out, and
    `language.UnknownFunction` for a function that the project does not have."""
    tree = parse(formula)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return evaluate(tree, {name: _input(name, value) for name, value in inputs.items() if name in used}, FUNCTIONS)
