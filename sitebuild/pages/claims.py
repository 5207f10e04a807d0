"""A price table as somebody printed it -> the same table on one stated basis, and what the printed numbers must have meant.

In: a `ClaimTable` and the catalog. Out: one `Recomputed` per row. Nothing of the claim is changed; everything besides it is
computed here from the catalog's peaks.
"""

from dataclasses import dataclass

from catalog.model import Accelerator, Catalog, ClaimRow, ClaimTable, Peak

CARDS = 8
DAYS = 30
HOURS_PER_MONTH = 730.0
_SAME = 0.01
"""Printed to three digits: a peak within 1 % reproduces a printed cost."""


@dataclass(frozen=True, slots=True)
class Basis:
    """A peak of one accelerator that serves as a divisor."""

    accelerator: Accelerator
    peak: Peak


@dataclass(frozen=True, slots=True)
class OnBasis:
    """Cost per TFLOPS and month on the stated basis, for one (sub-)model."""

    basis: Basis
    cost: float


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One row: what was printed, what follows from it, what it is on one basis."""

    row: ClaimRow
    card_month: float | None
    divisor: float | None
    reproduced_by: tuple[Basis, ...]
    like_for_like: tuple[OnBasis, ...]
    break_even_hours: float | None
    card_hour: float | None
    thirty_days: float | None
    card_hour_by_day: float | None


def recompute(table: ClaimTable, catalog: Catalog) -> tuple[Recomputed, ...]:
    """Every row of a table, in its order."""
    return tuple(_row(row, catalog) for row in table.rows)


def sub_models(family: Accelerator, catalog: Catalog) -> tuple[Accelerator, ...]:
    """`ascend-910b3` is a sub-model of `ascend-910b-64g`: the id without its last part, followed by a digit."""
    stem = family.id.rsplit("-", 1)[0]
    return tuple(a for a in catalog.accelerators.values() if a.id.startswith(stem) and a.id[len(stem) :].isdigit())


def meant(accelerator: Accelerator, catalog: Catalog) -> tuple[Accelerator, ...]:
    """The products that a name can mean: itself, or the sub-models of its memory size where the catalog leaves it open."""
    if "sub-model-unknown" not in accelerator.flags:
        return (accelerator,)
    same = tuple(a for a in sub_models(accelerator, catalog) if a.memory.value == accelerator.memory.value)
    return same or (accelerator,)


def _row(row: ClaimRow, catalog: Catalog) -> Recomputed:
    named = catalog.accelerators[row.accelerator]
    products = meant(named, catalog)
    searched = (named, *(p for p in products if p.id != named.id))
    month = None if row.month_8 is None else row.month_8 / CARDS
    divisor = None if month is None or row.per_tflops_month is None else month / row.per_tflops_month
    return Recomputed(
        row=row,
        card_month=month,
        divisor=divisor,
        reproduced_by=() if divisor is None else reproducers(divisor, searched),
        like_for_like=() if month is None else _on_one_basis(month, products),
        break_even_hours=None if month is None or row.hourly is None else month / row.hourly,
        card_hour=None if month is None else month / HOURS_PER_MONTH,
        thirty_days=None if row.day_8 is None else row.day_8 * DAYS,
        card_hour_by_day=None if row.day_8 is None else row.day_8 / CARDS / 24,
    )


def reproducers(divisor: float, products: tuple[Accelerator, ...]) -> tuple[Basis, ...]:
    """The peaks that give the printed number."""
    return tuple(
        Basis(a, p) for a in products for p in a.peaks if p.rate.unit == "TFLOPS" and abs(p.rate.value / divisor - 1) <= _SAME
    )


def _on_one_basis(month: float, products: tuple[Accelerator, ...]) -> tuple[OnBasis, ...]:
    found = []
    for a in products:
        peak = a.peak("bf16", sparse=False, accumulate="fp32") or a.peak("fp16", sparse=False, accumulate="fp32")
        if peak is not None:
            found.append(OnBasis(Basis(a, peak), month / peak.rate.value))
    return tuple(sorted(found, key=lambda o: o.cost))
