"""Rules for accelerators and servers: names that identify, and what physics excludes."""

from collections.abc import Iterator
from itertools import combinations

from catalog.entry import Entries, Entry
from catalog.model import Accelerator, Peak
from catalog.problems import Problem

ROUNDING = 1.01
"""Vendors round: two peaks of one tensor core may miss their exact ratio by this factor."""

FASTER = (
    ("tf32", "bf16"),
    ("tf32", "fp16"),
    ("bf16", "fp8"),
    ("fp16", "fp8"),
    ("fp8", "fp6"),
    ("fp6", "fp4"),
    ("fp8", "fp4"),
    ("int8", "int4"),
)
"""(wide, narrow): on one basis a matrix unit never does the narrow format slower. INT8 is not compared with BF16:
the B300 has cut its INT8 units."""

SPARSE_GAIN = 2.0
"""2:4 sparsity skips half of the products, so it gains a factor of two at most."""

SERVER_SHARE = 0.8
"""A server's largest draw is not less than this share of its accelerators' board power; some are capped a little."""


def names(entries: Entries) -> Iterator[Problem]:
    """No two records of a collection answer to one name."""
    for collection in ("accelerators", "models", "servers"):
        owner: dict[str, Entry] = {}
        for e in entries[collection]:
            for name in {_bare(e.record.name), _bare(e.record.id)}:
                if owner.setdefault(name, e) is not e:
                    other = owner[name].document.id
                    yield e.problem(
                        ("name",),
                        f"`name` {e.record.name} is taken by {other}",
                        f"Say in the name what sets it apart, or merge it into {other}.",
                    )
        if collection == "accelerators":
            yield from _aliases(entries[collection], owner)


def _aliases(entries: list[Entry], owner: dict[str, Entry]) -> Iterator[Problem]:
    for e in entries:
        accelerator: Accelerator = e.record
        own = {_bare(accelerator.name), _bare(accelerator.id)}
        for i, alias in enumerate(accelerator.aliases):
            bare = _bare(alias)
            if bare in own:
                yield e.problem(("aliases", i), f"the alias {alias} is the card's own name or id", "Delete the alias.")
                continue
            own.add(bare)
            if owner.setdefault(bare, e) is not e:
                other = owner[bare].document.id
                yield e.problem(
                    ("aliases", i),
                    f"the alias {alias} already leads to {other}",
                    f"Add what sets it apart from {other}, such as the memory size, or delete it.",
                )


def _bare(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split())


def accelerator_flags(entries: Entries) -> Iterator[Problem]:
    """A modified card has lost its maker's warranty."""
    for e in entries["accelerators"]:
        flags = e.record.flags
        if "modified" in flags and "no-vendor-warranty" not in flags:
            yield e.problem(
                ("flags",),
                "`flags` has `modified` without `no-vendor-warranty`",
                "Add `no-vendor-warranty`: no maker stands behind a modified card.",
            )


def _basis(p: Peak) -> str:
    units = "matrix" if p.matrix else "vector"
    return f"{p.precision} {'sparse' if p.sparse else 'dense'} {units}, accumulator {p.accumulate}"


def peaks(entries: Entries) -> Iterator[Problem]:
    """Peaks of one card agree with each other."""
    for e in entries["accelerators"]:
        yield from _peak_units(e)
        listed: tuple[Peak, ...] = e.record.peaks
        for (i, a), (j, b) in combinations(enumerate(listed), 2):
            if _basis(a) == _basis(b):
                yield e.problem(
                    ("peaks", j),
                    f"peaks {i + 1} and {j + 1} stand on one basis: {_basis(b)}",
                    "Keep one of them and move the other's value to its `others`.",
                )
                continue
            if a.matrix != b.matrix:
                continue
            for k, low, high in ((j, a, b), (i, b, a)):
                yield from _pair(e, k, low, high)


def _peak_units(e: Entry) -> Iterator[Problem]:
    for i, p in enumerate(e.record.peaks):
        whole = p.precision.startswith("int")
        unit = "TOPS" if whole else "TFLOPS"
        if p.rate.unit != unit:
            yield e.problem(
                ("peaks", i, "rate"),
                f"`peaks[{i + 1}].rate` of {p.precision} is in {p.rate.unit}, not in {unit}",
                f"Write `unit: {unit}` (TOPS for integer formats, TFLOPS for floating point), or correct the precision.",
            )
        if p.accumulate_source and p.accumulate == "unstated":
            yield e.problem(
                ("peaks", i, "accumulate_source"),
                f"`peaks[{i + 1}].accumulate_source` {p.accumulate_source} states an accumulator, `accumulate` is unstated",
                "Write the accumulator that it states, or delete `accumulate_source`.",
            )
        if p.accumulate != "unstated" and (p.accumulate == "int32") != whole:
            allowed = "int32" if whole else "fp32 or fp16"
            yield e.problem(
                ("peaks", i, "accumulate"),
                f"`peaks[{i + 1}].accumulate` {p.accumulate} does not go with {p.precision}",
                f"Write {allowed}, or unstated.",
            )


def _pair(e: Entry, k: int, low: Peak, high: Peak) -> Iterator[Problem]:
    """`low` cannot exceed `high` (item k of the list) where the two differ in one respect only."""
    ratio = low.rate.value / high.rate.value
    one_accumulator = low.accumulate == high.accumulate
    same_format = low.precision == high.precision
    if same_format and one_accumulator and high.sparse and not low.sparse:
        if ratio > ROUNDING:
            yield e.problem(
                ("peaks", k, "rate"),
                f"the sparse {high.precision} peak {high.rate.value:g} is below the dense one, {low.rate.value:g}",
                "Swap the two: the sparse peak is the larger one.",
            )
        elif high.accumulate != "unstated" and 1 / ratio > SPARSE_GAIN * ROUNDING:
            yield e.problem(
                ("peaks", k, "rate"),
                f"the sparse {high.precision} peak {high.rate.value:g} is more than twice the dense one, {low.rate.value:g}",
                "Check that both have one accumulator; 2:4 sparsity gains two at most.",
            )
    if low.sparse != high.sparse or ratio <= ROUNDING:
        return
    if same_format and (low.accumulate, high.accumulate) == ("fp32", "fp16"):
        yield e.problem(
            ("peaks", k, "rate"),
            f"the {high.precision} peak that accumulates in fp16, {high.rate.value:g}, is below the fp32 one, {low.rate.value:g}",
            "Swap the two accumulators: the shorter one is never slower.",
        )
    if (low.precision, high.precision) in FASTER and one_accumulator and low.matrix:
        kind = "sparse" if low.sparse else "dense"
        yield e.problem(
            ("peaks", k, "rate"),
            f"the {kind} {high.precision} peak {high.rate.value:g} is below the {low.precision} one, {low.rate.value:g}",
            "Check that both are dense or both sparse in the source; a narrower format is never slower.",
        )


def server_power(entries: Entries) -> Iterator[Problem]:
    """A server draws no less than what its accelerators draw."""
    cards = {e.document.id: e.record for e in entries["accelerators"]}
    for e in entries["servers"]:
        card: Accelerator | None = cards.get(e.record.accelerator)
        if card is None or card.power is None or e.record.power is None:
            continue
        sum_kw = card.power.value * e.record.accelerator_count / 1000
        if e.record.power.value < SERVER_SHARE * sum_kw:
            cards_drawn = f"{e.record.accelerator_count} {card.name}"
            yield e.problem(
                ("power", "value"),
                f"`power` {e.record.power.value:g} kW is below the board power of {cards_drawn}, {sum_kw:g} kW",
                "Check whether the source states typical instead of largest power, and the count of accelerators.",
            )
