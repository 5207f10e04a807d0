"""How sure `spot` is: which of its numbers move, over which range, and what both ways then cost.

In: a `Plan` with both prices. Out: a `Study`.
"""

from collections.abc import Sequence

from calculators.framework.text import Text
from calculators.reliability.fields import SPOT_SHARE
from calculators.reliability.job import wall
from calculators.reliability.plan import ENDLESS, ON_DEMAND, SPOT, Plan
from calculators.reliability.report import NAMES
from calculators.uncertainty.study import Study, Uncertain


def make_study(plan: Plan) -> Study:
    """What moves both costs. The interval stays as it was chosen at the base: nobody changes it when luck turns."""
    i = plan.inputs
    tau, tau_demand = plan.interval(plan.mtbi()), plan.interval(plan.failures)
    spot, demand = plan.spot or 0.0, plan.on_demand or 0.0
    assumed = Text("an assumption", "假设值")
    moved = [
        Uncertain(
            "interruption_hours", Text("Between reclaims", "回收间隔"), "h", plan.low, i.interruption_hours, plan.high, assumed
        ),
        Uncertain(
            "restart_minutes",
            Text("Restart", "重新启动"),
            "min",
            i.restart_minutes / 2,
            i.restart_minutes,
            i.restart_minutes * 3,
            assumed,
        ),
    ]
    if (
        (price := plan.prices.get(SPOT)) is not None
        and price.lower is not None
        and price.upper is not None
        and price.lower < price.upper
    ):
        origin = Text("middle half of the catalog's offers", "目录报价的中间一半")
        moved.append(
            Uncertain(
                "spot_price",
                Text("Spot price", "竞价价格"),
                f"{i.currency}/h",
                min(price.lower, spot),
                spot,
                max(price.upper, spot),
                origin,
            )
        )
    elif price is None:
        low, base, high = (demand * share / 100 for share in sorted((SPOT_SHARE[0], i.spot_percent, SPOT_SHARE[2])))
        origin = Text("published ratios", "公开的比例")
        moved.append(Uncertain("spot_price", Text("Spot price", "竞价价格"), f"{i.currency}/h", low, base, high, origin))

    def evaluate(values: Sequence[float]) -> tuple[float, float]:
        every, restart = values[0], values[1] / 60
        paid = values[2] if len(values) > 2 else spot
        m = plan.mtbi(every)
        from_wall = _wall(i.work_hours, tau, plan.checkpoint, restart, m)
        demand_wall = _wall(i.work_hours, tau_demand, plan.checkpoint, restart, plan.failures)
        return paid * i.accelerator_count * from_wall, demand * i.accelerator_count * demand_wall

    return Study(tuple(moved), ((SPOT, NAMES[SPOT]), (ON_DEMAND, NAMES[ON_DEMAND])), evaluate, i.currency, 1, 100)


def _wall(work: float, tau: float, checkpoint: float, restart: float, mtbi: float) -> float:
    """A draw in which the job never ends counts as one that takes as long as an ending may."""
    return min(ENDLESS * work, wall(work, tau, checkpoint, restart, mtbi))
