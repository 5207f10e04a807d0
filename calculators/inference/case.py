"""One case of `vram-inference`, resolved: what every part of its answer is made from."""

from dataclasses import dataclass

from calculators.framework.text import LANGUAGES, Text, quantity
from calculators.memory.serving import GIB, Serving, card_bytes
from catalog.model import Accelerator, LanguageModel


@dataclass(frozen=True, slots=True)
class Case:
    """The model, how it is served, and the card to check."""

    model: LanguageModel
    serving: Serving
    card: Accelerator
    gpus: int
    usable_percent: float
    currency: str

    @property
    def total_gpus(self) -> int:
        """All GPUs: tensor parallel x stages x replicas."""
        return self.serving.spread.gpus(self.gpus)

    @property
    def capacity(self) -> float:
        """Bytes of the card that the engine may use."""
        return card_bytes(self.card.memory, self.usable_percent)


def card_name(card: Accelerator) -> Text:
    """The card's name in both languages."""
    return Text(card.name, card.name_zh or card.name)


def gib(size: float) -> str:
    """Bytes as GiB for a sentence; the same in both languages."""
    return quantity(size / GIB, "GiB", "en", 1)


def per_hour(amount: float, currency: str) -> Text:
    """A price per hour in words."""
    en, zh = (quantity(amount, f"{currency}/h", lang, 2) for lang in LANGUAGES)
    return Text(en, zh)
