"""The hours of each month from a reader's text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.costing.workload import Stretch, short_form, stretches
from calculators.framework.numbers import Refused


@pytest.mark.parametrize(
    ("text", "horizon", "expected"),
    [
        (None, 12, (Stretch(0, 12, 500.0),)),
        ("3x200,12x600", 15, (Stretch(0, 3, 200.0), Stretch(3, 15, 600.0))),
        ("3x200,12x600", 24, (Stretch(0, 3, 200.0), Stretch(3, 24, 600.0))),
        ("3x200,12x600", 2, (Stretch(0, 2, 200.0),)),
        ("200,200,300", 5, (Stretch(0, 2, 200.0), Stretch(2, 5, 300.0))),
        ("3×200，2*0；1 x 730", 6, (Stretch(0, 3, 200.0), Stretch(3, 5, 0.0), Stretch(5, 6, 730.0))),
    ],
)
def test_stretches(text: str | None, horizon: int, expected: tuple[Stretch, ...]) -> None:
    assert stretches(text, 500.0, horizon) == expected


@given(st.lists(st.tuples(st.integers(1, 120), st.integers(0, 744)), min_size=1, max_size=20), st.integers(1, 120))
def test_the_horizon_is_covered_once(parts: list[tuple[int, int]], horizon: int) -> None:
    if not any(hours for _, hours in parts):
        parts[0] = (parts[0][0], 1)
    text = ",".join(f"{months}x{hours}" for months, hours in parts)
    assert short_form(short_form(text)) == short_form(text)
    found = stretches(text, 1.0, horizon)
    assert found[0].first == 0
    assert found[-1].last == horizon
    assert all(a.last == b.first for a, b in pairwise(found))


BAD = [("", "cannot be read"), ("3x", "cannot be read"), ("many", "cannot be read"), ("3x-5", "cannot be read")]
BAD += [("0x200", "1 to 120 months"), ("121x200", "1 to 120 months"), ("1x745", "at most 744"), ("5x0,0", "needs hours")]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_a_profile_that_says_nothing_usable_is_refused_with_the_mend(text: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        short_form(text)
    assert words in refused.value.message.en
    assert any("\u4e00" <= c <= "\u9fff" for c in refused.value.message.zh)
