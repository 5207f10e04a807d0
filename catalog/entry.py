"""A record together with the file that it came from: what the cross-record rules work on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

from catalog.document import Document, Path
from catalog.model import Rule
from catalog.problems import Problem


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that passed its field checks."""

    document: Document
    record: Any

    def problem(self, keys: Path, message: str, mend: str) -> Problem:
        """A problem at the line of a field."""
        return Problem(self.document.path, self.document.line(*keys), message, mend)


type Entries = Mapping[str, list[Entry]]


def walk(value: Any, keys: Path = ()) -> Iterator[tuple[Path, Rule, Any]]:
    """Every field of a record with its way and its `Rule`, depth first; a reference that is absent is no field."""
    for f in fields(value):
        inner, here = getattr(value, f.name), (*keys, f.name)
        rule = cast(Rule, f.metadata["rule"])
        if not (rule.refers_to and inner == ""):
            yield here, rule, inner
        for i, item in enumerate(inner) if isinstance(inner, tuple) else ():
            if is_dataclass(item):
                yield from walk(item, (*here, i))
        if is_dataclass(inner):
            yield from walk(inner, here)
