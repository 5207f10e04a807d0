"""Steady state of one replica with `batch` requests in flight: TTFT, TPOT, requests a second.

In: a `Load`, a `Machine`, a batch. Out: a `Point`. Continuous batching: prefills and decode steps share the GPUs, so that a
request's tokens wait while others' prompts are read. Mimics vLLM, SGLang and TensorRT-LLM serving prefill and decode
together (2025-2026).
"""

from math import ceil, log2
from typing import NamedTuple

from calculators.speed.machine import Machine
from calculators.speed.steps import EFFICIENCY, Load, StepRates, decode_seconds, prefill_seconds, step_rates


class Point(NamedTuple):
    """One replica at one batch. Seconds; `rate` is requests per second when always full.

    `ttft_low`: an idle replica. `ttft_steady`: arrivals spread out. `ttft_high`: the mean when all `batch` come at once,
    as in closed-loop benchmarks; what a target is held against.
    """

    batch: int
    step: float
    prefill: float
    tpot: float
    ttft_low: float
    ttft_steady: float
    ttft_high: float
    rate: float
    answer: int

    @property
    def latency(self) -> float:
        """Seconds from request to last token: by Little's law, batch / rate."""
        return self.batch / self.rate

    @property
    def tokens_per_s(self) -> float:
        """Answer tokens per second, all requests together."""
        return self.rate * self.answer


def queue_factor(batch: int) -> float:
    """How much longer a first token takes under load: 1 + log2(batch) / 8, aiconfigurator 095f58a5's correction for vLLM."""
    return 1 + log2(batch) / 8


def tpot_seconds(step: float, prefill: float, batch: int, answer: int) -> float:
    """Mean time per answer token: the step, and the other requests' prefills that fall between two of a request's tokens.

    While one request writes its answer, each of the other batch - 1 places is refilled once: (batch - 1) prefills in
    `answer` steps. Conservation of GPU time; no constant.
    """
    return step + (batch - 1) * prefill / answer


class Replica(NamedTuple):
    """One load on one machine: seconds of a prompt at low and middle efficiency, and what a decode step is made of."""

    load: Load
    machine: Machine
    slow: float
    middle: float
    rates: StepRates

    @property
    def quick(self) -> float:
        """Seconds of a prompt at high efficiency; no target is held against it."""
        return prefill_seconds(self.load, self.machine, EFFICIENCY[2:])[0]

    def step(self, batch: int) -> float:
        """Seconds of one decode step."""
        return decode_seconds(self.load, self.rates, batch)

    def latency(self, batch: int) -> tuple[float, float]:
        """(TPOT, TTFT at its high end), the two that a target is held against."""
        return self._latency(batch, self.step(batch))

    def _latency(self, batch: int, step: float) -> tuple[float, float]:
        return tpot_seconds(step, self.middle, batch, self.load.answer), self.slow * (batch + 1) / 2 + step

    def batch_near(self, tpot: float, ttft: float) -> int:
        """The largest batch within both, to the nearest: each term of a step grows in a straight line, experts and guesses apart."""
        r, load = self.rates, self.load
        waits, first = self.middle / load.answer, self.slow / 2
        tpot, ttft = tpot - r.fixed + waits, ttft - r.fixed - first
        waits, first = waits + r.exchange, first + r.exchange
        read, each = load.read * r.byte, load.kv_sequence * r.byte
        near = min(
            (tpot - read) / (each + waits),
            (ttft - read) / (each + first),
            tpot / (r.compute + waits),
            ttft / (r.compute + first),
        )
        return max(1, int(near))

    def rate(self, batch: int) -> float:
        """Requests a second when always full: GPU time per request = prefill + answer x step / batch, and its inverse."""
        return self._rate(batch, self.step(batch))

    def _rate(self, batch: int, step: float) -> float:
        return 1 / (self.middle + self.load.answer * step / batch)

    def at(self, batch: int) -> Point:
        """The steady state at `batch` requests in flight (Little's law: batch = rate x latency)."""
        step = self.step(batch)
        tpot, ttft = self._latency(batch, step)
        return Point(
            batch=batch,
            step=step,
            prefill=self.middle,
            tpot=tpot,
            ttft_low=self.quick,
            ttft_steady=self.middle * queue_factor(batch) + step,
            ttft_high=ttft,
            rate=self._rate(batch, step),
            answer=self.load.answer,
        )


def replica(load: Load, m: Machine) -> Replica:
    """The load on the machine."""
    slow, middle = prefill_seconds(load, m, EFFICIENCY[:2])
    return Replica(load, m, slow, middle, step_rates(load, m))


def requests_in_flight(rate: float, latency: float) -> float:
    """Little's law: requests in the system = arrivals per second x seconds that each stays."""
    return rate * latency


def replicas_for(rate: float, capacity: float, used_percent: float) -> int:
    """Replicas that serve `rate` requests a second when each is filled to `used_percent` of its capacity."""
    return max(1, ceil(rate / (capacity * used_percent / 100) - 1e-9))
