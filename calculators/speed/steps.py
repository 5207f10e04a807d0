"""Seconds of a prefill and of a decode step: a roofline with a time per layer and the all-reduces between GPUs.

In: a `Load` (one model, its requests, on so many GPUs) and a `Machine`. Out: seconds. The decode model is
`calculators.memory.decode.two_term_seconds`, extended by a compute bound and by the size of the all-reduces.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from calculators.memory.decode import Calibration, bandwidth_seconds, calibration, step_bytes, two_term_seconds
from calculators.memory.serving import Serving, cache_of
from calculators.memory.weights import WeightBytes, weight_format, weights_of
from calculators.speed.machine import Machine
from calculators.speed.speculation import Speculation, tokens_per_step
from calculators.speed.work import Work, decode_flops, prefill_flops, work
from catalog.model import Architecture

EFFICIENCY = (0.4, 0.55, 0.7)
"""Share of the dense peak that large matrix products reach: low, middle, high. Assumed range, no row was fitted."""

REMEMBERED = 512
HIDDEN_BYTES = 2


class Load(NamedTuple):
    """One model and format on `gpus` GPUs, and one request: `prompt` and `answer` tokens.

    `kv_sequence`: bytes of one request's cache on one GPU, half the answer written (the mean over its decode steps).
    `read`: bytes of one GPU's share of the weights of a step for one request. `prompt_flops`, `prompt_bytes`: arithmetic and bytes read for its prompt. `token_flops`: arithmetic of one decode step.
    `computed`: tokens of the prompt that no cache holds. With speculation a step checks `ahead` guesses of the `draft` (None:
    they take no time) beside its own token and gives `per_step` tokens.
    """

    architecture: Architecture
    weights: WeightBytes
    work: Work
    fit: Calibration
    prompt: int
    answer: int
    gpus: int
    kv_sequence: float
    read: float
    routed: int
    prompt_flops: float
    prompt_bytes: float
    token_flops: float
    computed: int
    ahead: int = 0
    per_step: float = 1.0
    draft: "Load | None" = None

    @property
    def mean_context(self) -> float:
        """Tokens in the cache, averaged over the decode steps of one request."""
        return self.prompt + self.answer / 2


@lru_cache(maxsize=REMEMBERED)
def load_of(s: Serving, prompt: int, answer: int, gpus: int, cached: int = 0, guesses: Speculation | None = None) -> Load:
    """The numbers of a serving that do not depend on the card or the batch. `cached` tokens of the prompt are not computed."""
    weights, w = weights_of(s.architecture, s.weight_format), work(s.architecture)
    middle = replace(s, context=max(1, prompt + answer // 2), batch=1)
    ahead, draft = (guesses.ahead, guesses.draft) if guesses else (0, None)
    plain = replace(s, architecture=draft, weight_format="bf16", kv_dtype="bf16", draft=None) if draft else None
    small = load_of(plain, prompt, answer, gpus, cached) if plain else None
    return Load(
        s.architecture,
        weights,
        w,
        calibration(weight_format(s.weight_format).bits_per_weight),
        prompt,
        answer,
        gpus,
        float(cache_of(middle, gpus).per_gpu),
        weights.streamed / gpus,
        weights.by_group.get("routed_experts", 0),
        prefill_flops(w, prompt, cached) + (small.prompt_flops if small else 0.0),
        step_bytes(s.architecture, weights, prompt - cached, 0.0) + (small.prompt_bytes if small else 0.0),
        decode_flops(w, prompt + answer / 2),
        prompt - cached,
        ahead,
        tokens_per_step(ahead, guesses.accepted) if guesses else 1.0,
        small,
    )


def allreduce_seconds(size: float, gpus: int, link: float) -> float:
    """Ring all-reduce of `size` bytes without its start-up: 2 (n - 1) / n x size / bandwidth of one direction."""
    return 0.0 if gpus < 2 else 2 * (gpus - 1) / gpus * size / link


def _exchange_seconds(load: Load, m: Machine, tokens: float) -> float:
    """The two all-reduces of every layer, Megatron-style tensor parallelism, hidden states in 16 bits."""
    a = load.architecture
    size = tokens * a.hidden_size * HIDDEN_BYTES
    return 2 * a.num_hidden_layers * allreduce_seconds(size, m.gpus, m.link)


def decode_bytes_per_gpu(load: Load, batch: int) -> float:
    """Bytes that one GPU reads in a step: its share of the weights that the batch touches, and all its cache."""
    if not load.routed:
        return load.read + batch * load.kv_sequence
    return step_bytes(load.architecture, load.weights, batch * (1 + load.ahead), 0.0) / load.gpus + batch * load.kv_sequence


class StepRates(NamedTuple):
    """Seconds of a decode step by what causes them: per byte read, per request computed, per request exchanged, fixed."""

    byte: float
    compute: float
    exchange: float
    fixed: float
    draft: "StepRates | None" = None


def step_rates(load: Load, m: Machine, efficiency: float = EFFICIENCY[1]) -> StepRates:
    """The two-term model in its parts, with the compute bound and the size of the all-reduces beside them."""
    share = load.fit.efficiency
    layers = load.architecture.num_hidden_layers
    return StepRates(
        bandwidth_seconds(1.0, m.bandwidth, share),
        load.token_flops / (m.gpus * m.flops * efficiency),
        _exchange_seconds(load, m, 1.0),
        two_term_seconds(0.0, m.bandwidth, layers, efficiency=share, tensor_parallel=m.gpus),
        step_rates(load.draft, m, efficiency) if load.draft else None,
    )


def decode_seconds(load: Load, r: StepRates, batch: int) -> float:
    """One token for each of `batch` requests.

    max(bytes / (bandwidth x share of the format), FLOPs / (peak x efficiency)) + layers x 0.055 ms + all-reduces. With
    speculation: the seconds of one token, a step checks all guesses at once, after as many steps of the draft.
    """
    if load.ahead:
        return step_seconds(load, r, batch) / load.per_step
    return max(decode_bytes_per_gpu(load, batch) * r.byte, batch * r.compute) + r.fixed + batch * r.exchange


def step_seconds(load: Load, r: StepRates, batch: int) -> float:
    """One step with its guesses: the draft's own steps, then the check of each request's guesses and its next token."""
    checked = batch * (1 + load.ahead)
    check = max(decode_bytes_per_gpu(load, batch) * r.byte, checked * r.compute) + r.fixed + checked * r.exchange
    drafted = load.ahead * decode_seconds(load.draft, r.draft, batch) if load.draft and r.draft else 0.0
    return check + drafted


def prefill_seconds(load: Load, m: Machine, efficiencies: tuple[float, ...] = EFFICIENCY) -> tuple[float, ...]:
    """The prompt of one request, for each share of the dense peak.

    The longer of compute and reading the weights once, + layers x 0.055 ms + all-reduces.
    """
    layers, share = load.architecture.num_hidden_layers, load.fit.efficiency
    exchange = _exchange_seconds(load, m, load.computed)
    read, peak = load.prompt_bytes / m.gpus, m.gpus * m.flops
    found = []
    for efficiency in efficiencies:
        compute = load.prompt_flops / (peak * efficiency)
        traffic = max(read, compute * m.bandwidth * share)
        step = two_term_seconds(traffic, m.bandwidth, layers, efficiency=share, tensor_parallel=m.gpus)
        found.append(step + exchange)
    return tuple(found)


def decode_bound_seconds(load: Load, m: Machine, batch: int) -> float:
    """No step is faster than this: bytes at full bandwidth, or FLOPs at the full peak."""
    compute = batch * (1 + load.ahead) * load.token_flops / (m.gpus * m.flops)
    return max(bandwidth_seconds(decode_bytes_per_gpu(load, batch), m.bandwidth), compute) / load.per_step


def decode_intensity(load: Load, batch: int) -> float:
    """FLOP per byte of a decode step: its place on the roofline."""
    flops = batch * (1 + load.ahead) * load.token_flops / load.gpus
    return flops / decode_bytes_per_gpu(load, batch)
