"""Cases -> outcomes, lines to print and an exit code. In: a list of `Case`. Out: `Outcome` records, text, a number."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import yaml

from sitebuild.accuracy.adapter import compute
from sitebuild.accuracy.cases import Case, CasesError
from sitebuild.accuracy.expressions import PUBLISHED_ERROR
from sitebuild.accuracy.fields import NoFunction

EXCEPTIONS = Path(__file__).with_name("exceptions.yaml")
# the value agrees, differs from a published figure that is wrong, is outside its tolerance (or repeats such a figure), is outside
# for a listed reason, is not scored, cannot be computed from these inputs, has no function yet
OK, REFUTED, OUT, EXCEPTION, REPORTED, BROKEN, NOT_YET = (
    "ok",
    "not reproduced",
    "out of tolerance",
    "exception",
    "reported",
    "error",
    "not yet computed",
)
ROUNDING = 1e-12
EXIT_OK, EXIT_OUT, EXIT_NOT_YET = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case. `error` is relative to the published value; absolute where that is 0."""

    id: str
    kind: str
    scored: bool
    expected: int | float
    computed: int | float | None
    error: float | None
    tolerance: float
    unit: str
    status: str
    detail: str


def exceptions(path: Path = EXCEPTIONS) -> dict[str, str]:
    """Case id -> reason and source. Raises CasesError for an entry without either."""
    data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    found = {}
    for entry in data.get("exceptions") or []:
        missing = [name for name in ("id", "reason", "source") if not entry.get(name)]
        if missing:
            raise CasesError(f"{path}: the exception {entry.get('id', '?')} has no `{missing[0]}`; add it")
        found[str(entry["id"])] = f"{entry['reason']} ({entry['source']})"
    return found


def relative_error(computed: float, expected: float) -> float:
    """(computed - expected) / expected; exact for integers however large."""
    return float(computed - expected) / abs(expected) if expected else float(computed)


def outcome(case: Case, excused: dict[str, str]) -> Outcome:
    """Recomputes one case. Never raises for what a case holds."""
    computed: float | None = None
    error: float | None = None
    try:
        found = compute(case.formula, case.inputs, case.kind)
        off = relative_error(found, case.expected)
    except NoFunction as e:
        status, detail = NOT_YET, str(e)
    except (ValueError, TypeError, ArithmeticError, LookupError) as e:
        status, detail = BROKEN, str(e) or type(e).__name__
    else:
        if isfinite(found):
            computed, error = found, off
            status, detail = _verdict(case, found, off, excused)
        else:
            status, detail = BROKEN, "the result is not a finite number"
    if not case.scored and status in (OK, REFUTED, OUT, EXCEPTION):
        status = REPORTED
    return Outcome(
        id=case.id,
        kind=case.kind,
        scored=case.scored,
        expected=case.expected,
        computed=computed,
        error=error,
        tolerance=case.tolerance,
        unit=case.unit,
        status=status,
        detail=detail,
    )


def _verdict(case: Case, computed: float, error: float, excused: dict[str, str]) -> tuple[str, str]:
    """Status and what to say. A published error is right when it is not reproduced."""
    close = computed == case.expected or abs(error) <= case.tolerance + (0.0 if _exact(case, computed) else ROUNDING)
    if case.kind == PUBLISHED_ERROR:
        return (OUT, "the published figure is wrong, and is reproduced") if close else (REFUTED, case.note)
    if close:
        return OK, ""
    return (EXCEPTION, excused[case.id]) if case.id in excused else (OUT, "")


def _exact(case: Case, computed: float) -> bool:
    """A count that must be met to the last unit: no allowance for rounding."""
    return case.tolerance == 0 and isinstance(case.expected, int) and isinstance(computed, int)


def evaluate(cases: Iterable[Case], excused: dict[str, str]) -> list[Outcome]:
    """All outcomes, in the order of the file."""
    return [outcome(case, excused) for case in cases]


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """1: a scored case is outside its tolerance or cannot be computed from its inputs; 3: only kinds without a function are
    left; else 0."""
    found = list(outcomes)
    if any(o.scored and o.status in (OUT, BROKEN) for o in found):
        return EXIT_OUT
    return EXIT_NOT_YET if any(o.status == NOT_YET for o in found) else EXIT_OK


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.8g}"


def case_line(o: Outcome) -> str:
    """id, expected, computed, error, status of one case."""
    error = "-" if o.error is None else f"{o.error:+.4%}"
    unit = f" {o.unit}" if o.unit else ""
    mark = o.status if o.status in (OK, REFUTED, REPORTED) else o.status.upper()
    line = f"{o.id}  expected {_number(o.expected)}{unit}  computed {_number(o.computed)}  error {error}  {mark}"
    return f"{line}: {o.detail}" if o.detail else line


def scored_errors(outcomes: Iterable[Outcome]) -> list[float]:
    """Sizes of the errors that count: how far off a figure is that is wrong says nothing about ours."""
    return [abs(o.error) for o in outcomes if o.error is not None and o.scored and o.kind != PUBLISHED_ERROR]


def summary(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """One row per kind, in order of appearance, and `total`."""
    found = list(outcomes)
    rows = []
    for kind in [*dict.fromkeys(o.kind for o in found), "total"]:
        here = [o for o in found if kind in (o.kind, "total")]
        errors = scored_errors(here)
        rows.append(
            {
                "kind": kind,
                "cases": len(here),
                "ok": sum(o.status in (OK, REFUTED) for o in here),
                "out": sum(o.status == OUT for o in here),
                "exceptions": sum(o.status == EXCEPTION for o in here),
                "reported": sum(o.status == REPORTED for o in here),
                "errors": sum(o.status == BROKEN for o in here),
                "not_yet_computed": sum(o.status == NOT_YET for o in here),
                "worst_scored_error": max(errors) if errors else None,
            }
        )
    return rows


def summary_lines(rows: Iterable[dict[str, Any]]) -> list[str]:
    """The summary as a table of text; what is not yet computed is said, not left out."""
    lines = [
        f"{'kind':<24}{'cases':>6}{'ok':>6}{'out':>6}{'except':>8}{'report':>8}{'error':>7}{'not yet':>9}  worst scored error"
    ]
    for r in rows:
        worst = "-" if r["worst_scored_error"] is None else f"{r['worst_scored_error']:.4%}"
        counts = f"{r['cases']:>6}{r['ok']:>6}{r['out']:>6}{r['exceptions']:>8}{r['reported']:>8}{r['errors']:>7}"
        rest = "  (not yet computed)" if r["not_yet_computed"] == r["cases"] else ""
        lines.append(f"{r['kind']:<24}{counts}{r['not_yet_computed']:>9}  {worst}{rest}")
    return lines


def as_data(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Cases, summary and exit code as plain data."""
    found = list(outcomes)
    return {"cases": [asdict(o) for o in found], "summary": summary(found), "exit": exit_code(found)}
