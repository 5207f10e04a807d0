"""Numbers and words for a reader."""

import math

import pytest

from calculators.framework.text import Lang, Text, bounds, number, quantity

NUMBERS = [
    (0, None, "0"),
    (0.0, None, "0"),
    (8192, None, "8,192"),
    (1234567.0, None, "1,234,567"),
    (14.957527, 2, "14.96"),
    (0.4375, None, "0.438"),
    (0.1, None, "0.1"),
    (0.001, None, "0.001"),
    (12.04, None, "12"),
    (3.14159, None, "3.14"),
    (1008.4, None, "1,008"),
    (0.000123456, None, "0.000123"),
    (-0.001, 2, "0.00"),
    (-1234.5, 1, "-1,234.5"),
]


@pytest.mark.parametrize(("value", "digits", "text"), NUMBERS)
def test_number(value: float, digits: int | None, text: str) -> None:
    assert number(value, digits) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_answer_prints_nan_or_infinity(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        number(value)


QUANTITIES: list[tuple[float, str, Lang, int | None, str]] = [
    (14.9575, "GiB", "en", 2, "14.96 GiB"),
    (1.96, "CNY/h", "en", 2, "¥1.96/h"),
    (1.96, "CNY/h", "zh", 2, "¥1.96/小时"),
    (-2.5, "USD", "en", 2, "-US$2.50"),
    (2.5, "EUR/h", "zh", 2, "€2.50/小时"),
    (60, "%", "zh", None, "60%"),
    (2, "gpu", "en", None, "2 GPUs"),
    (2, "gpu", "zh", None, "2 张卡"),
    (7, "", "en", None, "7"),
]


@pytest.mark.parametrize(("value", "unit", "lang", "digits", "text"), QUANTITIES)
def test_quantity(value: float, unit: str, lang: Lang, digits: int | None, text: str) -> None:
    assert quantity(value, unit, lang, digits) == text


def test_bounds_print_the_unit_once() -> None:
    assert bounds(16.8, 21.15, "GiB", "en", 1) == "16.8–21.1 GiB"
    assert bounds(5, 5, "GiB", "en", 1) == "5.0 GiB"
    assert bounds(1, 2, "USD/h", "en", 2) == "US$1.00/h – US$2.00/h"


def test_text_falls_back_to_english() -> None:
    assert Text("GPU").get("zh") == "GPU"
    assert Text("Card", "显卡").get("zh") == "显卡"
