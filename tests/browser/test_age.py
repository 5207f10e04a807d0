"""How old a date is, by the reader's clock."""

import json

import pytest

from tests.browser.conftest import Node

CASES = [
    ("2026-11-30", "2026-11-30T10:00:00Z", ("age_today", 0, False)),
    ("2026-11-29", "2026-11-30T10:00:00Z", ("age_day", 1, False)),
    ("2026-11-01", "2026-11-30T10:00:00Z", ("age_days", 29, False)),
    ("2026-10-30", "2026-11-30T10:00:00Z", ("age_month", 1, False)),
    ("2026-07", "2026-11-30T10:00:00Z", ("age_months", 4, False)),
    ("2026-05-31", "2026-11-30T10:00:00Z", ("age_months", 5, False)),
    ("2026-05-30", "2026-11-30T10:00:00Z", ("age_months", 6, True)),
    ("2024-11-30", "2026-11-30T10:00:00Z", ("age_years", 2, True)),
    ("2027-01-01", "2026-11-30T10:00:00Z", None),
    ("soon", "2026-11-30T10:00:00Z", None),
]


@pytest.mark.parametrize(("date", "now", "expected"), CASES)
def test_age(node: Node, date: str, now: str, expected: tuple[str, int, bool] | None) -> None:
    found = node.run(f"gpuguide.age({json.dumps(date)}, new Date({json.dumps(now)}))", "age.js")
    assert found == (None if expected is None else dict(zip(("key", "n", "old"), expected, strict=True)))
