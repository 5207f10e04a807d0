"""The working of `spot`: each headline figure with its formula, the numbers put in, and its source.

In: a `Plan`. Out: steps of the working.
"""

import math

from calculators.framework.spec import Working
from calculators.framework.text import Text, number
from calculators.reliability.checkpoints import young
from calculators.reliability.job import best_interval
from calculators.reliability.plan import ON_DEMAND, SPOT, Plan
from calculators.reliability.report import NAMES

DALY = "Daly 2006, https://doi.org/10.1016/j.future.2004.11.016"
YOUNG = "Young 1974, https://doi.org/10.1145/361147.361115"
DERIVED = Text("derived", "由上推导")


def show_working(plan: Plan, work: Working) -> None:
    """Each headline figure: formula, numbers put in, source."""
    i, m, c, r = plan.inputs, plan.mtbi(), plan.checkpoint, plan.restart
    n = number
    work.show(
        Text("Time to save (C)", "保存耗时 C"),
        Text("size / speed, or as entered", "大小 / 速度，或填写值"),
        f"{n(i.checkpoint_gb)} GB / {n(i.write_gb_per_second)} GB/s"
        if i.checkpoint_seconds is None
        else f"{n(i.checkpoint_seconds)} s",
        3600 * c,
        "s",
        DERIVED,
        1,
    )
    work.show(
        Text("Between interruptions of the job (M)", "整个任务的平均中断间隔 M"),
        Text("1 / (instances / reclaims + GPUs / failures)", "1 /（实例数 / 回收间隔 + 卡数 / 故障间隔）"),
        f"1 / ({plan.instances} / {n(i.interruption_hours)} + {i.accelerator_count} / {n(i.gpu_failure_hours)})",
        m,
        "h",
        Text("rates of independent events add", "独立事件的速率相加"),
        3,
    )
    work.show(
        Text("Young's interval", "Young 间隔"),
        "sqrt(2 C M)",
        f"sqrt(2 × {n(c, 4)} × {n(m, 3)})",
        60 * young(c, m),
        "min",
        YOUNG,
        1,
    )
    work.show(
        Text("Best interval", "最佳间隔"),
        "(1 - τ/M) exp(τ/M) = exp(-C/M)",
        f"C/M = {n(c / m)}",
        60 * best_interval(c, m),
        "min",
        DALY,
        1,
    )
    if math.isfinite(plan.base):
        tau = min(plan.interval(m), i.work_hours)
        work.show(
            Text("Running hours", "运行小时数"),
            "M exp(R/M) (exp((τ + C)/M) - 1) W/τ",
            f"M = {n(m, 3)}, R = {n(r, 3)}, τ = {n(tau, 3)}, C = {n(c, 4)}, W = {n(i.work_hours)}",
            plan.base,
            "h",
            DALY,
            2,
        )
        for price, hours, name in (
            (plan.spot, plan.base, NAMES[SPOT]),
            (plan.on_demand, plan.on_demand_running, NAMES[ON_DEMAND]),
        ):
            total = plan.cost(price, hours)
            if price is not None and total is not None:
                work.show(
                    name,
                    Text("price × GPUs × running hours", "价格 × 卡数 × 运行小时数"),
                    f"{n(price, 3)} × {i.accelerator_count} × {n(hours, 2)}",
                    total,
                    i.currency,
                    DERIVED,
                    0,
                )
