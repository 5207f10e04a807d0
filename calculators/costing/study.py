"""A `Plan` -> the study of its uncertainty: which numbers move, over which range, and what every option then costs.

In: `Plan`. Out: `Study`. A number that no priced option depends on, or that has no range, does not move.
"""

from collections.abc import Callable, Sequence

from calculators.costing.lean import lean
from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, OWNED, PURCHASE, RENTS, RESERVED, SPOT, USED
from calculators.costing.plan import Plan
from calculators.costing.words import NAMES, VALUE_NAMES
from calculators.framework.text import in_currency
from calculators.uncertainty.study import Study, Uncertain

DRAWS = 200
"""Of the answer at once."""


def moving(plan: Plan) -> tuple[int, ...]:
    """Places in `Values` that move an option's cost."""
    t, options = plan.terms, set(plan.terms.options)
    owning, renting = bool(options & set(OWNED)), bool(options & set(RENTS))
    by_share, by_discount = SPOT in options and t.spot_price is None, RESERVED in options and t.reserved_price is None
    matters = {
        "hours_per_month": owning or ON_DEMAND in options or SPOT in options,
        "hourly_price": ON_DEMAND in options or by_share or by_discount,
        "rent_decline_percent": renting,
        "spot_percent": by_share,
        "reserved_discount_percent": by_discount,
        "capex_per_accelerator": PURCHASE in options,
        "residual_percent": owning,
        "maintenance_percent": PURCHASE in options and t.assets[0].warranty_months > 0,
        "tariff": owning and not t.colo_energy,
        "pue": owning and not t.colo,
        "colo_per_kw_month": owning and t.colo,
        "discount_rate_percent": True,
        "spot_interrupted_every": SPOT in options and t.spot_goodput is None,
        "monthly_price": MONTHLY in options,
        "bare_metal_price": BARE_METAL in options,
        "used_price_per_accelerator": USED in options,
    }
    return tuple(k for k, m in enumerate(plan.moves) if matters[m.name] and m.low < m.high)


def make_study(plan: Plan) -> Study:
    """The study of a plan."""
    i, places = plan.inputs, moving(plan)
    names = {plan.moves[k].name for k in places}
    tied = ("rent_decline_percent", "residual_percent")
    correlated = (
        ((*tied, -i.decline_residual_correlation),) if names.issuperset(tied) and i.decline_residual_correlation else ()
    )
    return Study(
        variables=tuple(_uncertain(plan, k) for k in places),
        options=tuple((o, NAMES[o]) for o in plan.terms.options),
        evaluate=_placed(lean(plan.terms), plan.values, places),
        unit=i.currency,
        seed=i.seed,
        draws=DRAWS,
        correlated=correlated,
        asked=i.draws,
    )


def _uncertain(plan: Plan, place: int) -> Uncertain:
    m = plan.moves[place]
    label, unit = VALUE_NAMES[m.name]
    return Uncertain(m.name, label, in_currency(unit, plan.inputs.currency), m.low, m.value, m.high, m.source)


def _placed(
    evaluate: Callable[[Sequence[float]], list[float]], base: Sequence[float], places: tuple[int, ...]
) -> Callable[[Sequence[float]], list[float]]:
    """The closed form over the moving values only."""
    rest = list(base)

    def costs(moved: Sequence[float]) -> list[float]:
        values = rest[:]
        for place, value in zip(places, moved, strict=True):
            values[place] = value
        return evaluate(values)

    return costs
