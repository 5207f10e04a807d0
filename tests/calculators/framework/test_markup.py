"""Escaped text: what the standard library's own escape gives, for every printable character."""

from html import escape as standard

from hypothesis import given
from hypothesis import strategies as st

from calculators.framework.markup import escape


@given(st.text())
def test_it_is_what_the_standard_library_gives(text: str) -> None:
    assert escape(text) == standard(text)
