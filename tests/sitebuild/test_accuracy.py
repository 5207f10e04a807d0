"""The accuracy command: exit codes, unreadable files, unseen cases, and that a broken function fails its cases."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calculators import registry
from calculators.framework.bands import BANDS
from calculators.memory import activations, decode, gguf, kv, params, tensors, weights
from calculators.speed import steps
from sitebuild.accuracy import bands
from sitebuild.accuracy.__main__ import main
from sitebuild.accuracy.adapter import compute
from sitebuild.accuracy.cases import FOLDER, Case, CasesError, read
from sitebuild.accuracy.fields import InputError, architecture
from sitebuild.accuracy.run import (
    BROKEN,
    EXCEPTION,
    NOT_YET,
    OK,
    OUT,
    REPORTED,
    case_line,
    evaluate,
    exceptions,
    exit_code,
    outcome,
    summary,
    summary_lines,
)

DEFAULT = FOLDER / "memory.yaml"
LLAMA = "{h: 4096, heads: 32, kv_heads: 8, layers: 32, ff: 14336, vocab: 128256}"
RIGHT = f"""
- id: right
  kind: params
  formula: params
  inputs: {LLAMA}
  expected: {{value: 8030261248, unit: parameters}}
  tolerance: {{rel: 0.0}}
"""
WRONG = RIGHT.replace("right", "wrong").replace("8030261248", "8030261249")
LATER = """
- id: later
  kind: loss_curve
  formula: loss_after
  inputs: {n_active: 1.0e+9, tokens: 1.0e+9}
  expected: {value: 6.0e+18, unit: FLOP}
  tolerance: {rel: 0.1}
"""
UNKNOWN = RIGHT.replace("right", "unknown").replace("vocab: 128256", "vocab: 128256, colour: 3")
UNSCORED = WRONG.replace("wrong", "unscored") + "  scored: false\n"


def write(path: Path, *cases: str) -> Path:
    """A file of those cases."""
    found = path / "cases.yaml"
    found.write_text("schema: 1\ncases:" + "".join(cases), encoding="utf-8")
    return found


def case(**changes: Any) -> Case:
    """A right case with changes."""
    given: dict[str, Any] = {
        "id": "a",
        "kind": "concurrency",
        "formula": "concurrency",
        "inputs": {"blocks": 1381, "max_len": 2048},
        "expected": 10.79,
        "unit": "x",
        "tolerance": 0.001,
        "scored": True,
        "source": "",
        "line": 1,
        **changes,
    }
    return Case(**given)


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ([RIGHT], 0),
        ([RIGHT, UNSCORED], 0),
        ([RIGHT, LATER], 3),
        ([RIGHT, WRONG], 1),
        ([RIGHT, UNKNOWN], 1),
        ([WRONG, LATER], 1),
    ],
    ids=["all right", "unscored is wrong", "one not yet", "one wrong", "unknown input", "wrong and not yet"],
)
def test_exit_code(tmp_path: Path, cases: list[str], code: int) -> None:
    assert main([str(write(tmp_path, *cases))]) == code


def test_lines_then_a_summary_that_names_what_is_not_computed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(write(tmp_path, RIGHT, WRONG, LATER, UNKNOWN))])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "right  expected 8030261248 parameters  computed 8030261248  error +0.0000%  ok"
    assert lines[1].endswith("OUT OF TOLERANCE")
    assert "NOT YET COMPUTED: no function for `loss_after`" in lines[2]
    assert "ERROR: unknown input `colour`" in lines[3]
    assert [line.split()[0] for line in lines[-4:]] == ["kind", "params", "loss_curve", "total"]
    assert lines[-2].endswith("(not yet computed)")


def test_json_carries_cases_summary_and_exit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([str(write(tmp_path, RIGHT, LATER)), "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["exit"] == code == 3
    assert [c["status"] for c in data["cases"]] == [OK, NOT_YET]
    assert data["summary"][-1]["not_yet_computed"] == 1


UNREADABLE = {
    "no such file": (None, ":1: cannot be read"),
    "not YAML": ("cases:\n- {id: [\n", ":3: not valid YAML"),
    "no cases": ("schema: 1\n", ":1: no list `cases`"),
    "empty": ("", ":1: no list `cases`"),
    "a list": ("- 1\n", ":1: no list `cases`"),
    "a case that is text": ("cases:\n- hello\n", ":2: a case must be a mapping"),
    "no formula": ("cases:\n- {id: a, kind: b, inputs: {}, expected: 1}\n", ":2: the case has no `formula`"),
    "inputs that are a list": (
        "cases:\n- {id: a, kind: b, formula: c, inputs: [], expected: 1}\n",
        ":2: `inputs` must be a mapping",
    ),
    "expected that is text": (
        "cases:\n- {id: a, kind: b, formula: c, inputs: {}, expected: {value: many}}\n",
        ":2: `expected` and `tolerance` must be finite numbers",
    ),
    "expected that is not finite": (
        "cases:\n- {id: a, kind: b, formula: c, inputs: {}, expected: .inf}\n",
        ":2: `expected` and `tolerance` must be finite numbers",
    ),
    "an id twice": (
        "cases:\n- {id: a, kind: b, formula: c, inputs: {}, expected: 1}\n- {id: a, kind: b, formula: c, inputs: {}, expected: 1}\n",
        ":3: id a is used in line 2 too",
    ),
    "not text": (b"\xff\xfe\x00", ":1: cannot be read"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_files_exit_2_with_file_and_line(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    content, message = UNREADABLE[name]
    path = tmp_path / "cases.yaml"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main([str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{path}{message}" in printed.err


def test_bare_numbers_and_no_inputs_are_read(tmp_path: Path) -> None:
    """The layout of the cost cases: expected and tolerance without units, and a formula that may need no input."""
    given = "\n- {id: pmt, kind: agree, topic: finance, formula: 'pmt(0, 4, 8)', expected: -2, tolerance: 1e-08}"
    (found,) = read(write(tmp_path, given))
    assert (found.expected, found.tolerance, found.scored, found.inputs, found.topic) == (-2, 1e-8, True, {}, "finance")
    assert outcome(found, {}).status == OK


INPUT_ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "missing": ({"blocks": 1}, "input `max_len` is missing"),
    "unknown": ({"blocks": 1, "max_len": 2, "colour": 3}, "unknown input `colour`"),
    "text": ({"blocks": "many", "max_len": 2}, "must be a number"),
    "true": ({"blocks": True, "max_len": 2}, "must be a number"),
    "fraction": ({"blocks": 1.5, "max_len": 2}, "must be a whole number"),
    "zero": ({"blocks": 1, "max_len": 0}, "at least 1"),
    "list": ({"blocks": [1], "max_len": 2}, "must be a number"),
}


@pytest.mark.parametrize("name", INPUT_ERRORS)
def test_bad_inputs_are_errors_of_their_case(name: str) -> None:
    inputs, message = INPUT_ERRORS[name]
    found = outcome(case(inputs=inputs), {})
    assert found.status == BROKEN
    assert message in found.detail


MODEL_ERRORS: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown model field": ("params", {"h": 64, "colour": 1}),
    "model that is text": ("decode_gb", {"model": "llama", "bytes_per_weight": 2}),
    "text for a number": ("params", {"h": "wide", "layers": 2, "vocab": 100, "heads": 2, "ff": 4}),
    "number for text": ("params", {"h": 64, "layers": 2, "vocab": 100, "heads": 2, "ff": 4, "qk_norm": 3}),
    "a fraction of a layer": ("params", {"h": 64, "layers": 2.5, "vocab": 100, "heads": 2, "ff": 4}),
    "a list for a number": ("params", {"h": [64], "layers": 2, "vocab": 100, "heads": 2, "ff": 4}),
    "fewer than no layers": ("params", {"h": 64, "layers": -2, "vocab": 100, "heads": 2, "ff": 4}),
    "more layers than any model": ("params", {"h": 64, "layers": 10**9, "vocab": 100, "heads": 2, "ff": 4}),
    "tokens that are not finite": ("kv_mib", {"layers": 2, "tokens": float("inf"), "kv_heads": 2, "head_dim": 64}),
    "bytes that are not finite": ("weights_gib", {"params": 10, "bytes": float("nan")}),
    "a number too large": ("weights_gib", {"params": 10**400, "bytes": 2}),
    "no GPUs": ("weights_gib", {"params": 10, "bytes": 2, "tp": 0}),
    "unknown file type": ("gguf_bpw", {"model": {"h": 64, "layers": 2, "vocab": 100, "heads": 2, "ff": 64}, "ftype": "Q9"}),
    "unknown dtype": ("kv_mib", {"layers": 2, "tokens": 10, "kv_heads": 2, "head_dim": 64, "dtype": "fp5"}),
    "parts that are numbers": ("weights_mixed_bytes", {"parts": [1, 2]}),
    "modules that are text": (
        "lora_params",
        {"h": 64, "layers": 2, "vocab": 9, "heads": 2, "ff": 64, "rank": 8, "modules": "q"},
    ),
    "no bandwidth": (
        "tok_s_bandwidth",
        {"model": {"h": 64, "layers": 2, "vocab": 9, "heads": 2, "ff": 64}, "bytes_per_weight": 2, "bw": 0, "eff": 1},
    ),
}


@pytest.mark.parametrize("name", MODEL_ERRORS)
def test_bad_models_are_errors_of_their_case(name: str) -> None:
    formula, inputs = MODEL_ERRORS[name]
    assert outcome(case(formula=formula, inputs=inputs), {}).status == BROKEN


def test_a_count_is_met_to_the_last_unit_or_not_at_all(tmp_path: Path) -> None:
    right, wrong = evaluate(read(write(tmp_path, RIGHT, WRONG)), {})
    assert (right.status, wrong.status) == (OK, OUT)


def test_an_exception_is_printed_apart_and_does_not_fail() -> None:
    missed = case(id="missed", expected=12.0)
    found = outcome(missed, {"missed": "the log rounds down (https://example.org/log)"})
    assert found.status == EXCEPTION
    assert "EXCEPTION: the log rounds down" in case_line(found)
    assert exit_code([found]) == 0
    assert summary([found])[-1]["exceptions"] == 1
    assert outcome(case(), {"a": "not needed"}).status == OK
    assert outcome(case(scored=False), {}).status == REPORTED


def test_exceptions_need_a_reason_and_a_source(tmp_path: Path) -> None:
    path = tmp_path / "exceptions.yaml"
    path.write_text("exceptions:\n- {id: a, reason: because}\n", encoding="utf-8")
    with pytest.raises(CasesError, match="has no `source`"):
        exceptions(path)


def test_no_exception_is_listed_without_need() -> None:
    listed = exceptions()
    needed = {o.id for o in evaluate(read(DEFAULT), listed) if o.status == EXCEPTION}
    assert set(listed) == needed


def test_results_state_the_errors_of_the_cases() -> None:
    assert not bands.stale(), f"run `{bands.COMMAND}`"


@pytest.mark.parametrize("id", registry.ids())
def test_what_is_modelled_is_measured_by_scored_cases(id: str) -> None:
    calculator = registry.find(id)
    assert calculator is not None
    for name, spec in calculator.results().items():
        assert (spec.kind == "modelled") == bool(spec.cases), name
        assert set(spec.cases) <= set(BANDS), name


def test_whole_answers_are_recomputed_through_the_calculator(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"calculator": "throughput", "output": "tpot_ms", "accelerator": "h100-sxm", "batch": 8}
    before = compute("calculator_output", asked)
    monkeypatch.setattr("calculators.speed.service.decode_seconds", spoiled(steps.decode_seconds))
    after = compute("calculator_output", asked)
    assert before is not None
    assert after is not None
    assert after > before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"calculator": "horoscope"}, "no calculator"),
        ({"output": "luck"}, "no calculator with an output `luck`"),
        ({"output": "verdict"}, "is no number"),
        ({"batch": -1}, "batch: "),
        ({"colour": 3}, "colour: "),
        ({"tensor_parallel": 5}, "tensor_parallel: 32 attention heads"),
    ],
    ids=str,
)
def test_a_whole_answer_that_cannot_be_computed_says_why(changes: dict[str, Any], said: str) -> None:
    asked = {"calculator": "throughput", "output": "tpot_ms", "accelerator": "h100-sxm", **changes}
    with pytest.raises(InputError, match=said):
        compute("calculator_output", asked)


def test_an_empty_list_has_a_summary() -> None:
    assert exit_code([]) == 0
    assert len(summary_lines(summary([]))) == 2


def spoiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, 10 % off."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs) * 1.1

    return call


# what is broken -> the kinds whose cases must fail by it
BREAKS = {
    "parts_bytes": (weights, {"weights"}),
    "cells_bytes": (kv, {"kv_cache", "kv_capacity"}),
    "swa_cells": (kv, {"kv_cache"}),
    "recurrent_state_bytes": (kv, {"kv_cache"}),
    "kv_tokens": (kv, {"kv_capacity"}),
    "concurrency": (kv, {"kv_capacity"}),
    "compute_buffer_bytes": (activations, {"compute_buffer"}),
    "decode_bytes": (decode, {"decode_bytes", "decode_speed"}),
    "two_term_seconds": (decode, {"decode_speed"}),
    "hub_elements": (params, {"params"}),
    "lora_parameters": (params, {"lora"}),
}


@pytest.mark.parametrize("name", BREAKS)
def test_breaking_a_function_fails_its_cases(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    module, kinds = BREAKS[name]
    monkeypatch.setattr(module, name, spoiled(getattr(module, name)))
    found = evaluate(read(DEFAULT), exceptions())
    assert {o.kind for o in found if o.status == OUT} == kinds
    assert exit_code(found) == 1


def test_breaking_the_tensor_list_fails_parameters_and_breaking_the_rules_fails_files(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(params, "model_tensors", lambda a: [t for t in tensors.model_tensors(a) if t.group != "mlp"])
        failed = {o.kind for o in evaluate(read(DEFAULT), {}) if o.status == OUT}
        assert {"params", "decode_bytes"} <= failed
    monkeypatch.setattr(gguf, "tensor_type", lambda *_, **__: "Q8_0")
    failed = {o.kind for o in evaluate(read(DEFAULT), {}) if o.status == OUT}
    assert failed == {"gguf_size"}


def test_the_projects_own_cases_are_all_computed_and_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last[0] == "total"
    assert last[3] == "0"  # none out of tolerance


def test_the_calculators_reach_the_functions_that_the_cases_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """`weight_bytes` and `kv_cache`, which the calculators call, stand on what the adapter calls."""
    model = architecture({"h": 4096, "heads": 32, "kv_heads": 8, "layers": 32, "ff": 14336, "vocab": 128256})
    before = (weights.weight_bytes(model, "bf16").total, kv.kv_cache(model, 4096).total)
    monkeypatch.setattr(weights, "parts_bytes", spoiled(weights.parts_bytes))
    monkeypatch.setattr(kv, "cells_bytes", spoiled(kv.cells_bytes))
    after = (weights.weight_bytes(model, "bf16").total, kv.kv_cache(model, 4096).total)
    assert all(new > 1.09 * old for old, new in zip(before, after, strict=True))
