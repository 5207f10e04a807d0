"""Weights, gradients, master weights and optimizer states over data-parallel ranks: exact arithmetic.

In: bytes of each state (or parameters and bytes per parameter), a ZeRO stage, a number of ranks. Out: `States` in bytes.
Sources: ZeRO (Rajbhandari et al. 2020, section 5, https://arxiv.org/abs/1910.02054); DeepSpeed's own estimators
(docs/code-docs/source/memory.rst at 0cca5393, https://github.com/deepspeedai/DeepSpeed).
"""

from typing import NamedTuple

HOST_FACTOR = 1.5
"""DeepSpeed's allowance for buffers beside offloaded states (additional_buffer_factor)."""


class States(NamedTuple):
    """Bytes of the four model states; on a GPU, or of a whole model."""

    weights: float
    gradients: float
    master: float
    optimizer: float
    host: float = 0.0

    @property
    def device(self) -> float:
        """What stays on the GPU."""
        return self.weights + self.gradients + self.master + self.optimizer


def per_parameter(elements: float, weights: float, gradients: float, master: float, optimizer: float) -> States:
    """States of `elements` parameters at so many bytes each."""
    return States(elements * weights, elements * gradients, elements * master, elements * optimizer)


def added(one: States, other: States) -> States:
    """Two groups of parameters on the same GPU."""
    return States(
        one.weights + other.weights,
        one.gradients + other.gradients,
        one.master + other.master,
        one.optimizer + other.optimizer,
        one.host + other.host,
    )


def sharded(s: States, stage: int, ranks: int) -> States:
    """States left on one of `ranks`: stage 1 divides optimizer and master, 2 also gradients, 3 also weights.

    Raises ValueError for a stage outside 0..3 or fewer than one rank.
    """
    if stage not in (0, 1, 2, 3) or ranks < 1:
        raise ValueError("a ZeRO stage is 0 to 3, and there is at least one rank")
    return States(
        s.weights / (ranks if stage >= 3 else 1),
        s.gradients / (ranks if stage >= 2 else 1),
        s.master / (ranks if stage >= 1 else 1),
        s.optimizer / (ranks if stage >= 1 else 1),
        s.host,
    )


def offloaded(s: States, *, optimizer: bool = False, parameters: bool = False) -> States:
    """States with some moved to host memory. Offloading the optimizer takes gradients and master weights along (ZeRO-Offload)."""
    weights = 0.0 if parameters else s.weights
    host = s.host + s.weights - weights
    if not optimizer:
        return States(weights, s.gradients, s.master, s.optimizer, host)
    return States(weights, 0.0, 0.0, 0.0, host + s.gradients + s.master + s.optimizer)


def zero_bytes(parameters: float, stage: int, ranks: int, optimizer: float = 12) -> float:
    """The ZeRO paper's model states per GPU: 2 + 2 + K bytes per parameter, K = 12 for mixed-precision Adam (figure 1)."""
    return sharded(per_parameter(parameters, 2, 2, 0, optimizer), stage, ranks).device


def deepspeed_bytes(
    parameters: float,
    stage: int,
    gpus: int,
    *,
    largest_layer: float = 0,
    offload_optimizer: bool = False,
    offload_parameters: bool = False,
) -> float:
    """What DeepSpeed's estimators print for one GPU, stages 2 and 3.

    They count 18 bytes a parameter: FP16 weights and gradients, FP32 gradients, master and Adam, where stage 2 leaves both
    FP16 copies whole, and stage 3 adds 4 bytes of the largest layer. Raises ValueError for another stage.
    """
    if stage not in (2, 3):
        raise ValueError("DeepSpeed estimates stages 2 and 3")
    if stage == 2:
        if offload_parameters:
            raise ValueError("parameters can be offloaded in stage 3 only")
        if offload_optimizer:
            return per_parameter(parameters, 2, 0, 0, 0).device
        return sharded(per_parameter(parameters, 2, 2, 4, 12), 1, gpus).device
    whole = per_parameter(parameters, 2, 4, 4, 8)
    left = offloaded(
        sharded(whole, 3, gpus),
        optimizer=offload_optimizer or offload_parameters,
        parameters=offload_parameters,
    )
    return left.device + 4 * largest_layer


def sharded_difference(parameters: float, bytes_per_parameter: float, ranks: int, more_ranks: int) -> float:
    """By how much fully sharded states shrink between two group sizes, bytes per GPU."""
    whole = per_parameter(parameters, bytes_per_parameter, 0, 0, 0)
    return sharded(whole, 3, ranks).device - sharded(whole, 3, more_ranks).device
