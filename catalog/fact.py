"""A number with its origin, and what a field of a record may hold: what every record of the catalog is made from.

In: nothing. Out: `Fact`, `Observation`, `Rule`, and `known`, which declares a field with its rule. Standard library only.
"""

from dataclasses import MISSING, dataclass, field
from typing import Any

FACT_KINDS = ("datasheet", "measured", "quoted", "estimated", "derived")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a field may hold, and what it means to a contributor."""

    help: str
    units: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    refers_to: str = ""
    choices: tuple[str, ...] = ()
    date: bool = False
    partial_date: bool = False
    url: bool = False


def known(meaning: str, default: Any = MISSING, **rule: Any) -> Any:
    """A dataclass field with its `Rule`; without `default` the field is required."""
    metadata = {"rule": Rule(meaning, **rule)}
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Observation:
    """What another source says of the same quantity, kept beside the chosen value."""

    value: float = known("the number that this source gives, in the same unit as the chosen value")
    source: str = known("id of a file in catalog/sources/", refers_to="sources")
    read: str = known("the day it was read, YYYY-MM-DD", date=True)
    note: str = known("what makes this observation differ", "")


@dataclass(frozen=True, slots=True)
class Fact:
    """One number with its origin."""

    value: float = known("the number")
    unit: str = known("its unit")
    source: str = known("id of a file in catalog/sources/", refers_to="sources")
    read: str = known("the day the source was read, YYYY-MM-DD", date=True)
    kind: str = known("how the source came by it", choices=FACT_KINDS)
    confirmed: bool = known("false: no public page was found that confirms it; the guide marks it", True)
    note: str = known("what a reader must know to use the number", "")
    others: tuple[Observation, ...] = known("what other sources say", ())
    why: str = known("why this value was chosen; required when another source differs by more than 5 %", "")
