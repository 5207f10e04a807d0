"""The language of a case's formula against Python's own arithmetic, and against text that nobody meant as a formula."""

import operator
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitebuild.accuracy.expressions import compute
from sitebuild.accuracy.language import UnknownFunction, parse

OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
Part = tuple[str, float]


def joined(left: Part, sign: str, right: Part) -> Part:
    """Both with an operator between; what cannot be divided is added."""
    try:
        return f"({left[0]}) {sign} ({right[0]})", OPERATORS[sign](left[1], right[1])
    except ZeroDivisionError:
        return joined(left, "+", right)


def chosen(left: Part, sign: str, right: Part) -> Part:
    """A conditional expression between the two."""
    holds = COMPARISONS[sign](left[1], right[1])
    return f"({left[0]}) if ({left[0]}) {sign} ({right[0]}) else -({right[0]})", left[1] if holds else -right[1]


def summed(left: Part, sign: str, right: Part) -> Part:
    """A list gone through, its parts filtered."""
    kept = [x for x in (left[1], right[1]) if COMPARISONS[sign](x, 1)]
    return f"sum([x for x in [{left[0]}, {right[0]}] if x {sign} 1])", sum(kept)


LEAVES = st.integers(-999, 999).map(lambda n: (repr(n), n)) | st.floats(-99, 99).map(lambda x: (repr(x), x))
PARTS = st.recursive(
    LEAVES,
    lambda part: (
        st.builds(joined, part, st.sampled_from(list(OPERATORS)), part)
        | st.builds(chosen, part, st.sampled_from(list(COMPARISONS)), part)
        | st.builds(summed, part, st.sampled_from(list(COMPARISONS)), part)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(PARTS)
def test_it_computes_what_python_computes(part: Part) -> None:
    text, value = part
    assert compute(text, {}) == value


MARKS = r"""()[]{}.,:*+-/%<>=!~@^&|\'" 019x_é中"""
WORDS = st.sampled_from(
    [
        *MARKS,
        "\n",
        "\t",
        "\0",
        *["**", "for", "in", "if", "else", "lambda", "range", "sum", "irr", "npv", "cf", "9**9", "1e308", "0x", "None", "True"],
    ]
)
MORE = st.sampled_from(["import", "await", "yield", ":=", "__class__", "eval", "not", "is", "1if", "\\d"])


@settings(deadline=None)
@given(st.lists(WORDS | MORE, max_size=30).map("".join) | st.text(max_size=60))
def test_any_text_gives_a_number_or_an_error_that_a_case_can_carry(text: str) -> None:
    try:
        found = compute(text, {"cf": [-1, 2], "x": 3})
    except (ValueError, TypeError, ArithmeticError, LookupError, UnknownFunction):
        return
    assert isinstance(found, int | float)
    assert not isinstance(found, bool)


@pytest.mark.parametrize("text", [" npv(0.1, [1, 2]) ", "\n(1 +\n 2)\n"], ids=["blanks", "lines in brackets"])
def test_blanks_around_and_within_do_not_matter(text: str) -> None:
    assert compute(text, {}) > 0


def test_a_tree_is_data() -> None:
    """Nothing is evaluated while it is read."""
    assert type(parse("1/0")).__name__ == "BinOp"
