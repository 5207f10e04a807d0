"""Checks one file, field by field, against the dataclass that it should become.

In: a `Document` and a record type. Out: plain data that `model.record` takes, and the problems found. Everything is
derived from the types and the `Rule`s in `catalog.model`: nothing here knows a field by name, except that a `Fact`
takes its unit and range from the field that holds it.
"""

import re
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from datetime import date
from math import isfinite
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin
from urllib.parse import urlsplit

from catalog.document import Document, Node, Path, Scalar, dotted
from catalog.model import Fact, Observation, Rule
from catalog.problems import Problem, closest, one_of

_EARLIEST_YEAR = 1990
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PARTIAL_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_YES_NO = {"yes": "true", "on": "true", "y": "true", "1": "true", "no": "false", "off": "false", "n": "false", "0": "false"}
_NOT_KNOWN = {"tbd", "tba", "unknown", "n/a", "na", "?", "-", "none", "todo", "未知", "待定"}
_TAG = re.compile(r"<[A-Za-z/!][^>]*>")
_NUMBER_AND_REST = re.compile(r"[^\d+-]*([-+]?[\d,_ ]*\d(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(\D*)")
_BAD = object()
_PLAIN_RULE = Rule("")
_MISSING_NEXT = "Unknown is absent here: delete the line."


def rule_of(f: "Field[Any]") -> Rule:
    """The `Rule` written on a field of the model."""
    return cast(Rule, f.metadata.get("rule", _PLAIN_RULE))


def record_fields(cls: type) -> "tuple[Field[Any], ...]":
    """`dataclasses.fields` for a type known only at run time to be a dataclass."""
    return fields(cast(Any, cls))


def check_fields(cls: type, document: Document, today: date) -> tuple[dict[str, Any], list[Problem]]:
    """A file -> its plain data (the good fields) and what is wrong in it."""
    reader = _Reader(document, today)
    data = reader.mapping(cls, _PLAIN_RULE, document.root, ())
    return (data if isinstance(data, dict) else {}), reader.problems


def example(kind: Any, rule: Rule) -> str:
    """What a contributor would write in a field, to show in a mend."""
    if isinstance(kind, UnionType):
        return example(next(a for a in get_args(kind) if a is not NoneType), rule)
    if get_origin(kind) is tuple:
        return f"[{example(get_args(kind)[0], replace(rule, refers_to=''))}]"
    if kind is Fact:
        unit = one_of(rule.units) if rule.units else "…"
        return f"{{value: …, unit: {unit}, source: <id in catalog/sources/>, read: YYYY-MM-DD, kind: datasheet}}"
    if is_dataclass(kind):
        required = [f.name for f in record_fields(cast(type, kind)) if f.default is MISSING]
        return "{" + ", ".join(f"{name}: …" for name in required) + "}"
    if rule.refers_to:
        return f"<id in catalog/{rule.refers_to}/>"
    if rule.choices:
        return one_of(rule.choices)
    if rule.date:
        return "YYYY-MM-DD"
    if rule.partial_date:
        return "YYYY-MM"
    return {bool: "true or false", int: "<whole number>", float: "<number>"}.get(kind, "<text>")


class _Reader:
    """Walks one file. Each method returns plain data, or `_BAD` after noting a problem."""

    def __init__(self, document: Document, today: date) -> None:
        self.path = document.path
        self.today = today
        self.problems: list[Problem] = []

    def bad(self, line: int, message: str, mend: str) -> Any:
        self.problems.append(Problem(self.path, line, message, mend))
        return _BAD

    def value(self, kind: Any, rule: Rule, node: Node, keys: Path) -> Any:
        """Any field: the type decides."""
        if isinstance(kind, UnionType):
            kind = next(a for a in get_args(kind) if a is not NoneType)
        name = dotted(keys)
        if node.value is None:
            return self.bad(node.line, f"`{name}` is empty", _MISSING_NEXT)
        if isinstance(node.value, list | dict) and not node.value:
            return self.bad(node.line, f"`{name}` is {node.value!r}, which says nothing", _MISSING_NEXT)
        if get_origin(kind) is tuple:
            return self.listing(get_args(kind)[0], rule, node, keys)
        if isinstance(node.value, list):
            return self.bad(
                node.line,
                f"`{name}` is a list, but takes one {_noun(kind)}",
                f"Write one value: `{keys[-1]}: {example(kind, rule)}`.",
            )
        if is_dataclass(kind):
            return self.mapping(cast(type, kind), rule, node, keys)
        if isinstance(node.value, dict):
            return self.bad(
                node.line,
                f"`{name}` is a mapping, but takes one {_noun(kind)}",
                f"Write `{name}: {example(kind, rule)}` on one line.",
            )
        if kind is bool:
            return self.truth(node, name)
        if kind in (int, float):
            return self.number(kind, rule, node, name)
        return self.text(rule, node, name)

    def listing(self, kind: Any, rule: Rule, node: Node, keys: Path) -> Any:
        name = dotted(keys)
        if not isinstance(node.value, list):
            written = node.text if not isinstance(node.value, dict) else example(kind, rule)
            return self.bad(
                node.line,
                f"`{name}` takes a list, found one {'mapping' if isinstance(node.value, dict) else 'value'}",
                f"Put it in a list: `{name}: [{written}]`, or one item a line after `- `.",
            )
        read = [self.value(kind, rule, item, (*keys, i)) for i, item in enumerate(node.value)]
        seen: set[object] = set()
        for item in node.value:
            if isinstance(item.value, str):
                if item.value in seen:
                    self.bad(item.line, f"`{name}` lists `{item.value}` twice", "Keep one of them.")
                seen.add(item.value)
        return _BAD if any(r is _BAD for r in read) else read

    def mapping(self, cls: type, rule: Rule, node: Node, keys: Path) -> Any:
        where = f"`{dotted(keys)}`" if keys else "this file"
        known = {f.name: f for f in record_fields(cls)}
        if not isinstance(node.value, dict):
            if cls is Fact:
                return self.bad(
                    node.line,
                    f"{where} is the bare value {node.text}: a number needs its unit and its origin",
                    f"Write `{keys[-1]}: {example(cls, rule)}`.",
                )
            needed = ", ".join(n for n, f in known.items() if f.default is MISSING)
            return self.bad(
                node.line,
                f"{where} takes a mapping of {needed}, found {_shown(node)}",
                f"Write `{example(cls, rule)}`.",
            )
        count = len(self.problems)
        data: dict[str, Any] = {}
        meant: set[str] = set()
        for key, child in node.value.items():
            if key not in known:
                near = closest(key, known)
                mend = f"Did you mean `{near}`?" if near else f"Delete the line; {where} takes: {', '.join(known)}."
                if near in node.value:
                    mend = f"Delete the line: `{near}` is already there."
                self.bad(child.line, f"unknown key `{key}` in {where}", mend)
                meant.add(near)
                continue
            inner = rule_of(known[key])
            if cls is Fact and key == "unit" and rule.units:
                data[key] = self.unit(rule, child, dotted((*keys, key)))
                continue
            if cls in (Fact, Observation) and key in ("value", "others"):
                inner = replace(inner, low=rule.low, high=rule.high, units=rule.units)
            data[key] = self.value(known[key].type, inner, child, (*keys, key))
        for key, f in known.items():
            if f.default is MISSING and key not in node.value and key not in meant:
                inner = replace(rule_of(f), units=rule.units) if cls is Fact else rule_of(f)
                shown = one_of(rule.units) if cls is Fact and key == "unit" and rule.units else example(f.type, inner)
                self.bad(node.line, f"`{dotted((*keys, key))}` is missing: {inner.help}", f"Add `{key}: {shown}`.")
        good = {k: v for k, v in data.items() if v is not _BAD}
        return good if not keys or len(self.problems) == count else _BAD

    def unit(self, rule: Rule, node: Node, name: str) -> Any:
        if isinstance(node.value, str) and node.value in rule.units:
            return node.value
        shown = node.text or "a list or mapping"
        near = next((u for u in rule.units if u.casefold() == node.text.casefold()), "")
        mend = f"Write `{near}`." if near else f"Convert the value and write `unit: {rule.units[0]}`."
        return self.bad(node.line, f"`{name}` {shown} is not a unit of this quantity: allowed {one_of(rule.units)}", mend)

    def truth(self, node: Node, name: str) -> Any:
        if isinstance(node.value, bool):
            return node.value
        word = node.text.casefold()
        meant = word if word in ("true", "false") else _YES_NO.get(word, "")
        mend = f"Write `{meant}` without quotes." if meant else "Write `true` or `false`."
        return self.bad(node.line, f"`{name}` takes true or false, found {_shown(node)}", mend)

    def number(self, kind: type, rule: Rule, node: Node, name: str) -> Any:
        value, noun = cast(Scalar, node.value), _noun(kind)
        if isinstance(value, bool):
            return self.bad(node.line, f"`{name}` takes a {noun}, found {node.text}", "Write the number, not true or false.")
        if not isinstance(value, int | float):
            return self.not_a_number(noun, node, name)
        if not isfinite(value):
            return self.bad(node.line, f"`{name}` is {node.text}, which is no finite number", _MISSING_NEXT)
        if kind is int and value != int(value):
            return self.bad(node.line, f"`{name}` takes a whole number, found {node.text}", "Write it without a fraction.")
        unit = f" {rule.units[0]}" if len(rule.units) == 1 else f" ({one_of(rule.units)})" if rule.units else ""
        if rule.low is not None and value < rule.low:
            if value == 0:
                return self.bad(node.line, f"`{name}` is 0, below {rule.low:g}{unit}, as if it were unknown", _zero_mend(name))
            mend = "Check the sign, the unit and the decimal point."
            return self.bad(node.line, f"`{name}` {node.text} is below {rule.low:g}{unit}", mend)
        if rule.high is not None and value > rule.high:
            return self.bad(
                node.line,
                f"`{name}` {node.text} is above {rule.high:g}{unit}",
                "Check the unit (is it a thousand times smaller?) and the decimal point.",
            )
        return int(value) if kind is int else value

    def not_a_number(self, noun: str, node: Node, name: str) -> Any:
        found = _NUMBER_AND_REST.fullmatch(node.text[:60])
        if not found:
            return self.bad(node.line, f"`{name}` takes a {noun}, found {_shown(node)}", "Write digits, or delete the line.")
        digits, rest = re.sub(r"[,_ ]", "", found[1]).lstrip("0") or "0", found[2].strip()
        if rest or node.text.strip()[0] not in "+-0123456789":
            return self.bad(
                node.line,
                f"`{name}` takes a bare {noun}, found {_shown(node)}",
                f"Write `{digits}` alone; the unit or currency has a field of its own.",
            )
        mend = f"Write `{digits}` without quotes." if node.quoted else f"Write `{digits}`, without separators or leading zeros."
        return self.bad(node.line, f"`{name}` takes a {noun}, found the text {_shown(node)}", mend)

    def text(self, rule: Rule, node: Node, name: str) -> Any:
        if isinstance(node.value, bool):
            return self.bad(node.line, f"`{name}` takes text, found {node.text}", "Write words, or put it in quotes.")
        text = node.text  # 2024 or 3.10 as typed: text does not lose digits
        if rule.choices:
            if text in rule.choices:
                return text
            near = closest(text, rule.choices)
            mend = f"Did you mean `{near}`?" if near else f"Choose {one_of(rule.choices)}."
            allowed = ", ".join(c for c in rule.choices if c)
            return self.bad(node.line, f"`{name}` {_shown(node)} is not one of: {allowed}", mend)
        if not text.strip():
            return self.bad(node.line, f"`{name}` is empty text", _MISSING_NEXT)
        if text.strip().casefold() in _NOT_KNOWN:
            return self.bad(node.line, f"`{name}` says {_shown(node)}", _MISSING_NEXT)
        if rule.date:
            return self.day(node, name)
        if rule.partial_date:
            return self.partial_day(node, name)
        if text != text.strip():
            return self.bad(node.line, f"`{name}` begins or ends with a space", "Delete the space inside the quotes.")
        if rule.url:
            return self.url(node, name)
        if _TAG.search(text):
            return self.bad(node.line, f"`{name}` contains HTML", "Write plain text; put < in words, such as `below`.")
        return text

    def day(self, node: Node, name: str) -> Any:
        if not _DAY.fullmatch(node.text):
            return self.bad(node.line, f"`{name}` {_shown(node)} is not a day", "Write it as YYYY-MM-DD, without a time.")
        found = self.calendar(node, name, node.text)
        if found is not _BAD and found > self.today:
            return self.bad(
                node.line,
                f"`{name}` {node.text} lies after today, {self.today.isoformat()}",
                "Write the day on which you read the source.",
            )
        return found if found is _BAD else node.text

    def partial_day(self, node: Node, name: str) -> Any:
        found = _PARTIAL_DAY.fullmatch(node.text)
        if not found:
            return self.bad(node.line, f"`{name}` {_shown(node)} is not a date", "Write YYYY, YYYY-MM or YYYY-MM-DD.")
        day = self.calendar(node, name, f"{found[1]}-{found[2] or '01'}-{found[3] or '01'}")
        return day if day is _BAD else node.text

    def calendar(self, node: Node, name: str, text: str) -> Any:
        try:
            found = date.fromisoformat(text)
        except ValueError:
            return self.bad(node.line, f"`{name}` {node.text} is not in the calendar", "Check the month and the day.")
        if found.year < _EARLIEST_YEAR:
            return self.bad(node.line, f"`{name}` {node.text} lies before {_EARLIEST_YEAR}", "Check the year.")
        return found

    def url(self, node: Node, name: str) -> Any:
        text = node.text
        try:
            parts = urlsplit(text)
            host = parts.hostname or ""
        except ValueError:
            parts, host = urlsplit(""), ""
        if parts.scheme not in ("http", "https"):
            return self.bad(node.line, f"`{name}` {_shown(node)} is not a web address", "Begin it with https://.")
        if "." not in host.strip(".") or re.search(r"[\s<>\"`]", text) or parts.username is not None:
            return self.bad(
                node.line,
                f"`{name}` {_shown(node)} is not a public web address",
                "Copy the page's address from the browser: one host with a dot, no spaces, no user name.",
            )
        return text


def _noun(kind: Any) -> str:
    return {bool: "true or false", int: "whole number", float: "number", str: "text"}.get(kind, "mapping")


def _shown(node: Node) -> str:
    text = node.text if len(node.text) <= 60 else node.text[:57] + "…"
    return f'"{text}"' if node.quoted or isinstance(node.value, str) else text


def _zero_mend(name: str) -> str:
    field = name.rpartition(".")[0] if name.endswith(".value") else name
    return f"Unknown is absent, never 0: delete `{field}`."
