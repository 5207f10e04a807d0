"""What `tco` asks about a purchase: what is bought, new or second-hand, and what is left of it.

In: nothing. Out: the record `Buy`, which adds these fields to `Rent`.
"""

from dataclasses import dataclass

from calculators.costing.fields_need import BUY
from calculators.costing.fields_rent import Rent
from calculators.framework.spec import real
from calculators.framework.text import Text


@dataclass(frozen=True, slots=True)
class Buy(Rent):
    """What is paid at the start, and what is left at the end."""

    capex_per_accelerator: float | None = real(
        Text("Server with its cards, per accelerator", "整机价，折合单卡"),
        None,
        low=1,
        high=10_000_000,
        unit="money",
        group=BUY,
        help=Text(
            "New. Empty: the server's price in the catalog, else the card's price plus the server premium.",
            "全新。留空则取目录中的整机价；没有整机价时用卡价加服务器溢价。",
        ),
    )
    card_price: float | None = real(
        Text("Price of the bare card", "裸卡价格"),
        None,
        low=1,
        high=10_000_000,
        unit="money",
        group=BUY,
        advanced=True,
        help=Text(
            "Used only where the price above is empty; the server premium is added to it.",
            "仅在上一项留空时使用，会再加上服务器溢价。",
        ),
    )
    server_premium_percent: float = real(
        Text("Server on top of the cards", "服务器溢价"),
        38.0,
        low=0,
        high=300,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text(
            "Chassis, CPUs, RAM, disks and NICs as a share of the card price. 38 % is an estimate for an 8-card H100 server; "
            "for cheap cards the share is larger.",
            "机箱、CPU、内存、硬盘、网卡相对卡价的比例。38% 是 8 卡 H100 服务器的估计值；卡越便宜，这个比例越高。",
        ),
    )
    used_price_per_accelerator: float | None = real(
        Text("Second-hand server, per accelerator", "二手整机，折合单卡"),
        None,
        low=1,
        high=10_000_000,
        unit="money",
        group=BUY,
        help=Text(
            "With the server. Empty: second-hand is not compared, as its prices are seldom published.",
            "含整机。二手价很少公开，留空则不比较二手。",
        ),
    )
    residual_percent: float = real(
        Text("Resale value after 36 months", "36 个月后的残值"),
        25.0,
        low=0,
        high=100,
        unit="%",
        group=BUY,
        help=Text(
            "Of the hardware price. Nobody knows it, and it decides more than anything else here: published guesses run from 10 to 35 %. "
            "Other horizons, and second-hand machines, follow the same curve.",
            "占硬件价格的比例。没人能准确预知，却最影响结论：公开估计在 10%–35% 之间。其他期限和二手设备按同一条曲线推算。",
        ),
    )
    network_percent: float | None = real(
        Text("Cluster network, on top of the servers", "集群网络，占整机价"),
        None,
        low=0,
        high=200,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text(
            "Switches, cables, optics between nodes. Empty: 0 for one node of 8, else 12 % (10 to 15 % is published, on weak grounds).",
            "节点之间的交换机、线缆和光模块。留空时单台 8 卡取 0，多台取 12%（公开说法 10%–15%，依据薄弱）。",
        ),
    )
    storage_capex: float = real(
        Text("Storage bought", "自购存储"),
        0.0,
        low=0,
        high=1e9,
        unit="money",
        group=BUY,
        advanced=True,
        help=Text("Beside the disks in the servers.", "服务器自带硬盘以外的存储设备。"),
    )
    install_cost: float = real(
        Text("Installation, racks, freight", "安装、机柜与运输"),
        0.0,
        low=0,
        high=1e9,
        unit="money",
        group=BUY,
        advanced=True,
        help=Text("Once, for everything. Nothing of it can be resold.", "一次性合计，不计残值。"),
    )
    duty_percent: float = real(
        Text("Import duty", "进口关税"),
        0.0,
        low=0,
        high=100,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text("Of the hardware, where the price does not contain it.", "占硬件价格，报价未含时填写。"),
    )
    failure_percent: float = real(
        Text("Cards that fail per year", "每年故障率"),
        9.0,
        low=0,
        high=100,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text(
            "9 % is an upper bound: interruptions by GPU and its memory in Meta's Llama 3 run (54 days, 16,384 H100). "
            "Counts for spares, and for replacements once there is no warranty.",
            "9% 是上限：Meta 训练 Llama 3（54 天、16,384 张 H100）时由 GPU 及其显存引起的中断率。用于计算备件，以及过保后的更换。",
        ),
    )
    used_failure_percent: float | None = real(
        Text("Second-hand: cards that fail per year", "二手：每年故障率"),
        None,
        low=0,
        high=100,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text("No figure is published. Empty: as for new ones.", "没有公开数据。留空则与新卡相同。"),
    )
    used_test_cost: float = real(
        Text("Second-hand: test, per card", "二手：单卡测试费用"),
        0.0,
        low=0,
        high=1_000_000,
        unit="money",
        group=BUY,
        advanced=True,
        help=Text("Burn-in, memory test and cleaning before use.", "上架前的拷机、显存检测和清洁。"),
    )
    spare_level_percent: float = real(
        Text("Spare cards: certainty wanted", "备卡保障率"),
        0.0,
        low=0,
        high=99.99,
        unit="%",
        group=BUY,
        advanced=True,
        help=Text(
            "Smallest stock that covers the failures of the lead time with this probability (Poisson). 0 keeps none.",
            "按泊松分布，以该概率覆盖补货周期内故障所需的最少备卡数。填 0 表示不备。",
        ),
    )
    spare_lead_days: float = real(
        Text("Spare cards: lead time", "备卡补货周期"),
        30.0,
        low=1,
        high=730,
        unit="day",
        group=BUY,
        advanced=True,
        help=Text("An assumption.", "假设值。"),
    )
