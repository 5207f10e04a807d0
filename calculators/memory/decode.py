"""Decode speed from memory traffic. In: bytes, bandwidth, layers. Out: bytes per token, tokens/s bounds, a modelled speed.

Exact: bytes. Upper bound: bandwidth. Modelled: `two_term_seconds`, calibrated on one GPU family only (see `CALIBRATION`).
"""

from typing import NamedTuple

from catalog.model import Architecture

from .params import ParameterGroups, parameter_groups
from .tensors import is_tied
from .weights import WeightBytes

LAYER_SECONDS = 0.055e-3
ALLREDUCE_SECONDS = 10e-6


class Calibration(NamedTuple):
    """Share of peak bandwidth that one format reaches, fitted on gpt-fast's A100-80GB rows (2,039 GB/s)."""

    efficiency: float
    family: str
    rows: str
    error_low: float
    error_high: float


_GPT_FAST = "pytorch-labs/gpt-fast README at 0f925b5d, A100-80GB, batch 1"
# the error range is that of the six tensor-parallel rows that were not fitted
CALIBRATION: dict[str, Calibration] = {
    "16-bit": Calibration(0.83, "bf16, fp16", _GPT_FAST, -0.098, 0.006),
    "8-bit": Calibration(0.71, "int8, fp8", _GPT_FAST, -0.098, 0.006),
    "4-bit": Calibration(0.60, "4-bit groups", _GPT_FAST, -0.098, 0.006),
}


def calibration(bits_per_weight: float) -> Calibration:
    """The calibration row nearest to a format's bits per weight. Below 4 bits kernels are compute bound: slower than modelled."""
    return CALIBRATION["16-bit" if bits_per_weight > 12 else "8-bit" if bits_per_weight > 6.2 else "4-bit"]


def touched_experts(a: Architecture, batch: int) -> float:
    """Experts per layer that a batch of tokens visits: E (1 - (1 - k/E)^batch), routing taken as uniform."""
    if not a.num_experts:
        return 0.0
    share = min(1.0, a.num_experts_per_tok / a.num_experts)
    return a.num_experts * (1 - (1 - share) ** batch)


def streamed_parameters(groups: ParameterGroups, tied: bool) -> int:
    """Parameters read per token: active ones without the embedding look-up; a tied table is read as the head."""
    return groups.active - groups.position - (0 if tied else groups.embedding)


def decode_bytes(a: Architecture, bytes_per_weight: float, tensor_parallel: int = 1) -> float:
    """Bytes of weights per token and GPU at batch 1, one size for all weights, split evenly (replicated parts are small)."""
    return streamed_parameters(parameter_groups(a), is_tied(a)) * bytes_per_weight / tensor_parallel


def step_bytes(a: Architecture, weights: WeightBytes, batch: int, kv_bytes: float) -> float:
    """Bytes read by one decode step of the whole batch: streamed weights, the experts it touches, all its KV (`kv_bytes`)."""
    routed = weights.by_group.get("routed_experts", 0)
    if a.num_experts:
        one = min(1.0, a.num_experts_per_tok / a.num_experts)
        more = touched_experts(a, batch) / a.num_experts - one
        return weights.streamed + routed * more + kv_bytes
    return weights.streamed + kv_bytes


def bandwidth_seconds(bytes_read: float, bandwidth: float, efficiency: float = 1.0) -> float:
    """Seconds to read so many bytes at bytes/s x efficiency: a lower bound on a step at efficiency 1.

    Raises ValueError unless bandwidth and efficiency are positive.
    """
    if bandwidth <= 0 or efficiency <= 0:
        raise ValueError("bandwidth and efficiency must be positive")
    return bytes_read / (bandwidth * efficiency)


def two_term_seconds(
    bytes_per_gpu: float,
    bandwidth: float,
    layers: int,
    *,
    efficiency: float,
    tensor_parallel: int = 1,
    layer_seconds: float = LAYER_SECONDS,
    allreduce_seconds: float = ALLREDUCE_SECONDS,
) -> float:
    """Seconds of a decode step: traffic at the format's efficiency, a fixed time per layer, two all-reduces per layer.

    Fitted on five gpt-fast rows, checked on six tensor-parallel ones (-9.8 to +0.6 %). Bytes and bandwidth are per GPU.
    """
    waiting = 2 * layers * allreduce_seconds if tensor_parallel > 1 else 0.0
    return bandwidth_seconds(bytes_per_gpu, bandwidth, efficiency) + layers * layer_seconds + waiting


def scaled_tokens_per_second(reference: float, reference_bits: float, bits: float) -> float:
    """A measured speed scaled by bits per weight: right only while reading weights is the limit. ValueError on bits <= 0."""
    if bits <= 0:
        raise ValueError("bits must be positive")
    return reference * reference_bits / bits
