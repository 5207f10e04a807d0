"""What one run of the tests makes once, however many processes share the work.

In: the run's folder of temporary files. Out: a folder there for each thing that is dear to make, made by whoever asks first; the
others wait for it. Without worker processes it is the same, with nobody to wait.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sitebuild import files


@dataclass(frozen=True, slots=True)
class Shared:
    """The folder that the processes of one run have in common."""

    folder: Path

    @classmethod
    def of(cls, base: Path) -> "Shared":
        """From a process's own base folder, which stands in the run's where there are several."""
        return cls((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared")

    def once(self, name: str, make: Callable[[Path], object]) -> Path:
        """The folder that `make` filled; what a failed attempt left is thrown away, and the next asker tries again."""
        home = self.folder / name
        with files.alone(home):
            made, whole = home / "made", home / "whole"
            if not whole.exists():
                shutil.rmtree(made, ignore_errors=True)
                made.mkdir()
                make(made)
                whole.touch()
        return made
