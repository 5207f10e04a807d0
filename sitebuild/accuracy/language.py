"""The small language of a case's `formula`: text -> a checked tree -> a number.

In: an expression, the case's inputs, the functions that it may call. Out: a number, or `ExpressionError` (a ValueError) for
what the language does not have or a machine should not be asked; `UnknownFunction` for a call of a function not given.
A formula is data that somebody else wrote: it is walked node by node over a closed list of node types, never compiled or run,
and every walk has a budget, so that a hostile one ends at once.
"""

import ast
import builtins
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LONGEST = 4_000  # characters
DEEPEST = 60  # nodes one inside the other
LARGEST = 600  # nodes
ITEMS = 100_000  # of a list or a range
BITS = 4_096  # of a whole number
EXPONENT = 4_096
BUDGET = 4_000_000  # units of about 0.1 µs: an expression ends within about half a second
STEP = 10  # what one visited node costs

_CONTAINERS = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
_HAD = (
    ast.Expression,
    ast.Constant,
    ast.Name,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.keyword,
    ast.Subscript,
    ast.Slice,
    ast.comprehension,
    *_CONTAINERS,
)
_MARKS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class ExpressionError(ValueError):
    """A formula that cannot be read or worked out: the text says what and how to mend it."""


class UnknownFunction(Exception):
    """A call of a function that there is not (yet): the formula is another format's, not wrong."""


@dataclass(frozen=True, slots=True)
class Function:
    """What a formula may call. `names`: its arguments in the formula's words; `per_item`: cost of each number in its lists."""

    call: Callable[..., Any]
    names: tuple[str, ...]
    required: int
    per_item: int = 1


@dataclass(slots=True)
class _Walk:
    """One evaluation: what may be called, and what is left of the budget."""

    functions: Mapping[str, Function]
    left: int = BUDGET
    scopes: list[dict[str, Any]] = field(default_factory=list)

    def spend(self, units: int) -> None:
        self.left -= units
        if self.left < 0:
            raise ExpressionError("the expression asks for too much work; write it with fewer steps")


def parse(text: str) -> ast.expr:
    """The checked tree. Raises ExpressionError for a syntax that the language does not have."""
    if len(text) > LONGEST:
        raise ExpressionError(f"the expression has {len(text)} characters, more than {LONGEST}")
    try:
        with warnings.catch_warnings():
            # what Python finds odd about the text is for its author, not for the reader of the cases
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise ExpressionError(f"the expression cannot be read ({getattr(e, 'msg', None) or type(e).__name__})") from None
    level: list[ast.AST] = [tree]
    count = depth = 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > DEEPEST or count > LARGEST:
            raise ExpressionError(f"the expression is nested deeper than {DEEPEST} or longer than {LARGEST} parts")
        for node in level:
            _refuse(node)
        level = [child for node in level for child in ast.iter_child_nodes(node) if not isinstance(child, _MARKS)]
    return tree.body


def _refuse(node: ast.AST) -> None:
    if not isinstance(node, _HAD):
        raise ExpressionError(f"the expression language has no {type(node).__name__}")
    if isinstance(node, ast.Name) and node.id.startswith("_"):
        raise ExpressionError(f"a name does not begin with an underscore: `{node.id}`")
    if isinstance(node, ast.Constant) and not isinstance(node.value, int | float):
        raise ExpressionError(f"a constant is a number, not {type(node.value).__name__}")
    if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
        raise ExpressionError("only a named function can be called")
    if isinstance(node, ast.comprehension) and node.is_async:
        raise ExpressionError("the expression language has no async")


def called(tree: ast.expr) -> set[str]:
    """The names of all functions that a tree calls."""
    return {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def evaluate(tree: ast.expr, inputs: Mapping[str, Any], functions: Mapping[str, Function]) -> int | float:
    """The number. Raises ExpressionError or another ArithmeticError, and UnknownFunction before anything is computed."""
    unknown = sorted(called(tree) - set(functions))
    if refused := [name for name in unknown if hasattr(builtins, name)]:
        raise ExpressionError(f"`{refused[0]}` cannot be called here; the functions are {', '.join(sorted(functions))}")
    if unknown:
        raise UnknownFunction(f"no function `{unknown[0]}`")
    walk = _Walk(functions, scopes=[dict(inputs)])
    found = _value(tree, walk)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ExpressionError("the expression gives no number")
    return found


def _value(node: ast.expr, w: _Walk) -> Any:
    w.spend(STEP)
    return _KINDS[type(node)](node, w)


def _name(node: ast.Name, w: _Walk) -> Any:
    for scope in reversed(w.scopes):
        if node.id in scope:
            return scope[node.id]
    raise ExpressionError(f"input `{node.id}` is missing")


def _sized(value: Any) -> Any:
    if isinstance(value, complex):
        raise ExpressionError("the result is not a real number")
    if isinstance(value, int) and value.bit_length() > BITS:
        raise ExpressionError(f"a whole number has more than {BITS} bits")
    return value


def _binary(node: ast.BinOp, w: _Walk) -> Any:
    left, right = _value(node.left, w), _value(node.right, w)
    if isinstance(left, list) or isinstance(right, list):
        return _lists(node.op, left, right, w)
    _number(left)
    _number(right)
    if isinstance(node.op, ast.Pow):
        return _power(left, right)
    if type(node.op) not in _ARITHMETIC:
        raise ExpressionError(f"the expression language has no {type(node.op).__name__}")
    return _sized(_ARITHMETIC[type(node.op)](left, right))


def _power(base: float, exponent: float) -> Any:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and (abs(exponent) > EXPONENT or abs(exponent) * int(base).bit_length() > BITS):
        raise ExpressionError("the exponent is too large")
    return _sized(base**exponent)


def _lists(op: ast.operator, left: Any, right: Any, w: _Walk) -> list[Any]:
    """Lists can be joined, and repeated a whole number of times: cash flows are written so."""
    if isinstance(op, ast.Add) and isinstance(left, list) and isinstance(right, list):
        return _counted([*left, *right], len(left) + len(right), w)
    items, times = (left, right) if isinstance(left, list) else (right, left)
    if not isinstance(op, ast.Mult) or isinstance(times, bool) or not isinstance(times, int):
        raise ExpressionError("lists can be joined by + and repeated by a whole number, nothing else")
    if len(items) * max(times, 0) > ITEMS:
        raise ExpressionError(f"a list has more than {ITEMS} items")
    return _counted(items * times, len(items) * times, w)


def _counted(items: list[Any], count: int, w: _Walk) -> list[Any]:
    if count > ITEMS:
        raise ExpressionError(f"a list has more than {ITEMS} items")
    w.spend(max(count, 0))
    return items


def _number(value: Any) -> float:
    if not isinstance(value, int | float):
        raise ExpressionError(f"{_said(value)} stands where a number must stand")
    return value


def _said(value: Any) -> str:
    return {"list": "a list", "range": "a range", "str": "text", "dict": "a mapping", "NoneType": "nothing"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )


def _unary(node: ast.UnaryOp, w: _Walk) -> Any:
    value = _value(node.operand, w)
    if isinstance(node.op, ast.Not):
        return not value
    _number(value)
    if isinstance(node.op, ast.USub):
        return -value
    if isinstance(node.op, ast.UAdd):
        return +value
    raise ExpressionError(f"the expression language has no {type(node.op).__name__}")


def _boolean(node: ast.BoolOp, w: _Walk) -> Any:
    stop = isinstance(node.op, ast.Or)
    value: Any = None
    for part in node.values:
        value = _value(part, w)
        if bool(value) is stop:
            break
    return value


def _compare(node: ast.Compare, w: _Walk) -> bool:
    left = _number(_value(node.left, w))
    for op, part in zip(node.ops, node.comparators, strict=True):
        if type(op) not in _COMPARE:
            raise ExpressionError(f"the expression language has no {type(op).__name__}")
        right = _number(_value(part, w))
        if not _COMPARE[type(op)](left, right):
            return False
        left = right
    return True


def _choice(node: ast.IfExp, w: _Walk) -> Any:
    return _value(node.body if _value(node.test, w) else node.orelse, w)


def _items(node: ast.List | ast.Tuple, w: _Walk) -> list[Any]:
    return [_value(part, w) for part in node.elts]


def _subscript(node: ast.Subscript, w: _Walk) -> Any:
    value = _value(node.value, w)
    if not isinstance(value, list | range):
        raise ExpressionError(f"{_said(value)} has no parts")
    where: Any
    if isinstance(node.slice, ast.Slice):
        parts = (node.slice.lower, node.slice.upper, node.slice.step)
        where = slice(*(None if part is None else _value(part, w) for part in parts))
        taken = [*value[where]] if len(value) <= ITEMS else []
        return _counted(taken, len(taken), w)
    where = _value(node.slice, w)
    if isinstance(where, bool) or not isinstance(where, int):
        raise ExpressionError("a place in a list is a whole number")
    try:
        return value[where]
    except IndexError:
        raise ExpressionError(f"the list has no place {where}; it has {len(value)}") from None


def _comprehension(node: ast.ListComp | ast.GeneratorExp, w: _Walk) -> list[Any]:
    found: list[Any] = []
    scope: dict[str, Any] = {}
    w.scopes.append(scope)
    try:
        for _ in _rounds(node.generators, scope, w):
            found.append(_value(node.elt, w))
            if len(found) > ITEMS:
                raise ExpressionError(f"a list has more than {ITEMS} items")
    finally:
        w.scopes.pop()
    return found


def _rounds(loops: Sequence[ast.comprehension], scope: dict[str, Any], w: _Walk) -> Iterator[None]:
    if not loops:
        yield
        return
    first, rest = loops[0], loops[1:]
    if not isinstance(first.target, ast.Name):
        raise ExpressionError("a comprehension names one thing at a time")
    items = _value(first.iter, w)
    if not isinstance(items, list | range):
        raise ExpressionError(f"{_said(items)} cannot be gone through")
    for item in items:
        scope[first.target.id] = item
        if all(_value(test, w) for test in first.ifs):
            yield from _rounds(rest, scope, w)
        else:
            w.spend(STEP)


def _call(node: ast.Call, w: _Walk) -> Any:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    function = w.functions[name]
    given: dict[str, Any] = {}
    if len(node.args) > len(function.names):
        raise ExpressionError(f"`{name}` takes at most {len(function.names)} arguments: {', '.join(function.names)}")
    for key, part in zip(function.names, node.args, strict=False):
        given[key] = _value(part, w)
    for keyword in node.keywords:
        if keyword.arg not in function.names or keyword.arg in given:
            raise ExpressionError(f"`{name}` takes {', '.join(function.names)}, each once; not `{keyword.arg}`")
        given[keyword.arg] = _value(keyword.value, w)
    missing = [key for key in function.names[: function.required] if key not in given]
    if missing:
        raise ExpressionError(f"`{name}` needs `{missing[0]}`")
    w.spend(sum(function.per_item * len(v) for v in given.values() if isinstance(v, list | range)))
    found = function.call(**given)
    if isinstance(found, range) and len(found) > ITEMS:
        raise ExpressionError(f"a range has more than {ITEMS} items")
    if found is None:
        raise ExpressionError(f"`{name}` has no answer for these numbers")
    return _sized(found)


_KINDS: dict[type[ast.AST], Callable[[Any, _Walk], Any]] = {
    ast.Constant: lambda node, _: _sized(node.value),
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _choice,
    ast.List: _items,
    ast.Tuple: _items,
    ast.Subscript: _subscript,
    ast.ListComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.Call: _call,
}
