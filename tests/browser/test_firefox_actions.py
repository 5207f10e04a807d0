"""What a reader does with an answer, in Firefox: the long run, files, scenarios, from a host and from a folder."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from calculators import bridge
from catalog.model import Catalog
from sitebuild.python_assets.inside import node
from tests.browser import parity
from tests.browser.test_live import PLACES, agree, calculator

SCRIPT = Path(__file__).with_name("firefox_actions.mjs")


@pytest.mark.parametrize("place", PLACES)
def test_draws_files_and_scenarios_in_firefox(
    request: pytest.FixtureRequest, firefox: str, catalog: Catalog, place: str
) -> None:
    bridge.use(catalog)
    address = calculator(request.getfixturevalue(place), "tco")
    job = json.dumps({"executable": firefox, "address": address, "run": "rests on"})
    done = subprocess.run([node(), str(SCRIPT)], input=job, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["said"] == []
    assert "10,000" in found["words"]
    expected = json.loads(bridge.call("tco", '{"simulate": true}'))
    assert agree(found["outputs"], expected["outputs"])
    for kind, sent in found["files"].items():
        asked = {"simulate": True, "export": {"format": kind, "address": address}}
        text = json.loads(bridge.call("tco", json.dumps(asked)))["export"]["text"]
        assert parity.rounded(bytes(sent).decode("utf-8")) == parity.rounded(text)
    assert found["columns"] == 2
    assert found["hash"] == "#tco?/tco?"
