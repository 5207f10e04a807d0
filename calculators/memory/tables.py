"""The table of what one GPU holds, part by part, as every memory calculator shows it. In: parts low to high, GiB. Out: a `Table`."""

from collections.abc import Iterable

from calculators.framework.spec import Cell, Column, Table
from calculators.framework.text import Text
from calculators.framework.view import KINDS

Part = tuple[Text, float, float, str]
"""(label, low, high, kind): `kind` is exact, modelled or assumed."""


def parts_table(title: Text, parts: Iterable[Part], together: tuple[float, float]) -> Table:
    """The parts and their sum."""
    rows: list[dict[str, Cell]] = [
        {"part": label, "low": low, "high": high, "sure": KINDS[kind]} for label, low, high, kind in parts
    ]
    low, high = together
    rows.append({"part": Text("Together", "合计"), "low": low, "high": high, "sure": None})
    return Table(
        "parts",
        title,
        (
            Column("part", Text("Part", "组成"), kind="text"),
            Column("low", Text("Low", "下限"), "GiB", 2),
            Column("high", Text("High", "上限"), "GiB", 2),
            Column("sure", Text("How sure", "可信度"), kind="text"),
        ),
        tuple(rows),
    )
