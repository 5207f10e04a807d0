"""One tensor shape of a checkpoint. In: its numbers. Out: the record that every count, size and adapter derives from."""

from typing import NamedTuple

GROUPS = (
    "embedding",
    "position",
    "head",
    "attention",
    "linear_attention",
    "mlp",
    "routed_experts",
    "shared_experts",
    "router",
    "norms",
    "mtp",
    "vision",
    "audio",
    "other",
    "buffers",
)
# What a quantiser sees. Only `linear` and `expert` are ever quantised by Hugging Face formats.
KINDS = ("embedding", "position", "head", "linear", "expert", "router", "vector", "conv", "vision", "buffer")


class Tensor(NamedTuple):
    """One tensor shape and how often it occurs.

    `rows` = outputs, `columns` = inputs (the contiguous dimension). `shard` says what tensor parallelism does:
    `split` = each GPU holds a share, `kv` = split by key/value heads and replicated when GPUs outnumber them,
    `replicate` = every GPU holds all of it.
    """

    name: str
    group: str
    kind: str
    rows: int
    columns: int
    copies: int = 1
    shard: str = "split"

    @property
    def elements(self) -> int:
        """Numbers stored, over all copies."""
        return self.rows * self.columns * self.copies

    def times(self, count: int) -> "Tensor":
        """So many times as often."""
        if count == 1:
            return self
        return Tensor(self.name, self.group, self.kind, self.rows, self.columns, self.copies * count, self.shard)


def vector(name: str, group: str, length: int, copies: int = 1, shard: str = "replicate") -> Tensor:
    """A norm, bias or other one-dimensional tensor of `length` elements."""
    return Tensor(name, group, "vector", 1, length, copies, shard)
