"""Which tensors one pipeline stage of one tensor- and expert-parallel rank holds.

In: an `Architecture` and the parallel sizes. Out: `Held` tensors, counts of elements, the largest pieces.
Layout of Megatron-LM: layers in order over the stages, embedding on the first, head on the last (a tied table on both);
matrices split over tensor-parallel ranks; routed experts split over expert- and tensor-parallel ranks; norms and routers whole.
"""

from collections import Counter
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from calculators.memory.params import ADAPTED
from calculators.memory.tensors import INDEXER, Tensor, block_tensors, is_tied, layer_plan, model_tensors
from catalog.model import Architecture

REMEMBERED = 1024
OUTPUT_SIDE = ("o", "down", "linear_out", "expert_down", "shared_down")
"""Matrices split along their input (row parallel); the others are split along their output."""


class Held(NamedTuple):
    """A tensor and the share of it that a rank holds. `copies` stands for all layers of the stage."""

    tensor: Tensor
    share: float
    expert: bool

    @property
    def elements(self) -> float:
        """Numbers on this rank."""
        return self.tensor.elements * self.share


def share_of(t: Tensor, a: Architecture, tensor_parallel: int, expert_parallel: int) -> float:
    """Share of a tensor on the fullest rank."""
    if t.kind == "expert" or (t.name == "expert_bias"):
        return 1 / (tensor_parallel * expert_parallel)
    if t.shard == "replicate":
        return 1.0
    if t.shard == "kv":
        return ceil(a.kv_heads / tensor_parallel) / a.kv_heads if a.kv_heads else 1.0
    return 1 / tensor_parallel


@lru_cache(maxsize=REMEMBERED)
def _plan(a: Architecture) -> tuple[tuple[str, str], ...]:
    return layer_plan(a)


@lru_cache(maxsize=REMEMBERED)
def stage_layers(a: Architecture, stages: int, stage: int) -> tuple[tuple[tuple[str, str], int], ...]:
    """((attention kind, FFN kind), how many) of one pipeline stage; earlier stages take the odd layers."""
    layers = a.num_hidden_layers
    each, more = divmod(layers, stages)
    start = stage * each + min(stage, more)
    return tuple(Counter(_plan(a)[start : start + each + (stage < more)]).items())


def top_layers(a: Architecture, count: int) -> tuple[tuple[tuple[str, str], int], ...]:
    """The last `count` layers of the model by kind: what freeze tuning trains."""
    return tuple(Counter(_plan(a)[a.num_hidden_layers - count :]).items())


def stages_to_check(a: Architecture, stages: int) -> tuple[int, ...]:
    """Pipeline stages of which one is the fullest: first, last, and the first ones behind the leading dense layers."""
    if stages == 1:
        return (0,)
    found = {0, 1, stages - 1}
    if a.num_experts and a.first_k_dense_replace:
        dense = next((i for i in range(stages) if all(k[1] == "moe" for k, _ in stage_layers(a, stages, i))), 0)
        found |= {dense, max(0, dense - 1)}
    return tuple(sorted(found))


@lru_cache(maxsize=REMEMBERED)
def stage_tensors(a: Architecture, tensor_parallel: int, stages: int, expert_parallel: int, stage: int) -> tuple[Held, ...]:
    """Every tensor of one stage on one rank; prediction modules, vision tower and saved buffers are not trained."""
    found = list(layer_tensors(a, stage_layers(a, stages, stage), tensor_parallel, expert_parallel))
    for t in model_tensors(a):
        first = t.name in ("embedding", "position")
        last = t.name in ("head", "head_bias", "final_norm") or (t.name == "embedding" and is_tied(a))
        if (first and stage == 0) or (last and stage == stages - 1):
            found.append(_held(t, a, tensor_parallel, expert_parallel, 1))
        elif t.name.startswith(INDEXER):
            here = sum(count for _, count in stage_layers(a, stages, stage))
            share = t._replace(copies=ceil(t.copies * here / a.num_hidden_layers))
            found.append(_held(share, a, tensor_parallel, expert_parallel, 1))
    return tuple(found)


def _held(t: Tensor, a: Architecture, tensor_parallel: int, expert_parallel: int, count: int) -> Held:
    share = share_of(t, a, tensor_parallel, expert_parallel)
    return Held(t.times(count), share, t.kind == "expert" or t.name == "expert_bias")


@lru_cache(maxsize=REMEMBERED)
def layer_tensors(
    a: Architecture, layers: tuple[tuple[tuple[str, str], int], ...], tensor_parallel: int, expert_parallel: int
) -> tuple[Held, ...]:
    """The tensors of some layers on one rank."""
    return tuple(
        _held(t, a, tensor_parallel, expert_parallel, count)
        for (attention, mlp), count in layers
        for t in block_tensors(a, attention, mlp)
    )


@lru_cache(maxsize=REMEMBERED)
def largest_unit(a: Architecture, tensor_parallel: int, expert_parallel: int) -> float:
    """Elements of the largest piece that a fully sharded run gathers at once on one rank: a block, or the embedding."""
    blocks = (
        sum(h.elements for h in layer_tensors(a, ((kind, 1),), tensor_parallel, expert_parallel)) for kind in set(_plan(a))
    )
    return max(*blocks, a.vocab_size * a.hidden_size / tensor_parallel)


@lru_cache(maxsize=REMEMBERED)
def largest_tensor(a: Architecture) -> int:
    """Elements of the largest single tensor: DeepSpeed's "largest layer" is the largest module without its children."""
    return max(t.rows * t.columns for t in model_tensors(a) if t.group not in ("mtp", "vision", "buffers"))


@lru_cache(maxsize=REMEMBERED)
def largest_linear(a: Architecture, tensor_parallel: int) -> float:
    """Elements of the largest quantised matrix on one rank: what QLoRA keeps dequantised while it is multiplied."""
    return max(t.rows * t.columns for t in model_tensors(a) if t.kind in ("linear", "expert")) / tensor_parallel


@lru_cache(maxsize=REMEMBERED)
def adapter_elements(
    a: Architecture,
    layers: tuple[tuple[tuple[str, str], int], ...],
    tensor_parallel: int,
    rank: int,
    modules: tuple[str, ...],
    *,
    magnitudes: bool = False,
) -> float:
    """Trainable numbers of low-rank adapters on one rank: rank x (in + out) of each adapted matrix (Hu et al. 2021).

    `magnitudes`: DoRA's vector of one number per output (Liu et al. 2024). The side that tensor parallelism splits is split
    in the adapter too. Expert matrices are not adapted.
    """
    names = {name for m in modules for name in ADAPTED[m]}
    found = 0.0
    for (attention, mlp), count in layers:
        for t in block_tensors(a, attention, mlp):
            if t.name not in names:
                continue
            share = share_of(t, a, tensor_parallel, 1)
            split_input = t.name in OUTPUT_SIDE
            ins, outs = t.columns * (share if split_input else 1), t.rows * (1 if split_input else share)
            found += t.copies * count * (rank * (ins + outs) + (outs if magnitudes else 0))
    return found
