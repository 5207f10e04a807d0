"""The shell side: `make help`, and the search for a Python 3.13."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIND = ROOT / "tools" / "find-python.sh"
TOOLS = ("sh", "sed", "grep", "tail", "ls", "sort", "mktemp", "rm", "cat", "dirname")
BASE = Path(sys.base_prefix) / "bin" / "python3.13"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH with the shell's own tools and no Python at all."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = next(path for path in (Path("/bin"), Path("/usr/bin")) if (path / name).exists())
        (folder / name).symlink_to(found / name)
    return folder


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def find_python(machine: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(machine), "HOME": str(machine.parent)} | variables
    return subprocess.run(["/bin/sh", FIND], env=environment, capture_output=True, text=True, check=False)


def test_a_shim_that_fails_is_passed_over_for_pyenvs_newest(machine: Path) -> None:
    script(machine / "python3.13", "echo 'pyenv: python3.13: command not found' >&2; exit 127")
    versions = machine.parent / ".pyenv" / "versions"
    script(versions / "3.13.9" / "bin" / "python3.13", "exit 1")
    script(versions / "3.13.10" / "bin" / "python3.13", f'exec {BASE} "$@"')
    found = find_python(machine)
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == str(BASE)


def test_python3_is_taken_where_it_is_the_right_one(machine: Path) -> None:
    script(machine / "python3", f'exec {BASE} "$@"')
    assert find_python(machine).stdout.strip() == str(BASE)


def test_an_active_environment_is_looked_through(machine: Path) -> None:
    found = find_python(machine, PYTHON=sys.executable)
    assert found.stdout.strip() == str(BASE)


def test_a_uv_on_the_path_is_asked(machine: Path) -> None:
    script(machine / "uv", f'case "$*" in "python install 3.13") ;; *find*) echo {BASE} ;; *) exit 1 ;; esac')
    assert find_python(machine).stdout.strip() == str(BASE)


def test_none_found_says_what_was_tried_and_how_to_mend(machine: Path) -> None:
    script(machine / "python3", "echo 'is Python 3.9'; exit 1")
    script(machine / "uv", "echo 'no network' >&2; exit 2")
    found = find_python(machine, PYTHON="/nowhere/python")
    assert found.returncode == 1
    assert found.stdout == ""
    for words in ("/nowhere/python", "is Python 3.9", "no network", "uv from PyPI", "make setup PYTHON="):
        assert words in found.stderr


def test_help_tells_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (declared,) = re.findall(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)
    shown = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert re.findall(r"^  make (\S+) +\S", shown, flags=re.MULTILINE) == declared.split()
