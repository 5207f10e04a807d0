"""A form derives from the declaration: one control per field, tied to its help, range and error."""

from html.parser import HTMLParser

import pytest

from calculators import registry
from calculators.framework.form import MANY_SETTINGS, form_data, form_html
from calculators.framework.spec import Calculator
from calculators.framework.text import LANGUAGES, Lang
from catalog.model import Catalog

CALCULATORS = [c for id in registry.ids() if (c := registry.find(id)) is not None]


class Controls(HTMLParser):
    """Collects controls, ids and labels of a form."""

    def __init__(self) -> None:
        super().__init__()
        self.controls: dict[str, dict[str, str | None]] = {}
        self.ids: list[str] = []
        self.labels: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(found["id"] or "")
        if tag in ("input", "select", "textarea") and "name" in found:  # a file input only fills the text beside it
            self.controls[found["name"] or ""] = found | {"tag": tag}
        if tag == "label":
            self.labels.append(found["for"])


def parse(calculator: Calculator, catalog: Catalog, lang: Lang) -> Controls:
    found = Controls()
    found.feed(form_html(calculator, catalog, lang, "report/"))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda c: c.id)
def test_form_has_every_field_with_label_help_and_error(calculator: Calculator, lang: Lang, catalog: Catalog) -> None:
    found = parse(calculator, catalog, lang)
    assert found.controls
    assert set(found.controls) == set(calculator.fields())
    assert len(found.ids) == len(set(found.ids)), "ids repeat"
    for name, spec in calculator.fields().items():
        control = found.controls[name]
        assert control["id"] in found.labels
        assert set((control["aria-describedby"] or "").split()) <= set(found.ids)
        if spec.type in ("int", "float"):
            assert control["type"] == "number"
            assert float(control["min"] or "nan") == spec.low
            assert float(control["max"] or "nan") == spec.high


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda c: c.id)
def test_every_field_and_output_has_both_languages(calculator: Calculator, catalog: Catalog) -> None:
    for name, spec in calculator.fields().items():
        assert spec.help.en, f"{name} has no help"
        assert spec.help.zh, f"{name} has no Chinese help"
        assert spec.label.zh or spec.label.en.isascii(), name
    for name, result in calculator.results().items():
        assert result.label.en, name
        assert result.label.zh, f"{name} has no Chinese label"


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda c: c.id)
def test_form_data_defaults_are_inside_their_range(calculator: Calculator, catalog: Catalog) -> None:
    fields = calculator.fields()
    for field in form_data(calculator, catalog, "en")["fields"]:
        spec, default = fields[field["name"]], field["default"]
        if spec.type in ("int", "float") and default is not None:
            assert spec.low is not None
            assert spec.high is not None
            assert spec.low <= default <= spec.high
        if spec.type == "choice" and default is not None:
            assert default in [c.value for c in spec.options(catalog)]


def test_a_short_text_is_a_line_and_a_long_one_may_be_a_file(catalog: Catalog) -> None:
    short, long = (parse(next(c for c in CALCULATORS if c.id == id), catalog, "en").controls for id in ("tco", "model-params"))
    assert (short["profile"]["tag"], short["profile"]["type"]) == ("input", "text")
    assert long["config"]["tag"] == "textarea"


def test_many_further_settings_fold_by_group(catalog: Catalog) -> None:
    for calculator in CALCULATORS:
        groups = {f.group.en for f in calculator.fields().values() if f.advanced}
        many = sum(f.advanced for f in calculator.fields().values()) > MANY_SETTINGS
        folds = form_html(calculator, catalog, "en", "report/").count('<details class="advanced">')
        assert folds == (len(groups) if many else bool(groups)), calculator.id
