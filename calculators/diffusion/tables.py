"""Tables and charts of `vram-diffusion` as plain data."""

from dataclasses import replace

from calculators.diffusion.case import Case, Place
from calculators.diffusion.fields import MOST_FRAMES, MOST_SIDE, OFFLOADS
from calculators.diffusion.peak import GIB, Peak, Phase, peak
from calculators.framework.spec import Cell, Chart, Column, Link, Mark, Series, Table
from calculators.framework.text import Text
from calculators.framework.verdict import short
from calculators.market.words import PRICE_COLUMNS, card_name, price_cells, price_column

PHASES = {
    "text": Text("text encoding", "文本编码"),
    "denoise": Text("denoising", "去噪"),
    "decode": Text("VAE decoding", "VAE 解码"),
}
ROLES = {
    "text-encoder": Text("text encoder", "文本编码器"),
    "denoiser": Text("denoiser", "去噪模型"),
    "controlnet": Text("ControlNet"),
    "vae": Text("VAE"),
}


def components_table(c: Case) -> Table:
    """What the pipeline loads: parameters and bytes."""
    rows: list[dict[str, Cell]] = [
        {
            "part": p.component.name + (f" × {p.copies}" if p.copies > 1 else ""),
            "role": ROLES[p.component.role],
            "parameters": p.component.parameters.value * p.copies / 1e9,
            "size": p.total / GIB,
        }
        for p in c.run.parts
    ]
    return Table(
        "components",
        Text("Components of the pipeline", "流水线的组件"),
        (
            Column("part", Text("Component", "组件"), kind="text"),
            Column("role", Text("Role", "作用"), kind="text"),
            Column("parameters", Text("Parameters", "参数量"), "10⁹", 3),
            Column("size", Text("Weights", "权重"), "GiB", 2),
        ),
        tuple(rows),
        Text(
            "Parameters are counted from the model classes of diffusers and transformers, tensor by tensor.",
            "参数量按 diffusers 和 transformers 的模型类逐张量统计。",
        ),
    )


def ways_table(c: Case) -> Table:
    """The same picture under each offload, with and without tiling."""
    rows: list[dict[str, Cell]] = []
    for offload, label in OFFLOADS.items():
        if offload == "sequential" and c.run.engine == "sd.cpp":
            continue
        for tiling in (False, True):
            p = peak(replace(c.run, offload=offload, tiling=tiling))
            rows.append(
                {
                    "offload": label,
                    "tiling": tiling,
                    "low": p.low / GIB,
                    "high": p.high / GIB,
                    "phase": PHASES[p.worst.id],
                }
            )
    return Table(
        "ways",
        Text("Peak memory by offload and tiling", "不同卸载与分块方式的峰值显存"),
        (
            Column("offload", Text("Offload", "权重卸载"), kind="text"),
            Column("tiling", Text("Tiled decoding", "分块解码"), kind="mark"),
            Column("low", Text("Low", "下限"), "GiB", 1),
            Column("high", Text("High", "上限"), "GiB", 1),
            Column("phase", Text("Peak while", "峰值阶段"), kind="text"),
        ),
        tuple(rows),
    )


def cards_table(found: tuple[Place, ...], c: Case) -> Table:
    """Every card that holds it, cheapest first."""
    rows: list[dict[str, Cell]] = [
        {
            "card": Link("accelerators", p.card.id, card_name(p.card)),
            "memory": p.card.memory.value,
            "filled": 100 * c.peak.high / (p.card.memory.value * GIB),
            "verdict": short(p.verdict),
            "price": p.per_hour,
            **price_cells(p.quote),
        }
        for p in found
    ]
    return Table(
        "cards",
        Text("Cards that hold it, cheapest first", "放得下的显卡，从便宜到贵"),
        (
            Column("card", Text("Card", "显卡"), kind="link"),
            Column("memory", Text("Memory", "显存"), "GB", 0),
            Column("filled", Text("Filled, high", "占用（上限）"), "%", 0),
            Column("verdict", Text("Fits", "放得下"), kind="text"),
            price_column(c.inputs.currency),
            *PRICE_COLUMNS,
        ),
        tuple(rows),
        Text(
            "One card each. Price: on demand; (?) = no public page confirms it; a dash = the catalog has no price.",
            "均为单卡。价格：按需计费；(?) 表示没有公开页面可以证实；“—”表示目录中没有价格。",
        ),
    )


def _layers(p: Peak, phase: Phase) -> tuple[float, float, float]:
    return phase.weights / GIB, (phase.low + phase.high) / 2 / GIB, (p.overhead_low + p.overhead_high) / 2 / GIB


def phases_chart(c: Case) -> Chart:
    """Stacked weights, working memory and overhead of each phase."""
    names = (Text("weights", "权重"), Text("working memory", "工作显存"), Text("context", "上下文"))
    bars = [(PHASES[phase.id], _layers(c.peak, phase)) for phase in c.peak.phases]
    name = card_name(c.card)
    return Chart(
        "phases",
        "stack",
        Text("Memory in each phase", "各阶段的显存"),
        (Text("Phase", "阶段"), ""),
        (Text("Memory", "显存"), "GiB"),
        tuple(Series(label, tuple((phase, sizes[i]) for phase, sizes in bars)) for i, label in enumerate(names)),
        Text(
            f"Stacked bars of weights, working memory (middle of the range) and context in each phase, with the usable memory of {name.en}.",
            f"各阶段的权重、工作显存（取区间中点）和上下文堆叠柱状图，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text(f"usable on {name.en}", f"{name.zh} 可用显存"), y=c.capacity / GIB),),
    )


def growth_chart(c: Case) -> Chart:
    """Peak memory over the frames of a video, or over the side of a square image."""
    size, model, name = c.run.size, c.run.model, card_name(c.card)
    if model.task == "video":
        label, unit = Text("Frames", "帧数"), "frame"
        steps = sorted({min(MOST_FRAMES, 1 + model.token_frames * k) for k in (0, 4, 8, 12, 20, 30, 40, 60)} | {size.frames})
        sizes = [replace(size, frames=n) for n in steps]
    else:
        label, unit = Text("Side of a square image", "正方形图像边长"), "px"
        steps = [n for n in (256, 512, 768, 1024, 1280, 1536, 1792, 2048) if n <= MOST_SIDE]
        sizes = [replace(size, width=n, height=n) for n in steps]
    peaks = [(n, peak(replace(c.run, size=s))) for n, s in zip(steps, sizes, strict=True)]
    return Chart(
        "growth",
        "line",
        Text(f"Peak memory, by {label.en.lower()}", f"峰值显存随{label.zh}的变化"),
        (label, unit),
        (Text("Peak memory", "峰值显存"), "GiB"),
        (
            Series(Text("low", "下限"), tuple((n, p.low / GIB) for n, p in peaks)),
            Series(Text("high", "上限"), tuple((n, p.high / GIB) for n, p in peaks)),
        ),
        Text(
            f"Lines of the low and high peak over the {label.en.lower()}, with the usable memory of {name.en}.",
            f"峰值显存上下限随{label.zh}变化的折线，横线为 {name.zh} 的可用显存。",
        ),
        (Mark(Text(f"usable on {name.en}", f"{name.zh} 可用显存"), y=c.capacity / GIB),),
    )
