"""What `tco` asks about renting: by the hour, by the month, reserved, spot, bare metal, and what comes with it.

In: nothing. Out: the record `Rent`, which adds these fields to `Need`.
"""

from dataclasses import dataclass

from calculators.costing.fields_need import RENT, SIDE, Need
from calculators.framework.spec import Choice, choice, real, whole
from calculators.framework.text import Text

STEPS = {"second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": 24.0}
"""Hours in the smallest time that is billed."""
BILLING_STEPS = (
    Choice("second", Text("second", "秒")),
    Choice("minute", Text("minute", "分钟")),
    Choice("hour", Text("hour", "小时")),
    Choice("day", Text("day", "天")),
)
BARE_METAL_UNITS = (
    Choice("month", Text("a month", "月")),
    Choice("day", Text("a day (30 days a month)", "天（每月按 30 天）")),
)


@dataclass(frozen=True, slots=True)
class Rent(Need):
    """Prices of renting. Empty: the catalog's, and where it has none the option is not priced."""

    hourly_price: float | None = real(
        Text("On demand, one accelerator", "按需，单卡"),
        None,
        low=0.001,
        high=10_000,
        unit="money/h",
        group=RENT,
        help=Text(
            "Per accelerator and hour, no commitment. Empty: the catalog's middle offer.",
            "单卡每小时价格，无承诺期。留空则取目录中的中位报价。",
        ),
    )
    billing_step: str = choice(
        Text("Billed by the", "计费粒度"),
        "second",
        BILLING_STEPS,
        group=RENT,
        advanced=True,
        help=Text(
            "Each session on demand or spot is rounded up to whole steps.", "按需和竞价实例每次开机的时长都向上取整到这一单位。"
        ),
    )
    session_hours: float | None = real(
        Text("Length of a session", "每次开机时长"),
        None,
        low=0.01,
        high=744,
        unit="h",
        group=RENT,
        advanced=True,
        help=Text(
            "Hours from start to stop; matters where billing steps are long. Empty: one session a month.",
            "从开机到关机的小时数，计费粒度较粗时有影响。留空则每月只开机一次。",
        ),
    )
    monthly_price: float | None = real(
        Text("By the month, one accelerator", "包月，单卡"),
        None,
        low=0.1,
        high=10_000_000,
        unit="money/month",
        group=RENT,
        help=Text(
            "Per accelerator of a cloud instance paid by the month, used or not. Months without work are not taken. Empty: the catalog's, if any.",
            "云主机包月的单卡价格，用不用都付；没有任务的月份不租。留空则取目录报价，目录没有时不比较此项。",
        ),
    )
    bare_metal_price: float | None = real(
        Text("Bare metal, whole node", "裸金属，整机"),
        None,
        low=0.1,
        high=100_000_000,
        unit="money",
        group=RENT,
        help=Text(
            "For the whole machine with all its cards, not per card. Empty: the catalog's.",
            "整台机器（含全部卡）的价格，不是单卡价。留空则取目录报价。",
        ),
    )
    bare_metal_per: str = choice(
        Text("Bare metal is priced by", "裸金属计价周期"),
        "month",
        BARE_METAL_UNITS,
        group=RENT,
        advanced=True,
        help=Text(
            "What the price above pays for. A day price is multiplied by 30; it applies to a price that you enter.",
            "上面填写的价格对应的周期。日价按 30 天折成月价，只作用于自己填写的价格。",
        ),
    )
    bare_metal_accelerators: int | None = whole(
        Text("Accelerators per bare-metal node", "裸金属每台卡数"),
        None,
        low=1,
        high=1024,
        unit="gpu",
        group=RENT,
        advanced=True,
        help=Text(
            "You pay for whole nodes. Empty: as the offer says, else 8.",
            "裸金属按整机付费。留空则按报价的卡数，没有时按 8 卡。",
        ),
    )
    reserved_price: float | None = real(
        Text("Reserved, one accelerator", "预留，单卡"),
        None,
        low=0.001,
        high=10_000,
        unit="money/h",
        group=RENT,
        help=Text(
            "Per accelerator and hour of the whole term, used or not. Empty: the on-demand price less the discount below.",
            "整个承诺期内的单卡每小时价格，用不用都付。留空则取按需价减去下面的折扣。",
        ),
    )
    reserved_discount_percent: float | None = real(
        Text("Discount for reserving", "预留折扣"),
        None,
        low=0,
        high=95,
        unit="%",
        group=RENT,
        help=Text(
            "Off the on-demand price. Empty: 35 % in the US and EU (20 to 47 % are published for one year); no figure is published for China, enter yours.",
            "相对按需价的折扣。留空时美国和欧盟取 35%（公开的一年期折扣为 20%–47%）；中国没有公开数据，请填写。",
        ),
    )
    reserved_term_months: int = whole(
        Text("Term of a reservation", "预留承诺期"),
        12,
        low=1,
        high=60,
        unit="month",
        group=RENT,
        advanced=True,
        help=Text(
            "Paid to its end, also beyond the horizon; renewed at that day's price.",
            "付满整个承诺期，超出比较期限的部分也要付；到期按当时价格续订。",
        ),
    )
    reserved_upfront_percent: float = real(
        Text("Paid at the start of a term", "承诺期首付比例"),
        0.0,
        low=0,
        high=100,
        unit="%",
        group=RENT,
        advanced=True,
        help=Text("The rest is paid month by month.", "其余按月支付。"),
    )
    spot_price: float | None = real(
        Text("Spot, one accelerator", "竞价实例，单卡"),
        None,
        low=0.0001,
        high=10_000,
        unit="money/h",
        group=RENT,
        help=Text(
            "Per accelerator and hour. Empty: the catalog's middle spot offer, else the share below of the on-demand price.",
            "单卡每小时价格。留空则取目录中的中位竞价报价；没有时按需价乘以下面的比例。",
        ),
    )
    spot_percent: float | None = real(
        Text("Spot price, of on demand", "竞价价格占按需价的比例"),
        None,
        low=1,
        high=200,
        unit="%",
        group=RENT,
        advanced=True,
        help=Text(
            "Empty: 42 % in the US and EU (28 to 73 % seen); none is published for China, enter yours. Never the 10 % of some guides.",
            "留空时美国和欧盟取 42%（实际见到 28%–73%）；中国没有公开数据，请填写。有的文章说的 10% 并不存在。",
        ),
    )
    spot_interrupted_every: float = real(
        Text("Spot: hours between interruptions", "竞价：两次中断间隔"),
        24.0,
        low=0.1,
        high=100_000,
        unit="h",
        group=RENT,
        advanced=True,
        help=Text(
            "Mean for the whole job, all its machines together. An assumption: 6 to 72 h. The spot calculator works this out.",
            "整个任务（所有机器合计）的平均间隔。假设值，常见 6–72 小时；竞价实例计算器可细算。",
        ),
    )
    spot_checkpoint_minutes: float = real(
        Text("Spot: time to write a checkpoint", "竞价：写一次检查点的时间"),
        2.0,
        low=0.01,
        high=600,
        unit="min",
        group=RENT,
        advanced=True,
        help=Text(
            "The work stands still meanwhile. An assumption; enter yours.", "写检查点期间任务停顿。假设值，请按实测填写。"
        ),
    )
    spot_restart_minutes: float = real(
        Text("Spot: time to be back at work", "竞价：中断后恢复的时间"),
        15.0,
        low=0,
        high=10_000,
        unit="min",
        group=RENT,
        advanced=True,
        help=Text(
            "To get machines again and load the checkpoint. An assumption; where capacity is short it can be hours.",
            "重新申请机器并加载检查点的时间。假设值；资源紧张时可能要几小时。",
        ),
    )
    spot_goodput_percent: float | None = real(
        Text("Spot: hours that make progress", "竞价：有效运行占比"),
        None,
        low=1,
        high=100,
        unit="%",
        group=RENT,
        advanced=True,
        help=Text(
            "Of the hours paid. Empty: computed from the three fields above, with the best checkpoint interval.",
            "占付费小时的比例。留空则按上面三项，以最佳检查点间隔计算。",
        ),
    )
    goodput_percent: float = real(
        Text("Goodput of the other ways", "其他方式的有效运行占比"),
        100.0,
        low=1,
        high=100,
        unit="%",
        group=RENT,
        advanced=True,
        help=Text(
            "Share of running hours that make progress, failures and restarts taken off. Below 100 every way runs longer for the same work. "
            "SemiAnalysis takes about 98 % for 4,096 GPUs of a good cloud.",
            "扣除故障与重启后，运行小时中真正推进任务的比例。低于 100% 时，同样的工作要运行更久。SemiAnalysis 对一流云的 4,096 卡集群取约 98%。",
        ),
    )
    rent_decline_percent: float = real(
        Text("Rents fall per year by", "租价每年下降"),
        15.0,
        low=-50,
        high=90,
        unit="%",
        group=RENT,
        help=Text(
            "An assumption, the mirror of the resale value. Negative = rents rise, as those of the H100 did from October 2025 to March 2026.",
            "这是假设，与残值互为镜像。填负数表示涨价，例如 2025 年 10 月至 2026 年 3 月的 H100。",
        ),
    )
    storage_tb: float = real(
        Text("Storage that you keep", "常备存储容量"),
        0.0,
        low=0,
        high=1_000_000,
        unit="TB",
        group=SIDE,
        advanced=True,
        help=Text("Rented beside the GPUs, in every month of the horizon.", "与 GPU 一起租用，期限内每月都付。"),
    )
    storage_price: float | None = real(
        Text("Price of storage, a TB and month", "存储价格，每 TB 每月"),
        None,
        low=0,
        high=1_000_000,
        unit="money",
        group=SIDE,
        advanced=True,
        help=Text("Needed where you keep storage; no default.", "填写了存储容量时必填，没有默认值。"),
    )
    egress_tb: float = real(
        Text("Traffic out per month", "每月流出流量"),
        0.0,
        low=0,
        high=1_000_000,
        unit="TB",
        group=SIDE,
        advanced=True,
        help=Text("What leaves the provider's network.", "离开服务商网络的数据量。"),
    )
    egress_price: float | None = real(
        Text("Price of traffic out, a TB", "流出流量价格，每 TB"),
        None,
        low=0,
        high=1_000_000,
        unit="money",
        group=SIDE,
        advanced=True,
        help=Text("Needed where there is traffic; no default.", "填写了流量时必填，没有默认值。"),
    )
    rent_network_per_month: float = real(
        Text("Network and host nodes, rented", "租用的网络与 CPU 节点"),
        0.0,
        low=0,
        high=1e9,
        unit="money/month",
        group=SIDE,
        advanced=True,
        help=Text("Lines, addresses, login and data nodes.", "专线、公网 IP、登录与数据节点等。"),
    )
    support_percent: float = real(
        Text("Support, on top of the rent", "技术支持费，占租金"),
        0.0,
        low=0,
        high=100,
        unit="%",
        group=SIDE,
        advanced=True,
        help=Text("0 where the quote contains it.", "报价已包含时填 0。"),
    )
    setup_cost: float = real(
        Text("Set-up, once", "一次性部署费用"),
        0.0,
        low=0,
        high=1e9,
        unit="money",
        group=SIDE,
        advanced=True,
        help=Text("Moving data, images and people's time, for renting.", "租用时迁移数据、制作镜像和人工的费用。"),
    )
