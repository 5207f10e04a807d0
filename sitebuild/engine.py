"""Runs MkDocs: one process a language, side by side.

In: a configuration and the Markdown it names. Out: HTML in build/html/<target>, and the engine's warnings. Where only
some pages' Markdown changed, only these are made again and the search index is merged; anything that a page shares
with others (navigation, theme, configuration, the set of pages) makes the whole site again.

`python -m sitebuild.engine CONFIG FOLDER [--some]` is one such process.
"""

import argparse
import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from importlib import metadata
from pathlib import Path

from sitebuild import configs, files, search, theme
from sitebuild.layout import Layout

TARGETS = ("en", "zh")
OFFLINE = ("offline-en", "offline-zh")
CALCULATORS = re.compile(r"^calculators:", re.MULTILINE)
SHOWN = 12
"""Warnings printed where a build goes on in spite of them."""
ENGINE = ("mkdocs", "mkdocs-material", "markdown", "pymdown-extensions", "jieba")


class EngineError(Exception):
    """The engine stopped or warned; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Job:
    """One site to build, and how much of it."""

    target: str
    config: Path
    some: bool


@dataclass(frozen=True, slots=True)
class State:
    """What a target's HTML was made from: what all pages share, and each file by its content."""

    shared: str
    runtime: str
    pages: dict[str, str]

    def markdown(self) -> set[str]:
        """The pages alone, without the files beside them."""
        return {name for name in self.pages if name.endswith(".md")}


def environment(today: date) -> dict[str, str]:
    """No clock inside: sitemap dates and archive times are `today`'s."""
    epoch = int(datetime(today.year, today.month, today.day, tzinfo=UTC).timestamp())
    return {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "NO_MKDOCS_2_WARNING": "1", "PYTHONHASHSEED": "0"}


def build(layout: Layout, targets: Sequence[str], today: date, strict: bool = True) -> dict[str, str]:
    """Bring each target's HTML up to date; gives what was done for each: "nothing", "some pages" or "all pages"."""
    written = configs.write(layout)
    jobs: dict[str, Job] = {}
    done: dict[str, str] = {}
    states: dict[str, State] = {}
    for target in targets:
        now = _state(layout, written[target], target, today)
        before = _remembered(layout, target)
        states[target] = now
        if before == now:
            done[target] = "nothing"
            continue
        some = before is not None and before.shared == now.shared and before.markdown() == now.markdown()
        if some and before is not None:
            _freshen(layout, target, before, now)
        jobs[target] = Job(target, written[target], some)
        done[target] = "some pages" if some else "all pages"
    for target in jobs:
        _state_file(layout, target).unlink(missing_ok=True)  # a build that fails must not be taken for done
    said = _run(layout, list(jobs.values()), today)
    if said and strict:
        raise EngineError("\n".join(said))
    for line in said[:SHOWN]:
        print(line, file=sys.stderr)
    if len(said) > SHOWN:
        print(f"… and {len(said) - SHOWN} more", file=sys.stderr)
    if not said:
        for target in jobs:
            files.write(_state_file(layout, target), json.dumps(asdict(states[target]), indent=0))
    return done


def _run(layout: Layout, jobs: Sequence[Job], today: date) -> list[str]:
    """All jobs at once; gives their warnings. Raises EngineError where one stopped."""
    running = []
    for job in jobs:
        folder = layout.html / job.target
        command = [sys.executable, "-m", "sitebuild.engine", str(job.config), str(folder), *(["--some"] if job.some else [])]
        pipe = subprocess.PIPE
        running.append(
            (job, subprocess.Popen(command, cwd=layout.root, env=_with_code(today), text=True, stdout=pipe, stderr=pipe))
        )
    said: list[str] = []
    failed: list[str] = []
    for job, process in running:
        out, err = process.communicate()
        heard = out + err if process.returncode else out  # libraries chat on standard error while all goes well
        (failed if process.returncode else said).extend(f"{job.target}: {line}" for line in heard.splitlines() if line.strip())
    if failed:
        raise EngineError("\n".join(failed))
    return said


def _with_code(today: date) -> dict[str, str]:
    """The process runs in the built tree's root, which in tests is not the code's."""
    return {**environment(today), "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}


def _state_file(layout: Layout, target: str) -> Path:
    return layout.build / f"engine-{target}.json"


def _remembered(layout: Layout, target: str) -> State | None:
    path = _state_file(layout, target)
    if not path.is_file() or not (layout.html / target).is_dir():
        return None
    known = json.loads(path.read_text(encoding="utf-8"))
    return State(known["shared"], known["runtime"], known["pages"])


def _state(layout: Layout, config: Path, target: str, today: date) -> State:
    """What the target's HTML depends on: what its pages share, and each file."""
    lang = target.rsplit("-", 1)[-1]
    shared = [
        layout.config,
        config,
        layout.build / "mkdocs.en.yml",
        layout.build / "mkdocs.zh.yml",
        *(path for path in _files(layout.theme) if path.name != theme.RUNTIME),
    ]
    if lang == "zh" and layout.terms.is_file():
        shared.append(layout.terms)
    versions = " ".join(f"{name}={metadata.version(name)}" for name in ENGINE)
    total = f"{files.digest(shared, 32)} {versions} {today.isoformat()}"
    folder = layout.pages / lang
    pages = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16] for name in files.listing(folder)}
    return State(total, (layout.theme / theme.RUNTIME).read_text(encoding="utf-8"), pages)


def _freshen(layout: Layout, target: str, before: State, now: State) -> None:
    """What the engine cannot see by itself when it makes some pages: files that are gone, and a new Python runtime."""
    for name in before.pages.keys() - now.pages.keys():
        (layout.html / target / name).unlink(missing_ok=True)
    if before.runtime != now.runtime:
        folder = layout.pages / target.rsplit("-", 1)[-1]
        for name in now.markdown():
            if CALCULATORS.search((folder / name).read_text(encoding="utf-8").split("\n---\n")[0]):
                (folder / name).touch()


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


class _Said(logging.Handler):
    """Collects warnings; the one about building some pages only is what was asked for."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not message.startswith("A 'dirty' build"):
            self.lines.append(f"{record.levelname.lower()}: {message}")


def run(config_file: Path, folder: Path, some: bool) -> list[str]:
    """One build in this process; gives the engine's warnings."""
    # Here, so that planning a build does not load the engine.
    from mkdocs.commands.build import build as mkdocs_build  # noqa: PLC0415
    from mkdocs.config import load_config  # noqa: PLC0415

    said = _Said()
    logging.getLogger("mkdocs").addHandler(said)
    index = folder / "search" / "search_index.json"
    before = index.read_text(encoding="utf-8") if some and index.is_file() else None
    config = load_config(config_file=str(config_file), site_dir=str(folder))
    config.plugins.on_startup(command="build", dirty=some)
    try:
        mkdocs_build(config, dirty=some)
    finally:
        config.plugins.on_shutdown()
    if before is not None:
        index.write_text(search.merge(before, index.read_text(encoding="utf-8")), encoding="utf-8")
    if config_file.name.startswith("mkdocs.offline."):
        search.write_offline(folder)
    return said.lines


def bare_build(layout: Layout, today: date) -> float:
    """Seconds that `mkdocs build` alone takes for the same Markdown of both languages, one after the other.

    The pages, theme and Markdown extensions are ours; search is as it comes and none of our steps run.
    """
    written = configs.write(layout)
    begun = time.perf_counter()
    for lang in TARGETS:
        folder = layout.html / f"bare-{lang}"
        shutil.rmtree(folder, ignore_errors=True)
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(written[f"bare-{lang}"]), "-d", str(folder)]
        subprocess.run(command, cwd=layout.root, env=environment(today), check=True, capture_output=True)
    return time.perf_counter() - begun


def main(argv: Sequence[str] | None = None) -> int:
    """One process of `build`: prints warnings, nothing else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--some", action="store_true")
    asked = parser.parse_args(argv)
    for line in run(asked.config, asked.folder, asked.some):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
