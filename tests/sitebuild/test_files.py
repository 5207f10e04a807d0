"""Only what changed is written."""

import os
from pathlib import Path

from sitebuild import files


def fill(folder: Path, content: dict[str, str]) -> None:
    for name, text in content.items():
        files.write(folder / name, text)


def test_mirror_tells_what_is_new_changed_and_gone(tmp_path: Path) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    fill(source, {"a": "1", "b/c": "2", "b/d": "3"})
    assert files.mirror(source, target) == files.Changes(added=("a", "b/c", "b/d"))
    os.utime(target / "a", ns=(1, 1))
    fill(source, {"b/c": "changed", "e": "4"})
    (source / "b/d").unlink()
    assert files.mirror(source, target) == files.Changes(("e",), ("b/c",), ("b/d",))
    assert (target / "a").stat().st_mtime_ns == 1
    assert not files.mirror(source, target)


def test_mirror_leaves_other_steps_files_and_removes_empty_folders(tmp_path: Path) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    fill(source, {"a": "1"})
    fill(target, {"kept": "2", "gone/deep/x": "3"})
    files.mirror(source, target, keep=["kept"])
    assert files.listing(target) == ["a", "kept"]
    assert not (target / "gone").exists()


def test_write_does_not_change_the_other_end_of_a_hard_link(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    files.write(one, "first")
    files.link(one, two)
    assert files.write(two, "second")
    assert not files.write(two, "second")
    assert one.read_text() == "first"


def test_digest_names_contents_and_names(tmp_path: Path) -> None:
    fill(tmp_path, {"a": "1", "b": "2"})
    before = files.digest([tmp_path / "a", tmp_path / "b"])
    assert before == files.digest([tmp_path / "b", tmp_path / "a"])
    fill(tmp_path, {"b": "3"})
    assert before != files.digest([tmp_path / "a", tmp_path / "b"])
