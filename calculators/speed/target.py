"""Batches under a latency target and within memory, and the GPUs that a traffic takes.

In: a `Replica`, a `Target`, the batch that memory allows. Out: the largest batch that keeps the target, and why not
one more.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from calculators.memory.advice import largest
from calculators.memory.serving import Serving, footprint_at
from calculators.speed.service import Point, Replica

MOST_BATCH = 1024


class Target(NamedTuple):
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


def last_within(excess: Callable[[int], float], low: int, high: int, ends: tuple[float, float] | None = None) -> int:
    """The largest whole number in [low, high) whose `excess`, which grows, is at most 0; it is at `low` and not at `high`.

    `ends`: the excess at the two, where it is known already.

    The straight line between the ends is tried first, halving every third time: nearly linear excesses take three or four.
    """
    at_low, at_high = ends or (excess(low), excess(high))
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


class Room:
    """One serving (of batch 1) on so many GPUs: the most requests of full length that fit, by the memory of a card.

    Each batch and each memory is computed once: cards share both.
    """

    def __init__(self, s: Serving, gpus: int) -> None:
        """Computes nothing yet."""
        self._context, self._at = s.context, footprint_at(s, gpus)
        self._need: dict[int, int] = {}
        self._most: dict[float, int] = {}

    def need(self, batch: int) -> int:
        """Bytes at the high end."""
        if batch not in self._need:
            self._need[batch] = self._at(self._context, batch).high
        return self._need[batch]

    def most(self, capacity: float) -> int:
        """The most requests that fit at the high end, up to `MOST_BATCH`; 0 if none."""
        if capacity not in self._most:
            self._most[capacity] = self._search(capacity)
        return self._most[capacity]

    def _search(self, capacity: float) -> int:
        """Large batches take the same for every further request: the line through two of them is tried, then searched from."""
        if self.need(1) > capacity:
            return 0
        most = self.need(MOST_BATCH)
        if most <= capacity:
            return MOST_BATCH

        def excess(batch: int) -> float:
            return self.need(batch) - capacity

        half = MOST_BATCH // 2
        each = (most - self.need(half)) / (MOST_BATCH - half)
        over = int((most - capacity) / each) + 1 if each > 0 else MOST_BATCH
        guess = min(max(MOST_BATCH - over, 1), MOST_BATCH - 1)
        if excess(guess) > 0:
            return last_within(excess, 1, guess)
        return guess if excess(guess + 1) > 0 else last_within(excess, guess + 1, MOST_BATCH)


@lru_cache(maxsize=64)
def room(s: Serving, gpus: int) -> Room:
    """The room of a serving, remembered with what it has computed. `s` has batch 1."""
    return Room(s, gpus)


def memory_batch(s: Serving, gpus: int, capacity: float) -> int:
    """The most requests of full length that fit at the high end, up to `MOST_BATCH`; 0 if none. `s` has batch 1."""
    return room(s, gpus).most(capacity)


class Within(NamedTuple):
    """The largest batch that memory and target allow (0: none), and what stops one more."""

    batch: int
    limit: str
    memory: int


class Best(NamedTuple):
    """The same with the steady state at that batch, or at one request where none is allowed."""

    batch: int
    point: Point
    limit: str
    memory: int


def batch_within(r: Replica, target: Target, memory: int) -> Within:
    """TTFT, TPOT and memory all grow with the batch. `limit`: memory, tpot, ttft or most."""
    if not memory:
        return Within(0, "memory", 0)
    guess = r.batch_near(target.tpot, target.ttft)
    if guess < memory and not target.missed(r.latency(guess)) and (missed := target.missed(r.latency(guess + 1))):
        return Within(guess, missed, memory)
    last = r.latency(memory)
    if not target.missed(last):
        return Within(memory, "most" if memory >= MOST_BATCH else "memory", memory)
    first = r.latency(1)
    if missed := target.missed(first):
        return Within(0, missed, memory)
    ends = (target.excess(first), target.excess(last))
    found = last_within(lambda n: target.excess(r.latency(n)), 1, memory, ends)
    return Within(found, target.missed(r.latency(found + 1)), memory)


def best_at(r: Replica, w: Within) -> Best:
    """The steady state at that batch."""
    return Best(w.batch, r.at(w.batch or 1), w.limit, w.memory)


def best_batch(r: Replica, target: Target, memory: int) -> Best:
    """`batch_within` with its steady state."""
    return best_at(r, batch_within(r, target, memory))


def batch_for_rate(r: Replica, rate: float, most: int) -> Point:
    """The steady state of a replica that gets `rate` requests a second: the fewest requests in flight that serve them."""
    fewer = largest(lambda n: r.at(n).rate < rate, most)
    return r.at(min(most, fewer + 1))
