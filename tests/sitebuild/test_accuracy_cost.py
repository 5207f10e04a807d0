"""Published cases of money, reliability and power: each by name, broken by breaking a product's function, and files never seen."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from calculators import registry
from calculators.finance import annuity, depreciation, discount, energy
from calculators.reliability import checkpoints
from sitebuild.accuracy.__main__ import main
from sitebuild.accuracy.cases import FOLDER, Case, read
from sitebuild.accuracy.expressions import FUNCTIONS, PUBLISHED_ERROR
from sitebuild.accuracy.run import BROKEN, NOT_YET, OK, OUT, REFUTED, evaluate, exceptions, outcome

FILE = FOLDER / "cost.yaml"
CASES = read(FILE)
ERRORS = [c for c in CASES if c.kind == PUBLISHED_ERROR]
BY_ID = {c.id: c for c in CASES}


@pytest.mark.parametrize("case", [c for c in CASES if c.kind == "agree"], ids=lambda c: c.id)
def test_a_published_figure_is_reproduced(case: Case) -> None:
    found = outcome(case, exceptions())
    assert found.status == OK, found


@pytest.mark.parametrize("case", ERRORS, ids=lambda c: c.id)
def test_a_published_error_is_not_reproduced(case: Case) -> None:
    found = outcome(case, exceptions())
    assert found.status == REFUTED, found
    assert found.error is not None
    # so far off that nobody's rounding explains it
    assert abs(found.error) > max(0.1, 2 * case.tolerance)


@pytest.mark.parametrize("case", ERRORS, ids=lambda c: c.id)
def test_a_published_error_says_why_in_both_languages(case: Case) -> None:
    assert len(case.note) > 20
    assert len(case.note_zh) > 10
    assert not case.note_zh.isascii()


@pytest.mark.parametrize("case", ERRORS, ids=lambda c: c.id)
def test_a_reproduced_error_fails_the_run(case: Case, tmp_path: Path) -> None:
    """The same case with our own figure as the published one: we then do reproduce it."""
    ours = outcome(case, {}).computed
    raw = next(c for c in yaml.safe_load(FILE.read_text(encoding="utf-8"))["cases"] if c["id"] == case.id)
    path = tmp_path / "cases.yaml"
    path.write_text(yaml.safe_dump({"cases": [raw | {"expected": {"value": ours, "unit": case.unit}}]}), encoding="utf-8")
    assert main([str(path)]) == 1


def test_every_case_has_a_topic_a_unit_and_a_source_and_both_languages_or_none() -> None:
    for c in CASES:
        assert c.topic, c.id
        assert c.unit, c.id
        assert len(c.source) > 20, c.id
        assert bool(c.note) == bool(c.note_zh), c.id


def test_the_projects_file_passes_and_ends_with_a_summary_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FILE)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[-3:]]
    assert [line[0] for line in lines] == ["agree", "published_error", "total"]
    counts = [len(CASES) - len(ERRORS), len(ERRORS), len(CASES)]
    assert [line[1:4] for line in lines] == [[str(n), str(n), "0"] for n in counts]
    assert counts[0] >= 63
    assert lines[1][-1] == "-"  # how far off a wrong figure is, is not our error


# what is broken -> the cases that must fail by it
BREAKS: list[tuple[ModuleType, str, set[str]]] = [
    (discount, "npv", {"npv-gitman"}),
    (discount, "irr", {"irr-gitman", "irr-negative", "irr-sign-change-a"}),
    (depreciation, "straight_line", {"h100-unit-depreciation", "depr-38b-3y", "rtx5090-box-monthly", "llmtco-owned-month"}),
    (energy, "energy_kwh", {"h100-unit-power-70", "h100-unit-power-100", "llmtco-owned-month", "llmtco-electricity"}),
    (checkpoints, "young", {"youngdaly-asymptotic"}),
    (checkpoints, "daly_first", {"youngdaly-changlan"}),
    (checkpoints, "daly_high", {"daly-high-order-limit"}),
    (checkpoints, "availability_opt", {"youngdaly-asymptotic"}),
]


def spoiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, 5 % off: more than every tolerance of the cases that call one."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs) * 1.05

    return call


@pytest.mark.parametrize(("module", "name", "fails"), BREAKS, ids=[name for _, name, _ in BREAKS])
def test_breaking_a_function_fails_its_cases(
    module: ModuleType, name: str, fails: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, spoiled(getattr(module, name)))
    failed = {o.id for o in evaluate(CASES, {}) if o.status in (OUT, BROKEN)}
    # `daly_high` stands on `young`: breaking the part may fail the whole; never a case that calls neither
    assert fails <= failed <= {c.id for c in CASES if f"{name}(" in c.formula}
    assert main([str(FILE)]) == 1


@pytest.mark.parametrize(
    ("module", "name"),
    [(annuity, "pmt"), (annuity, "crf"), (checkpoints, "t_wall_expected")],
    ids=["pmt", "crf", "t_wall_expected"],
)
def test_functions_that_no_given_case_calls_are_the_products_too(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unseen file below calls every function of the list."""
    monkeypatch.setattr(module, name, spoiled(getattr(module, name)))
    assert any(o.status == OUT and f"{name}(" in c.formula for c, o in zip(UNSEEN, evaluate(UNSEEN, {}), strict=True))


def case(formula: str, expected: float, tolerance: float = 1e-9, kind: str = "agree", **inputs: Any) -> Case:
    """A case that the given file does not have."""
    return Case(formula, kind, formula, inputs, expected, "", tolerance, scored=True, source="", line=1)


# values from textbooks and documentation, or that can be worked out by hand
UNSEEN = [
    # numpy-financial's documentation: a loan of $200,000 over 15 years at 7.5 %
    case("pmt(rate/12, years*12, pv)", -1854.0247200054619, 1e-9, rate=0.075, years=15, pv=200000),
    case("crf(rate=0.1, n=20)", 0.11745962, 1e-6),
    case("crf(0, 36)*36", 1.0),
    # Wikipedia, net present value: 100,000 paid, 10,000 a year for 12 years at 10 %
    case("npv(r, [-100000] + [10000]*12)", -31863.08, 1e-6, r=0.1),
    case("npv(0, cf) - sum(cf)", 0, 0.0, cf=[-4, 1, 2, 3]),
    # Excel's documentation of IRR: 70,000 paid, five years of growing income
    case("round(100*irr(cf=[-70000, 12000, 15000, 18000, 21000, 26000]), 2)", 8.66),
    case("irr([-100, 0, 121])", 0.1),
    case("irr(cf) if sum(cf) >= 0 else -1", -1, cf=[-100, 10]),
    case("straight_line(cost=5e4, salvage=5e3, n=5)", 9000),
    case("energy_kwh(1, 8760)*t", 876, t=0.1),
    case("energy_kwh(kw, 24*30, pue=1.5, util=0.5)", 540, kw=1),
    case("young(C, M)", 60.0, C=6, M=300),
    case("young(M=300, C=6) == young(6, 300) and young(6, 300)", 60.0),
    case("daly_first(C, M, R)", 61.96773353931867, C=6, M=300, R=20),
    case("daly_high(C, M)", 300, C=700, M=300),
    case("availability_opt(Ts, Tf, Tr)", 2 + (2 * 100 * 2 + 4) ** 0.5, Ts=2, Tf=90, Tr=10),
    case("t_wall_expected(W, tau, C, R, M) / (M*exp(R/M)*(exp((tau+C)/M)-1)*W/tau)", 1.0, W=100, tau=2, C=0.1, R=0.3, M=12),
    case("t_wall_expected(100, 1, 0, 0, 1e9)", 100, 1e-6),
    case("sum([p*h for p in prices for h in range(1, 3)])", 9, prices=[1, 2]),
    case("sum(cf[t]/(1+r)**t for t in range(len(cf)))", -6.0, r=1.0, cf=[-10, 4, 8]),
    case("sum(x for x in cf if x > 0 and not x == 5)", 3, cf=[-1, 1, 2, 5]),
    case("cf[-1] + cf[1:][0]", 5, cf=[1, 2, 3]),
    case("ceil(minutes/60)*p + floor(2.7) + abs(-1)", 6.0, minutes=61, p=1.5),
    case("max(cf) - min(3, 2.5, x) + min([4])", 4.5, cf=[1, 3], x=9),
    case("log(exp(2)) + sqrt(16) + log(8, 2)", 9.0),
    case("1 + 7 // 2 + 7 % 4 - +2 ** 3", -1),
    case("lambda_ * M", 3, lambda_="1.5e0", M=2),
    # an input may bear the name of a function, of a quantity of another file, and not be used at all
    case("round*days", 6, round=2, days=3, unit="USD"),
    case("mfu", 0.4, mfu=0.4),
    case("1 if u > 0.5 else 0", 1, u=0.7),
    case("40000*0.5/24", 1500, 0.01, kind=PUBLISHED_ERROR),
]


@pytest.mark.parametrize("unseen", UNSEEN, ids=lambda c: c.formula)
def test_an_unseen_case_is_computed(unseen: Case) -> None:
    found = outcome(unseen, {})
    assert found.status in (OK, REFUTED), found


def test_every_function_is_called_by_some_case() -> None:
    text = " ".join(c.formula for c in [*CASES, *UNSEEN])
    assert [name for name in FUNCTIONS if f"{name}(" not in text] == []


HOSTILE = {
    "import": "__import__('os').system('echo')",
    "import by name": "__import__",
    "builtins": "eval(1)",
    "open": "open(0)",
    "attribute": "(1).__class__.__bases__",
    "method": "cf.append(1)",
    "attribute of a module": "math.sqrt(4)",
    "text": "'a'*9",
    "bytes": "b'a'",
    "format string": "f'{cf}'",
    "lambda": "(lambda: 1)()",
    "walrus": "(x := 1)",
    "star": "npv(*cf)",
    "double star": "npv(**cf)",
    "dictionary": "{1: 2}[1]",
    "set": "{1, 2}",
    "dictionary comprehension": "{x: x for x in cf}",
    "yield": "(yield 1)",
    "await": "await cf",
    "ellipsis": "...",
    "complex constant": "2j",
    "complex result": "(-8)**(1/3)",
    "nothing": "None",
    "assignment": "x = 1",
    "two lines": "1\n2",
    "empty": "",
    "a list for an answer": "cf",
    "a range for an answer": "range(3)",
    "true for an answer": "1 < 2",
    "tower": "9**9**9**9",
    "factorial by product": "((((9**999)**9)**9)**9)",
    "large whole number": "2**5000",
    "growing whole number": "sum([2**4000*2**4000])",
    "float overflow": "10.0**400",
    "exp overflow": "exp(1000)",
    "shift": "1 << 100000",
    "long list": "sum([0]*10**9)",
    "list of lists": "sum([[0]*1000]*1000)",
    "long range": "sum(range(10**12))",
    "endless loops": "sum(a*b*c for a in range(9999) for b in range(9999) for c in range(9999))",
    "endless empty loops": "sum(1 for a in range(99999) for b in range(99999) for c in range(0))",
    "a list that squares": "len([[x]*90000 for x in range(90000)])",
    "endless rates": "irr([-1] + [0.001]*90000)",
    "rounding to a tower": "round(5, -10**9)",
    "parentheses": "(" * 500 + "1" + ")" * 500,
    "signs": "-" * 3000 + "1",
    "powers": "**".join(["2"] * 300),
    "too long": "1+" * 3000 + "1",
    "many parts": "1+" * 900 + "1",
    "not closed": "npv(0.1, [1, 2",
    "null byte": "1\0",
    "division by zero": "1/0",
    "modulo zero": "1%0",
    "root of less than nothing": "sqrt(-1)",
    "log of nothing": "log(0)",
    "not a whole number of parts": "range(1.5)",
    "step of nothing": "sum(range(1, 2, 0))",
    "no such place": "cf[9]",
    "half a place": "cf[0.5]",
    "part of a number": "1[0]",
    "a list as a number": "cf + 1",
    "comparison of lists": "cf < 1",
    "membership": "1 if 1 in cf else 0",
    "identity": "1 if 1 is 1 else 0",
    "inversion": "~1",
    "missing input": "gone * 2",
    "missing argument": "npv(0.1)",
    "too many arguments": "crf(1, 2, 3)",
    "unknown keyword": "crf(rate=1, periods=2)",
    "an argument twice": "crf(1, rate=2, n=3)",
    "a list for a number argument": "crf(cf, 2)",
    "a number for a list argument": "irr(3)",
    "text in an input": "text + 1",
    "not a number in an input": "nan + 1",
    "text in a list": "sum(words)",
    "a mapping": "box + 1",
    "the least of nothing": "min([])",
    "the least of lists": "min(cf, 1)",
    "a rate of less than everything": "npv(-2, cf)",
    "no rate at all": "irr([1, 2])",
    "no life": "straight_line(1, 0, 0)",
    "time that runs back": "young(-1, 5)",
    "never done": "t_wall_expected(1, 1e6, 1, 1, 1)",
}
INPUTS: dict[str, Any] = {"cf": [-1, 2], "text": "many", "nan": float("nan"), "words": ["a"], "box": {"a": 1}}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_expression_is_an_error_of_its_case(name: str) -> None:
    found = outcome(case(HOSTILE[name], 1.0, **INPUTS), {})
    assert found.status == BROKEN, found
    assert found.detail
    assert len(found.detail) < 400


def test_the_functions_are_named_where_another_is_called() -> None:
    found = outcome(case("open(0)", 1.0), {})
    assert "`open` cannot be called here; the functions are abs, availability_opt, " in found.detail


LATER = {
    "a function that there is not": case("mirr(cf, 0.1, 0.2)", 1.0, cf=[-1, 2]),
    "a quantity that there is not": case("loss_after", 1.0, n=3),
    "a kind that there is not": case("1 + 1", 2.0, kind="interval"),
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_not_known_is_listed_and_does_not_fail(name: str) -> None:
    found = outcome(LATER[name], {})
    assert found.status == NOT_YET
    assert found.detail.startswith("no function")


MEMORY = {
    "id": "llama",
    "kind": "params",
    "formula": "params",
    "inputs": {"h": 4096, "heads": 32, "kv_heads": 8, "layers": 32, "ff": 14336, "vocab": 128256},
    "expected": {"value": 8030261248, "unit": "parameters"},
    "tolerance": {"rel": 0.0},
}
MONEY: dict[str, Any] = {"id": "loan", "kind": "agree", "formula": "pmt(0.075/12, 180, pv)", "inputs": {"pv": 2e5}}
MONEY |= {"expected": -1854.02472, "tolerance": 1e-6}
WRONG = MONEY | {"id": "wrong", "expected": -1855}
ERROR = MONEY | {"id": "error", "kind": PUBLISHED_ERROR, "expected": -1855, "tolerance": 1e-6, "note": "a slip"}
REPEATED = ERROR | {"id": "repeated", "expected": -1854.02472}
UNKNOWN = MONEY | {"id": "unknown", "formula": "mirr(pv)"}
BAD = MONEY | {"id": "bad", "formula": "pv.real"}


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ([MEMORY, MONEY, ERROR], 0),
        ([MEMORY, MONEY, UNKNOWN], 3),
        ([MEMORY, WRONG, UNKNOWN], 1),
        ([MONEY, REPEATED], 1),
        ([MONEY, BAD], 1),
        ([WRONG | {"scored": False}, MONEY], 0),
    ],
    ids=["mixed and right", "unknown function", "wrong", "repeats a published error", "refused expression", "not scored"],
)
def test_a_mixed_file(tmp_path: Path, cases: list[dict[str, Any]], code: int) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(yaml.safe_dump({"schema": 1, "cases": cases}), encoding="utf-8")
    assert main([str(path)]) == code


# a function of the cases -> the one that the calculators import, where that is a part of it
PARTS = {"irr": "irr_roots", "pmt": "crf"}
IMPORTED = [
    (discount, "npv"),
    (discount, "irr"),
    (annuity, "pmt"),
    (annuity, "crf"),
    (depreciation, "straight_line"),
    (energy, "energy_kwh"),
    (checkpoints, "young"),
    (checkpoints, "daly_first"),
    (checkpoints, "daly_high"),
    (checkpoints, "availability_opt"),
    (checkpoints, "t_wall_expected"),
]


@pytest.mark.parametrize(("module", "name"), IMPORTED, ids=[name for _, name in IMPORTED])
def test_what_the_cases_call_is_what_the_calculators_call(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for id in registry.ids():
        registry.find(id)
    part = PARTS.get(name, name)
    used = getattr(module, part)
    homes = [m for m in list(sys.modules.values()) if m.__name__.startswith("calculators.") and m is not module]
    assert any(getattr(m, part, None) is used for m in homes), f"no calculator imports {part}"
    if part != name:
        before = getattr(module, name)
        monkeypatch.setattr(module, part, lambda *_: pytest.fail("reached"))
        with pytest.raises(pytest.fail.Exception, match="reached"):
            before(*([[-1, 2]] if name == "irr" else [0.1, 2, 3]))
