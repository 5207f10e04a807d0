"""Writing only what changed, so that later steps and browsers can tell by a file's time what is new.

In: contents or folders. Out: files, and which of them are new, changed or gone.
"""

import fcntl
import filecmp
import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Changes:
    """Relative POSIX paths, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def write(path: Path, content: str | bytes) -> bool:
    """Write `content` unless the file already holds it; says whether it wrote."""
    data = content.encode() if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # the old file may be shared with another folder by a hard link
    path.write_bytes(data)
    return True


def listing(folder: Path) -> list[str]:
    """Every file under `folder`, as sorted relative POSIX paths."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def mirror(source: Path, target: Path, keep: Iterable[str] = ()) -> Changes:
    """Make `target` hold the files of `source`; `keep` names files of `target` that another step owns."""
    wanted = listing(source)
    present = set(listing(target)) if target.is_dir() else set()
    added: list[str] = []
    changed: list[str] = []
    for name in wanted:
        here, there = source / name, target / name
        if name not in present:
            added.append(name)
        elif filecmp.cmp(here, there, shallow=False):
            continue
        else:
            changed.append(name)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(here, there)
    removed = sorted(present - set(wanted) - set(keep))
    for name in removed:
        (target / name).unlink()
    prune(target)
    return Changes(tuple(added), tuple(changed), tuple(removed))


def link(source: Path, target: Path) -> None:
    """The same file at a second place; a copy where the file system has no hard links."""
    if target.exists() and source.samefile(target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def prune(folder: Path) -> None:
    """Remove folders that hold nothing."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def digest(paths: Iterable[Path], length: int = 10) -> str:
    """A short name for the contents of some files, names included."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:length]


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One build at a time in a folder: a second one waits, since both would write the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
