"""`python -m sitebuild.accuracy [FILES] [--json]`: prints the cases, then the summary; the exit code says how it went.

0: every scored case is within its tolerance · 1: one is not, or cannot be computed from its inputs · 2: a file cannot be
read · 3: nothing failed, but for some kinds there is no function yet. `--write-bands` instead writes the errors by kind where
the calculators state them.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from sitebuild.accuracy import bands
from sitebuild.accuracy.cases import CasesError, published, read
from sitebuild.accuracy.run import as_data, case_line, evaluate, exceptions, exit_code, summary, summary_lines

EXIT_UNREADABLE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sitebuild.accuracy", description="Recompute published cases.")
    parser.add_argument("files", nargs="*", type=Path, help="YAML files of cases (default: those of tests/cases)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--write-bands", action="store_true", help=f"write {bands.PATH.name}, the errors that results state")
    given = parser.parse_args(arguments)
    if given.write_bands:
        bands.write()
        return 0
    try:
        outcomes = [o for file in given.files or published() for o in evaluate(read(file), exceptions())]
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
