"""Hours of work by month: from a reader's text to stretches of equal months.

In: `3x200,12x600` (months x hours), a horizon, and the hours of every month where the text is empty. Out: a tuple of
`Stretch`es that cover the horizon. Raises `Refused` for a text that says nothing usable.
"""

import re
from typing import NamedTuple

from calculators.framework.numbers import Refused
from calculators.framework.text import Text

LONGEST = 1000
MOST_HOURS = 744.0
MOST_MONTHS = 120
_PART = re.compile(r"(?:(\d{1,3})\s*[xX×*]\s*)?(\d{1,3}(?:\.\d{1,6})?)\Z", re.ASCII)
_HOW = Text("Write months x hours with commas: 3x200,12x600.", "请写成“月数x小时数”并用逗号分隔：3x200,12x600。")


class Stretch(NamedTuple):
    """Months `first` + 1 .. `last`, each with so many hours of work per card."""

    first: int
    last: int
    hours: float


def parts(text: str) -> tuple[tuple[int, float], ...]:
    """Months and hours of each part, in order. Raises `Refused`."""
    found: list[tuple[int, float]] = []
    for part in re.split(r"[,;，；、\n]+", text.strip().strip(",;，；、")):
        match = _PART.match(part.strip())
        if match is None:
            shown = part.strip()[:32]
            raise Refused(Text(f"“{shown}” cannot be read. {_HOW.en}", f"无法识别“{shown}”。{_HOW.zh}"))
        months, hours = int(match.group(1) or 1), float(match.group(2))
        if not 1 <= months <= MOST_MONTHS:
            raise Refused(
                Text(f"A stretch has 1 to {MOST_MONTHS} months. {_HOW.en}", f"每段为 1 至 {MOST_MONTHS} 个月。{_HOW.zh}")
            )
        if hours > MOST_HOURS:
            raise Refused(
                Text(f"A month has at most {MOST_HOURS:g} hours. {_HOW.en}", f"一个月最多 {MOST_HOURS:g} 小时。{_HOW.zh}")
            )
        found.append((months, hours))
    if all(hours == 0 for _, hours in found):
        raise Refused(Text("At least one month needs hours of work.", "至少要有一个月的工作小时数大于 0。"))
    return tuple(found)


def short_form(text: str) -> str:
    """The text as a link and an answer carry it."""
    return ",".join(f"{months}x{hours:g}" for months, hours in parts(text))


def stretches(profile: str | None, hours: float, horizon: int) -> tuple[Stretch, ...]:
    """The horizon's months. The last part goes on to its end; what lies beyond it is left out."""
    listed = parts(profile) if profile else ((horizon, hours),)
    made: list[Stretch] = []
    at = 0
    for i, (months, each) in enumerate(listed):
        last = horizon if i == len(listed) - 1 else min(horizon, at + months)
        if last > at:
            if made and made[-1].hours == each:
                made[-1] = made[-1]._replace(last=last)
            else:
                made.append(Stretch(at, last, each))
        at = last
    return tuple(made)
