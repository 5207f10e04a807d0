"""What one GPU must hold to serve a model: the sum of weights, KV cache, activations and overhead.

In: a `Serving` (architecture and settings) and a number of GPUs. Out: a `Footprint` per GPU, bytes, low to high.
Weights and KV cache are exact by the engine's rule; activations and overhead are ranges. Mimics vLLM and SGLang (2025)
and llama.cpp (2025).
"""

from dataclasses import dataclass
from functools import lru_cache

from calculators.memory.activations import activation_bytes, llama_cpp_compute_bytes
from calculators.memory.decode import bandwidth_seconds, calibration, step_bytes, two_term_seconds
from calculators.memory.kv import KvCache, kv_cache
from calculators.memory.overhead import overhead_bytes
from calculators.memory.weights import WeightBytes, weight_bytes, weight_bytes_per_gpu, weight_format
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


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes on the fullest GPU. `low`/`high` where a part is a range; kv differs only where engine versions do."""

    weights: int
    kv: int
    kv_high: int
    activations_low: int
    activations_high: int
    overhead_low: int
    overhead_high: int

    @property
    def low(self) -> int:
        """The least that this needs."""
        return self.weights + self.kv + self.activations_low + self.overhead_low

    @property
    def high(self) -> int:
        """The most that this needs."""
        return self.weights + self.kv_high + self.activations_high + self.overhead_high


@lru_cache(maxsize=REMEMBERED)
def weights_of(a: Architecture, format_id: str) -> WeightBytes:
    """`weight_bytes`, remembered: a format of one model is asked for many times in one answer."""
    return weight_bytes(a, format_id)


@lru_cache(maxsize=REMEMBERED)
def _weights_per_gpu(a: Architecture, format_id: str, gpus: int) -> int:
    return weight_bytes_per_gpu(a, format_id, gpus)


@lru_cache(maxsize=REMEMBERED)
def cache_of(s: Serving, gpus: int = 1) -> KvCache:
    """The KV cache of all sequences."""
    return kv_cache(s.architecture, s.context, s.batch, s.kv_dtype, engine=s.engine, tensor_parallel=gpus, latent=s.latent)


@lru_cache(maxsize=REMEMBERED)
def footprint(s: Serving, gpus: int) -> Footprint:
    """Bytes on the fullest of `gpus` tensor-parallel GPUs. Raises ValueError for counts below 1 or unknown names."""
    kv = cache_of(s, gpus)
    if s.engine == "llama.cpp":
        compute = llama_cpp_compute_bytes(s.architecture, s.context * s.batch)
        low, high = round(compute * (1 - COMPUTE_BUFFER_ERROR)), round(compute * (1 + COMPUTE_BUFFER_ERROR))
    else:
        low, _, high = activation_bytes(s.architecture, s.step_tokens, s.batch, gpus)
    overhead = overhead_bytes(s.engine, gpus)
    return Footprint(_weights_per_gpu(s.architecture, s.weight_format, gpus), kv.per_gpu, kv.high_per_gpu, low, high, *overhead)


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
    weights = weights_of(s.architecture, s.weight_format)
    return step_bytes(s.architecture, weights, s.batch, 0.0) / gpus + cache_of(s, gpus).per_gpu


def decode_speed(s: Serving, gpus: int, bandwidth: float) -> Speed:
    """One token for each of the batch's sequences, all caches full. `bandwidth` is one GPU's, bytes/s.

    See `calculators.memory.decode` for the model, its calibration rows and its error.
    """
    read = _step_bytes_per_gpu(s, gpus)
    fit = calibration(weight_format(s.weight_format).bits_per_weight)
    modelled = two_term_seconds(
        read, bandwidth, s.architecture.num_hidden_layers, efficiency=fit.efficiency, tensor_parallel=gpus
    )
    return Speed(read, bandwidth_seconds(read, bandwidth), modelled, fit.efficiency)
