"""YAML files -> a checked `Catalog`, or all that is wrong with them.

In: a folder with one sub-folder per collection of `catalog.model` and one YAML file per record in it.
Out: `load` gives the catalog or raises `CatalogErrors`; `check` gives the problems, each with file, line and mend.
Only what JSON also has is taken from YAML (mappings, lists, scalars): no anchors, no tags, no YAML 1.1 surprises such as
`no` for false. The clock is read at this edge, once, to refuse dates in the future.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import yaml

from catalog import check as rules
from catalog.document import Document, Node, Scalar
from catalog.entry import Entry
from catalog.fields import check_fields
from catalog.model import COLLECTIONS, Catalog, plain, record
from catalog.problems import CatalogErrors, Problem, closest, one_of

__all__ = ["CatalogErrors", "Problem", "check", "load"]

CATALOG = Path(__file__).parent
LARGEST_FILE = 256 * 1024
DEEPEST = 12
FILE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.yaml")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.?(nan|inf(inity)?)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_TAB_INDENT = re.compile(r"^ *\t", re.MULTILINE)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where it is built in: the same events, sooner
_SYNTAX_MENDS = (
    ("mapping values are not allowed", "Put text that contains `: ` in quotes."),
    ("cannot start any token", "Put text that begins with @, `, % or another sign in quotes."),
    ("end of stream", "Close the quote, the bracket or the brace that was opened here."),
    ("unknown escape", "Use single quotes around text with backslashes."),
    ("expected", "Check the brackets, the commas and that lines of one mapping begin in the same column."),
)


def load(path: str | Path | None = None, today: date | None = None) -> Catalog:
    """The catalog under `path` (default: this package's own), or `CatalogErrors` with everything that is wrong."""
    read = _read(Path(path) if path else CATALOG, today or _today())
    if read.problems:
        raise CatalogErrors(read.problems)
    return _catalog({c: {e.document.id: e.record for e in entries} for c, entries in read.entries.items()})


def check(path: str | Path | None = None, today: date | None = None) -> list[Problem]:
    """What is wrong under `path`, in file and line order. For one file: its own problems, in the light of its catalog."""
    given = Path(path) if path else CATALOG
    if given.is_file() and given.parent.name in COLLECTIONS:
        whole = _read(given.parent.parent, today or _today()).problems
        return sorted(p for p in whole if p.path == _shown(given))
    return sorted(_read(given, today or _today()).problems)


def _today() -> date:
    """The contributor's day: a file dated today in Shanghai is not from the future."""
    return datetime.now().astimezone().date()


@dataclass(frozen=True, slots=True)
class _Read:
    entries: dict[str, list[Entry]]
    problems: list[Problem]


def _read(root: Path, today: date) -> _Read:
    problems: list[Problem] = []
    entries: dict[str, list[Entry]] = {name: [] for name in COLLECTIONS}
    broken: set[tuple[str, str]] = set()
    for collection, file in _files(root, problems):
        document = _document(file, collection, problems)
        if document is None:
            broken.add((collection, file.stem))
            continue
        data, found = check_fields(COLLECTIONS[collection], document, today)
        if not found and data["id"] != document.id:
            found = [
                Problem(
                    document.path,
                    document.line("id"),
                    f"`id` {data['id']} is not the file's name, {document.id}",
                    f"Write `id: {document.id}`, or rename the file to {data['id']}.yaml.",
                )
            ]
        if found:
            problems += found
            broken.add((collection, document.id))
        else:
            entries[collection].append(Entry(document, record(COLLECTIONS[collection], data)))
    problems += rules.problems(entries, broken)
    return _Read(entries, problems)


def _catalog(parts: dict[str, dict[str, Any]]) -> Catalog:
    content = {name: [plain(r) for r in records.values()] for name, records in parts.items()}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, allow_nan=False)
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Catalog(version=version, date=max(_days_read(content), default=""), **cast(Any, parts))


def _days_read(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "read":
                yield inner
            else:
                yield from _days_read(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _days_read(inner)


def _shown(file: Path) -> str:
    """A path as the contributor would type it: relative to where they stand, when it lies below."""
    whole, here = file.absolute(), Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def _files(root: Path, problems: list[Problem]) -> Iterator[tuple[str, Path]]:
    """The record files, in the order of their names; what else lies about becomes a problem."""
    if not any((root / name).is_dir() for name in COLLECTIONS):
        problems.append(Problem(_shown(root), 1, "no catalog is here", f"Give a folder that holds {one_of(COLLECTIONS)}."))
        return
    beside = ((file, _beside_collections(file)) for file in sorted(root.iterdir()))
    problems += [Problem(_shown(file), 1, *refusal) for file, refusal in beside if refusal]
    for collection in COLLECTIONS:
        folder = root / collection
        for file in sorted(folder.iterdir()) if folder.is_dir() else ():
            if file.name.startswith("."):
                continue
            if refusal := _in_collection(file):
                problems.append(Problem(_shown(file), 1, *refusal))
            else:
                yield collection, file


def _beside_collections(file: Path) -> tuple[str, str] | None:
    """Message and mend for what does not belong next to the collections, where the package's own code lives too."""
    if file.name in COLLECTIONS or file.name.startswith((".", "__")) or file.suffix in (".py", ".md", ".typed"):
        return None
    if not file.is_dir():
        return f"stray file {file.name} beside the collections", f"Move it into {one_of(COLLECTIONS)}."
    near = closest(file.name, COLLECTIONS)
    mend = f"Did you mean `{near}`?" if near else f"Collections are: {', '.join(COLLECTIONS)}."
    return f"unknown folder {file.name}/ in the catalog", mend


def _in_collection(file: Path) -> tuple[str, str] | None:
    """Message and mend for what is not a record's file."""
    folder = file.parent.name
    if file.is_symlink():
        return "a symbolic link stands where a record is expected", "Put the file itself here."
    if file.is_dir():
        return f"stray folder in {folder}/", "Collections are flat: move its files up, or delete it."
    if file.suffix.lower() in (".yml", ".json", ".yaml") and file.suffix != ".yaml":
        return f"wrong extension {file.suffix}", f"Rename the file to {file.stem}.yaml."
    if file.suffix != ".yaml":
        return f"stray file in {folder}/", "Only .yaml records live here: move or delete it."
    if not FILE_NAME.fullmatch(file.name):
        kebab = "-".join(re.findall(r"[a-z0-9]+", file.stem.lower())) or "a-short-name"
        message = f"file name {file.name} is not lowercase letters and digits joined by hyphens"
        return message, f"Rename it to {kebab}.yaml and write the same `id`."
    return None


def _document(file: Path, collection: str, problems: list[Problem]) -> Document | None:
    """One file -> its document, or None after noting why it cannot be read."""
    shown = _shown(file)
    try:
        root = _parse(file.read_bytes())
    except _UnreadableError as error:
        problems.append(Problem(shown, error.line, error.message, error.mend))
        return None
    return Document(shown, collection, file.stem, root)


class _UnreadableError(Exception):
    """A file that cannot become a mapping; ends the reading of that file."""

    def __init__(self, line: int, message: str, mend: str) -> None:
        super().__init__(message)
        self.line, self.message, self.mend = line, message, mend


def _parse(content: bytes) -> Node:
    if len(content) > LARGEST_FILE:
        message = f"the file has {len(content)} bytes, more than {LARGEST_FILE}"
        raise _UnreadableError(1, message, "Keep one record in one small file.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _UnreadableError(line, "the file is not UTF-8", "Save it as UTF-8.") from None
    if not text.strip():
        raise _UnreadableError(1, "the file is empty", "Write the record, or delete the file.")
    for pattern, message, mend in (
        (_CONTROL, "a control character stands in the file", "Delete it; it is invisible in most editors."),
        (_TAB_INDENT, "a tab indents this line", "Indent with two spaces."),
    ):
        if found := pattern.search(text):
            raise _UnreadableError(text.count("\n", 0, found.start()) + 1, message, mend)
    try:
        return _Composer(text).document()
    except yaml.MarkedYAMLError as error:
        opened = "quoted" in (error.context or "") or "flow" in (error.context or "")  # then the opening line is to blame
        marks = (error.context_mark if opened else None, error.problem_mark, error.context_mark)
        # what is missing at the end is marked on the line after the last one
        line = min(next((mark.line + 1 for mark in marks if mark), 1), len(text.splitlines()))
        said = " ".join(filter(None, (error.context, error.problem)))
        mend = next((m for key, m in _SYNTAX_MENDS if key in said), "Check the colon after each key and the indentation.")
        raise _UnreadableError(line, f"this is not YAML: {said}", mend) from None
    except yaml.YAMLError as error:
        raise _UnreadableError(1, f"this is not YAML: {error}", "Save it as plain UTF-8 text.") from None


class _Composer:
    """Parser events -> one `Node` tree. Written out so that each refused construct is named at its own line."""

    def __init__(self, text: str) -> None:
        self.events = iter(yaml.parse(text, Loader=_LOADER))
        self.event: Any = next(self.events)

    def next(self) -> Any:
        current, self.event = self.event, next(self.events, None)
        return current

    def ahead(self, kind: type) -> bool:
        return isinstance(self.event, kind)

    def document(self) -> Node:
        self.next()
        if not self.ahead(yaml.DocumentStartEvent):
            raise _UnreadableError(1, "the file holds only comments", "Write the record, or delete the file.")
        self.next()
        root = self.node(0)
        self.next()
        if self.ahead(yaml.DocumentStartEvent):
            raise _UnreadableError(
                _line(self.event), "a second document begins here", "Keep one record in a file; delete the `---`."
            )
        if not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else f"the bare text {root.text!r}"
            raise _UnreadableError(root.line, f"the file holds {what}, not fields", "Write one `key: value` a line.")
        return root

    def node(self, depth: int) -> Node:
        event = self.next()
        line = _line(event)
        if depth > DEEPEST:
            raise _UnreadableError(line, f"values are nested more than {DEEPEST} deep", "Flatten the record.")
        if isinstance(event, yaml.AliasEvent):
            mend = "Write the value out; quote text that begins with *."
            raise _UnreadableError(line, f"the alias *{event.anchor} is refused", mend)
        if event.anchor:
            raise _UnreadableError(line, f"the anchor &{event.anchor} is refused", "Delete it; quote text that begins with &.")
        if event.tag:
            raise _UnreadableError(line, f"the YAML tag {event.tag} is refused", "Delete it; quote text that begins with !.")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value, line, quoted=event.style not in (None, ""))
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not self.ahead(yaml.SequenceEndEvent):
                items.append(self.node(depth + 1))
            self.next()
            return Node(items, line)
        return Node(self.pairs(depth), line)

    def pairs(self, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        while not self.ahead(yaml.MappingEndEvent):
            key = self.node(depth + 1)
            if isinstance(key.value, list | dict) or not key.text:
                raise _UnreadableError(key.line, "a key is not a word", "Write `key: value`, with a field's name as the key.")
            if key.text in found:
                raise _UnreadableError(
                    key.line,
                    f"the key `{key.text}` stands twice, first on line {found[key.text].line}",
                    "Keep one of them.",
                )
            found[key.text] = replace(self.node(depth + 1), line=key.line)
        self.next()
        return found


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _scalar(text: str, line: int, quoted: bool) -> Node:
    value: Scalar = text
    if not quoted:
        if text in ("", "~", "null", "Null", "NULL"):
            value = None
        elif text.lower() in ("true", "false"):
            value = text.lower() == "true"
        elif _INTEGER.fullmatch(text) and len(text) < 19:
            value = int(text)
        elif _FLOAT.fullmatch(text):
            value = float(text)
        elif _NOT_FINITE.fullmatch(text):
            value = float(text.replace(".", ""))
    return Node(value, line, text, quoted)
