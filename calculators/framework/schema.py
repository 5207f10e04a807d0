"""A calculator's `Inputs` and `Outputs` -> JSON Schema (draft 2020-12): what `gpuguide calc ID --schema` prints."""

from typing import Any

from calculators.framework.spec import Calculator, Field
from calculators.framework.text import Lang
from calculators.framework.view import certainty
from catalog.model import Catalog

_TYPES = {"int": "integer", "float": "number", "choice": "string", "choices": "array", "bool": "boolean", "text": "string"}


def schema(calculator: Calculator, catalog: Catalog, lang: Lang = "en") -> dict[str, Any]:
    """The request as a schema, with the outputs under `x-outputs`."""
    defaults = calculator.defaults()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": calculator.title.get(lang),
        "description": calculator.summary.get(lang),
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _property(spec, defaults[name], catalog, lang) for name, spec in calculator.fields().items()},
        "x-calculator": calculator.id,
        "x-version": calculator.version,
        "x-catalog": catalog.version,
        "x-outputs": {
            name: {"title": spec.label.get(lang), "unit": spec.unit, "kind": spec.kind, "certainty": certainty(spec, lang)}
            for name, spec in calculator.results().items()
        },
    }


def _property(spec: Field, default: Any, catalog: Catalog, lang: Lang) -> dict[str, Any]:
    kind = _TYPES[spec.type]
    found: dict[str, Any] = {
        "title": spec.label.get(lang),
        "description": spec.help.get(lang),
        "type": [kind, "null"] if spec.optional else kind,
        "default": list(default) if isinstance(default, tuple) else default,
    }
    if spec.unit:
        found["x-unit"] = spec.unit
    if spec.type in ("int", "float"):
        found |= {"minimum": spec.low, "maximum": spec.high}
    if spec.type == "text":
        found["maxLength"] = spec.longest
    if spec.type == "choice":
        values: list[str | None] = [c.value for c in spec.options(catalog)]
        found["enum"] = [*values, None] if spec.optional else values
    if spec.type == "choices":
        found["items"] = {"type": "string", "enum": [c.value for c in spec.options(catalog)]}
        found["uniqueItems"] = True
    return found
