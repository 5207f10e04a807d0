"""Batches under a latency target and within memory, and the GPUs that a traffic takes.

In: a `Replica`, a `Target`, the batch that memory allows. Out: the largest batch that keeps the target, and why not
one more.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from calculators.memory.advice import largest
from calculators.memory.serving import Serving, footprint
from calculators.speed.service import Point, Replica

MOST_BATCH = 1024


@dataclass(frozen=True, slots=True)
class Target:
    """The latency to keep, seconds. TTFT counts at its high end, TPOT as modelled."""

    ttft: float
    tpot: float

    def missed(self, latency: tuple[float, float]) -> str:
        """`tpot`, `ttft`, or nothing, of (TPOT, TTFT)."""
        tpot, ttft = latency
        return "tpot" if tpot > self.tpot else "ttft" if ttft > self.ttft else ""

    def excess(self, latency: tuple[float, float]) -> float:
        """How far the worse of the two is over its target, as a share; 0 or less where both are kept."""
        tpot, ttft = latency
        return max((tpot - self.tpot) / self.tpot, (ttft - self.ttft) / self.ttft)


def last_within(excess: Callable[[int], float], low: int, high: int) -> int:
    """The largest whole number in [low, high) whose `excess`, which grows, is at most 0; it is at `low` and not at `high`.

    The straight line between the ends is tried first, halving every third time: nearly linear excesses take three or four.
    """
    at_low, at_high = excess(low), excess(high)
    turn = 0
    while high - low > 1:
        turn += 1
        guess = (low + high) // 2 if turn % 3 == 0 else low + int((high - low) * at_low / (at_low - at_high))
        guess = min(max(guess, low + 1), high - 1)
        found = excess(guess)
        if found <= 0:
            low, at_low = guess, found
        else:
            high, at_high = guess, found
    return low


@lru_cache(maxsize=4096)
def memory_batch(s: Serving, gpus: int, capacity: float) -> int:
    """The most requests of full length that fit at the high end, up to `MOST_BATCH`; 0 if none. `s` has batch 1.

    Every further request takes nearly the same: the line through one and two is tried, and searched from where it misses.
    """

    def excess(batch: int) -> float:
        return footprint(replace(s, batch=batch), gpus).high - capacity

    first = excess(1)
    if first > 0:
        return 0
    each = excess(2) - first
    guess = min(MOST_BATCH, 1 + int(-first // each)) if each > 0 else MOST_BATCH
    if excess(guess) > 0:
        return last_within(excess, 1, guess)
    if guess == MOST_BATCH or excess(guess + 1) > 0:
        return guess
    return MOST_BATCH if excess(MOST_BATCH) <= 0 else last_within(excess, guess + 1, MOST_BATCH)


@dataclass(frozen=True, slots=True)
class Best:
    """The largest batch that memory and target allow (0: none) with its steady state, and what stops one more."""

    batch: int
    point: Point
    limit: str
    memory: int


def best_batch(r: Replica, target: Target, memory: int) -> Best:
    """TTFT, TPOT and memory all grow with the batch. `limit`: memory, tpot, ttft or most."""
    if not memory:
        return Best(0, r.at(1), "memory", 0)
    if not target.missed(r.latency(memory)):
        return Best(memory, r.at(memory), "most" if memory >= MOST_BATCH else "memory", memory)
    if missed := target.missed(r.latency(1)):
        return Best(0, r.at(1), missed, memory)
    found = last_within(lambda n: target.excess(r.latency(n)), 1, memory)
    return Best(found, r.at(found), target.missed(r.latency(found + 1)), memory)


def batch_for_rate(r: Replica, rate: float, most: int) -> Point:
    """The steady state of a replica that gets `rate` requests a second: the fewest requests in flight that serve them."""
    fewer = largest(lambda n: r.at(n).rate < rate, most)
    return r.at(min(most, fewer + 1))
