"""The tables and charts of `vram-inference`. In: a `Case`, its `Footprint`, the placements. Out: plain data."""

from calculators.framework.spec import Cell, Chart, Column, Link, Mark, Series, Table
from calculators.framework.text import Text
from calculators.framework.verdict import short
from calculators.inference.case import Case
from calculators.market.words import PRICE_COLUMNS, card_name, price_cells, price_column
from calculators.memory import tables
from calculators.memory.cards import COUNTS, Placement
from calculators.memory.serving import GIB, Footprint, footprint, footprints, splits

PARTS: tuple[tuple[str, Text, str], ...] = (
    ("weights", Text("Weights", "权重"), "exact"),
    ("kv", Text("KV cache", "KV 缓存"), "exact"),
    ("extras", Text("Adapters and draft", "适配器与草稿"), "assumed"),
    ("activations", Text("Activations", "激活"), "assumed"),
    ("overhead", Text("Overhead", "额外开销"), "assumed"),
)

RUNS_IT = {
    "native": Text("yes", "是"),
    "weights-only": Text("weights only", "仅权重"),
    "as-fp16": Text("as FP16", "按 FP16"),
    "no": Text("no", "否"),
    "unknown": Text("not known", "未知"),
}


def _span(f: Footprint, part: str) -> tuple[float, float]:
    low, high = {
        "weights": (f.weights, f.weights),
        "kv": (f.kv, f.kv_high),
        "extras": (f.extras, f.extras),
        "activations": (f.activations_low, f.activations_high),
        "overhead": (f.overhead_low, f.overhead_high),
    }[part]
    return low / GIB, high / GIB


def parts_table(f: Footprint, gpus: int) -> Table:
    """What one GPU holds, part by part."""
    return tables.parts_table(
        Text(f"Memory of one GPU of {gpus}", f"{gpus} 张卡中每一张的显存"),
        ((label, *_span(f, part), kind) for part, label, kind in PARTS if part != "extras" or f.extras),
        (f.low / GIB, f.high / GIB),
    )


def cards_table(found: tuple[Placement, ...], c: Case) -> Table:
    """Every card that holds it, cheapest first."""
    rows: list[dict[str, Cell]] = [
        {
            "card": Link("accelerators", p.card.id, card_name(p.card)),
            "gpus": p.gpus,
            "used": 100 * p.footprint.high / (p.card.memory.value * GIB),
            "verdict": short(p.verdict),
            "runs": RUNS_IT[p.support],
            "speed": 1 / p.speed.modelled_seconds if p.speed else None,
            "price": p.per_hour,
            **price_cells(p.quote),
        }
        for p in found
    ]
    return Table(
        "cards",
        Text("Cards that hold it, cheapest first", "放得下的加速卡，从便宜到贵"),
        (
            Column("card", Text("Card", "加速卡"), kind="link"),
            Column("gpus", Text("GPUs", "卡数"), digits=0),
            Column("used", Text("Filled, high", "占用（上限）"), "%", 0),
            Column("verdict", Text("Fits", "放得下"), kind="text"),
            Column("runs", Text("Runs the format", "支持该格式"), kind="text"),
            Column("speed", Text("Decode", "解码"), "token/s", 0),
            price_column(c.currency),
            *PRICE_COLUMNS,
        ),
        tuple(rows),
        Text(
            "GPUs are the smallest of 1, 2, 4 … 32 that hold it; more than 8 usually means more than one server. Decode is for one request. "
            "Runs the format, by vLLM's and llama.cpp's lists: weights only = unpacked to 16 bits for the product; as FP16 = no BF16 units; "
            "not known = a stack that the lists leave out. "
            "Price: on demand, newest year first, then cheapest; (?) = no public page confirms it; a dash = the catalog has no price.",
            "卡数取 1、2、4……32 中放得下的最小值；超过 8 张通常需要多台服务器。解码速度指单个请求。"
            "支持该格式依据 vLLM 与 llama.cpp 的列表：仅权重指相乘前解压为 16 位；按 FP16 指没有 BF16 单元；未知指列表未涉及的软件生态。"
            "价格：按需计费，先取最新年份，再取最低价；(?) 表示没有公开页面可以证实；“—”表示目录中没有价格。",
        ),
    )


def parts_chart(c: Case) -> Chart:
    """Stacked parts for one, two, four and eight GPUs."""
    s, name = c.serving, card_name(c.card)
    counts = [n for n in COUNTS[:4] if splits(s, n)]
    prints = {n: footprint(s, n) for n in counts}
    series = tuple(
        Series(label, tuple((f"{n} ×", sum(_span(prints[n], part)) / 2) for n in counts))
        for part, label, _ in PARTS
        if part != "extras" or c.serving.adapters or c.serving.draft
    )
    return Chart(
        "parts",
        "stack",
        Text("Memory per GPU, by number of GPUs", "不同卡数下每张卡的显存"),
        (Text("GPUs", "卡数"), ""),
        (Text("Memory per GPU", "每张卡显存"), "GiB"),
        series,
        Text(
            f"Stacked bars of weights, KV cache, activations and overhead per GPU (middle of the ranges), with the usable memory of {name.en}.",
            f"每张卡的权重、KV 缓存、激活和额外开销（取区间中点）堆叠柱状图，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text("usable", "可用显存"), y=c.capacity / GIB),),
    )


def context_chart(c: Case) -> Chart:
    """Memory need over the context length."""
    s, name = c.serving, card_name(c.card)
    most = max(s.architecture.max_position_embeddings or 131_072, s.context)
    contexts = sorted({n for k in range(10, 24) if (n := 2**k) <= most} | {s.context})
    prints = list(zip(contexts, footprints(s, c.gpus, "context", contexts), strict=True))
    return Chart(
        "context",
        "line",
        Text("Memory per GPU, by context", "不同上下文长度下每张卡的显存"),
        (Text("Context", "上下文长度"), "token"),
        (Text("Memory per GPU", "每张卡显存"), "GiB"),
        (
            Series(Text("low", "下限"), tuple((n, f.low / GIB) for n, f in prints)),
            Series(Text("high", "上限"), tuple((n, f.high / GIB) for n, f in prints)),
        ),
        Text(
            f"Lines of the low and high memory need over the context length, with the usable memory of {name.en}.",
            f"显存需求上下限随上下文长度变化的折线，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text("usable", "可用显存"), y=c.capacity / GIB),),
    )
