"""A reader's long run: thousands of draws in steps, so that a page can tell how far it is and stop it.

In: a calculator with a study, its inputs, and what the request's `simulate` says. Out: how far the run is, or the whole answer
resting on all its draws. One run is held; a new one takes its place. The answer with the same inputs is then at hand for `simulate: true`
(an export, the command line), which otherwise makes all draws at once.
"""

from dataclasses import dataclass
from typing import Any

from calculators.framework.spec import Calculator
from calculators.framework.text import Lang, Text
from calculators.framework.validate import BadInput, FieldError
from calculators.uncertainty.draws import Sample
from catalog.model import Catalog

MOST_AT_ONCE = 100_000
"""Draws of one step, and of a whole run."""

_NO_STUDY = Text("Nothing in this answer is drawn at random.", "该结果不含随机抽样。")
_HOW = Text(
    '“simulate” is "begin", true, or {"run": number, "draws": number of this step}.',
    '“simulate” 应为 "begin"、true，或 {"run": 编号, "draws": 本步抽样次数}。',
)
_GONE = Text("This run has ended or another took its place: begin again.", "该次运行已结束或被新的运行取代：请重新开始。")


@dataclass(slots=True)
class _Run:
    number: int
    id: str
    inputs: Any
    sample: Sample
    of: int


_held: list[_Run] = []  # at most one
_numbers = [0]


def begun(calculator: Calculator, inputs: Any, catalog: Catalog, lang: Lang) -> dict[str, Any]:
    """Start a run: nothing is drawn yet. Raises BadInput where the answer has no study."""
    run = _begin(calculator, inputs, catalog, lang)
    return {"simulation": {"run": run.number, "done": 0, "of": run.of}}


def _begin(calculator: Calculator, inputs: Any, catalog: Catalog, lang: Lang) -> _Run:
    study = calculator.study(inputs, catalog) if calculator.study is not None else None
    if study is None or not study.variables or not study.options:
        raise _bad(_NO_STUDY, lang)
    _numbers[0] += 1
    run = _Run(_numbers[0], calculator.id, inputs, Sample(study, study.seed), max(1, min(study.asked, MOST_AT_ONCE)))
    _held[:] = [run]
    return run


def step(calculator: Calculator, inputs: Any, asked: Any, lang: Lang) -> Sample | dict[str, Any]:
    """Draw on. Gives how far the run is, or its sample when all is drawn. Raises BadInput for a run that is not held."""
    if not isinstance(asked, dict) or set(asked) != {"run", "draws"} or not all(type(v) is int for v in asked.values()):
        raise _bad(_HOW, lang)
    run = _held[0] if _held else None
    if run is None or (run.number, run.id, run.inputs) != (asked["run"], calculator.id, inputs):
        raise _bad(_GONE, lang)
    run.sample.grow(max(1, min(asked["draws"], run.of - run.sample.size)) if run.sample.size < run.of else 0)
    if run.sample.size < run.of:
        return {"simulation": {"run": run.number, "done": run.sample.size, "of": run.of}}
    return run.sample


def whole(calculator: Calculator, inputs: Any, catalog: Catalog, lang: Lang) -> Sample:
    """All draws at once, or those of a run with the same inputs that has come to its end."""
    run = _held[0] if _held else None
    if run is None or (run.id, run.inputs) != (calculator.id, inputs) or run.sample.size < run.of:
        run = _begin(calculator, inputs, catalog, lang)
        run.sample.grow(run.of)
    return run.sample


def asked_for(calculator: Calculator, inputs: Any, asked: Any, catalog: Catalog, lang: Lang) -> Sample | dict[str, Any]:
    """What a request's `simulate` comes to: a sample to answer from, or how far a run is."""
    if asked is True:
        return whole(calculator, inputs, catalog, lang)
    if asked == "begin":
        return begun(calculator, inputs, catalog, lang)
    return step(calculator, inputs, asked, lang)


def _bad(message: Text, lang: Lang) -> BadInput:
    return BadInput([FieldError("simulate", message.get(lang))])
