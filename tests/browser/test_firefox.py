"""The same calculators in Firefox: from the unzipped bundle and over http."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from calculators import bridge, registry
from catalog.model import Catalog
from sitebuild.python_assets.inside import node as node_program
from sitebuild.python_assets.requests import requests
from tests.browser import parity
from tests.browser.test_live import PLACES, agree, calculator, expected

SCRIPT = Path(__file__).with_name("firefox.mjs")
FIELDS = {"vram-inference": ("context", "4096"), "model-params": ("model", "llama-3-1-8b")}
"""An input to change; a calculator that is not named here has its first number set to its upper bound."""


def change(id: str) -> tuple[str, str]:
    """A field of a calculator and a text for it."""
    found = registry.find(id)
    assert found is not None
    if id in FIELDS:
        return FIELDS[id]
    numbers = (name for name, spec in found.fields().items() if spec.type in ("int", "float") and not spec.advanced)
    name = next(numbers)
    return name, f"{found.fields()[name].high:.0f}"


@pytest.mark.parametrize("place", PLACES)
def test_live_in_firefox(request: pytest.FixtureRequest, firefox: str, catalog: Catalog, place: str) -> None:
    bridge.use(catalog)
    guide = request.getfixturevalue(place)
    visits: list[dict[str, Any]] = []
    for id in registry.ids():
        calls = [(i, r) for i, r in requests() if i == id and r.startswith("{") and r != "{"]
        field, text = change(id)
        visits.append({"address": calculator(guide, id), "field": field, "text": text, "calls": calls, "id": id})
    job = json.dumps({"executable": firefox, "visits": visits})
    patience = 120 * len(visits)
    done = subprocess.run(
        [node_program(), str(SCRIPT)], input=job, capture_output=True, text=True, check=False, timeout=patience
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for visit, found in zip(visits, json.loads(done.stdout), strict=True):
        assert (found["state"], found["said"]) == ("ready", []), found["status"]
        wrong = [c for c, a in zip(visit["calls"], found["answers"], strict=True) if not parity.same(a, bridge.call(*c))]
        assert wrong == []
        assert agree(found["outputs"], expected(visit["id"], {visit["field"]: visit["text"]})["outputs"])
        assert found["hash"] == f"#{visit['id']}?{visit['field']}={visit['text']}"
        assert [u for u in found["requests"] if not u.startswith((guide, "blob:", "data:"))] == []
