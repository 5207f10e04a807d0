"""Rules that need more than one field: references, origins, and what physics or arithmetic excludes."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

from catalog.document import Document, Path, dotted
from catalog.model import Rule
from catalog.problems import Problem, closest


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that passed its field checks, with the file that it came from."""

    document: Document
    record: Any

    def problem(self, keys: Path, message: str, mend: str) -> Problem:
        return Problem(self.document.path, self.document.line(*keys), message, mend)


type Entries = Mapping[str, list[Entry]]


def walk(value: Any, keys: Path = ()) -> Iterator[tuple[Path, Rule, Any]]:
    """Every field of a record, depth first."""
    for f in fields(value):
        inner, here = getattr(value, f.name), (*keys, f.name)
        yield here, cast(Rule, f.metadata["rule"]), inner
        for i, item in enumerate(inner) if isinstance(inner, tuple) else ():
            if is_dataclass(item):
                yield from walk(item, (*here, i))
        if is_dataclass(inner):
            yield from walk(inner, here)


def problems(entries: Entries, broken: Set[tuple[str, str]]) -> list[Problem]:
    found: list[Problem] = []
    ids = {c: {e.document.id for e in es} | {i for k, i in broken if k == c} for c, es in entries.items()}
    for es in entries.values():
        for e in es:
            for keys, rule, value in walk(e.record):
                if rule.refers_to and value not in ids[rule.refers_to]:
                    near = closest(value, ids[rule.refers_to])
                    mend = f"Did you mean `{near}`?" if near else f"Add catalog/{rule.refers_to}/{value}.yaml."
                    found.append(e.problem(keys, f"`{dotted(keys)}` {value} has no file in catalog/{rule.refers_to}/", mend))
    return found
