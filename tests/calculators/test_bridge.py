"""The one door: JSON in, JSON out, whatever comes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge, registry
from catalog.model import Catalog, to_json

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("id", registry.ids())
def test_examples_come_back_within_their_tolerance(id: str, catalog: Catalog) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    assert calculator.examples, "a calculator without a published example proves nothing"
    for example in calculator.examples:
        assert example.source
        data = json.loads(bridge.call(id, json.dumps(dict(example.inputs))))
        for field, expected in example.expected.items():
            found = data["outputs"][field]
            if isinstance(expected, str | bool):
                assert found == expected, f"{example.name}: {field}"
            else:
                assert found == pytest.approx(expected, rel=example.rel, abs=0), f"{example.name}: {field}"


@pytest.mark.parametrize("id", registry.ids())
def test_presets_and_suggestions_are_themselves_good_inputs(id: str, catalog: Catalog) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    for preset in calculator.presets:
        data = json.loads(bridge.call(id, json.dumps(dict(preset.change))))
        assert "outputs" in data, f"{preset.id}: {data.get('error')}"
        for suggestion in data["suggestions"]:
            again = json.loads(bridge.call(id, json.dumps({**data["inputs"], **suggestion["change"]})))
            assert "outputs" in again, f"{preset.id}: {suggestion['title']}: {again.get('error')}"


@pytest.mark.usefixtures("catalog")
@settings(max_examples=150, deadline=None)
@given(request=st.dictionaries(st.sampled_from(["context", "batch", "model", "lang", "view", "v", "x"]), ANYTHING, max_size=4))
def test_anything_gives_json_and_no_traceback(request: dict[str, object]) -> None:
    text = bridge.call("vram-inference", json.dumps(request))
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in an answer"))
    assert ("error" in data) != ("outputs" in data)


@pytest.mark.usefixtures("catalog")
@given(text=st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_gives_json(text: str) -> None:
    assert isinstance(json.loads(bridge.call("vram-inference", text)), dict)


def test_catalog_from_json_gives_the_same_answers(catalog: Catalog) -> None:
    before = {id: bridge.call(id, '{"view": true, "lang": "zh"}') for id in registry.ids()}
    bridge.use_json(to_json(catalog))
    assert {id: bridge.call(id, '{"view": true, "lang": "zh"}') for id in registry.ids()} == before
    bridge.use(catalog)


def test_link_keys_are_ignored(catalog: Catalog) -> None:
    plain = bridge.call("vram-inference", "{}")
    assert bridge.call("vram-inference", '{"v": "1", "data": "old"}') == plain
