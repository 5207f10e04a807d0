"""`python -m sitebuild.accuracy [FILE] [--json]`: prints the cases, then the summary; the exit code says how it went.

0: every scored case is within its tolerance · 1: one is not, or cannot be computed from its inputs · 2: the file cannot be
read · 3: nothing failed, but for some kinds there is no function yet.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from sitebuild.accuracy.cases import CasesError, read
from sitebuild.accuracy.run import as_data, case_line, evaluate, exceptions, exit_code, summary, summary_lines

DEFAULT = Path(__file__).resolve().parents[2] / "tests" / "cases" / "memory.yaml"
EXIT_UNREADABLE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sitebuild.accuracy", description="Recompute published cases.")
    parser.add_argument("file", nargs="?", type=Path, default=DEFAULT, help="a YAML file of cases (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    given = parser.parse_args(arguments)
    try:
        outcomes = evaluate(read(given.file), exceptions())
    except CasesError as e:
        print(e, file=sys.stderr)
        return EXIT_UNREADABLE
    if given.json:
        print(json.dumps(as_data(outcomes), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join([*(case_line(o) for o in outcomes), "", *summary_lines(summary(outcomes))]))
    return exit_code(outcomes)


if __name__ == "__main__":
    sys.exit(main())
