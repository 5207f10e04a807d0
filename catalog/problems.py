"""What is wrong in a catalog file, where, and how to mend it.

Every check of the catalog yields `Problem`s; `catalog.load.load` raises them all together as `CatalogErrors`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding. `message` says field, found value and what is allowed; `mend` is a sentence that says what to do."""

    path: str
    line: int
    message: str
    mend: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}. {self.mend}"


class CatalogErrors(Exception):
    """The catalog cannot be used: all its problems, in file and line order."""

    def __init__(self, errors: Iterable[Problem]) -> None:
        self.errors = sorted(errors)
        super().__init__("\n".join(str(e) for e in self.errors))


def closest(word: str, choices: Iterable[str]) -> str:
    """The choice that a misspelt word most likely meant, or ''. Case and separators do not count."""

    def bare(text: str) -> str:
        return text.casefold().replace("_", "-").replace(" ", "-")

    by_bare = {bare(c): c for c in choices}
    found = get_close_matches(bare(word), by_bare, n=1, cutoff=0.6)
    return by_bare[found[0]] if found else ""


def one_of(choices: Iterable[str]) -> str:
    """Choices as a reader's list: `a, b or c`."""
    names = [c or '""' for c in choices]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
