"""What `spot` asks and what it answers: the words, units and ranges of its fields.

In: nothing. Out: the frozen `Inputs` and `Outputs`. A price that is left empty is the catalog's; an interval that is left empty
is the best one.
"""

from dataclasses import dataclass
from typing import Any

from calculators.costing.fields_need import currencies
from calculators.framework.choices import cards
from calculators.framework.spec import choice, real, result, whole
from calculators.framework.text import Text
from calculators.reliability.job import GPU_HOURS_PER_FAILURE

JOB = Text("The job", "任务")
PRICE = Text("Prices", "价格")
STOPS = Text("Interruptions", "中断")
SAVING = Text("Checkpoints", "检查点")
RANGES = Text("How sure you are", "把握程度")

SPOT_SHARE = (28.0, 42.0, 73.0)
"""Spot price over on-demand price, percent: lowest, middle and highest of Crusoe, Nebius, Verda, OCI and TPU rows (SkyPilot's catalog)."""
RECLAIM_HOURS = (6.0, 24.0, 72.0)
"""Hours between reclaims of one instance: an assumption, as published figures contradict each other (below 5 % a month to 15 % an hour)."""
WAIT_HOURS = (0.0, 0.5, 6.0)
"""Hours until there is capacity again: an assumption."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The job, its prices, what interrupts it and how it is saved."""

    accelerator: str = choice(
        Text("Accelerator", "加速卡"),
        "h100-sxm",
        cards,
        group=JOB,
        help=Text("Its prices are filled in from the catalog where you leave them empty.", "留空的价格取自目录。"),
    )
    accelerator_count: int = whole(
        Text("Number of accelerators", "卡数"),
        8,
        low=1,
        high=1_000_000,
        unit="gpu",
        group=JOB,
        help=Text(
            "All that work on the job together: if one stops, all stop.", "同时参与这项任务的全部卡：一张停下，整个任务就停下。"
        ),
    )
    instance_gpus: int = whole(
        Text("Accelerators per instance", "每个实例的卡数"),
        8,
        low=1,
        high=144,
        unit="gpu",
        group=JOB,
        help=Text("A provider takes back whole instances.", "云厂商按整个实例回收。"),
    )
    work_hours: float = real(
        Text("Work", "工作量"),
        100.0,
        low=0.1,
        high=100_000,
        unit="h",
        group=JOB,
        help=Text("How long the job takes if nothing interrupts it.", "不被打断时，任务需要多久。"),
    )
    deadline_hours: float | None = real(
        Text("Deadline", "期限"),
        None,
        low=0.1,
        high=1_000_000,
        unit="h",
        group=JOB,
        help=Text(
            "Hours from the start by which it has to be done. Empty: no deadline.",
            "从开始算起，必须在多少小时内完成。留空表示没有期限。",
        ),
    )
    currency: str = choice(
        Text("Currency", "币种"),
        "USD",
        currencies,
        group=PRICE,
        help=Text(
            "Catalog prices in another one are converted at the dated rate.", "目录中其他币种的价格按标明日期的汇率折算。"
        ),
    )
    on_demand_price: float | None = real(
        Text("On demand, one accelerator", "按需，单卡"),
        None,
        low=0.0001,
        high=10_000,
        unit="money/h",
        group=PRICE,
        help=Text("Empty: the catalog's middle offer.", "留空则取目录中的中位报价。"),
    )
    spot_price: float | None = real(
        Text("Spot, one accelerator", "竞价实例，单卡"),
        None,
        low=0.0001,
        high=10_000,
        unit="money/h",
        group=PRICE,
        help=Text(
            "Empty: the catalog's middle spot offer; where it has none, the share below of the on-demand price.",
            "留空则取目录中的中位竞价报价；目录没有时，取按需价乘以下面的比例。",
        ),
    )
    spot_percent: float = real(
        Text("Spot price, share of on demand", "竞价相当于按需价的比例"),
        SPOT_SHARE[1],
        low=1,
        high=200,
        unit="%",
        group=PRICE,
        advanced=True,
        help=Text(
            "Used where no spot price is known. Published ratios run from 28% to 73%.",
            "没有竞价报价时使用。公开的比例在 28% 到 73% 之间。",
        ),
    )
    reserved_price: float | None = real(
        Text("Reserved or by the month, one accelerator", "预留或包月，单卡"),
        None,
        low=0.0001,
        high=10_000,
        unit="money/h",
        group=PRICE,
        advanced=True,
        help=Text(
            "Per hour of the job, to compare with. Empty: not compared.", "折合任务期间的每小时价格，用于对比。留空则不比较。"
        ),
    )
    interruption_hours: float = real(
        Text("Between reclaims of one instance", "单个实例两次回收的平均间隔"),
        RECLAIM_HOURS[1],
        low=0.01,
        high=1e9,
        unit="h",
        group=STOPS,
        help=Text(
            "Mean hours. Nobody publishes it well: an assumption that you should replace by your own record. A job on 4 instances is interrupted 4 times as often.",
            "平均小时数。没有可靠的公开数据，这是假设值，请换成自己的记录。用 4 个实例的任务，中断频率是单个实例的 4 倍。",
        ),
    )
    gpu_failure_hours: float = real(
        Text("GPU-hours between failures", "两次故障之间的卡时"),
        float(round(GPU_HOURS_PER_FAILURE)),
        low=1,
        high=1e9,
        unit="GPU-h",
        group=STOPS,
        advanced=True,
        help=Text(
            "Hardware and software failures, which on demand has too. Llama 3: 419 in 54 days on 16,384 GPUs.",
            "硬件与软件故障，按需实例同样会遇到。Llama 3：16,384 张卡，54 天内 419 次。",
        ),
    )
    restart_minutes: float = real(
        Text("Restart", "重新启动"),
        10.0,
        low=0,
        high=10_000,
        unit="min",
        group=STOPS,
        help=Text(
            "From having instances again to working again: boot, load the checkpoint, warm up.",
            "从重新拿到实例到恢复工作：开机、加载检查点、预热。",
        ),
    )
    wait_hours: float = real(
        Text("Waiting for capacity", "等待资源"),
        WAIT_HOURS[1],
        low=0,
        high=10_000,
        unit="h",
        group=STOPS,
        help=Text(
            "After each interruption, on average; nothing is paid meanwhile. An assumption: 0 to 6 h are usual.",
            "每次中断后平均等多久；等待期间不计费。这是假设值，常见为 0–6 小时。",
        ),
    )
    notice_seconds: float = real(
        Text("Notice", "回收通知"),
        120.0,
        low=0,
        high=3_600,
        unit="s",
        group=STOPS,
        help=Text(
            "From the warning to the end: AWS 120 s, Google Cloud and Azure 30 s. 0: none.",
            "从通知到回收：AWS 120 秒，Google Cloud 与 Azure 30 秒。填 0 表示没有通知。",
        ),
    )
    checkpoint_gb: float = real(
        Text("Checkpoint", "检查点大小"),
        112.0,
        low=0.001,
        high=1_000_000,
        unit="GB",
        group=SAVING,
        help=Text(
            "Weights and optimizer. Mixed-precision AdamW: 14 bytes a parameter, 112 GB for 8 billion.",
            "权重加优化器状态。混合精度 AdamW 每个参数 14 字节，80 亿参数为 112 GB。",
        ),
    )
    write_gb_per_second: float = real(
        Text("Writing speed", "写入速度"),
        2.0,
        low=0.001,
        high=10_000,
        unit="GB/s",
        group=SAVING,
        help=Text(
            "Of all writers together, to storage that outlives the instance.", "全部节点合计，写到实例回收后仍保留的存储。"
        ),
    )
    checkpoint_seconds: float | None = real(
        Text("Time to save", "保存耗时"),
        None,
        low=0.01,
        high=1_000_000,
        unit="s",
        group=SAVING,
        advanced=True,
        help=Text(
            "As measured, while the work stands still. Empty: size over speed.",
            "实测值，指训练停顿的时间。留空则按大小除以速度。",
        ),
    )
    interval_minutes: float | None = real(
        Text("Work between checkpoints", "检查点间隔"),
        None,
        low=0.001,
        high=6_000_000,
        unit="min",
        group=SAVING,
        help=Text("Empty: the best interval.", "留空则取最佳间隔。"),
    )
    interruption_hours_low: float | None = real(
        Text("Between reclaims, at worst", "回收间隔，最差"),
        None,
        low=0.01,
        high=1e9,
        unit="h",
        group=RANGES,
        advanced=True,
        help=Text(
            "Empty: 6 h, or a quarter of your value where that is less.", "留空则取 6 小时；你填的值的四分之一更小时取后者。"
        ),
    )
    interruption_hours_high: float | None = real(
        Text("Between reclaims, at best", "回收间隔，最好"),
        None,
        low=0.01,
        high=1e9,
        unit="h",
        group=RANGES,
        advanced=True,
        help=Text(
            "Empty: 72 h, or three times your value where that is more.", "留空则取 72 小时；你填的值的三倍更大时取后者。"
        ),
    )


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the job takes and costs on spot, beside on demand."""

    verdict: Any = result(
        Text("Does spot pay?", "用竞价划算吗"),
        kind="assumed",
        headline=True,
        help=Text("At the base and over the range of reclaims.", "按基准值和回收间隔的范围判断。"),
    )
    spot_cost: Any = result(
        Text("On spot", "竞价实例"),
        "money",
        kind="assumed",
        headline=True,
        digits=0,
        help=Text("Hours that instances run, times their price.", "实例运行的小时数乘以价格。"),
    )
    spot_cost_range: Any = result(
        Text("On spot, over the range", "竞价实例，区间"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("With reclaims at their worst and best.", "回收间隔取最差与最好。"),
    )
    on_demand_cost: Any = result(
        Text("On demand", "按需"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("Not reclaimed, but failures interrupt it too.", "不会被回收，但同样会遇到故障。"),
    )
    reserved_cost: Any = result(
        Text("Reserved or by the month", "预留或包月"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("The same hours as on demand.", "小时数与按需相同。"),
    )
    saving_percent: Any = result(
        Text("Saved by spot", "竞价节省"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("Of the on-demand cost; below 0 it costs more.", "相对按需成本；负值表示更贵。"),
    )
    wall_hours: Any = result(
        Text("Expected time", "预期用时"), "h", kind="assumed", digits=1, help=Text("Running and waiting.", "运行加等待。")
    )
    wall_range: Any = result(
        Text("Expected time, over the range", "预期用时，区间"),
        "h",
        kind="assumed",
        digits=1,
        help=Text("With reclaims at their worst and best.", "回收间隔取最差与最好。"),
    )
    running_hours: Any = result(
        Text("Running, paid", "运行并计费"),
        "h",
        kind="assumed",
        digits=1,
        help=Text("Daly's complete model.", "Daly 完整模型。"),
    )
    goodput_percent: Any = result(
        Text("Goodput", "有效运行占比"),
        "%",
        kind="assumed",
        digits=1,
        help=Text("Work over paid hours.", "工作量除以计费小时数。"),
    )
    interruptions: Any = result(
        Text("Interruptions expected", "预期中断次数"),
        kind="assumed",
        digits=1,
        help=Text("Of the whole job while it runs.", "整个任务运行期间。"),
    )
    late_percent: Any = result(
        Text("Chance to miss the deadline", "错过期限的概率"),
        "%",
        kind="assumed",
        digits=1,
        help=Text(
            "Simulated with a fixed seed where interruptions are few, else from mean and variance.",
            "中断次数少时以固定种子模拟，否则由均值和方差得出。",
        ),
    )
    job_mtbi_hours: Any = result(
        Text("Between interruptions of the job", "整个任务的平均中断间隔"),
        "h",
        kind="assumed",
        digits=2,
        help=Text("Reclaims of all instances and failures of all GPUs.", "全部实例的回收加全部卡的故障。"),
    )
    save_seconds: Any = result(
        Text("Time to save", "保存耗时"),
        "s",
        kind="exact",
        digits=1,
        help=Text("From the two inputs, or as entered.", "由两项输入得出，或为填写值。"),
    )
    interval_used_minutes: Any = result(
        Text("Work between checkpoints", "检查点间隔"),
        "min",
        kind="exact",
        digits=1,
        help=Text("Yours, or the best.", "你填的值，或最佳值。"),
    )
    best_interval_minutes: Any = result(
        Text("Best interval", "最佳间隔"),
        "min",
        kind="exact",
        digits=1,
        help=Text(
            "Least expected time in Daly's complete model, for this rate of interruptions.",
            "在此中断频率下，使 Daly 完整模型的预期用时最短。",
        ),
    )
    young_minutes: Any = result(
        Text("Young's interval", "Young 间隔"), "min", kind="exact", digits=1, help=Text("sqrt(2 C M).")
    )
    daly_first_minutes: Any = result(
        Text("Daly's first-order interval", "Daly 一阶间隔"), "min", kind="exact", digits=1, help=Text("sqrt(2 C (M + R)).")
    )
    daly_minutes: Any = result(
        Text("Daly's higher-order interval", "Daly 高阶间隔"),
        "min",
        kind="exact",
        digits=1,
        help=Text("What many schedulers use.", "许多调度器采用。"),
    )
    availability_minutes: Any = result(
        Text("Checkpoint to checkpoint, by availability", "按可用率的最佳周期"),
        "min",
        kind="exact",
        digits=1,
        help=Text("C + sqrt(2 (M + R) C + C²), start to start.", "C + sqrt(2 (M + R) C + C²)，从一次保存开始到下一次开始。"),
    )
    checkpoint_share_percent: Any = result(
        Text("Checkpoint tax", "检查点开销"),
        "%",
        kind="exact",
        digits=2,
        help=Text("Time to save over the interval.", "保存耗时除以间隔。"),
    )
    break_even_interruption_hours: Any = result(
        Text("Spot stops paying below", "竞价不再划算的回收间隔"),
        "h",
        kind="exact",
        digits=2,
        help=Text(
            "Hours between reclaims of one instance at which both cost the same, each with its best interval; searched. “—”: never, or always.",
            "单个实例的回收间隔等于该值时两者成本相同（各取最佳间隔），由搜索得出。“—”表示不存在。",
        ),
    )
    break_even_spot_percent: Any = result(
        Text("Spot stops paying above", "竞价不再划算的价格比例"),
        "%",
        kind="exact",
        digits=1,
        help=Text("Of the on-demand price, at this rate of interruptions.", "相当于按需价的比例，按当前中断频率。"),
    )
    notice: Any = result(
        Text("Is the notice long enough?", "通知时间够不够"),
        kind="exact",
        help=Text("To save once between warning and end.", "从通知到回收之间能否保存一次。"),
    )
    notice_running_hours: Any = result(
        Text("Running, saving on notice", "运行时间：收到通知再保存"),
        "h",
        kind="assumed",
        digits=1,
        help=Text(
            "No work is lost at a reclaim, if every notice comes; first order.", "假设每次都有通知，回收不丢失工作；一阶近似。"
        ),
    )
    spot_price_used: Any = result(
        Text("Spot price used", "采用的竞价"), "money/h", kind="assumed", digits=3, help=Text("Per accelerator.", "单卡。")
    )
    on_demand_price_used: Any = result(
        Text("On-demand price used", "采用的按需价"),
        "money/h",
        kind="assumed",
        digits=3,
        help=Text("Per accelerator.", "单卡。"),
    )
