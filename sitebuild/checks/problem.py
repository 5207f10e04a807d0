"""One thing that is wrong, and where.

Out of every check; in to the command that prints them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """`file:line: message`, with the mend in the message."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"
