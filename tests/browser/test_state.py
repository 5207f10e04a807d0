"""The state in a URL, as pure functions under node: reading, writing, and that one undoes the other."""

import json
from typing import Any

import pytest

from calculators import bridge, registry
from calculators.framework.form import form_data
from calculators.framework.view import state_link
from catalog.model import Catalog
from tests.browser.conftest import Node

FIELDS: list[dict[str, Any]] = [
    {"name": "model", "type": "choice", "default": "a"},
    {"name": "context", "type": "int", "default": 8192},
    {"name": "share", "type": "float", "default": 0.5},
    {"name": "limit", "type": "int", "default": None, "optional": True},
    {"name": "cards", "type": "choices", "default": ["x"]},
    {"name": "fast", "type": "bool", "default": False},
]

READ = [
    ("", []),
    ("#what-decides", []),
    ("#vram?", [("vram", {}, "", "")]),
    ("#vram?context=4096", [("vram", {"context": "4096"}, "", "")]),
    ("#vram?context=4096&v=2&data=ab12", [("vram", {"context": "4096"}, "2", "ab12")]),
    ("#a?x=1/b?y=2/a?x=3", [("a", {"x": "1"}, "", ""), ("b", {"y": "2"}, "", ""), ("a", {"x": "3"}, "", "")]),
    ("#a?x", [("a", {"x": ""}, "", "")]),
    ("#a?&&x=1&", [("a", {"x": "1"}, "", "")]),
    ("#?x=1", []),
    ("#a?%E0%A4%A=1", [("a", {"%E0%A4%A": "1"}, "", "")]),
]

TYPED = [
    ({"context": "4096"}, {"context": "4096"}, []),
    ({"cards": "x,y"}, {"cards": ["x", "y"]}, []),
    ({"cards": ""}, {"cards": []}, []),
    ({"cards": "a%2Cb,c"}, {"cards": ["a,b", "c"]}, []),
    ({"fast": "true"}, {"fast": True}, []),
    ({"fast": "no"}, {"fast": False}, []),
    ({"model": "%E6%98%BE%E5%AD%98"}, {"model": "显存"}, []),
    ({"model": "50%"}, {"model": "50%"}, []),
    ({"colour": "red", "context": "1"}, {"context": "1"}, ["colour"]),
    ({"__proto__": "1"}, {}, ["__proto__"]),
]

WRITTEN = [
    ({"model": "a", "context": "8192", "share": "0.5", "limit": "", "cards": ["x"], "fast": False}, "vram?"),
    ({"context": "4096"}, "vram?context=4096"),
    ({"context": "8192.0", "share": ".50"}, "vram?"),
    ({"context": ""}, "vram?context="),
    ({"limit": "3"}, "vram?limit=3"),
    ({"cards": []}, "vram?cards="),
    ({"cards": ["x", "a,b"]}, "vram?cards=x,a%2Cb"),
    ({"fast": True}, "vram?fast=true"),
    ({"model": "a/b?c&d=e#f"}, "vram?model=a%2Fb%3Fc%26d%3De%23f"),
    ({"model": "(1)!*'"}, "vram?model=%281%29%21%2A%27"),
    ({"model": "显存"}, "vram?model=%E6%98%BE%E5%AD%98"),
]

JOINED = [
    ([("a", "a?"), ("b", "b?")], ""),
    ([("a", "a?x=1"), ("b", "b?")], "a?x=1"),
    ([("a", "a?"), ("b", "b?y=2")], "b?y=2"),
    ([("a", "a?"), ("a", "a?x=3")], "a?/a?x=3"),
    ([("a", "a?x=1"), ("b", "b?y=2"), ("a", "a?")], "a?x=1/b?y=2"),
]


@pytest.mark.parametrize(("fragment", "entries"), READ)
def test_a_fragment_is_read(node: Node, fragment: str, entries: list[tuple[str, dict[str, str], str, str]]) -> None:
    found = node.run(f"gpuguide.state.parse({json.dumps(fragment)})", "state.js")
    assert found == [{"id": i, "fields": f, "v": v, "data": d} for i, f, v, d in entries]


@pytest.mark.parametrize(("raw", "values", "unknown"), TYPED)
def test_fields_become_values(node: Node, raw: dict[str, str], values: dict[str, Any], unknown: list[str]) -> None:
    call = f"gpuguide.state.read(JSON.parse({json.dumps(json.dumps(raw))}), {json.dumps(FIELDS)})"
    assert node.run(call, "state.js") == {"values": values, "unknown": unknown}


@pytest.mark.parametrize(("values", "text"), WRITTEN)
def test_only_what_differs_is_written_and_read_back(node: Node, values: dict[str, Any], text: str) -> None:
    fields = json.dumps(FIELDS)
    script = (
        f"(() => {{ const s = gpuguide.state; const text = s.write('vram', {fields}, {json.dumps(values)});"
        f"const back = s.read(s.parse('#' + text)[0].fields, {fields}).values;"
        f"return [text, s.write('vram', {fields}, back)]; }})()"
    )
    assert node.run(script, "state.js") == [text, text]


def test_a_scenario_that_is_kept_is_written_whatever_it_holds(node: Node) -> None:
    def joined(*forms: tuple[str, str, bool]) -> Any:
        listed = json.dumps([{"id": i, "text": t, "kept": k} for i, t, k in forms])
        return node.run(f"gpuguide.state.join({listed})", "state.js")

    assert joined(("a", "a?", False), ("a", "a?", True)) == "a?/a?"
    assert joined(("a", "a?x=1", False), ("a", "a?", True), ("b", "b?", False)) == "a?x=1/a?"
    assert joined(("b", "b?", False), ("a", "a?", False), ("a", "a?x=2", True)) == "a?/a?x=2"


@pytest.mark.parametrize(("forms", "text"), JOINED)
def test_forms_of_a_page_are_joined(node: Node, forms: list[tuple[str, str]], text: str) -> None:
    listed = json.dumps([{"id": i, "text": t} for i, t in forms])
    assert node.run(f"gpuguide.state.join({listed})", "state.js") == text


def test_links_made_in_python_are_those_that_the_page_writes(node: Node, catalog: Catalog) -> None:
    bridge.use(catalog)
    for id in registry.ids():
        calculator = registry.find(id)
        assert calculator is not None
        fields = json.dumps(form_data(calculator, catalog, "en")["fields"])
        for preset in calculator.presets:
            link = state_link(calculator, calculator.inputs(), preset.change)
            script = f"(() => {{ const s = gpuguide.state, e = s.parse({json.dumps(link)})[0];"
            script += f"return '#' + s.write(e.id, {fields}, s.read(e.fields, {fields}).values); }})()"
            assert node.run(script, "state.js") == link
