"""Whether something fits, and how closely, in words: the same three answers wherever a part of the need is a range.

`yes` even at the high end, `tight` at the low end only, `no`. `VERDICTS` stand in a sentence, `short` in a table's cell.
"""

from calculators.framework.text import Text, quantity

GIB = 2**30
VERDICTS = {
    "yes": Text("yes, even at the high end", "放得下，按上限也够"),
    "tight": Text("only at the low end", "只有按下限才放得下"),
    "no": Text("no", "放不下"),
}
_YES, _TIGHT = Text("yes", "是"), Text("tight", "勉强")


def short(verdict: str) -> Text:
    """For a table that lists only what fits."""
    return _YES if verdict == "yes" else _TIGHT


def gib(size: float) -> str:
    """Bytes as GiB for a sentence; the same in both languages."""
    return quantity(size / GIB, "GiB", "en", 1)


def needs_per_gpu(needed: float, capacity: float) -> Text:
    """What a change leaves: bytes at the high end, of the bytes that a card offers."""
    return Text(
        f"then at most {gib(needed)} of {gib(capacity)} per GPU", f"之后每张卡最多需要 {gib(needed)}，可用 {gib(capacity)}"
    )
