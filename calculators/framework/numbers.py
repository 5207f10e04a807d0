"""What a reader typed into a number field -> a number, or the reason why it is none and how to write it.

In: text. Out: int or float. Raises `Refused` with a `Text` that names the mistake; the common ones each have their own
words, because "not a number" teaches nobody that the thousands separator was the trouble.
"""

import math
import re

from calculators.framework.text import Text

LONGEST = 64
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_FLOAT_MARKS = re.compile(r"[.eE]")


class Refused(Exception):
    """One value that cannot be used, with what to write instead."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


_MISTAKES: tuple[tuple[str, str, str], ...] = (
    (
        r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?\Z",
        "Leave out the thousands separators: write 8192, not 8,192.",
        "请去掉千位分隔符：写 8192，不要写 8,192。",
    ),
    (r"[+-]?\d+,\d+\Z", "Use a point for decimals: write 0.5, not 0,5.", "小数点请用“.”：写 0.5，不要写 0,5。"),
    (
        r"[+-]?\d+(\.\d*)?\s*[kKmMbB]\Z",
        "Write the number out in digits: 8k can mean 8000 or 8192.",
        "请写出完整数字：8k 可能指 8000，也可能指 8192。",
    ),
    (
        r".*[%％]\Z",
        "Leave out the percent sign: the field is already in percent.",
        "请去掉百分号：这个字段的单位已经是百分比。",
    ),
    (
        r"[¥￥$€£].*|.*[元¥￥$€£]\Z",
        "Leave out the currency sign: choose the currency in its own field.",
        "请去掉货币符号：货币在单独的字段中选择。",
    ),
    (r".*[０-９．，].*", "Write half-width digits: 8192.", "请使用半角数字：8192。"),
    (
        r"[+-]?0[xXoObB]\w*\Z",
        "Write a decimal number, not a hexadecimal or binary one.",
        "请写十进制数，不要写十六进制或二进制。",
    ),
    (
        r"[+-]?\d+([_ ']\d+)+\Z",
        "Leave out spaces, underscores and apostrophes: write 8192.",
        "请去掉空格、下划线和撇号：写 8192。",
    ),
    (
        r"\d+(\.\d*)?\s*[/÷]\s*\d+(\.\d*)?\Z",
        "Write the result, not a fraction: 0.5, not 1/2.",
        "请写计算结果，不要写分数：写 0.5，不要写 1/2。",
    ),
    (
        r"\d+(\.\d*)?\s*(-|–|~|～|至|to|\.\.)\s*\d+(\.\d*)?\Z",
        "Write one number, not a range.",
        "请只写一个数字，不要写区间。",
    ),
    (
        r"(?i)[+-]?(nan|inf|infinity|∞)\Z",
        "NaN and infinity are no numbers here: write a finite one.",
        "NaN 和无穷大在这里不是有效数字：请写有限的数。",
    ),
    (r"[<>≤≥~≈约].*", "Write the number alone, without a comparison sign.", "请只写数字，不要加比较符号或“约”。"),
    (
        r"[+-]?\d+(\.\d*)?\s*[^\W\d].*\Z",
        "Leave out the unit: it stands beside the field.",
        "请去掉单位：单位已经写在字段旁边。",
    ),
    (r"[+-]?[\d.]*[+*×^=(].*\Z", "Write the result, not a formula.", "请写计算结果，不要写算式。"),
    (r"[+-]?\d*\.\d*\..*\Z", "A number has one decimal point.", "一个数字只能有一个小数点。"),
    (r"[+-]{2,}.*\Z", "Write one sign at most.", "最多写一个正负号。"),
)
"""(pattern, English, Chinese). Compiled by `re`, which remembers them, when a number is first mistyped: most visits have none."""

_OTHERWISE = Text("This is not a number. Write digits, for example 8192 or 0.5.", "这不是数字。请只写数字，例如 8192 或 0.5。")
_TOO_LONG = Text("This is too long for a number: at most 64 characters.", "内容过长，不是数字：最多 64 个字符。")
_TOO_LARGE = Text(
    "This number is too large for a computer to hold. Write a smaller one.", "这个数字太大，计算机无法表示。请写小一些的数。"
)


def parse(text: str) -> int | float:
    """The number that the text writes."""
    text = text.strip()
    if len(text) > LONGEST:
        raise Refused(_TOO_LONG)
    if not _NUMBER.match(text):
        raise Refused(next((Text(en, zh) for pattern, en, zh in _MISTAKES if re.match(pattern, text)), _OTHERWISE))
    if not _FLOAT_MARKS.search(text):
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise Refused(_TOO_LARGE)
    return value
