"""From opening a page to the first live answer: ours beside plain Pyodide.

In: the rows that are wanted. Out: their figures. What several rows share is measured once: in one round each side has a
session with a fresh profile, side by side with the others, and the order turns round from one round to the next.

ours   navigation start -> a changed input's answer from Python stands in a calculator's page; the reader turns to the form
       as soon as it listens, and types
plain  the same answer in a bare page that calls `loadPyodide()` from its first script, from the same server
file   ours, opened from the offline folder
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figure, ratio
from tests.bench.place import Place
from tests.bench.server import Line
from tests.bench.visits import Setting, Visit, session

LOOPBACK = Setting()
SLOW_LINE = Setting(line=Line(mbps=9, rtt_ms=60))
SLOW_CPU = Setting(cpu=4)
FIREFOX = Setting(browser="firefox")
COLD, NEXT, WARM = "cold", "next", "warm"
ORDER = (COLD, NEXT, WARM)


@dataclass(frozen=True, slots=True)
class Start:
    """One row: `side`'s visit over the plain page's, both in one setting."""

    setting: Setting = LOOPBACK
    side: str = "ours"
    visit: str = COLD


ROWS = {
    "start_cold": Start(),
    "start_warm": Start(visit=WARM),
    "start_next_page": Start(visit=NEXT),
    "start_slow_line": Start(SLOW_LINE),
    "start_slow_cpu": Start(SLOW_CPU),
    "start_cold_firefox": Start(FIREFOX),
    "start_file": Start(side="file"),
    "start_file_firefox": Start(FIREFOX, side="file"),
}


def measure(place: Place, keys: Iterable[str], runs: int) -> dict[str, Figure]:
    """The figures of these rows."""
    wanted = {key: ROWS[key] for key in keys}
    figures = {}
    for setting in dict.fromkeys(row.setting for row in wanted.values()):
        rows = {key: row for key, row in wanted.items() if row.setting == setting}
        times = _rounds(place, setting, list(rows.values()), runs)
        for key, row in rows.items():
            # A page from a folder has no plain counterpart there: it is compared with the cold start over loopback.
            figures[key] = ratio(times[row.side, row.visit], times["plain", COLD if row.side == "file" else row.visit])
    return figures


def _rounds(place: Place, setting: Setting, rows: Sequence[Start], runs: int) -> dict[tuple[str, str], list[float]]:
    visits = [v for v in ORDER if v == COLD or any(r.visit == v for r in rows)]
    sides = {side: visits if side == "ours" else [COLD] for side in dict.fromkeys(r.side for r in rows)} | {"plain": visits}
    times: dict[tuple[str, str], list[float]] = {(side, v): [] for side, its in sides.items() for v in its}
    for run in range(runs):
        for side in list(sides)[:: -1 if run % 2 else 1]:
            found = session(place.server, setting, [_visit(place, side, v) for v in sides[side]])
            for visit, one in zip(sides[side], found, strict=True):
                times[side, visit].append(one.result["answer"])
    return times


def _visit(place: Place, side: str, visit: str) -> Visit:
    """The next page of a visit is another calculator in the same tab; a warm visit is the first page in a new one."""
    n = 1 if visit == NEXT else 0
    address = {"ours": place.page, "plain": place.plain, "file": place.file}[side](n)
    return Visit(address, place.tasks[n].probe(), same=visit == NEXT)
