"""The suggestions and notes of `vram-training`. Every suggestion was run again before it is given.

In: a `Case` and its placements. Out: single changes that make it fit, the smallest of each kind; a pair where none does;
where it fits, a cheaper or a faster way to the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from calculators.framework.spec import Suggestion
from calculators.framework.text import Text, number
from calculators.framework.verdict import needs_per_gpu
from calculators.market.offers import best_quote
from calculators.market.words import card_name, with_price
from calculators.memory.advice import largest
from calculators.training.cards import COUNTS, Placement, fits
from calculators.training.footprint import Footprint, footprint, sizing
from calculators.training.memory_case import FIELD_OF_PLAN, Case
from calculators.training.memory_fields import (
    LOSSES,
    METHODS,
    MOST_MICRO_BATCH,
    MOST_SEQUENCE,
    OPTIMIZER_NAMES,
    RECOMPUTES,
    SHARDINGS,
)
from calculators.training.plan import Plan, divides, problem
from catalog.model import Catalog

LADDERS: dict[str, tuple[str, ...]] = {
    "recompute": ("none", "selective", "full"),
    "loss": ("plain", "chunked", "fused"),
    "sharding": ("none", "zero1", "zero2", "zero3"),
    "optimizer": ("adamw", "adamw-8bit", "paged-adamw-8bit"),
    "method": ("full", "lora", "qlora"),
}
"""Settings in the order in which they give up more for less memory."""


@lru_cache(maxsize=256)
def largest_micro_batch(p: Plan, capacity: float) -> int:
    """The largest micro-batch that fits even at the high end; 0 if none."""
    at = sizing(p)
    return _largest(lambda n: at(p.gpus, n, p.sequence).high <= capacity, MOST_MICRO_BATCH)


@lru_cache(maxsize=256)
def largest_sequence(p: Plan, capacity: float) -> int:
    """The longest sequence that fits even at the high end; 0 if none."""
    at = sizing(p)
    return _largest(lambda n: at(p.gpus, p.micro_batch, n).high <= capacity, MOST_SEQUENCE)


def _largest(holds: Callable[[int], bool], most: int) -> int:
    return largest(holds, most) if holds(1) else 0


def changes(p: Plan, capacity: float) -> tuple[tuple[dict[str, Any], Plan], ...]:
    """Single changes of plan fields that make it fit, the smallest of each kind; else the smallest pair."""
    found = []
    for field in ("recompute", "loss"):
        found += _first(p, capacity, _ladder(p, field))
    if n := min(p.micro_batch, largest_micro_batch(p, capacity)):
        found.append(({"micro_batch": n}, replace(p, micro_batch=n)))
    for field in ("sharding", "optimizer"):
        found += _first(p, capacity, _ladder(p, field))
    if p.stage and not p.offload_optimizer:
        found += _first(p, capacity, iter([{"offload_optimizer": True}]))
    found += _first(p, capacity, _contexts(p))
    found += _first(p, capacity, ({"gpus": n} for n in _more(p)))
    if n := min(p.sequence, largest_sequence(p, capacity)):
        found.append(({"sequence": n}, replace(p, sequence=n)))
    if p.objective != "pretrain":
        found += _first(p, capacity, _ladder(p, "method"))
    return tuple(found) or tuple(_first(p, capacity, _pairs(p)))


def _ladder(p: Plan, field: str) -> Iterator[dict[str, Any]]:
    steps, now = LADDERS[field], getattr(p, field)
    later = steps[steps.index(now) + 1 :] if now in steps else ()
    return ({field: value} for value in later if field != "sharding" or p.data_parallel * p.context_parallel > 1)


def _more(p: Plan) -> Iterator[int]:
    return (p.replica * n for n in COUNTS if p.replica * n > p.gpus and p.replica * n <= max(COUNTS) and p.stage)


def _contexts(p: Plan) -> Iterator[dict[str, Any]]:
    """More context parallelism on the same GPUs."""
    ways = (2, 4, 8, 16, 32, 64)
    return (
        {"context_parallel": n} for n in ways if n > p.context_parallel and p.gpus % (p.replica // p.context_parallel * n) == 0
    )


def _pairs(p: Plan) -> Iterator[dict[str, Any]]:
    """Several changes at once: recomputation and the fused loss, then context parallelism, then sharding over more and more
    GPUs, then QLoRA too."""
    lean = {"recompute": "full", "loss": "fused"}
    yield lean
    for context in _contexts(p):
        yield {**lean, **context}
    sharding = "fsdp" if p.pipeline_parallel > 1 else "zero3"
    for more in ({}, lean, {**lean, "micro_batch": 1}):
        for n in COUNTS:
            if p.replica * n > max(p.gpus, 1):
                yield {"sharding": sharding, "gpus": p.replica * n, **more}
    if p.objective != "pretrain":
        yield {"method": "qlora", **lean, "micro_batch": 1}


def _first(p: Plan, capacity: float, tries: Iterator[dict[str, Any]]) -> list[tuple[dict[str, Any], Plan]]:
    """The first of the tries that can be laid out and fits. What they share is sized once, for any number of GPUs."""
    known: dict[tuple[tuple[str, Any], ...], tuple[Plan, bool]] = {}
    for fields in tries:
        needed = {k: v for k, v in fields.items() if getattr(p, k) != v}
        gpus, batch = needed.get("gpus", p.gpus), needed.get("micro_batch", p.micro_batch)
        rest = tuple((k, v) for k, v in needed.items() if k not in ("gpus", "micro_batch"))
        if rest in known:
            base, sound = known[rest]
            if not (sound and divides(base, gpus)):
                continue
        else:
            base = replace(p, **dict(rest), gpus=gpus)
            if not divides(base, gpus):
                continue
            known[rest] = base, problem(base) is None
            if not known[rest][1]:
                continue
        if sizing(base)(gpus, batch, p.sequence).high <= capacity:
            return [(needed, replace(p, **needed))]
    return []


def suggestions(c: Case, found: tuple[Placement, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """What to change so that it fits; where it fits, what is cheaper or faster."""
    if fits(c.plan, c.capacity) == "yes":
        return (*_faster(c), *_cheaper(c, found, catalog))
    listed = [
        Suggestion(
            _title(fields),
            {FIELD_OF_PLAN.get(k, k): v for k, v in fields.items()},
            needs_per_gpu(footprint(plan).high, c.capacity),
        )
        for fields, plan in changes(c.plan, c.capacity)
    ]
    best = next((p for p in found if p.verdict == "yes" and p.card.id != c.card.id), None)
    if best:
        listed.append(_other_card(best, c.currency))
    return tuple(listed)


def _title(fields: dict[str, Any]) -> Text:
    titles = [_one_title(field, value) for field, value in fields.items()]
    return Text(" and ".join(t.en for t in titles), "，并".join(t.zh for t in titles))


_NAMES = {"loss": LOSSES, "sharding": SHARDINGS, "optimizer": OPTIMIZER_NAMES, "method": METHODS, "recompute": RECOMPUTES}
_WHAT = {
    "loss": Text("Loss", "损失计算改为"),
    "sharding": Text("Sharding", "状态分片改为"),
    "optimizer": Text("Optimizer", "优化器改用"),
    "method": Text("Train", "训练方式改为"),
    "recompute": Text("Recomputation", "激活重计算改为"),
}


def _one_title(field: str, value: Any) -> Text:
    if field in _NAMES:
        name = _NAMES[field][value]
        return Text(f"{_WHAT[field].en} “{name.en}”", f"{_WHAT[field].zh}“{name.get('zh')}”")
    shown = number(value) if isinstance(value, int) else value
    return {
        "micro_batch": Text(f"Take a micro-batch of {shown}", f"微批降到 {shown}"),
        "sequence": Text(f"Cap the sequences at {shown} tokens", f"序列长度限制在 {shown} token"),
        "context_parallel": Text(f"Context parallel over {shown} GPUs", f"上下文并行 {shown} 张卡"),
        "gpus": Text(f"Use {shown} GPUs", f"改用 {shown} 张卡"),
        "offload_optimizer": Text("Move the optimizer to host memory", "把优化器卸载到内存"),
    }[field]


def _other_card(p: Placement, currency: str) -> Suggestion:
    name, needs = card_name(p.card), needs_per_gpu(p.footprint.high, p.capacity)
    needs = with_price(needs, p.per_hour, currency)
    change = {"accelerator": p.card.id, "gpus": p.gpus}
    return Suggestion(Text(f"Take {p.gpus} × {name.en}", f"改用 {p.gpus} × {name.zh}"), change, needs)


def _faster(c: Case) -> tuple[Suggestion, ...]:
    """The least recomputation that still fits: less arithmetic for the same result."""
    steps = LADDERS["recompute"]
    for value in steps[: steps.index(c.plan.recompute)]:
        changed = replace(c.plan, recompute=value)
        if fits(changed, c.capacity) == "yes":
            needs = needs_per_gpu(footprint(changed).high, c.capacity)
            effect = Text(f"less arithmetic per step; {needs.en}", f"每步计算量更少；{needs.zh}")
            return (Suggestion(_title({"recompute": value}), {"recompute": value}, effect),)
    return ()


def _cheaper(c: Case, found: tuple[Placement, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """The cheapest priced placement, if it costs less than the reader's own cards, or those have no price.

    Not for more than one server: there the number of GPUs is chosen for the time that the run takes.
    """
    if c.plan.gpus > c.server_gpus:
        return ()
    now = best_quote(catalog, c.card.id, c.currency)
    best = next((p for p in found if p.verdict == "yes" and p.per_hour is not None), None)
    if best is None or best.per_hour is None or (best.card.id, best.gpus) == (c.card.id, c.plan.gpus):
        return ()
    if now is not None and best.per_hour >= now.per_hour * c.plan.gpus:
        return ()
    return (_other_card(best, c.currency),)


def notes(c: Case, f: Footprint) -> tuple[Text, ...]:
    """What a reader must know to use the answer."""
    p, a = c.plan, c.model.architecture
    found = []
    if a.max_position_embeddings and p.sequence > a.max_position_embeddings:
        found.append(
            Text(
                f"The model's configuration states {a.max_position_embeddings:,} positions; longer sequences need another rope scaling.",
                f"模型配置的位置数为 {a.max_position_embeddings:,}；更长的序列需要调整位置编码。",
            )
        )
    if f.states.host and "paged" in p.optimizer:
        found.append(
            Text(
                "A paged optimizer moves its states to host memory when the GPU is full; where there is room they stay, and nvidia-smi shows more.",
                "分页优化器在显存不足时才把状态移到内存；显存有余时状态留在卡上，nvidia-smi 会显示更多占用。",
            )
        )
    if p.pipeline_parallel > 1:
        if p.micro_batches < p.pipeline_parallel:
            found.append(
                Text(
                    f"{p.micro_batches} micro-batches do not fill {p.pipeline_parallel} stages: most of the time most GPUs wait.",
                    f"{p.micro_batches} 个微批填不满 {p.pipeline_parallel} 个流水线阶段：多数卡大部分时间在等待。",
                )
            )
        if p.sharding in ("fsdp", "hsdp"):
            found.append(
                Text(
                    "No published peak confirms FSDP inside a pipeline: torchtitan's 405B run on 512 H100 printed 82.5 GiB where the rule gives about 57. Keep a reserve.",
                    "流水线内使用 FSDP 的峰值没有公开数据印证：torchtitan 在 512 张 H100 上训练 405B 打印 82.5 GiB，本规则约为 57。请留足余量。",
                )
            )
    if a.num_experts and p.adapters:
        found.append(
            Text(
                "Adapters are put on attention and shared layers, not on experts.",
                "适配器只加在注意力和共享层上，不加在专家上。",
            )
        )
    if a.num_experts and p.expert_parallel > 1:
        found.append(
            Text(
                "Tokens are taken to spread evenly over experts; an uneven router needs 1.2 to 2 times the expert activations on the fullest GPU.",
                "假设 token 在专家间均匀分布；路由不均时，最满的卡上专家激活会达到 1.2 至 2 倍。",
            )
        )
    if a.vision_tower or a.num_nextn_predict_layers:
        found.append(
            Text(
                "Vision tower and prediction modules are neither loaded nor trained.",
                "视觉塔和多 token 预测模块既不加载也不训练。",
            )
        )
    found.append(
        Text(
            "Gradient accumulation keeps one gradient buffer. Not counted: an EMA copy of the weights, evaluation, data loading on the GPU.",
            "梯度累积只保留一份梯度缓冲。未计入：权重的 EMA 副本、评测、GPU 上的数据加载。",
        )
    )
    return tuple(found)
