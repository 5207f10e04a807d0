"""How a model is spread beyond tensor parallelism: pipeline stages, data-parallel attention, experts, context, host memory.

In: an `Architecture`, a weight format, a `Spread`. Out: bytes on the fullest GPU and bytes left in host memory.
Mimics vLLM 0.14 (stages as its `get_pp_indices`; experts over data x tensor ranks; decode context parallel) and, for layers
and experts in host memory, llama.cpp's `--n-gpu-layers` and `--cpu-moe`.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import ceil

from calculators.memory.tensors import INDEXER, Tensor, block_tensors, is_tied, layer_plan, model_tensors
from calculators.memory.weights import tensor_bytes, tensor_share, weight_format, weights_of
from catalog.model import Architecture

BLOCK_GROUPS = ("attention", "linear_attention", "mlp", "routed_experts", "shared_experts", "router", "norms")


@dataclass(frozen=True, slots=True)
class Spread:
    """What multiplies the tensor-parallel group, and what stays in host memory.

    `pipeline`: stages of consecutive layers. `data`: replicas of the attention, each with its own requests; routed experts are
    shared by all of them. `expert`: experts are dealt whole instead of sliced. `context`: ranks of one tensor-parallel group
    that share the tokens of a cache which they would otherwise hold twice. `host_layers`, `host_experts`: blocks, or all
    routed experts, that stay in host memory.
    """

    pipeline: int = 1
    data: int = 1
    expert: bool = False
    context: int = 1
    host_layers: int = 0
    host_experts: bool = False

    def gpus(self, tensor_parallel: int) -> int:
        """All GPUs: context ranks are among the tensor-parallel ones."""
        return tensor_parallel * self.pipeline * self.data

    def requests(self, batch: int) -> int:
        """Requests of the fullest replica."""
        return -(-batch // self.data)


ONE_PLACE = Spread()
"""One stage, one replica, all in GPU memory."""


def stage_sizes(layers: int, stages: int) -> tuple[int, ...]:
    """Layers of each pipeline stage: equal, the remainder given to the stages before the last (vLLM `get_pp_indices`).

    Raises ValueError for fewer layers than stages.
    """
    if not 1 <= stages <= layers:
        raise ValueError(f"{layers} layers cannot make {stages} stages")
    sizes = [layers // stages] * stages
    for i in range(layers % stages):
        sizes[-(i + 2) if stages > 1 else -1] += 1
    return tuple(sizes)


def stage_plans(a: Architecture, spread: Spread) -> tuple[tuple[tuple[str, str], ...], ...]:
    """(attention kind, FFN kind) of each layer in GPU memory, by stage. Layers in host memory are the first ones."""
    plan = layer_plan(a)[spread.host_layers :]
    if not plan:
        return tuple(() for _ in range(spread.pipeline))
    found, at = [], 0
    for size in stage_sizes(len(plan), spread.pipeline):
        found.append(plan[at : at + size])
        at += size
    return tuple(found)


def _expert_share(a: Architecture, spread: Spread, tensor_parallel: int) -> float:
    """Routed experts on the fullest GPU: sliced over all ranks, or dealt whole to them (vLLM, expert parallel)."""
    ranks = tensor_parallel * spread.data
    return ceil(a.num_experts / ranks) / a.num_experts if spread.expert else 1 / ranks


def _on_gpu(t: Tensor, a: Architecture, spread: Spread, tensor_parallel: int) -> float:
    if t.group == "routed_experts":
        return 0.0 if spread.host_experts else _expert_share(a, spread, tensor_parallel)
    return tensor_share(t, a, tensor_parallel)


def weights_on_gpu(a: Architecture, format_id: str, tensor_parallel: int = 1, spread: Spread = ONE_PLACE) -> int:
    """Bytes of weights on the fullest GPU.

    Megatron-style sharding as in vLLM and SGLang: split are embedding and head (by vocabulary), q, o, FFN, experts; k and v are
    split by head and replicated when GPUs outnumber the KV heads; replicated are norms, router, MLA down-projections, towers.
    The first stage adds the embedding, the last one the head (a tied table stands on both) and towers. GGUF files are split
    by llama.cpp in proportion, so an even share of what is not in host memory is taken. Raises ValueError for an unknown
    format, fewer than one GPU or more stages than layers.
    """
    if tensor_parallel < 1:
        raise ValueError("tensor_parallel must be at least 1")
    f = weight_format(format_id)
    if f.block == "gguf":
        device = weights_of(a, format_id).device - host_bytes(a, format_id, spread)
        return ceil(max(0, device) / (tensor_parallel * spread.pipeline))
    dense = not a.num_experts

    def size(t: Tensor) -> float:
        return tensor_bytes(t, f, dense=dense) * _on_gpu(t, a, spread, tensor_parallel)

    ends = [t for t in model_tensors(a) if t.group not in (*BLOCK_GROUPS, "mtp", "buffers")]
    first = sum(size(t) for t in ends if t.group != "head")
    last = sum(size(t) for t in model_tensors(a) if t.group == "head" or t.name == "final_norm")
    if is_tied(a) and spread.pipeline > 1:
        last += sum(size(t) for t in ends if t.group == "embedding")
    plans = stage_plans(a, spread)
    sizes = [sum(size(t.times(n)) for kinds, n in Counter(plan).items() for t in block_tensors(a, *kinds)) for plan in plans]
    indexers = sum(size(t) for t in model_tensors(a) if t.name.startswith(INDEXER))  # of the layers, not of their blocks
    if indexers:
        sizes = [found + indexers * len(plan) / a.num_hidden_layers for found, plan in zip(sizes, plans, strict=True)]
    sizes[0] += first
    sizes[-1] += last
    return ceil(max(sizes))


def host_bytes(a: Architecture, format_id: str, spread: Spread) -> int:
    """Bytes of blocks and experts that stay in host memory, without llama.cpp's embedding table.

    Blocks of one model are taken as equal; where the first ones are dense this is an average.
    """
    if not spread.host_layers and not spread.host_experts:
        return 0
    groups = weights_of(a, format_id).by_group
    share = min(1.0, spread.host_layers / a.num_hidden_layers)
    experts = groups.get("routed_experts", 0)
    blocks = sum(groups.get(g, 0) for g in BLOCK_GROUPS)
    if spread.host_experts:
        return ceil(experts + (blocks - experts) * share)
    return ceil(blocks * share)


def cached_part(a: Architecture, spread: Spread) -> Architecture:
    """The architecture whose KV cache is that of the fullest stage: its layers by kind, nothing else changed.

    Layers that reuse another's cache (Gemma 3n) stay in proportion.
    """
    if spread.pipeline == 1 and not spread.host_layers:
        return a
    counts = [Counter(attention for attention, _ in plan) for plan in stage_plans(a, spread)]
    most = {kind: max(c[kind] for c in counts) for kind in ("full", "sliding", "linear", "none")}
    layers = sum(most.values())
    kept = layers / a.num_hidden_layers
    return replace(
        a,
        num_hidden_layers=layers,
        sliding_layers=most["sliding"],
        linear_layers=most["linear"],
        attention_free_layers=most["none"],
        index_layers=round(a.index_layers * kept),
        num_kv_shared_layers=round(a.num_kv_shared_layers * kept),
        sliding_kv_shared_layers=round(a.sliding_kv_shared_layers * kept),
        layer_pattern="",
    )


def context_ranks(a: Architecture, tensor_parallel: int, *, latent: bool = True) -> int:
    """The most ranks that can share a cache: GPUs per KV head (vLLM: decode context parallel). A latent counts as one head."""
    heads = 1 if a.kv_lora_rank and latent else max(1, a.kv_heads)
    return max(1, tensor_parallel // heads)
