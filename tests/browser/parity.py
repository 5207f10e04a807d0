"""Two answers are the same: equal JSON, numbers to 12 significant digits, those in a file's text too."""

import json
import re
from typing import Any

DIGITS = 12
_LONG = re.compile(r"\d+\.\d{7,}(?:e[-+]?\d+)?")


def rounded(value: Any) -> Any:
    """Plain data with its floats cut to the digits that must agree."""
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}")
        case str():
            return _LONG.sub(lambda found: f"{float(found.group()):.{DIGITS}g}", value)
        case dict():
            return {k: rounded(v) for k, v in value.items()}
        case list():
            return [rounded(v) for v in value]
        case _:
            return value


def same(one: str, other: str) -> bool:
    """Whether two responses say the same."""
    return bool(rounded(json.loads(one)) == rounded(json.loads(other)))
