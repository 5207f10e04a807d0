"""A reader's own model trains as the catalog's: every published config gives an answer or a reason in both calculators."""

import json
from typing import Any

import pytest

from calculators import bridge
from catalog.model import Catalog, plain
from tests.calculators.importing.test_configs import CASES

TRAINING = ("vram-training", "training-time")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@pytest.mark.parametrize("id", TRAINING)
def test_a_config_trains_or_the_field_to_mend_is_named(id: str, case: dict[str, Any], catalog: Catalog) -> None:
    bridge.use(catalog)
    asked = {"config": json.dumps(case["config"]), "view": True, "tensor_parallel": 1}
    found = json.loads(bridge.call(id, json.dumps(asked)))
    if "error" in found:
        assert found["error"]["fields"][0]["field"]
    else:
        assert found["notes"][0].startswith("Imported: ")


@pytest.mark.parametrize("id", TRAINING)
def test_the_same_architecture_gives_the_same_answer(id: str, catalog: Catalog) -> None:
    bridge.use(catalog)
    model = catalog.models["llama-3-1-8b"]
    short = json.dumps({"gpuguide": "config", "name": model.name, "a": plain(model.architecture)})
    own, listed = ({"config": short, "model": "qwen3-32b"}, {"model": model.id})
    own_answer, listed_answer = (json.loads(bridge.call(id, json.dumps(x)))["outputs"] for x in (own, listed))
    assert own_answer == listed_answer
