"""What one GPU must hold to serve a model: the sum of weights, KV cache, activations and overhead.

In: a `Serving` (architecture and settings) and a number of tensor-parallel GPUs. Out: a `Footprint` per GPU, bytes, low to high.
Weights and KV cache are exact by the engine's rule; activations and overhead are ranges. Mimics vLLM and SGLang (2025),
llama.cpp (2025) and Hugging Face transformers with its dynamic cache.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from calculators.memory.activations import activations_at, llama_cpp_compute_bytes
from calculators.memory.decode import bandwidth_seconds, calibration, step_bytes, touched_experts, two_term_seconds
from calculators.memory.kv import VLLM_BLOCK, KvCache, bytes_per_token, kv_cache, kv_tokens, per_gpu_at
from calculators.memory.overhead import FRAGMENTATION, overhead_bytes
from calculators.memory.params import ADAPTED, lora_parameters
from calculators.memory.spread import ONE_PLACE, Spread, cached_part, host_bytes, weights_on_gpu
from calculators.memory.weights import weight_format, weights_of
from catalog.model import Architecture, Fact

GIB = 2**30
REMEMBERED = 2048
"""Results kept: one answer asks for the same weights and caches many times."""

COMPUTE_BUFFER_ERROR = 0.062
"""llama.cpp's compute buffer by our rule: worst of seven printed logs."""


@dataclass(frozen=True, slots=True)
class Serving:
    """One way to serve one model."""

    architecture: Architecture
    context: int
    batch: int
    weight_format: str
    kv_dtype: str
    engine: str
    latent: bool = True
    step_tokens: int = 8192
    spread: Spread = ONE_PLACE
    graphs: bool = True
    adapters: int = 0
    adapter_rank: int = 16
    draft: Architecture | None = None


class Footprint(NamedTuple):
    """Bytes on the fullest GPU. `low`/`high` where a part is a range; kv differs only where engine versions do.

    `extras`: LoRA adapters, and the draft model with its own cache.
    """

    weights: int
    kv: int
    kv_high: int
    extras: int
    activations_low: int
    activations_high: int
    overhead_low: int
    overhead_high: int

    @property
    def low(self) -> int:
        """The least that this needs."""
        return self.weights + self.kv + self.extras + self.activations_low + self.overhead_low

    @property
    def high(self) -> int:
        """The most that this needs."""
        return self.weights + self.kv_high + self.extras + self.activations_high + self.overhead_high


@lru_cache(maxsize=REMEMBERED)
def _weights_per_gpu(a: Architecture, format_id: str, gpus: int, spread: Spread) -> int:
    return weights_on_gpu(a, format_id, gpus, spread)


@lru_cache(maxsize=REMEMBERED)
def cache_of(s: Serving, gpus: int = 1) -> KvCache:
    """The KV cache of all sequences; `per_gpu` is that of the fullest stage and replica, shared by context ranks."""
    whole = kv_cache(s.architecture, s.context, s.batch, s.kv_dtype, engine=s.engine, tensor_parallel=gpus, latent=s.latent)
    if s.spread == ONE_PLACE:
        return whole
    least, most = _cache_at(s, gpus)(s.context, s.spread.requests(s.batch))
    return whole._replace(per_gpu=least, high_per_gpu=most)


def _cache_at(s: Serving, gpus: int) -> Callable[[int, int], tuple[int, int]]:
    """(`per_gpu`, `high_per_gpu`) of `cache_of` as a function of context and requests of the fullest replica."""
    part, ranks = cached_part(s.architecture, s.spread), s.spread.context
    fullest = per_gpu_at(part, s.kv_dtype, engine=s.engine, tensor_parallel=gpus, latent=s.latent)
    if ranks == 1:
        return fullest

    def at(context: int, requests: int) -> tuple[int, int]:
        least, most = fullest(context, requests)
        return ceil(least / ranks), ceil(most / ranks)

    return at


@lru_cache(maxsize=REMEMBERED)
def footprint(s: Serving, gpus: int) -> Footprint:
    """Bytes on the fullest of `gpus` tensor-parallel GPUs. Raises ValueError for counts below 1 or unknown names."""
    return footprint_at(s, gpus)(s.context, s.batch)


def footprint_at(s: Serving, gpus: int) -> Callable[[int, int], Footprint]:
    """`footprint` as a function of context and batch, for curves and searches: what depends on neither is computed once."""
    a, spread, engine = s.architecture, s.spread, s.engine
    weights = _weights_per_gpu(a, s.weight_format, gpus, spread)
    cached, active, extras = _cache_at(s, gpus), activations_at(a, gpus), _extras_at(s, gpus)
    base_low, base_high = overhead_bytes(engine, spread.gpus(gpus), graphs=s.graphs)
    # tokens of one step: chunks of the prompt in a serving engine, whole prompts in transformers and for encoders
    chunk = None if engine == "transformers" or a.encoder else s.step_tokens

    def at(context: int, batch: int) -> Footprint:
        requests = spread.requests(batch)
        kv, kv_high = cached(context, requests)
        if engine == "llama.cpp":
            compute = llama_cpp_compute_bytes(a, context * requests)
            low, high = round(compute * (1 - COMPUTE_BUFFER_ERROR)), round(compute * (1 + COMPUTE_BUFFER_ERROR))
        else:
            tokens = context * requests
            low, _, high = active(tokens if chunk is None or tokens < chunk else chunk, requests)
        least, most = base_low, base_high
        if engine == "transformers":  # the allocator's own rounding; the others reserve their cache in one piece
            least += round(FRAGMENTATION[0] * (weights + kv))
            most += round(FRAGMENTATION[1] * (weights + kv))
        return Footprint(weights, kv, kv_high, extras(context, requests), low, high, least, most)

    return at


def footprints(s: Serving, gpus: int, field: str, values: Sequence[int]) -> list[Footprint]:
    """`footprint` for many values of `context` or `batch`: nothing else is computed twice, nothing remembered."""
    at = footprint_at(s, gpus)
    if field == "context":
        return [at(value, s.batch) for value in values]
    return [at(s.context, value) for value in values]


def _extras_at(s: Serving, gpus: int) -> Callable[[int, int], int]:
    """Adapters and draft model on one GPU, as a function of context and requests.

    Adapters: BF16, on every linear layer; half of each is sharded (vLLM: without --fully-sharded-loras only half of the LoRA
    computation is). Draft: BF16 with its own cache at the same context, sharded like the model.
    """
    fixed = 0.0
    if s.adapters:
        each = 2 * lora_parameters(s.architecture, s.adapter_rank, tuple(ADAPTED))
        fixed += s.adapters * each * (1 + 1 / gpus) / 2
    if s.draft is None:
        whole = ceil(fixed)
        return lambda *_: whole
    fixed += _weights_per_gpu(s.draft, "bf16", gpus, ONE_PLACE)
    cached = per_gpu_at(s.draft, engine=s.engine, tensor_parallel=gpus)
    return lambda context, requests: ceil(fixed + cached(context, requests)[1])


def host_memory(s: Serving) -> int:
    """Bytes in host memory: llama.cpp's embedding table, layers and experts kept there, and those layers' cache."""
    a = s.architecture
    cached = cache_of(s).total * s.spread.host_layers / a.num_hidden_layers
    return weights_of(a, s.weight_format).host + host_bytes(a, s.weight_format, s.spread) + ceil(cached)


def capacity_tokens(s: Serving, gpus: int, capacity: float) -> tuple[int, int] | None:
    """(low, high) tokens of cache that the rest of a card's memory holds, all replicas together; None without a cache.

    What vLLM prints as "GPU KV cache size": the rest in whole blocks. Low: high need and every layer keeps all tokens.
    """
    part, need = cached_part(s.architecture, s.spread), footprint(s, gpus)
    full = bytes_per_token(part, s.kv_dtype, tensor_parallel=gpus, latent=s.latent, engine=s.engine) / s.spread.context
    if full <= 0:
        return None
    whole = bytes_per_token(s.architecture, s.kv_dtype, latent=s.latent, engine=s.engine)
    growing = full * cache_of(s, gpus).per_token / whole or full
    block = VLLM_BLOCK if s.engine == "vllm" else 1
    rest_low = capacity - (need.high - need.kv_high)
    rest_high = capacity - (need.low - need.kv)
    low, high = (kv_tokens(max(0.0, rest), each, block) for rest, each in ((rest_low, full), (rest_high, growing)))
    return low * s.spread.data, high * s.spread.data


def card_bytes(memory: Fact, usable_percent: float) -> float:
    """Bytes of a card that an engine may use.

    Labels say GB and mean 2^30 bytes less a driver's share: vLLM prints 79.15-79.25 GiB on 80 GB cards, 39.49 on 40 GB,
    23.58 on 24 GB. `usable_percent` is vLLM's gpu_memory_utilization (90), which lies below that share.
    """
    return memory.value * GIB * usable_percent / 100


def fits(s: Serving, gpus: int, capacity: float) -> str:
    """`yes` even at the high end, `tight` at the low end only, or `no`."""
    found = footprint(s, gpus)
    return "yes" if found.high <= capacity else "tight" if found.low <= capacity else "no"


def splits(s: Serving, gpus: int) -> bool:
    """Does tensor parallelism take this number? vLLM and SGLang need it to divide the query heads; llama.cpp splits rows."""
    heads = s.architecture.num_attention_heads
    return s.engine == "llama.cpp" or not heads or heads % gpus == 0


class Speed(NamedTuple):
    """Seconds of one decode step of the whole batch: the bandwidth bound and the two-term model."""

    bytes_per_gpu: float
    bound_seconds: float
    modelled_seconds: float
    efficiency: float


@lru_cache(maxsize=REMEMBERED)
def _step_bytes_per_gpu(s: Serving, gpus: int) -> float:
    """Bytes that the GPUs read one after another for a step: all stages, each tensor-parallel share once."""
    a, weights = s.architecture, weights_of(s.architecture, s.weight_format)
    one_stage = replace(s, spread=replace(s.spread, pipeline=1))
    cache = cache_of(one_stage, gpus).per_gpu
    if not a.num_experts:
        return weights.streamed / gpus + cache
    routed = weights.by_group.get("routed_experts", 0)
    touched = routed * touched_experts(a, s.batch) / a.num_experts
    rest = step_bytes(a, weights, s.batch, 0.0) - touched
    return rest / gpus + touched / (gpus * s.spread.data) + cache


def decode_speed(s: Serving, gpus: int, bandwidth: float) -> Speed | None:
    """One token for each of the batch's sequences, all caches full. `bandwidth` is one GPU's, bytes/s.

    None where layers or experts stay in host memory, whose bandwidth decides, and for encoders, which do not decode.
    See `calculators.memory.decode` for the model, its calibration rows and its error.
    """
    if s.architecture.encoder or s.spread.host_layers or s.spread.host_experts:
        return None
    read = _step_bytes_per_gpu(s, gpus)
    fit = calibration(weight_format(s.weight_format).bits_per_weight)
    modelled = two_term_seconds(
        read, bandwidth, s.architecture.num_hidden_layers, efficiency=fit.efficiency, tensor_parallel=gpus
    )
    return Speed(read, bandwidth_seconds(read, bandwidth), modelled, fit.efficiency)
