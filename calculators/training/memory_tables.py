"""The tables and charts of `vram-training`. In: a `Case`, its `Footprint`, the placements. Out: plain data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from calculators.framework.spec import Cell, Chart, Column, Link, Mark, Series, Table
from calculators.framework.text import Text
from calculators.framework.verdict import short
from calculators.market.words import PRICE_COLUMNS, card_name, price_cells, price_column
from calculators.memory import tables
from calculators.memory.serving import card_bytes
from calculators.training.cards import Placement, sizes, smallest
from calculators.training.footprint import ACTIVATION_ERROR, GIB, Footprint, sizing
from calculators.training.memory_case import Case
from calculators.training.plan import Plan, problem
from catalog.model import Accelerator, Catalog

PARTS: tuple[tuple[str, Text, str], ...] = (
    ("weights", Text("Weights", "权重"), "exact"),
    ("gradients", Text("Gradients", "梯度"), "exact"),
    ("master", Text("Master weights", "主权重"), "exact"),
    ("optimizer", Text("Optimizer states", "优化器状态"), "exact"),
    ("reference", Text("Reference model", "参考模型"), "exact"),
    ("activations", Text("Activations", "激活"), "assumed"),
    ("logits", Text("Logits and loss", "logits 与损失"), "assumed"),
    ("copies", Text("Temporary weight copies", "临时权重副本"), "assumed"),
    ("transient", Text("Buckets and gathered weights", "通信桶与聚合的权重"), "assumed"),
    ("rollout", Text("Rollout engine, beyond what training uses", "推理引擎（超出训练占用的部分）"), "exact"),
    ("overhead", Text("Overhead", "额外开销"), "assumed"),
)

RECIPES: tuple[tuple[str, Text, dict[str, Any]], ...] = (
    ("full-ddp", Text("Full, AdamW mixed, one copy per GPU", "全量，AdamW 混合精度，每卡一份"),
     {"method": "full", "precision": "mixed", "optimizer": "adamw", "sharding": "none"}),
    ("full-zero3", Text("Full, AdamW mixed, ZeRO-3", "全量，AdamW 混合精度，ZeRO-3"),
     {"method": "full", "precision": "mixed", "optimizer": "adamw", "sharding": "zero3"}),
    ("full-offload", Text("Full, ZeRO-3, optimizer in host memory", "全量，ZeRO-3，优化器卸载到内存"),
     {"method": "full", "precision": "mixed", "optimizer": "adamw", "sharding": "zero3", "offload_optimizer": True}),
    ("full-lean", Text("Full, BF16, paged 8-bit AdamW in the backward pass", "全量，BF16，反向中更新的分页 8 位 AdamW"),
     {"method": "full", "precision": "bf16", "optimizer": "paged-adamw-8bit", "sharding": "none", "fused_backward": True}),
    ("freeze", Text("Freeze: last two layers", "冻结：只训练最后两层"),
     {"method": "freeze", "trained_layers": 2, "precision": "mixed", "optimizer": "adamw", "sharding": "none"}),
    ("lora", Text("LoRA", "LoRA"), {"method": "lora", "optimizer": "adamw", "sharding": "none"}),
    ("lora-zero3", Text("LoRA, ZeRO-3", "LoRA，ZeRO-3"), {"method": "lora", "optimizer": "adamw", "sharding": "zero3"}),
    ("qlora", Text("QLoRA", "QLoRA"), {"method": "qlora", "optimizer": "adamw", "sharding": "none"}),
)  # fmt: skip
"""What people choose between, on the reader's own model, sequences and micro-batch."""

COMPARED = ("rtx-4090-24g", "rtx-5090", "l40s", "ascend-910b3", "a100-80g-sxm", "h20-96g", "h200-sxm", "mi300x")
"""Cards of the recipe table: one for each usual size of memory, with those sold in China."""


def _spans(f: Footprint) -> dict[str, tuple[float, float]]:
    """Each part low to high, GiB."""
    s, error = f.states, ACTIVATION_ERROR
    work_low = (1 - error) * f.modelled + f.transient_low
    work_high = (1 + error) * f.modelled + f.transient_high
    found = {
        "weights": (s.weights, s.weights),
        "gradients": (s.gradients, s.gradients),
        "master": (s.master, s.master),
        "optimizer": (s.optimizer, s.optimizer),
        "reference": (f.reference, f.reference),
        "activations": (f.activations * (1 - error), f.activations * (1 + error)),
        "logits": (f.logits * (1 - error), f.logits * (1 + error)),
        "copies": (f.dequantised * (1 - error), f.dequantised * (1 + error)),
        "transient": (f.transient_low, f.transient_high),
        "rollout": (f.rollout(work_low), f.rollout(work_high)),
        "overhead": (f.overhead_low, f.overhead_high),
    }
    return {part: (low / GIB, high / GIB) for part, (low, high) in found.items()}


def _stacked(bars: Sequence[tuple[str | Text, Footprint]]) -> tuple[Series, ...]:
    """One layer for each part that any bar has: the middle of its range."""
    spans = [(x, _spans(f)) for x, f in bars]
    return tuple(
        Series(label, tuple((x, sum(found[part]) / 2) for x, found in spans))
        for part, label, _ in PARTS
        if any(max(found[part]) > 0 for _, found in spans)
    )


def parts_table(f: Footprint, gpus: int) -> Table:
    """What the fullest GPU holds, part by part."""
    spans = _spans(f)
    return tables.parts_table(
        Text(f"Memory of the fullest GPU of {gpus}", f"{gpus} 张卡中最满一张的显存"),
        ((label, *spans[part], kind) for part, label, kind in PARTS if max(spans[part]) > 0),
        (f.low / GIB, f.high / GIB),
    )


def cards_table(found: tuple[Placement, ...], c: Case) -> Table:
    """Every card that holds it, cheapest first."""
    rows: list[dict[str, Cell]] = [
        {
            "card": Link("accelerators", p.card.id, card_name(p.card)),
            "gpus": p.gpus,
            "used": 100 * p.footprint.high / card_bytes(p.card.memory, 100),
            "verdict": short(p.verdict),
            "price": p.per_hour,
            **price_cells(p.quote),
        }
        for p in found
    ]
    return Table(
        "cards",
        Text("Cards that hold this recipe, cheapest per hour first", "放得下此方案的加速卡，按每小时价格从低到高"),
        (
            Column("card", Text("Card", "加速卡"), kind="link"),
            Column("gpus", Text("GPUs", "卡数"), digits=0),
            Column("used", Text("Filled, high", "占用（上限）"), "%", 0),
            Column("verdict", Text("Fits", "放得下"), kind="text"),
            price_column(c.currency),
            *PRICE_COLUMNS,
        ),
        tuple(rows),
        Text(
            "Fewest GPUs that hold it when copies are doubled; tensor, pipeline and context parallel sizes stay. The cheapest hour is not the cheapest run: "
            "see the training time. (?) = no public page confirms the price; a dash = the catalog has no price.",
            "副本数逐次加倍时放得下的最少卡数；张量、流水线、上下文并行数不变。每小时最便宜不等于整个训练最便宜，见训练时间。"
            "(?) 表示没有公开页面可以证实价格；“—”表示目录中没有价格。",
        ),
    )


def recipe_plans(p: Plan) -> tuple[tuple[Text, Plan], ...]:
    """The usual recipes on the reader's model, sequences and micro-batch, without tensor or pipeline parallelism."""
    plain = replace(
        p, gpus=1, tensor_parallel=1, pipeline_parallel=1, context_parallel=1, expert_parallel=1, virtual_stages=1,
        micro_batches=1, objective="sft", fused_backward=False, offload_optimizer=False, offload_parameters=False,
    )  # fmt: skip
    found = ((title, replace(plain, **change)) for _, title, change in RECIPES)
    return tuple((title, plan) for title, plan in found if problem(plan) is None)


def recipes_table(plans: tuple[tuple[Text, Plan], ...], c: Case, catalog: Catalog) -> Table:
    """Recipe x card: the fewest GPUs that hold it, or a dash."""
    shown: list[Accelerator] = [c.card]
    shown += [catalog.accelerators[i] for i in COMPARED if i in catalog.accelerators and i != c.card.id]
    rows: list[dict[str, Cell]] = []
    for title, plan in plans:
        found = sizes(plan)
        row: dict[str, Cell] = {"recipe": title, "memory": found[0][1].high / GIB}
        for card in shown:
            best = smallest(found, card_bytes(card.memory, c.usable_percent))
            row[card.id] = best[0] if best and best[1] == "yes" else None
        rows.append(row)
    return Table(
        "recipes",
        Text("Recipe × card: how many GPUs hold it", "方案 × 加速卡：需要几张卡"),
        (
            Column("recipe", Text("Recipe", "方案"), kind="text"),
            Column("memory", Text("On one GPU, high", "单卡上限"), "GiB", 1),
            *(Column(card.id, card_name(card), digits=0) for card in shown),
        ),
        tuple(rows),
        Text(
            "Fewest of 1, 2, 4 … 1024 GPUs that hold it even at the high end; a dash = it does not fit on any number (DDP needs a whole copy on each).",
            "取 1、2、4……1024 中按上限也放得下的最少卡数；“—”表示多少张都放不下（DDP 每张卡都要放一份完整副本）。",
        ),
    )


def recipes_chart(plans: tuple[tuple[Text, Plan], ...], c: Case) -> Chart:
    """Stacked parts of each recipe on eight GPUs (one where it is not sharded)."""
    prints = [(title, sizing(plan)(8 if plan.stage else 1, plan.micro_batch, plan.sequence)) for title, plan in plans]
    name = card_name(c.card)
    return Chart(
        "recipes",
        "stack",
        Text("Memory per GPU by recipe; ZeRO-3 on eight GPUs", "不同方案每张卡的显存（ZeRO-3 按八张卡）"),
        (Text("Recipe", "方案"), ""),
        (Text("Memory per GPU", "每张卡显存"), "GiB"),
        _stacked(prints),
        Text(
            f"Stacked bars of states, activations and overhead of each recipe, middle of the ranges, with the usable memory of {name.en}.",
            f"各方案的状态、激活和额外开销（取区间中点）堆叠柱状图，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text(f"usable on {name.en}", f"{name.zh} 可用显存"), y=c.capacity / GIB),),
    )


def parts_chart(c: Case) -> Chart:
    """Stacked parts by number of GPUs; without sharding by micro-batch."""
    p, name = c.plan, card_name(c.card)
    if p.stage:
        found: list[tuple[str, Footprint]] = [(f"{n} ×", f) for n, f in sizes(p)[:7]]
        title = Text("Memory per GPU, by number of GPUs", "不同卡数下每张卡的显存")
        axis = Text("GPUs", "卡数")
    else:
        batches = sorted({1, 2, 4, 8, 16, p.micro_batch})
        at = sizing(p)
        found = [(str(n), at(p.gpus, n, p.sequence)) for n in batches]
        title = Text("Memory per GPU, by micro-batch", "不同微批下每张卡的显存")
        axis = Text("Micro-batch", "微批大小")
    return Chart(
        "parts",
        "stack",
        title,
        (axis, ""),
        (Text("Memory per GPU", "每张卡显存"), "GiB"),
        _stacked(found),
        Text(
            f"Stacked bars of states, activations and overhead per GPU, middle of the ranges, with the usable memory of {name.en}.",
            f"每张卡的状态、激活和额外开销（取区间中点）堆叠柱状图，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text(f"usable on {name.en}", f"{name.zh} 可用显存"), y=c.capacity / GIB),),
    )
