"""JSON of unknown origin -> plain objects, or the reason why not. Bounded in size, depth and number of values.

In: text. Out: dicts, lists and scalars; NaN and Infinity become `NOT_FINITE`, which no number field takes, because real
configs hold `Infinity` in keys that do not matter here. Raises `Unusable`.
"""

import json
import re
from typing import Any

from calculators.framework.text import Text
from calculators.importing.record import Unusable, shown

LONGEST = 1_000_000
DEEPEST = 32
MOST_VALUES = 60_000


class _NotFinite:
    """NaN or an infinity: present, and no number."""

    def __repr__(self) -> str:
        return "NaN/Infinity"


NOT_FINITE = _NotFinite()
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)


def parse(text: str) -> Any:
    """The object. Raises `Unusable` before anything large is built."""
    if len(text) > LONGEST:
        raise Unusable(
            Text(
                f"This JSON has {len(text):,} characters; a config.json has at most {LONGEST:,}.",
                f"这段 JSON 有 {len(text):,} 个字符；config.json 最多 {LONGEST:,} 个。",
            )
        )
    _survey(text)
    try:
        return json.loads(text, parse_constant=lambda _: NOT_FINITE, parse_int=_integer, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise Unusable(
            Text(
                f"This is not complete JSON: line {error.lineno}, column {error.colno}. Paste the whole file.",
                f"JSON 不完整：第 {error.lineno} 行第 {error.colno} 列。请粘贴整个文件。",
            )
        ) from error


def _survey(text: str) -> None:
    depth = values = 0
    for found in _STRUCTURE.finditer(text):
        mark = found.group()
        if mark in ("{", "["):
            depth += 1
            if depth > DEEPEST:
                raise Unusable(Text(f"Nested deeper than {DEEPEST} levels.", f"嵌套超过 {DEEPEST} 层。"))
        elif mark in ("}", "]"):
            depth -= 1
        if mark in ("{", "[", ","):
            values += 1
            if values > MOST_VALUES:
                raise Unusable(
                    Text(
                        f"More than {MOST_VALUES:,} values: this is no config.json.",
                        f"超过 {MOST_VALUES:,} 个值，不是 config.json。",
                    )
                )


def _integer(digits: str) -> int:
    if len(digits) > 18:
        raise Unusable(Text(f"The number {shown(digits, 20)} is too large.", f"数字 {shown(digits, 20)} 过大。"))
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise Unusable(
                Text(
                    f"The key “{shown(key)}” stands twice with different values: keep the right one.",
                    f"键“{shown(key)}”出现两次且值不同：请只保留正确的一个。",
                )
            )
        found[key] = value
    return found
