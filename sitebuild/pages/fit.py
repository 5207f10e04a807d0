"""Which models fit on which cards, asked from the calculator `vram-inference` through its one door.

In: the catalog, and the calculators that there are. Out: rows for the pages of accelerators and of models. One call per model and weight format serves both
families and both languages. Where the guide has no such calculator, the rows are empty.
"""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from calculators import bridge
from calculators.framework.text import Text
from catalog.model import Catalog, plain
from sitebuild.pages.memo import Memo

CALCULATOR = "vram-inference"
MOST_CARDS = 8
FORMATS = (("bf16", "BF16"), ("awq-int4-g128", "AWQ INT4"))
BASIS = Text(
    "One request of 8,192 tokens with its KV cache in BF16; 90 % of the card's label is usable. A cell gives the smallest of 1, 2, 4 or 8 cards "
    "that hold the model; “tight” means only at the low end of the assumed parts, a dash means not even on eight.",
    "一个 8,192 token 的请求，KV 缓存为 BF16，按标称显存的 90% 可用计。单元格为放得下该模型的最小卡数（1、2、4 或 8）；"
    "“勉强”指只有按假设部分的下限才放得下，横线表示 8 张也放不下。",
)


@dataclass(frozen=True, slots=True)
class Cards:
    """So many cards hold it; `tight`: only at the low end of the assumed parts."""

    count: int
    tight: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """One model on one card: the cards needed in each of `FORMATS`, None where eight are not enough."""

    model: str
    accelerator: str
    cards: tuple[Cards | None, ...]

    @property
    def order(self) -> tuple[tuple[int, bool], ...]:
        """Fewest cards first, in the formats' order; what does not fit, last."""
        return tuple((c.count, c.tight) if c else (MOST_CARDS + 1, False) for c in self.cards)


def all_fits(catalog: Catalog, calculators: tuple[str, ...], memo: Memo) -> tuple[Fit, ...]:
    """Every pair of the catalog that fits in some format, fewest cards first."""
    if CALCULATOR not in calculators:
        return ()
    found = []
    memories = {a.id: plain(a.memory) for a in catalog.accelerators.values()}
    for model, record in catalog.models.items():
        depends_on = ["fits", plain(record.architecture), memories]
        counts = [memo.get([*depends_on, f], partial(_cards, model, f)) for f, _ in FORMATS]
        by_format = [{card: Cards(*pair) for card, pair in count.items()} for count in counts]
        for accelerator in catalog.accelerators:
            cards = tuple(f.get(accelerator) for f in by_format)
            if any(c is not None for c in cards):
                found.append(Fit(model, accelerator, cards))
    memory = {a.id: a.memory.value for a in catalog.accelerators.values()}
    return tuple(sorted(found, key=lambda f: (f.order, memory[f.accelerator])))


def _cards(model: str, weight_format: str) -> dict[str, tuple[int, bool]]:
    request = {"model": model, "weight_format": weight_format}
    answer: dict[str, Any] = json.loads(bridge.call(CALCULATOR, json.dumps(request)))
    if "error" in answer:
        return {}
    table = next(t for t in answer["tables"] if t["id"] == "cards")
    return {row["card"]: (row["gpus"], row["verdict"] != "yes") for row in table["rows"] if row["gpus"] <= MOST_CARDS}
