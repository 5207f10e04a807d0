"""Rules for a model's architecture: numbers of a `config.json` that must go together. Each finding: field, message, mend."""

from collections.abc import Iterator

from catalog.coherence import findings
from catalog.entry import Entries
from catalog.problems import Problem


def architectures(entries: Entries) -> Iterator[Problem]:
    """Each model's numbers agree with each other."""
    for e in entries["models"]:
        for name, message, mend in findings(e.record.architecture):
            yield e.problem(("architecture", name), message, mend)
