"""JSON Schema (draft 2020-12) of each collection, derived from `catalog.model`.

In: a collection's name. Out: plain data, which the site publishes beside the compiled catalog and which editors use to
complete and check a YAML file. What a schema cannot say (references, sums, origins) stays with `catalog.check`.
"""

from dataclasses import MISSING, is_dataclass, replace
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin

from catalog.fields import record_fields, rule_of
from catalog.model import COLLECTIONS, Fact, Observation, Rule

DRAFT = "https://json-schema.org/draft/2020-12/schema"
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
DAY_PATTERN = r"^\d{4}-\d{2}-\d{2}$"
PARTIAL_DAY_PATTERN = r"^\d{4}(-\d{2}(-\d{2})?)?$"
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def schema(collection: str) -> dict[str, Any]:
    """The schema of one record of a collection."""
    cls = COLLECTIONS[collection]
    record = _object(cls, Rule(_first_line(cls)))
    record["properties"]["id"]["pattern"] = ID_PATTERN
    return {"$schema": DRAFT, "$id": f"{collection}.schema.json", "title": cls.__name__, **record}


def catalog_schema() -> dict[str, Any]:
    """The schema of the compiled catalog, `catalog.model.to_json`."""
    collections = {name: {"type": "array", "items": {"$ref": f"#/$defs/{name}"}} for name in COLLECTIONS}
    records = {name: {k: v for k, v in schema(name).items() if not k.startswith("$")} for name in COLLECTIONS}
    return {
        "$schema": DRAFT,
        "$id": "catalog.schema.json",
        "title": "Catalog",
        "type": "object",
        "properties": {
            "version": {"type": "string", "description": "hash of the content"},
            "date": {"type": "string", "pattern": DAY_PATTERN, "description": "newest day on which a source was read"},
            **collections,
        },
        "required": ["version", "date", *collections],
        "additionalProperties": False,
        "$defs": records,
    }


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]


def _object(cls: type, rule: Rule) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for f in record_fields(cls):
        inner = rule_of(f)
        if cls in (Fact, Observation) and f.name in ("value", "others"):  # a fact's range is its field's
            inner = replace(inner, low=rule.low, high=rule.high)
        elif cls is Fact and f.name == "unit":
            inner = replace(inner, choices=rule.units)
        properties[f.name] = _value(f.type, inner)
        if f.default is MISSING:
            required.append(f.name)
        elif isinstance(f.default, bool):
            properties[f.name]["default"] = f.default
    return {
        "description": rule.help,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _value(kind: Any, rule: Rule) -> dict[str, Any]:
    if isinstance(kind, UnionType):
        kind = next(a for a in get_args(kind) if a is not NoneType)
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return {
            "description": rule.help,
            "type": "array",
            "items": _value(item, replace(rule, help=_first_line(cast(type, item)) if is_dataclass(item) else "")),
            "minItems": 1,
            "uniqueItems": True,
        }
    if is_dataclass(kind):
        return _object(cast(type, kind), rule)
    found: dict[str, Any] = {"description": rule.help} if rule.help else {}
    found["type"] = _TYPES[kind]
    if rule.low is not None:
        found["minimum"] = rule.low
    if rule.high is not None:
        found["maximum"] = rule.high
    if kind is str:
        found |= _text(rule)
    return found


def _text(rule: Rule) -> dict[str, Any]:
    if rule.choices:
        return {"enum": list(rule.choices)}
    if rule.refers_to:
        return {"pattern": ID_PATTERN}
    if rule.date:
        return {"format": "date", "pattern": DAY_PATTERN}
    if rule.partial_date:
        return {"pattern": PARTIAL_DAY_PATTERN}
    if rule.url:
        return {"format": "uri", "pattern": "^https?://"}
    return {"minLength": 1}
