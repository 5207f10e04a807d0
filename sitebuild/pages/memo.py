"""Numbers that are slow to compute and seldom change, kept between builds.

In: what a number depends on, as plain data, and a function. Out: the number, from the last build where nothing that it
depends on changed. The code of the calculators is part of every key, so that a changed formula is computed again.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

CODE = (
    "calculators",
    "catalog/fact.py",
    "catalog/diffusion.py",
    "catalog/model.py",
    "sitebuild/pages/cells.py",
    "sitebuild/pages/fit.py",
    "sitebuild/accuracy",
)


class Memo:
    """A JSON file of results; what a build does not use is dropped from it."""

    def __init__(self, file: Path | None, root: Path) -> None:
        self._file = file
        self._code = _digest_of_code(root)
        self._used: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}
        if file is not None and file.is_file():
            try:
                self._kept = json.loads(file.read_text(encoding="utf-8"))
            except ValueError:
                # a build that was stopped while writing: everything is computed again
                self._kept = {}

    def get(self, depends_on: Any, compute: Callable[[], Any]) -> Any:
        """The result for these dependencies. Results are plain data, as JSON gives them back."""
        text = json.dumps([self._code, depends_on], ensure_ascii=False, sort_keys=True)
        key = hashlib.sha256(text.encode()).hexdigest()[:32]
        if key not in self._used:
            self._used[key] = self._kept[key] if key in self._kept else json.loads(json.dumps(compute()))
        return self._used[key]

    def save(self) -> None:
        """Write the results that this build used."""
        if self._file is not None and self._used != self._kept:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(self._used, separators=(",", ":")), encoding="utf-8")


def _digest_of_code(root: Path) -> str:
    digest = hashlib.sha256()
    for name in CODE:
        path = root / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(root).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
