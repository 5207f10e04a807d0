"""A calculator of two options, small enough to know its answer: renting at a price, or owning at a yearly cost."""

from dataclasses import dataclass

from calculators.framework.spec import Answer, Calculator, Example, Working, real, result, whole
from calculators.framework.text import Text
from calculators.uncertainty import report
from calculators.uncertainty.draws import drawn
from calculators.uncertainty.quantiles import spreads
from calculators.uncertainty.study import Study
from calculators.uncertainty.tornado import tornado
from catalog.model import Catalog
from tests.calculators.uncertainty.made import study, uncertain

GROUP = Text("Inputs", "输入")
NONE = Text("A test.", "测试。")


@dataclass(frozen=True)
class Inputs:
    """Hours a year, and how many draws of which seed."""

    hours: float = real(Text("Hours", "小时数"), 1500.0, low=500, high=4000, unit="h", group=GROUP, help=NONE)
    draws: int = whole(Text("Draws", "抽样次数"), 10_000, low=1, high=100_000, group=GROUP, help=NONE)
    seed: int = whole(Text("Seed", "随机种子"), 1, low=0, high=2**31, group=GROUP, help=NONE)


@dataclass(frozen=True)
class Outputs:
    """The median of renting."""

    rent: float = result(Text("Renting, P50", "租用 P50"), "CNY", kind="assumed", help=NONE)


def uncertain_in(inputs: Inputs, _catalog: Catalog) -> Study:
    """Price, hours and the cost of owning."""
    variables = [
        uncertain("price", 2.0, 3.0, 5.0, "CNY/h"),
        uncertain("hours", 500.0, inputs.hours, 4000.0, "h"),
        uncertain("own", 4000.0, 6000.0, 9000.0),
    ]
    return study(variables, lambda v: (v[0] * v[1], v[2]), 2, seed=inputs.seed, draws=200, asked=inputs.draws)


def compute(inputs: Inputs, catalog: Catalog, working: Working) -> Answer:
    """All that a study shows."""
    made = uncertain_in(inputs, catalog)
    sample = drawn(made, working)
    bars = tornado(made)
    return Answer(
        Outputs(spreads(sample)[0].p50),
        (report.draws_table(sample), report.convergence_table(sample), report.tornado_table(made, bars)),
        (report.fan_chart(sample), report.tornado_chart(made, bars)),
    )


CALCULATOR = Calculator(
    "tiny",
    1,
    Text("Tiny", "小例"),
    NONE,
    Inputs,
    Outputs,
    compute,
    lambda _i, o, _c: Text(f"{o.rent:.0f}", f"{o.rent:.0f}"),
    (Example("none", {}, {}, 0.0, "a test"),),
    study=uncertain_in,
)
