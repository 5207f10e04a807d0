"""Speculative decoding: tokens that are guessed ahead and checked together.

In: tokens guessed per step, the chance that each is right, the model that guesses. Out: tokens that a step gives.
Source: Leviathan et al. 2023, Fast Inference from Transformers via Speculative Decoding, https://arxiv.org/abs/2211.17192.
"""

from dataclasses import dataclass

from catalog.model import Architecture


@dataclass(frozen=True, slots=True)
class Speculation:
    """`ahead` tokens are guessed per step, each right with the chance `accepted`; `draft` None: guessing takes no time."""

    ahead: int
    accepted: float
    draft: Architecture | None = None


def tokens_per_step(ahead: int, accepted: float) -> float:
    """Tokens of one step on average: (1 - a^(k+1)) / (1 - a) (equation 1): the guesses up to the first wrong one, and one more.

    Raises ValueError for a chance outside 0 to 1 or fewer than no guesses.
    """
    if not 0 <= accepted < 1 or ahead < 0:
        raise ValueError("a chance lies in [0, 1), and there are at least no guesses")
    return (1 - accepted ** (ahead + 1)) / (1 - accepted)
