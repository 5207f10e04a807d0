"""Tables and charts of `throughput` as plain data."""

from calculators.framework.spec import Cell, Chart, Column, Link, Mark, Series, Table
from calculators.framework.text import Text
from calculators.market.words import PRICE_COLUMNS, card_name, price_cells, price_column
from calculators.speed.cards import Plan, cost_per_million
from calculators.speed.case import Case
from calculators.speed.service import Point
from calculators.speed.steps import decode_intensity
from calculators.speed.target import MOST_BATCH
from calculators.speed.work import decode_flops

LIMITS = {
    "memory": Text("memory", "显存"),
    "tpot": Text("TPOT"),
    "ttft": Text("TTFT"),
    "most": Text(f"our limit of {MOST_BATCH}", f"本工具上限 {MOST_BATCH}"),
    "": Text("nothing", "无"),
}


def cards_table(found: tuple[Plan, ...], c: Case) -> Table:
    """Every card that keeps the target for the whole traffic, cheapest first."""
    t = c.traffic
    rows: list[dict[str, Cell]] = [
        {
            "card": Link("accelerators", p.card.id, card_name(p.card)),
            "each": p.gpus,
            "all": p.all_gpus,
            "batch": p.best.batch,
            "limit": LIMITS[p.best.limit],
            "tpot": p.best.point.tpot * 1e3,
            "tokens": p.best.point.tokens_per_s,
            "price": p.per_hour,
            "million": None if p.per_hour is None else cost_per_million(p.per_hour, t.requests_per_s * t.answer),
            **price_cells(p.quote),
        }
        for p in found
    ]
    return Table(
        "cards",
        Text("Cards that keep the target for this traffic, cheapest first", "能以该延迟目标承载此流量的显卡，从便宜到贵"),
        (
            Column("card", Text("Card", "显卡"), kind="link"),
            Column("each", Text("GPUs per replica", "每副本卡数"), digits=0),
            Column("all", Text("GPUs in all", "总卡数"), digits=0),
            Column("batch", Text("Requests at once", "并发"), digits=0),
            Column("limit", Text("Stopped by", "限制因素"), kind="text"),
            Column("tpot", Text("TPOT"), "ms", 1),
            Column("tokens", Text("Per replica", "单副本"), "token/s", 0),
            price_column(t.currency),
            Column("million", Text("Per million answer tokens", "每百万输出 token"), t.currency, 3),
            *PRICE_COLUMNS,
        ),
        tuple(rows),
        Text(
            "GPUs per replica are those of 1, 2, 4, 8 that take the fewest GPUs in all. Cards without a dense peak or bandwidth in the "
            "catalog are left out. Price: on demand; (?) = no public page confirms it; a dash = the catalog has no price.",
            "每副本卡数取 1、2、4、8 中总卡数最少的。目录中缺少稠密算力或带宽的卡不列出。"
            "价格：按需计费；(?) 表示没有公开页面可以证实；“—”表示目录中没有价格。",
        ),
    )


def _batches(c: Case) -> list[int]:
    top = max(64, 2 * c.at.batch, c.best.batch)
    return sorted({n for k in range(11) if (n := 2**k) <= min(top, MOST_BATCH)} | {c.at.batch})


def _points(c: Case) -> list[Point]:
    return [c.replica.at(n) for n in _batches(c)]


def charts(c: Case) -> tuple[Chart, ...]:
    """Throughput by batch, TPOT by batch, and the roofline."""
    points = _points(c)
    return (_throughput_chart(c, points), _tpot_chart(c, points), _roofline_chart(c, points))


def _throughput_chart(c: Case, points: list[Point]) -> Chart:
    name = card_name(c.card)
    marks = (Mark(Text("largest that keeps the target", "满足目标的最大并发"), x=c.best.batch),) if c.best.batch else ()
    return Chart(
        "throughput",
        "line",
        Text("Throughput of one replica, by requests at once", "单个副本的吞吐随并发的变化"),
        (Text("Requests at once", "并发请求数"), "request"),
        (Text("Answer tokens", "输出 token"), "token/s"),
        (
            Series(Text("prefill and decode together", "预填充与解码混合"), tuple((p.batch, p.tokens_per_s) for p in points)),
            Series(Text("decode alone", "只有解码"), tuple((p.batch, p.batch / p.step) for p in points)),
        ),
        Text(
            f"Lines of answer tokens per second of {c.gpus} × {name.en} over the requests at once, with and without prefill.",
            f"{c.gpus} × {name.zh} 每秒输出 token 数随并发变化的折线，分别为含预填充和只有解码。",
        ),
        marks,
    )


def _tpot_chart(c: Case, points: list[Point]) -> Chart:
    limit = c.traffic.target.tpot * 1e3
    return Chart(
        "tpot",
        "line",
        Text("TPOT, by requests at once", "TPOT 随并发的变化"),
        (Text("Requests at once", "并发请求数"), "request"),
        (Text("TPOT"), "ms"),
        (
            Series(Text("under load", "负载下"), tuple((p.batch, p.tpot * 1e3) for p in points)),
            Series(Text("decode step alone", "仅解码一步"), tuple((p.batch, p.step * 1e3) for p in points)),
        ),
        Text(
            f"Lines of the time per output token over the requests at once, with the target of {limit:g} ms.",
            f"每 token 延迟随并发变化的折线，横线为目标 {limit:g} ms。",
        ),
        (Mark(Text("target", "目标"), y=limit),),
    )


def _roofline_chart(c: Case, points: list[Point]) -> Chart:
    """Attained FLOP/s over FLOP per byte, one GPU (Williams et al. 2009)."""
    m, load, name = c.machine, c.load, card_name(c.card)
    peak, ridge = m.flops / 1e12, m.ridge
    checked = (1 + load.ahead) / load.per_step  # arithmetic per token that counts
    decode = [
        (
            decode_intensity(load, p.batch),
            p.batch * checked * decode_flops(load.work, load.mean_context) / m.gpus / p.step / 1e12,
        )
        for p in points
    ]
    prefill = load.prompt_flops / m.gpus / c.replica.middle / 1e12
    far = max(2 * ridge, 1.1 * max(x for x, _ in decode))
    return Chart(
        "roofline",
        "line",
        Text("Roofline of one GPU", "单张卡的屋顶线模型（roofline）"),
        (Text("Arithmetic intensity", "算术强度"), "FLOP/B"),
        (Text("Compute", "算力"), "TFLOP/s"),
        (
            Series(
                Text(f"roof: bandwidth, then {m.precision.upper()}", f"屋顶：先带宽，后 {m.precision.upper()} 算力"),
                ((0, 0), (ridge, peak), (far, peak)),
            ),
            Series(Text("decode, more requests to the right", "解码（越靠右并发越大）"), tuple(decode)),
            Series(Text("prefill, modelled", "预填充（模型估算）"), ((ridge, prefill), (far, prefill))),
        ),
        Text(
            f"The roofline of {name.en}: bandwidth up to {ridge:.0f} FLOP per byte, then {peak:.0f} TFLOP/s. Decode lies under its slope, prefill under its flat part.",
            f"{name.zh} 的屋顶线：每字节 {ridge:.0f} FLOP 以内受带宽限制，之后为 {peak:.0f} TFLOP/s。解码位于斜坡下方，预填充位于平顶下方。",
        ),
    )
