"""A record type of the catalog -> a commented YAML example for contributors, made from the `Rule` of each field.

In: a record type of `catalog.model`. Out: YAML text with the required fields first and each field's meaning, unit, range
and choices as a comment. What the loader checks and what is said here are the same `Rule`.
"""

from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from catalog.model import COLLECTIONS, Rule


def annotated(collection: str) -> str:
    """A commented example of one collection's file."""
    return "\n".join(_lines(COLLECTIONS[collection], "")) + "\n"


def _lines(cls: type, indent: str) -> list[str]:
    out: list[str] = []
    for f in sorted(fields(cls), key=lambda f: f.default is not MISSING):
        rule: Rule = f.metadata["rule"]
        required = f.default is MISSING
        out.append(f"{indent}# {'required' if required else 'optional'}: {rule.help}{_limits(rule)}")
        out.extend(_field(f, rule, indent, required))
    return out


def _limits(rule: Rule) -> str:
    said = []
    if rule.units:
        said.append(f"unit {' or '.join(rule.units)}")
    if rule.low is not None:
        said.append(f"from {rule.low:,.10g} to {rule.high:,.10g}")
    if rule.refers_to:
        said.append(f"a file in catalog/{rule.refers_to}/")
    choices = [c for c in rule.choices if c]
    if choices:
        said.append("one of " + ", ".join(choices))
    return f" ({'; '.join(said)})" if said else ""


def _field(f: "Field[Any]", rule: Rule, indent: str, required: bool) -> list[str]:
    mark = "" if required else "# "
    kind = f.type
    if isinstance(kind, UnionType):
        kind = next(a for a in get_args(kind) if a is not NoneType)
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if is_dataclass(inner):
            example = f"{indent}{mark}{f.name}: []  # a list; each entry: {', '.join(i.name for i in fields(inner))}"
            return [example]
        return [f"{indent}{mark}{f.name}: [{rule.choices[0] if rule.choices else ''}]"]
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ == "Fact":
            unit = rule.units[0] if rule.units else "UNIT"
            return [f"{indent}{mark}{f.name}: {{value: 1, unit: {unit}, source: SOURCE-ID, read: 2026-11-30, kind: datasheet}}"]
        return [f"{indent}{mark}{f.name}:", *_lines(kind, indent + ("  " if required else "#   "))]
    return [f"{indent}{mark}{f.name}: {_example(kind, rule)}"]


def _example(kind: Any, rule: Rule) -> str:
    if rule.date:
        return "2026-11-30"
    if rule.url:
        return "https://"
    if rule.choices:
        return next(c for c in rule.choices if c)
    if kind is bool:
        return "false"
    if kind in (int, float):
        return "1"
    return "…"
