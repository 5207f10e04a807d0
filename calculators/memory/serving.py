"""What one GPU must hold to serve a model: the sum of weights, KV cache, activations and overhead.

In: a `Serving` (architecture and settings) and a number of tensor-parallel GPUs. Out: a `Footprint` per GPU, bytes, low to high.
Weights and KV cache are exact by the engine's rule; activations and overhead are ranges. Mimics vLLM and SGLang (2025),
llama.cpp (2025) and Hugging Face transformers with its dynamic cache.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from calculators.memory.activations import activation_bytes, llama_cpp_compute_bytes
from calculators.memory.decode import bandwidth_seconds, calibration, step_bytes, touched_experts, two_term_seconds
from calculators.memory.kv import VLLM_BLOCK, KvCache, bytes_per_token, kv_cache, kv_tokens
from calculators.memory.overhead import FRAGMENTATION, overhead_bytes
from calculators.memory.params import ADAPTED, lora_parameters
from calculators.memory.spread import ONE_PLACE, Spread, cached_part, host_bytes, weights_on_gpu
from calculators.memory.weights import WeightBytes, weight_bytes, weight_format
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


@dataclass(frozen=True, slots=True)
class Footprint:
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
def weights_of(a: Architecture, format_id: str) -> WeightBytes:
    """`weight_bytes`, remembered: a format of one model is asked for many times in one answer."""
    return weight_bytes(a, format_id)


@lru_cache(maxsize=REMEMBERED)
def _weights_per_gpu(a: Architecture, format_id: str, gpus: int, spread: Spread) -> int:
    return weights_on_gpu(a, format_id, gpus, spread)


@lru_cache(maxsize=REMEMBERED)
def cache_of(s: Serving, gpus: int = 1) -> KvCache:
    """The KV cache of all sequences; `per_gpu` is that of the fullest stage and replica, shared by context ranks."""
    return _cache_of(s, gpus)


def _cache_of(s: Serving, gpus: int) -> KvCache:
    whole = kv_cache(s.architecture, s.context, s.batch, s.kv_dtype, engine=s.engine, tensor_parallel=gpus, latent=s.latent)
    if s.spread == ONE_PLACE:
        return whole
    part, requests = cached_part(s.architecture, s.spread), s.spread.requests(s.batch)
    fullest = kv_cache(part, s.context, requests, s.kv_dtype, engine=s.engine, tensor_parallel=gpus, latent=s.latent)
    ranks = s.spread.context
    return replace(whole, per_gpu=ceil(fullest.per_gpu / ranks), high_per_gpu=ceil(fullest.high_per_gpu / ranks))


@lru_cache(maxsize=REMEMBERED)
def footprint(s: Serving, gpus: int) -> Footprint:
    """Bytes on the fullest of `gpus` tensor-parallel GPUs. Raises ValueError for counts below 1 or unknown names."""
    weights = _weights_per_gpu(s.architecture, s.weight_format, gpus, s.spread)
    return _footprint(s, gpus, weights, cache_of(s, gpus))


def footprint_of_batch(s: Serving, gpus: int) -> Callable[[int], Footprint]:
    """`footprint` as a function of the batch: for a search, weights once, nothing remembered."""
    weights = _weights_per_gpu(s.architecture, s.weight_format, gpus, s.spread)

    def at(batch: int) -> Footprint:
        p = replace(s, batch=batch)
        return _footprint(p, gpus, weights, _cache_of(p, gpus))

    return at


def footprints(s: Serving, gpus: int, field: str, values: Sequence[int]) -> list[Footprint]:
    """`footprint` for many values of `context` or `batch`: weights once, nothing remembered."""
    weights = _weights_per_gpu(s.architecture, s.weight_format, gpus, s.spread)
    if field == "context":
        points = (replace(s, context=value) for value in values)
    else:
        points = (replace(s, batch=value) for value in values)
    return [_footprint(p, gpus, weights, _cache_of(p, gpus)) for p in points]


def _footprint(s: Serving, gpus: int, weights: int, kv: KvCache) -> Footprint:
    requests = s.spread.requests(s.batch)
    if s.engine == "llama.cpp":
        compute = llama_cpp_compute_bytes(s.architecture, s.context * requests)
        low, high = round(compute * (1 - COMPUTE_BUFFER_ERROR)), round(compute * (1 + COMPUTE_BUFFER_ERROR))
    else:
        low, _, high = activation_bytes(s.architecture, _tokens_at_once(s, requests), requests, gpus)
    least, most = overhead_bytes(s.engine, s.spread.gpus(gpus), graphs=s.graphs)
    if s.engine == "transformers":  # the allocator's own rounding; vLLM, SGLang and llama.cpp reserve their cache in one piece
        least += round(FRAGMENTATION[0] * (weights + kv.per_gpu))
        most += round(FRAGMENTATION[1] * (weights + kv.per_gpu))
    return Footprint(weights, kv.per_gpu, kv.high_per_gpu, _extras(s, gpus), low, high, least, most)


def _tokens_at_once(s: Serving, requests: int) -> int:
    """Tokens of one step: chunks of the prompt in a serving engine, whole prompts in transformers and for encoders."""
    if s.engine == "transformers" or s.architecture.encoder:
        return s.context * requests
    return min(s.step_tokens, s.context * requests)


def _extras(s: Serving, gpus: int) -> int:
    """Adapters and draft model on one GPU.

    Adapters: BF16, on every linear layer; half of each is sharded (vLLM: without --fully-sharded-loras only half of the LoRA
    computation is). Draft: BF16 with its own cache at the same context, sharded like the model.
    """
    total = 0.0
    if s.adapters:
        each = 2 * lora_parameters(s.architecture, s.adapter_rank, tuple(ADAPTED))
        total += s.adapters * each * (1 + 1 / gpus) / 2
    if s.draft is not None:
        cache = kv_cache(s.draft, s.context, s.spread.requests(s.batch), engine=s.engine, tensor_parallel=gpus)
        total += _weights_per_gpu(s.draft, "bf16", gpus, ONE_PLACE) + cache.high_per_gpu
    return ceil(total)


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
    full = bytes_per_token(part, s.kv_dtype, tensor_parallel=gpus, latent=s.latent) / s.spread.context
    if full <= 0:
        return None
    whole = bytes_per_token(s.architecture, s.kv_dtype, latent=s.latent)
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


@dataclass(frozen=True, slots=True)
class Speed:
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
