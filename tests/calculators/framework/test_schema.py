"""`gpuguide calc ID --schema`: a valid JSON Schema that accepts what the calculator accepts."""

import json

import jsonschema
import pytest

from calculators import registry
from calculators.framework.schema import schema
from calculators.framework.text import LANGUAGES, Lang
from catalog.model import Catalog


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", registry.ids())
def test_schema_accepts_defaults_and_examples(id: str, lang: Lang, catalog: Catalog) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    found = schema(calculator, catalog, lang)
    jsonschema.Draft202012Validator.check_schema(found)
    check = jsonschema.Draft202012Validator(found).validate
    check(json.loads(json.dumps({k: list(v) if isinstance(v, tuple) else v for k, v in calculator.defaults().items()})))
    for example in calculator.examples:
        check(json.loads(json.dumps(dict(example.inputs))))


def test_schema_refuses_what_the_calculator_refuses(catalog: Catalog) -> None:
    calculator = registry.find("vram-inference")
    assert calculator is not None
    for bad in ({"context": 0}, {"context": 1.5}, {"model": "no-such"}, {"colour": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema(calculator, catalog))
