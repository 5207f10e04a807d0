"""A file of cases -> `Case` records. In: a path. Out: records, or `CasesError` with file, line and mend.

Two layouts are read, one case at a time: `expected: {value, unit}` with `tolerance: {rel, why}`, and bare numbers for both
with a `topic`.
"""

import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "cases"
_TOP = re.compile(r"^cases:", re.MULTILINE)
REQUIRED = ("id", "kind", "formula", "expected")


class CasesError(Exception):
    """The file cannot be used: the text names file and line and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One published figure. `tolerance` is relative; `scored` false: the error is reported and does not gate.

    `topic`: what it is about, where the kind does not say so. `note`: what a reader should know, in English; `note_zh`: in Chinese.
    """

    id: str
    kind: str
    formula: str
    inputs: dict[str, Any]
    expected: int | float
    unit: str
    tolerance: float
    scored: bool
    source: str
    line: int
    flags: tuple[str, ...] = field(default=())
    topic: str = ""
    note: str = ""
    note_zh: str = ""


def number(value: Any) -> int | float | None:
    """The finite number in a YAML scalar (YAML 1.1 reads 1e-05 as text), or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        size = float(value)
    except (ValueError, OverflowError):
        return None
    if not isfinite(size):
        return None
    return value if isinstance(value, int) else size


def _part(value: Any, key: str) -> tuple[Any, dict[str, Any]]:
    """A value that is bare or under `key` of a mapping, and that mapping."""
    return (value.get(key), value) if isinstance(value, dict) else (value, {})


def _case(raw: Any, place: str, line: int) -> Case:
    if not isinstance(raw, dict):
        raise CasesError(f"{place}: a case must be a mapping with {', '.join(REQUIRED)}")
    missing = [name for name in REQUIRED if name not in raw]
    if missing:
        raise CasesError(f"{place}: the case has no `{missing[0]}`; add it")
    inputs = raw.get("inputs") or {}
    if not isinstance(inputs, dict) or isinstance(raw.get("inputs"), list):
        raise CasesError(f"{place}: `inputs` must be a mapping of names to values")
    value, expected = _part(raw["expected"], "value")
    limit, _ = _part(raw.get("tolerance", 0.0), "rel")
    value, limit = number(value), number(limit)
    if value is None or limit is None:
        raise CasesError(f"{place}: `expected` and `tolerance` must be finite numbers, or mappings with `value` and `rel`")
    flags = raw.get("flags") or []
    return Case(
        id=str(raw["id"]),
        kind=str(raw["kind"]),
        formula=str(raw["formula"]),
        inputs={str(name): value for name, value in inputs.items()},
        expected=value,
        unit=str(expected.get("unit", "")),
        tolerance=float(limit),
        scored=raw.get("scored", True) is not False,
        source=str(raw.get("source", "")),
        line=line,
        flags=tuple(str(flag) for flag in (flags if isinstance(flags, list) else [flags])),
        **{name: str(raw.get(name) or "") for name in ("topic", "note", "note_zh")},
    )


def read(path: Path) -> list[Case]:
    """All cases of a file, in order. Raises CasesError for a file that is missing, not YAML, or not in the layout."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise CasesError(f"{path}:1: cannot be read ({e}); check the path") from e
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        data: Any = loader.construct_document(node) if node else None
    except yaml.MarkedYAMLError as e:
        line = e.problem_mark.line + 1 if e.problem_mark else 1
        raise CasesError(f"{path}:{line}: not valid YAML ({e.problem}); mend that line") from e
    except (yaml.YAMLError, ValueError) as e:
        raise CasesError(f"{path}:1: not valid YAML ({e})") from e
    if not isinstance(node, yaml.MappingNode) or not isinstance(data.get("cases"), list):
        raise CasesError(f"{path}:1: no list `cases` at the top; see tests/cases/memory.yaml")
    lines = [item.start_mark.line + 1 for key, value in node.value if key.value == "cases" for item in value.value]
    found = [_case(raw, f"{path}:{line}", line) for raw, line in zip(data["cases"], lines, strict=True)]
    seen: dict[str, int] = {}
    for case in found:
        if case.id in seen:
            raise CasesError(f"{path}:{case.line}: id {case.id} is used in line {seen[case.id]} too; rename one")
        seen[case.id] = case.line
    return found


def published(folder: Path = FOLDER) -> list[Path]:
    """The project's own files of cases, in order; other data beside them, without a list `cases`, is left out."""
    return [file for file in sorted(folder.glob("*.yaml")) if _TOP.search(file.read_text(encoding="utf-8"))]
