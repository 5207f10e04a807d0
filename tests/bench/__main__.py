"""`make bench`: every figure of the guide's speed and size, measured in this machine's browsers.

In: the repository; `--runs`, `--only key,key`. Out: build/bench.json, and one line a figure on standard output. With `--only` the
other figures that the file holds are dropped: a file is one run.

`python -m tests.bench [--runs 9] [--only start_cold,page_kb] [--no-build] [--out FILE]`
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError

from sitebuild.layout import Layout
from tests.bench import machine, rows, starts
from tests.bench.figures import Figure
from tests.bench.place import NotBuilt, Place, place, update
from tests.bench.visits import VisitFailed

RUNS = 9
KEYS = (*starts.ROWS, *rows.ROWS)


def measure(here: Place, keys: Sequence[str], runs: int) -> dict[str, Figure]:
    """The figures, in the order of KEYS."""
    found = starts.measure(here, [key for key in keys if key in starts.ROWS], runs)
    for key, figure in found.items():
        print(figure.line(key), flush=True)
    for key in (key for key in keys if key in rows.ROWS):
        found[key] = rows.ROWS[key](here, runs)
        print(found[key].line(key), flush=True)
    return found


def keys(text: str) -> list[str]:
    """The rows named on the command line."""
    asked = text.split(",")
    for key in asked:
        if key not in KEYS:
            raise argparse.ArgumentTypeError(f"{key} is none of {', '.join(KEYS)}")
    return asked


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 with the reason where something could not be measured."""
    layout = Layout()
    parser = argparse.ArgumentParser(prog="tests.bench", description="Measure speed and size into build/bench.json.")
    parser.add_argument("--runs", type=int, default=RUNS, help="samples a figure, where chance has a part in it")
    parser.add_argument("--only", type=keys, default=list(KEYS), help="figures to measure, joined by commas")
    parser.add_argument("--no-build", action="store_true", help="measure what is built, as it is")
    parser.add_argument("--out", type=Path, default=layout.build / "bench.json")
    asked = parser.parse_args(argv)
    begun = machine.machine()
    try:
        if not asked.no_build:
            update(layout)
        with place(layout) as here:
            figures = measure(here, asked.only, asked.runs)
            versions = machine.versions(here.catalog)
    except (CalledProcessError, NotBuilt, VisitFailed) as error:
        print(error, file=sys.stderr)
        return 1
    told = {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": begun,
        "versions": versions,
        "figures": {key: figure.data() for key, figure in figures.items()},
    }
    asked.out.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"written  {asked.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
