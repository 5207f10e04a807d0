"""What an import gives back. In: what a parser found. Out: `Imported`; `Unusable` says why there is nothing to give."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from calculators.framework.text import Text
from catalog.model import Architecture

LONGEST = 28_000_000
"""Characters of a text that is looked at: a header of a large file as base64."""

MORE = "…"
"""The key that stands for the ones that a short form only counts."""

MOST_SHOWN = 12
"""Keys that a message or a link lists; the rest are counted."""

KINDS = {
    "config": Text("Hugging Face config.json"),
    "safetensors": Text("safetensors header", "safetensors 文件头"),
    "index": Text("safetensors index", "safetensors 索引"),
    "gguf": Text("GGUF header", "GGUF 文件头"),
    "command": Text("command line", "命令行"),
    "diffusion": Text("diffusers config.json"),
}


class Unusable(Exception):
    """The text or file cannot be read as a model, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


@dataclass(frozen=True, slots=True)
class Unread:
    """A key that was not understood, and what it may change; or, in a shortened import, how many more there were."""

    key: str
    changes: Text
    count: int = 1


@dataclass(frozen=True, slots=True)
class Imported:
    """One import.

    `architecture` is None where the kind of layers is not known or the file does not tell. `parameters` are counted from the
    shapes of a file's tensors, by group; with an architecture they are a check on it. `settings` are inputs of
    `vram-inference` that a command line names.
    """

    kind: str
    name: str = ""
    architecture: Architecture | None = None
    model: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0
    weight_format: str = ""
    settings: Mapping[str, int | float | str | bool] = field(default_factory=dict)
    understood: tuple[str, ...] = ()
    not_understood: tuple[Unread, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def total(self) -> int:
        """Elements of the file's tensors; 0 where the file lists none."""
        return sum(self.parameters.values())


def shown(text: str, most: int = 48) -> str:
    """A reader's own words for a message: short, and without control characters."""
    clean = "".join(c if c.isprintable() else "·" for c in text[: most + 1])
    return clean if len(text) <= most else clean[:most] + "…"
