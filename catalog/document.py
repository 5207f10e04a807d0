"""A catalog file as read: plain values that remember their lines.

`catalog.load` makes these from YAML; `catalog.fields` and `catalog.check` read them to point at the offending line.
"""

from dataclasses import dataclass

type Scalar = str | int | float | bool | None
type Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A value. `line` is where its key stands (or the item, in a list), `text` a scalar exactly as written."""

    value: "Scalar | list[Node] | dict[str, Node]"
    line: int
    text: str = ""
    quoted: bool = False

    def child(self, key: str | int) -> "Node | None":
        """The value under a key of a mapping, or at a place in a list, where there is one."""
        if isinstance(self.value, dict):
            return self.value.get(str(key))
        if isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            return self.value[key]
        return None


@dataclass(frozen=True, slots=True)
class Document:
    """One file: `path` as shown to the contributor, `id` its name without .yaml, `root` a mapping."""

    path: str
    collection: str
    id: str
    root: Node

    def line(self, *keys: str | int) -> int:
        """The line of a field, or of the innermost part of the way to it that is written."""
        node, line = self.root, 1
        for key in keys:
            found = node.child(key)
            if found is None:
                break
            node, line = found, found.line
        return line


def dotted(keys: Path) -> str:
    """A field's way as shown to people, items counted from 1: `peaks[2].rate.value`."""
    shown = ""
    for key in keys:
        shown += f"[{key + 1}]" if isinstance(key, int) else f".{key}" if shown else key
    return shown
