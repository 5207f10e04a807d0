"""HTML fragments: escaped, linked, and the same numbers as the data."""

import json

import pytest

from calculators import bridge, registry
from calculators.framework import spec as records
from calculators.framework.bands import Band
from calculators.framework.spec import Range, Result
from calculators.framework.text import LANGUAGES, Lang, Text
from calculators.framework.view import certainty, display, linked, outputs_html, state_link
from catalog.model import Catalog


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", registry.ids())
def test_outputs_carry_the_bare_number(id: str, lang: Lang, catalog: Catalog) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    data = json.loads(bridge.call(id, json.dumps({"lang": lang, "view": True})))
    html = outputs_html(calculator, data, lang)
    for name, value in data["outputs"].items():
        assert f'data-output="{name}"' in html
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert f'data-value="{json.dumps(value)}"' in html
    assert set(data["view"]["parts"]) >= {"answer", "notes", "suggestions", "tables", "working"}


def test_fragments_are_escaped() -> None:
    assert linked('<b> "x" https://example.com/?a=1&b=2') == (
        '&lt;b&gt; &quot;x&quot; <a href="https://example.com/?a=1&amp;b=2" rel="noopener">https://example.com/?a=1&amp;b=2</a>'
    )


@pytest.mark.parametrize("mark", [";", ".", ",", "。", "；", ")", "; and more"])
def test_an_address_ends_before_the_sentence_does(mark: str) -> None:
    assert 'href="https://example.com/a_b.html"' in linked(f"see https://example.com/a_b.html{mark}")


def test_display_of_each_kind_of_value() -> None:
    spec = Result(Text("x"), "GiB", "assumed", Text(""), digits=1)
    assert display(spec, Range(1, 2), "en") == "1.0–2.0 GiB"
    assert display(spec, None, "en") == "—"
    assert display(spec, True, "zh") == "是"
    assert display(spec, Text("yes", "放得下"), "zh") == "放得下"


@pytest.mark.parametrize(
    ("cases", "en", "zh"),
    [
        ((), "modelled", "模型估算"),
        (("one",), "modelled ± 3%, 1 case", "模型估算 ± 3%，1 个算例"),
        (("one", "many"), "modelled ± 10% (half within 2%), 10 cases", "模型估算 ± 10%（一半在 2% 以内），10 个算例"),
    ],
)
def test_how_sure_is_what_the_cases_say(cases: tuple[str, ...], en: str, zh: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "BANDS", {"one": Band(2.01, 2.0, 1), "many": Band(9.8, 1.5, 9)})
    result = Result(Text("x"), "GiB", "modelled", Text(""), cases=cases)
    assert (certainty(result, "en"), certainty(result, "zh")) == (en, zh)


def test_state_link_holds_only_what_differs(catalog: Catalog) -> None:
    calculator = registry.find("vram-inference")
    assert calculator is not None
    inputs = calculator.inputs()
    assert state_link(calculator, inputs, {}) == "#vram-inference"
    assert state_link(calculator, inputs, {"context": 4096, "batch": 1}) == "#vram-inference?context=4096"
