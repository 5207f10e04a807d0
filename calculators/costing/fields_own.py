"""What `tco` asks about running machines of one's own: power, room, people, upkeep.

In: nothing. Out: the record `Own`, which adds these fields to `Buy`.
"""

from dataclasses import dataclass

from calculators.costing.fields_buy import Buy
from calculators.costing.fields_need import RUN
from calculators.framework.spec import Choice, choice, real, switch
from calculators.framework.text import Text

HOSTING = (
    Choice("own-room", Text("my own room: energy × PUE", "自有机房：电量 × PUE")),
    Choice("colo", Text("colocation, rented by the kW", "托管机房，按 kW 计费")),
)


@dataclass(frozen=True, slots=True)
class Own(Buy):
    """What is paid while they run."""

    hosting: str = choice(
        Text("The machines stand in", "机器放在"),
        "own-room",
        HOSTING,
        group=RUN,
        help=Text(
            "Colocation rent covers cooling, so PUE is not charged twice. Your own room costs energy × PUE; its rent is not counted.",
            "托管费已含制冷，不再乘 PUE。自有机房按电量 × PUE 计，场地费不计入。",
        ),
    )
    kw_per_accelerator: float | None = real(
        Text("Power of the node, per accelerator", "整机功率，折合单卡"),
        None,
        low=0.01,
        high=20,
        unit="kW",
        group=RUN,
        help=Text(
            "The node's largest draw divided by its cards: a DGX H100 is 10.2 kW / 8 = 1.275 kW, well above the card's 0.7 kW. Empty: from the catalog.",
            "整机最大功率除以卡数：DGX H100 为 10.2 kW / 8 = 1.275 kW，远高于单卡的 0.7 kW。留空则取自目录。",
        ),
    )
    node_power_factor: float = real(
        Text("Node power over card power", "整机功率与卡功率之比"),
        1.25,
        low=1,
        high=3,
        group=RUN,
        advanced=True,
        help=Text(
            "Used where the catalog has no server with this card. 1.25 is typical, 1.8 the nameplate maximum.",
            "目录没有该卡整机时使用。一般取 1.25，按铭牌上限约 1.8。",
        ),
    )
    load_power_percent: float = real(
        Text("Power at work", "工作时功率"),
        100.0,
        low=10,
        high=100,
        unit="%",
        group=RUN,
        advanced=True,
        help=Text("Of the power above: 85 to 95 % in training.", "占上面功率的比例；训练时一般 85%–95%。"),
    )
    idle_power_percent: float = real(
        Text("Idle power", "空闲功率"),
        15.0,
        low=0,
        high=100,
        unit="%",
        group=RUN,
        advanced=True,
        help=Text(
            "Of the power at work, in the hours without work: 10 to 15 %.", "无任务时的功率占工作时的比例，一般 10%–15%。"
        ),
    )
    tariff: float | None = real(
        Text("Electricity price", "电价"),
        None,
        low=0,
        high=10,
        unit="money/kWh",
        group=RUN,
        help=Text("Per kWh on your bill. Empty: the region's.", "账单上的每 kWh 价格。留空则取地区默认值。"),
    )
    pue: float | None = real(
        Text("PUE", "PUE"),
        None,
        low=1,
        high=3,
        group=RUN,
        help=Text(
            "Energy of the room over energy of the machines. Empty: the region's. Not used in colocation.",
            "机房总电量与 IT 设备电量之比。留空则取地区默认值；托管时不用。",
        ),
    )
    demand_charge: float = real(
        Text("Demand charge, a kW and month", "容（需）量电费，每 kW 每月"),
        0.0,
        low=0,
        high=10_000,
        unit="money",
        group=RUN,
        advanced=True,
        help=Text(
            "For the highest load, whatever is used (two-part tariff). 0 = the tariff contains it.",
            "两部制电价中按最大负荷收取的部分，与用电量无关。填 0 表示已含在电价中。",
        ),
    )
    colo_per_kw_month: float | None = real(
        Text("Colocation rent", "托管费"),
        None,
        low=0,
        high=10_000,
        unit="money/kW-month",
        group=RUN,
        help=Text(
            "Per kW of contracted power, not of average use. Empty: the region's; where it has none, enter your quote.",
            "按签约功率（不是平均功率）计。留空则取地区默认值；地区没有时请填写报价。",
        ),
    )
    colo_kw: float | None = real(
        Text("Contracted power, all together", "签约功率合计"),
        None,
        low=0.1,
        high=1_000_000,
        unit="kW",
        group=RUN,
        advanced=True,
        help=Text(
            "Empty: the largest draw of all nodes. Contracts come in whole racks.",
            "留空则取全部整机的最大功率。合同通常按整机柜签。",
        ),
    )
    colo_extra_per_month: float = real(
        Text("Colocation: lines and remote hands", "托管：专线与代维"),
        0.0,
        low=0,
        high=1e8,
        unit="money/month",
        group=RUN,
        advanced=True,
        help=Text("Cross-connects, hands on site.", "跨接线、现场代操作等。"),
    )
    colo_energy_included: bool = switch(
        Text("Colocation rent contains the energy", "托管费已含电费"),
        False,
        group=RUN,
        advanced=True,
        help=Text("Then no electricity is added. Most contracts meter it apart.", "勾选后不再另计电费。多数合同电费另计。"),
    )
    salary_per_year: float | None = real(
        Text("Salary of an operator, a year", "运维人员年薪"),
        None,
        low=0,
        high=100_000_000,
        unit="money",
        group=RUN,
        help=Text(
            "With all on-costs. Empty counts nobody's time, which favours buying.",
            "含社保等全部用工成本。留空表示不计人工，会偏向购买。",
        ),
    )
    servers_per_operator: float = real(
        Text("Servers that one operator looks after", "一名运维管理的服务器数"),
        50.0,
        low=1,
        high=10_000,
        unit="server",
        group=RUN,
        advanced=True,
        help=Text("50 to 100 is published, on weak grounds.", "公开说法 50–100 台，依据薄弱。"),
    )
    least_operators: float = real(
        Text("Operators at least", "最少运维人数"),
        0.0,
        low=0,
        high=1000,
        group=RUN,
        advanced=True,
        help=Text("In full-time posts; 0.2 is a day a week.", "按全职折算；0.2 即每周一天。"),
    )
    maintenance_percent: float = real(
        Text("Maintenance and warranty per year", "每年维保"),
        6.0,
        low=0,
        high=50,
        unit="%",
        group=RUN,
        help=Text(
            "Of the hardware price, while the warranty lasts: 3 to 12 % is usual. Afterwards failed cards are replaced at your cost.",
            "质保期内占硬件价格的比例，常见 3%–12%。过保后故障卡按更换成本计。",
        ),
    )
    warranty_months: float = real(
        Text("Warranty of new machines", "新机质保期"),
        36.0,
        low=0,
        high=120,
        unit="month",
        group=RUN,
        advanced=True,
        help=Text("Second-hand ones have none.", "二手设备没有质保。"),
    )
    licence_per_year: float = real(
        Text("Licences, per accelerator and year", "软件许可，单卡每年"),
        0.0,
        low=0,
        high=1_000_000,
        unit="money",
        group=RUN,
        advanced=True,
        help=Text("Paid software for machines that you own.", "自有机器上的付费软件。"),
    )
    insurance_percent: float = real(
        Text("Insurance per year", "每年保险"),
        0.5,
        low=0,
        high=20,
        unit="%",
        group=RUN,
        advanced=True,
        help=Text("Of the hardware price. An assumption: 0.5 to 1 %.", "占硬件价格的比例。假设值，0.5%–1%。"),
    )
    own_network_per_month: float = real(
        Text("Bandwidth of your own room", "自有机房带宽"),
        0.0,
        low=0,
        high=1e8,
        unit="money/month",
        group=RUN,
        advanced=True,
        help=Text("Lines to the internet and between sites.", "互联网出口与站点间专线。"),
    )
    cost_growth_percent: float = real(
        Text("Running costs rise per year by", "运行成本每年上涨"),
        0.0,
        low=-20,
        high=50,
        unit="%",
        group=RUN,
        advanced=True,
        help=Text("Energy, colocation, staff, maintenance.", "电费、托管、人工、维保。"),
    )
