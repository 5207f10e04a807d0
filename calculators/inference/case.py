"""One case of `vram-inference`, resolved: what every part of its answer is made from."""

from typing import NamedTuple

from calculators.memory.serving import Serving, card_bytes
from catalog.model import Accelerator, LanguageModel


class Case(NamedTuple):
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
