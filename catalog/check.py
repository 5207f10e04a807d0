"""All rules that need more than one field or more than one file, in one call.

In: the records that passed their field checks, and the names of the files that did not (they still exist for whoever
refers to them). Out: the problems. The rules themselves stand by subject in `rules_*.py`; each is a generator.
"""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from catalog.entry import Entries, walk
from catalog.problems import Problem
from catalog.rules_architecture import architectures
from catalog.rules_hardware import accelerator_flags, names, peaks, server_power
from catalog.rules_origin import disagreements, references, source_addresses, unlocated_values
from catalog.rules_prices import claim_rows, exchange_rates, held_before_read, offers, repeated_offers
from catalog.rules_regions import regions

RULES: tuple[Callable[[Entries], Iterator[Problem]], ...] = (
    source_addresses,
    unlocated_values,
    disagreements,
    names,
    accelerator_flags,
    peaks,
    server_power,
    architectures,
    held_before_read,
    offers,
    repeated_offers,
    exchange_rates,
    claim_rows,
    regions,
)


def problems(entries: Entries, broken: AbstractSet[tuple[str, str]]) -> list[Problem]:
    """What is wrong between the records. `broken` holds (collection, id) of files with problems of their own."""
    found = [p for rule in RULES for p in rule(entries)]
    found += references(entries, broken)
    if not broken:  # a file that cannot be read may be the one that uses a source
        found += unused_sources(entries)
    return found


def unused_sources(entries: Entries) -> Iterator[Problem]:
    """A source that nothing cites says nothing."""
    used = {value for es in entries.values() for e in es for _, rule, value in walk(e.record) if rule.refers_to == "sources"}
    for e in entries["sources"]:
        if e.document.id not in used:
            yield e.problem(
                ("id",), f"no value cites the source {e.document.id}", "Cite it where it is used, or delete the file."
            )
