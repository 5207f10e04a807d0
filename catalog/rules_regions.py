"""Rules for regions: spans in order and in the unit of their field, grids with names of their own."""

from collections.abc import Iterator

from catalog.entry import Entries
from catalog.problems import Problem
from catalog.region import PERCENT, PUE, Region, Span

MONEY = ("tariff_per_kwh", "colo_per_kw_month")
UNITS = {"pue": PUE, "cost_of_capital": PERCENT}


def regions(entries: Entries) -> Iterator[Problem]:
    """Each span rises from low to high in one unit: its field's, or the region's currency."""
    for e in entries["regions"]:
        region: Region = e.record
        for name in (*UNITS, *MONEY):
            span: Span | None = getattr(region, name)
            if span is None:
                continue
            unit = UNITS.get(name, region.currency)
            for end in ("low", "base", "high"):
                if getattr(span, end).unit != unit:
                    yield e.problem(
                        (name, end, "unit"),
                        f"`{name}.{end}` is in {getattr(span, end).unit}, not {unit}",
                        f"Give it in {unit}, as the region's `currency` and this field say.",
                    )
            if not span.low.value <= span.base.value <= span.high.value:
                yield e.problem(
                    (name, "base"),
                    f"`{name}` is not in order: {span.low.value:g}, {span.base.value:g}, {span.high.value:g}",
                    "Write low <= base <= high.",
                )
        seen = [g.id for g in region.grids]
        if twice := sorted({g for g in seen if seen.count(g) > 1}):
            yield e.problem(("grids",), f"two grids are called {', '.join(twice)}", "Give each grid its own `id`.")
