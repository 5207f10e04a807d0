"""Every calculator inside the browser's Python, under node, with the very zip that ships, against CPython."""

from pathlib import Path

import pytest

from calculators import bridge, registry
from catalog.model import Catalog, to_json
from sitebuild import python_assets
from sitebuild.python_assets import inside, library, pin, requests
from tests.browser import parity


@pytest.fixture(scope="module")
def run(catalog: Catalog, tmp_path_factory: pytest.TempPathFactory) -> inside.Run:
    """All requests answered from the built zip."""
    out = tmp_path_factory.mktemp("runtime")
    built = python_assets.build(out, to_json(catalog))
    zip_file: Path = out / built["python"] / python_assets.ZIP
    return inside.run(pin.pyodide(), requests.requests(), entry=library.ENTRY, library=zip_file)


def test_every_calculator_is_asked() -> None:
    asked = {id for id, _ in requests.requests()}
    assert asked >= set(registry.ids())


@pytest.mark.parametrize("id", registry.ids())
def test_answers_are_those_of_cpython(run: inside.Run, catalog: Catalog, id: str) -> None:
    bridge.use(catalog)
    wrong = [
        request
        for (asked, request), response in zip(requests.requests(), run.responses, strict=True)
        if asked == id and not parity.same(bridge.call(asked, request), response)
    ]
    assert wrong == []


def test_errors_are_told_in_pythons_words(run: inside.Run) -> None:
    told = " | ".join(run.errors)
    for word in ("ZeroDivisionError", "NameError", "SyntaxError", "RecursionError", "FrozenInstanceError"):
        assert word in told
    assert told.count("ModuleNotFoundError") == 1  # the one that was provoked
