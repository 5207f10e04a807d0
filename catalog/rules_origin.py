"""Rules of origin: who says so, where it can be read, and what happens when sources disagree."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import fields
from typing import Any

from catalog.document import Path, dotted
from catalog.entry import Entries, Entry, walk
from catalog.model import Fact, Source
from catalog.problems import Problem, closest

DISAGREEMENT = 0.05
"""Sources that differ by more than this share of the chosen value need a stated choice."""


def references(entries: Entries, broken: AbstractSet[tuple[str, str]]) -> Iterator[Problem]:
    """Each field that names another record names one that exists."""
    ids = {c: {e.document.id for e in es} | {i for k, i in broken if k == c} for c, es in entries.items()}
    for es in entries.values():
        for e in es:
            for keys, rule, value in walk(e.record):
                if not rule.refers_to or value in ids[rule.refers_to]:
                    continue
                near = closest(value, ids[rule.refers_to])
                mend = f"Did you mean `{near}`?" if near else f"Add catalog/{rule.refers_to}/{value}.yaml."
                yield e.problem(keys, f"`{dotted(keys)}` {value} has no file in catalog/{rule.refers_to}/", mend)


def source_addresses(entries: Entries) -> Iterator[Problem]:
    """A source has a public address, or says that none was recorded; one page is one source."""
    first: dict[str, Entry] = {}
    for e in entries["sources"]:
        source: Source = e.record
        if not source.url and not source.unlocated:
            yield e.problem(
                ("url",),
                f"the source {source.id} has no `url` and is not marked `unlocated`",
                "Add its public address, or write `unlocated: true` and mark its values `confirmed: false`.",
            )
        if source.url and source.unlocated:
            yield e.problem(
                ("unlocated",),
                f"the source {source.id} is marked `unlocated`, but has a `url`",
                "Delete `unlocated` if the page says what is cited; else delete `url`.",
            )
        if source.url and first.setdefault(source.url, e) is not e:
            other = first[source.url].document.id
            yield e.problem(("url",), f"`url` is the address of the source {other} too", f"Cite {other} and delete this file.")


def _cited(record: Any, keys: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The record itself and all its parts that carry both `source` and `confirmed`."""
    parts: list[tuple[Path, Any]] = [(keys, record)]
    parts += [(here, value) for here, _, value in walk(record) if isinstance(value, Fact)]
    return ((here, part) for here, part in parts if {"source", "confirmed"} <= {f.name for f in fields(part)})


def unlocated_values(entries: Entries) -> Iterator[Problem]:
    """What has no public source is visibly marked."""
    unlocated = {e.document.id for e in entries["sources"] if e.record.unlocated}
    for es in entries.values():
        for e in es:
            for keys, part in _cited(e.record):
                if part.source in unlocated and part.confirmed:
                    name = f"`{dotted(keys)}`" if keys else "this record"
                    yield e.problem(
                        (*keys, "source"),
                        f"{name} comes from {part.source}, whose page was not located, and yet counts as confirmed",
                        "Add `confirmed: false`, or cite a source with a public address.",
                    )


def disagreements(entries: Entries) -> Iterator[Problem]:
    """Where another source differs, a reader learns why this value was chosen."""
    for es in entries.values():
        for e in es:
            for keys, _, fact in walk(e.record):
                if not isinstance(fact, Fact) or fact.why:
                    continue
                for i, other in enumerate(fact.others):
                    if abs(other.value - fact.value) > DISAGREEMENT * abs(fact.value):
                        yield e.problem(
                            (*keys, "others", i),
                            f"`{dotted(keys)}` is {fact.value:g}, but {other.source} says {other.value:g}: "
                            f"more than {DISAGREEMENT:.0%} apart without `why`",
                            f"Add `why:` to `{dotted(keys)}`: the reason for the value chosen.",
                        )
                        break
