"""The published schemas are valid, take what the loader takes, and refuse what it refuses field by field."""

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from catalog.load import load
from catalog.model import COLLECTIONS, Catalog, plain, to_json
from catalog.schema import catalog_schema, schema


@cache
def _real() -> Catalog:
    return load()


def _valid(collection: str, data: Any) -> bool:
    return bool(Draft202012Validator(schema(collection), format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(data))


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_schema_is_a_schema_and_explains_every_field(collection: str) -> None:
    found = schema(collection)
    Draft202012Validator.check_schema(found)
    assert found["description"]
    assert all(field.get("description") for field in found["properties"].values())
    assert found["additionalProperties"] is False


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_real_records_fit(collection: str) -> None:
    for record in getattr(_real(), collection).values():
        assert _valid(collection, plain(record)), record.id


def test_compiled_catalog_fits() -> None:
    whole = catalog_schema()
    Draft202012Validator.check_schema(whole)
    Draft202012Validator(whole).validate(json.loads(to_json(_real())))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("memory", 24),
        ("memory", {"value": 24, "unit": "MB", "source": "s", "read": "2026-01-01", "kind": "datasheet"}),
        ("memory", {"value": 0, "unit": "GB", "source": "s", "read": "2026-01-01", "kind": "datasheet"}),
        ("memory", {"value": 24, "unit": "GB", "source": "s", "read": "1.1.2026", "kind": "datasheet"}),
        ("memory", {"value": 24, "unit": "GB", "read": "2026-01-01", "kind": "datasheet"}),
        ("flags", ["noisy"]),
        ("flags", []),
        ("aliases", ["a", "a"]),
        ("id", "Card_A1"),
        ("released", "Q2 2024"),
        ("name", ""),
        ("colour", "red"),
    ],
)
def test_schema_refuses(field: str, value: Any) -> None:
    fact = {"value": 24, "unit": "GB", "source": "s", "read": "2026-01-01", "kind": "datasheet"}
    card = {"id": "c", "name": "C", "vendor": "V", "ecosystem": "CUDA", "form_factor": "PCIe", "memory": fact}
    assert _valid("accelerators", card)
    assert not _valid("accelerators", {**card, field: value})


def test_a_facts_unit_and_range_are_its_fields() -> None:
    power = schema("accelerators")["properties"]["power"]["properties"]
    assert power["unit"]["enum"] == ["W"]
    assert (power["value"]["minimum"], power["value"]["maximum"]) == (10, 3000)
    assert power["others"]["items"]["properties"]["value"]["maximum"] == 3000
