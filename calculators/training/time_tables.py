"""The tables and charts of `training-time`. In: a `Case` and its `Run`. Out: plain data."""

from typing import NamedTuple

from calculators.framework.spec import Cell, Chart, Column, Link, Mark, Series, Table
from calculators.framework.text import Text
from calculators.framework.verdict import short
from calculators.market.offers import Quote, best_quote
from calculators.market.words import PRICE_COLUMNS, card_name, price_cells
from calculators.memory.serving import card_bytes
from calculators.training.cards import fits
from calculators.training.plan import Plan
from calculators.training.scaling import Job, Step, curve, on, step
from calculators.training.time_case import Case, Run, job_of, peak_of, run_of
from catalog.model import Accelerator, Catalog

USABLE_PERCENT = 95.0
PARTS: tuple[tuple[str, Text], ...] = (
    ("compute", Text("Arithmetic", "计算")),
    ("bubble", Text("Pipeline bubble", "流水线气泡")),
    ("tensor", Text("Tensor parallel", "张量并行通信")),
    ("context", Text("Context parallel, not hidden", "上下文并行通信（未遮住）")),
    ("expert", Text("Expert parallel", "专家并行通信")),
    ("pipeline", Text("Pipeline messages", "流水线通信")),
    ("data", Text("Data parallel, not hidden", "数据并行通信（未遮住）")),
)


def verdict(plan: Plan, card: Accelerator) -> str:
    """Does the job fit on a card? `yes`, `tight` or `no`."""
    return fits(plan, card_bytes(card.memory, USABLE_PERCENT))


class Offered(NamedTuple):
    """The same job on another card, on as many of them."""

    card: Accelerator
    run: Run
    verdict: str
    quote: Quote | None

    @property
    def cost(self) -> float | None:
        """Of the whole run; None where the catalog has no price."""
        return None if self.quote is None else self.quote.per_hour * self.run.paid_hours


def offered(c: Case, catalog: Catalog) -> tuple[Offered, ...]:
    """Every card whose peak is known and that holds the job, cheapest run first."""
    found = []
    for card in catalog.accelerators.values():
        peak = peak_of(card, c.inputs.precision)
        state = verdict(c.plan, card)
        if peak is None or state == "no" or "cloud-only" in card.flags:
            continue
        run = run_of(c, job_of(c.inputs, catalog, card, peak))
        found.append(Offered(card, run, state, best_quote(catalog, card.id, c.inputs.currency)))
    return tuple(sorted(found, key=lambda o: (o.cost is None, o.cost or 0.0, o.run.days, o.card.id)))


def cards_table(found: tuple[Offered, ...], c: Case) -> Table:
    """The job on every card that holds it, cheapest run first."""
    rows: list[dict[str, Cell]] = [
        {
            "card": Link("accelerators", o.card.id, card_name(o.card)),
            "days": o.run.days,
            "hours": o.run.gpu_hours,
            "cost": o.cost,
            "fits": short(o.verdict),
            **price_cells(o.quote),
        }
        for o in found
    ]
    n = c.inputs.gpus
    return Table(
        "cards",
        Text(f"The same run on {n:,} of other cards, cheapest first", f"换用 {n:,} 张其他卡完成同样的训练，从便宜到贵"),
        (
            Column("card", Text("Card", "显卡"), kind="link"),
            Column("days", Text("Days", "天数"), digits=1),
            Column("hours", Text("GPU-hours", "GPU 小时"), digits=0),
            Column("cost", Text("Cost", "成本"), c.inputs.currency, 0),
            Column("fits", Text("Fits", "放得下"), kind="text"),
            *PRICE_COLUMNS,
        ),
        tuple(rows),
        Text(
            "Same utilisation, layout and network on every card: real software reaches less on young stacks. Cards that do not hold the job are left out. "
            "(?) = no public page confirms the price; a dash = the catalog has no price.",
            "各卡按同样的利用率、并行方式和网络计算；较新的软件栈实际达不到。放不下的卡未列出。(?) 表示没有公开页面可以证实价格；“—”表示目录中没有价格。",
        ),
    )


def counts(job: Job, gpus: int) -> tuple[int, ...]:
    """Numbers of GPUs for the curve: doubled from one copy, around the reader's own."""
    base = job.fewest
    found = {base * 2**k for k in range(18) if base * 2**k <= max(4 * gpus, 64 * base)}
    return tuple(sorted(found | {gpus}))


def scaling_table(c: Case, job: Job) -> Table:
    """Days, speed-up and share of linear speed-up over the number of GPUs."""
    rows: list[dict[str, Cell]] = []
    for point in curve(job, counts(job, c.inputs.gpus), same_batch=c.inputs.same_batch):
        there = on(job, point.gpus, same_batch=c.inputs.same_batch)
        run = run_of(c, there, measured=point.speed / point.gpus)
        rows.append(
            {
                "gpus": point.gpus,
                "days": run.days,
                "speedup": point.speed_up,
                "share": 100 * point.share,
                "mfu": None if run.mfu is None else 100 * run.mfu,
                "cost": None if c.price is None else c.price * run.paid_hours,
            }
        )
    return Table(
        "scaling",
        Text("More GPUs: how much faster", "增加卡数能快多少"),
        (
            Column("gpus", Text("GPUs", "卡数"), digits=0),
            Column("days", Text("Days", "天数"), digits=1),
            Column("speedup", Text("Speed-up", "加速"), "×", 2),
            Column("share", Text("Of linear", "线性加速比"), "%", 1),
            Column("mfu", Text("MFU"), "%", 1),
            Column("cost", Text("Cost", "成本"), c.inputs.currency, 0),
        ),
        tuple(rows),
        Text(
            "With the same global batch the rows end where a copy would have nothing to do. The first row is the fewest GPUs for one copy, whether or not it fits.",
            "全局批量不变时，表格到每个副本无活可干为止。第一行是一个副本的最少卡数，不论是否放得下。",
        ),
    )


def step_table(found: Step) -> Table:
    """Where the time of one step goes."""
    rows: list[dict[str, Cell]] = [
        {"part": label, "seconds": getattr(found, part), "share": 100 * getattr(found, part) / found.seconds}
        for part, label in PARTS
        if getattr(found, part) > 0
    ]
    rows.append({"part": Text("Together", "合计"), "seconds": found.seconds, "share": 100.0})
    return Table(
        "step",
        Text("Where one step's time goes", "一步的时间花在哪里"),
        (
            Column("part", Text("Part", "组成"), kind="text"),
            Column("seconds", Text("Seconds", "秒"), "s", 3),
            Column("share", Text("Share", "占比"), "%", 1),
        ),
        tuple(rows),
    )


def scaling_chart(c: Case, job: Job) -> Chart:
    """Speed-up over GPUs, with the straight line."""
    points = curve(job, counts(job, c.inputs.gpus), same_batch=c.inputs.same_batch)
    base = job.fewest
    name = card_name(c.card)
    return Chart(
        "scaling",
        "line",
        Text("Speed-up over one copy of the model", "相对单副本的加速"),
        (Text("GPUs", "卡数"), ""),
        (Text("Speed-up", "加速"), "×"),
        (
            Series(Text("modelled", "模型估算"), tuple((p.gpus, p.speed_up) for p in points)),
            Series(Text("linear", "线性"), tuple((p.gpus, p.gpus / base) for p in points)),
        ),
        Text(
            f"Line of the modelled speed-up on {name.en} over the number of GPUs, beside the straight line of linear speed-up.",
            f"{name.zh} 的加速随卡数变化的折线，与线性加速的直线对照。",
        ),
        (Mark(Text("yours", "当前"), x=c.inputs.gpus),),
    )


def step_chart(c: Case, job: Job) -> Chart:
    """Parts of a step's time by number of GPUs, in percent."""
    there = [(n, on(job, n, same_batch=c.inputs.same_batch)) for n in counts(job, c.inputs.gpus)]
    steps = [(n, step(moved)) for n, moved in there if moved is not None]
    return Chart(
        "step",
        "stack",
        Text("Share of a step's time, by number of GPUs", "不同卡数下一步时间的构成"),
        (Text("GPUs", "卡数"), ""),
        (Text("Share of the time", "时间占比"), "%"),
        tuple(
            Series(label, tuple((f"{n:,}", 100 * getattr(s, part) / s.seconds) for n, s in steps))
            for part, label in PARTS
            if any(getattr(s, part) > 0 for _, s in steps)
        ),
        Text(
            "Stacked bars of arithmetic, pipeline bubble and communication as shares of a step, by number of GPUs.",
            "按卡数堆叠的一步时间构成：计算、流水线气泡和各类通信的占比。",
        ),
    )
