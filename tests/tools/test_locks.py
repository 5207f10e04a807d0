"""The lock files: everything pinned and hashed, no host named, and each version in one place."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = [
    "requirements.txt",
    "tools/requirements-build.txt",
    "tools/requirements-node.txt",
    "tools/requirements-uv.txt",
]


def pins(text: str) -> dict[str, str]:
    """Name -> version of the lines of a requirements file."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, flags=re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): pinned for name, pinned in found}


@pytest.mark.parametrize("name", LOCKS)
def test_python_lock(name: str) -> None:
    lock = (ROOT / name).read_text()
    lines = [line for line in lock.splitlines() if line and not line.startswith("#")]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith(" "):
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)
        else:
            assert "==" in line
            assert following.startswith("    --hash=")
    source = pins((ROOT / name).with_suffix(".in").read_text())
    assert source
    assert source.items() <= pins(lock).items(), f"{name} is older than its source: run `make lock`"
    assert "://" not in lock


def test_npm_lock() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())
    own = lock["packages"].pop("")
    for kind in ("dependencies", "devDependencies"):
        assert own[kind] == package[kind], "package-lock.json is older than package.json: run `make lock`"
        assert all(re.fullmatch(r"\d+\.\d+\.\d+", pinned) for pinned in package[kind].values())
    for name, entry in lock["packages"].items():
        assert "resolved" not in entry, name
        assert entry["integrity"].startswith("sha512-"), name
    assert "://" not in (ROOT / "package-lock.json").read_text()


def test_the_build_tool_is_pinned_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = pins((ROOT / "tools/requirements-build.in").read_text())
    assert project["build-system"]["requires"] == [f"setuptools=={build['setuptools']}"]


def test_the_version_is_written_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert version("gpu-server-guide") == project["version"]
    assert "version" not in json.loads((ROOT / "package.json").read_text())
