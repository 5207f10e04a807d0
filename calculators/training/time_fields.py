"""The inputs and outputs of `training-time`: labels, units, ranges and help, in both languages."""

from dataclasses import dataclass

from calculators.framework.choices import cards, choices, currency_input, model_input
from calculators.framework.spec import Choice, Range, choice, real, result, switch, whole
from calculators.framework.text import Text
from calculators.importing.field import config_input
from calculators.training.memory_fields import RECOMPUTES

WORK = Text("Work", "任务")
CARD = Text("Cards", "显卡")
LAYOUT = Text("Layout and network", "并行与网络")
MONEY = Text("Energy and cost", "能耗与成本")
MOST_GPUS = 131_072
MOST_MICRO_BATCHES = 16_384

NETWORKS: dict[str, tuple[Text, float]] = {
    "eth-10": (Text("10 Gb Ethernet", "10 Gb 以太网"), 10),
    "eth-25": (Text("25 Gb Ethernet", "25 Gb 以太网"), 25),
    "eth-100": (Text("100 Gb Ethernet (RoCE)", "100 Gb 以太网（RoCE）"), 100),
    "eth-200": (Text("200 Gb Ethernet (RoCE)", "200 Gb 以太网（RoCE）"), 200),
    "eth-400": (Text("400 Gb Ethernet (RoCE)", "400 Gb 以太网（RoCE）"), 400),
    "ib-100": (Text("InfiniBand EDR 100"), 100),
    "ib-200": (Text("InfiniBand HDR 200"), 200),
    "ib-400": (Text("InfiniBand NDR 400"), 400),
    "ib-800": (Text("InfiniBand XDR 800"), 800),
}
"""Port speeds in Gbit/s, as the standards name them (IEEE 802.3; InfiniBand Trade Association roadmap)."""

PCIE = {"pcie3": 15.75, "pcie4": 31.5, "pcie5": 63.0}
"""GB/s in one direction of an x16 slot: 8, 16, 32 GT/s with 128b/130b coding (PCI-SIG)."""

INSIDE = {
    "card": Text("as the card (NVLink, HCCS …; else PCIe 4.0)", "按该卡（NVLink、HCCS 等；没有则 PCIe 4.0）"),
    "pcie3": Text("PCIe 3.0 ×16"),
    "pcie4": Text("PCIe 4.0 ×16"),
    "pcie5": Text("PCIe 5.0 ×16"),
}
SHARDINGS = {
    "none": Text("None (DDP)", "不分片（DDP）"),
    "zero1": Text("ZeRO-1 or ZeRO-2", "ZeRO-1 或 ZeRO-2"),
    "zero3": Text("ZeRO-3 or FSDP", "ZeRO-3 或 FSDP"),
}
METHODS = {
    "full": Text("All weights: pre-training, full fine-tuning", "全部权重：预训练、全量微调"),
    "lora": Text("Adapters only (LoRA, QLoRA)", "只训练适配器（LoRA、QLoRA）"),
}
PRECISIONS = {"bf16": Text("BF16 / FP16"), "fp8": Text("FP8")}


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = model_input("llama-2-13b", WORK)
    config: str | None = config_input(WORK)
    method: str = choice(
        Text("What is trained", "训练哪些权重"),
        "full",
        choices(METHODS),
        group=WORK,
        help=Text("Frozen weights need no weight gradients: 4·N instead of 6·N.", "冻结的权重不算权重梯度：4·N 而不是 6·N。"),
    )
    tokens_billion: float = real(
        Text("Training tokens", "训练 token 数"),
        260.0,
        low=0.000001,
        high=1_000_000,
        unit="billion-token",
        group=WORK,
        help=Text(
            "In billions (10^9). Fine-tuning: tokens of the data × epochs.", "单位十亿（10^9）。微调：数据集 token 数 × 轮数。"
        ),
    )
    sequence: int = whole(
        Text("Sequence length", "序列长度"),
        4096,
        low=1,
        high=2_000_000,
        unit="token",
        group=WORK,
        help=Text("Longer sequences add attention to every token.", "序列越长，每个 token 的注意力计算越多。"),
    )
    accelerator: str = choice(
        Text("Card", "显卡"),
        "h100-sxm",
        cards,
        group=CARD,
        help=Text("Its dense peak, link and power come from the catalog.", "稠密算力峰值、互联和功耗取自目录。"),
    )
    gpus: int = whole(
        Text("GPUs", "卡数"),
        64,
        low=1,
        high=MOST_GPUS,
        unit="gpu",
        group=CARD,
        help=Text("All of them together.", "总卡数。"),
    )
    mfu_percent: float = real(
        Text("Utilisation while computing", "计算时的利用率"),
        40.0,
        low=1,
        high=100,
        unit="%",
        group=CARD,
        help=Text(
            "Share of the dense peak before waiting and recomputation. Published MFU: H100 33–43, A100 from 7B 35–50; less below 3B and for mixtures of experts.",
            "扣除等待和重计算之前占稠密峰值的比例。公开的 MFU：H100 为 33–43，A100（7B 以上）为 35–50；3B 以下和混合专家模型更低。",
        ),
    )
    measured_rate: float | None = real(
        Text("Measured speed per GPU", "实测单卡速度"),
        None,
        low=0.001,
        high=10_000_000,
        unit="token/s",
        group=CARD,
        help=Text("If you have it, it replaces everything modelled.", "如有实测值，将取代所有模型估算。"),
    )
    target_days: float | None = real(
        Text("Done within", "希望多少天内完成"),
        None,
        low=0.01,
        high=10_000,
        unit="day",
        group=WORK,
        help=Text("Empty: no target. Else the fewest GPUs are searched.", "留空：不设目标。否则搜索最少需要的卡数。"),
    )
    currency: str = currency_input(CARD)
    precision: str = choice(
        Text("Compute precision", "计算精度"),
        "bf16",
        choices(PRECISIONS),
        group=CARD,
        advanced=True,
        help=Text("Which dense peak of the card counts.", "按该卡哪种精度的稠密峰值计算。"),
    )
    peak_tflops: float | None = real(
        Text("Dense peak of the card", "该卡的稠密峰值"),
        None,
        low=1,
        high=100_000,
        unit="TFLOPS",
        group=CARD,
        advanced=True,
        help=Text(
            "Empty: the catalog's. Sparse figures are twice as high: halve them.",
            "留空：取目录的值。稀疏峰值是两倍，请减半。",
        ),
    )
    recompute: str = choice(
        Text("Activation recomputation", "激活重计算"),
        "selective",
        choices(RECOMPUTES),
        group=LAYOUT,
        advanced=True,
        help=Text("Full adds one forward pass.", "完全重计算多一次前向。"),
    )
    micro_batch: int = whole(
        Text("Micro-batch", "微批大小"),
        1,
        low=1,
        high=1024,
        group=LAYOUT,
        advanced=True,
        help=Text("Sequences of one forward pass of one copy.", "一个副本每次前向的序列数。"),
    )
    micro_batches: int = whole(
        Text("Micro-batches per step", "每步微批数"),
        16,
        low=1,
        high=MOST_MICRO_BATCHES,
        group=LAYOUT,
        advanced=True,
        help=Text("Per copy of the model; more of them shrink the bubble.", "每个副本的微批数；越多气泡越小。"),
    )
    same_batch: bool = switch(
        Text("Keep the global batch when scaling", "扩展卡数时保持全局批量"),
        True,
        group=LAYOUT,
        advanced=True,
        help=Text("Off: more GPUs take a larger batch.", "关闭：卡越多，批量越大。"),
    )
    sharding: str = choice(
        Text("Sharding of the states", "状态分片"),
        "zero1",
        choices(SHARDINGS),
        group=LAYOUT,
        advanced=True,
        help=Text("ZeRO-3 and FSDP send the weights twice per micro-batch.", "ZeRO-3 和 FSDP 每个微批要传两次权重。"),
    )
    tensor_parallel: int = whole(
        Text("Tensor parallel", "张量并行"),
        2,
        low=1,
        high=64,
        unit="gpu",
        group=LAYOUT,
        advanced=True,
        help=Text("Must divide the attention heads; keep it inside a server.", "须能整除注意力头数；应限制在一台服务器内。"),
    )
    pipeline_parallel: int = whole(
        Text("Pipeline parallel", "流水线并行"),
        1,
        low=1,
        high=128,
        unit="gpu",
        group=LAYOUT,
        advanced=True,
        help=Text("Stages, one behind the other.", "前后相接的阶段数。"),
    )
    context_parallel: int = whole(
        Text("Context parallel", "上下文并行"),
        1,
        low=1,
        high=256,
        unit="gpu",
        group=LAYOUT,
        advanced=True,
        help=Text("GPUs that share one sequence: for long contexts.", "共同处理一条序列的卡数，用于长上下文。"),
    )
    virtual_stages: int = whole(
        Text("Parts per stage (interleaved)", "每阶段分段数（交错）"),
        1,
        low=1,
        high=32,
        group=LAYOUT,
        advanced=True,
        help=Text("Divides the bubble, multiplies the messages.", "气泡按此缩小，消息按此增多。"),
    )
    expert_parallel: int = whole(
        Text("Expert parallel", "专家并行"),
        1,
        low=1,
        high=1024,
        unit="gpu",
        group=LAYOUT,
        advanced=True,
        help=Text("Copies that share one set of routed experts.", "共用一套路由专家的副本数。"),
    )
    server_gpus: int = whole(
        Text("GPUs per server", "每台服务器卡数"),
        8,
        low=1,
        high=576,
        unit="gpu",
        group=LAYOUT,
        advanced=True,
        help=Text("GPUs that share the fast link.", "共享高速互联的卡数。"),
    )
    inside: str = choice(
        Text("Link inside a server", "服务器内互联"),
        "card",
        choices(INSIDE),
        group=LAYOUT,
        advanced=True,
        help=Text("Card to card.", "卡与卡之间。"),
    )
    network: str = choice(
        Text("Network between servers", "服务器间网络"),
        "ib-400",
        tuple(Choice(value, label) for value, (label, _) in NETWORKS.items()),
        group=LAYOUT,
        advanced=True,
        help=Text("One port.", "单个端口。"),
    )
    ports: int = whole(
        Text("Ports per server", "每台服务器端口数"),
        8,
        low=1,
        high=72,
        group=LAYOUT,
        advanced=True,
        help=Text(
            "Usually one per GPU in training servers; one or two elsewhere.", "训练服务器通常每卡一个；其他服务器一两个。"
        ),
    )
    link_percent: float = real(
        Text("Reached share of a link's rate", "链路实际达到的比例"),
        80.0,
        low=5,
        high=100,
        unit="%",
        group=LAYOUT,
        advanced=True,
        help=Text("Measure it with nccl-tests (hccl_test).", "可用 nccl-tests（hccl_test）实测。"),
    )
    overlap_percent: float = real(
        Text("Data-parallel traffic hidden behind arithmetic", "与计算重叠的数据并行通信"),
        80.0,
        low=0,
        high=100,
        unit="%",
        group=LAYOUT,
        advanced=True,
        help=Text("At most what fits beside the backward pass.", "最多不超过反向传播能遮住的部分。"),
    )
    running_percent: float = real(
        Text("Running share (goodput)", "有效运行比例（goodput）"),
        90.0,
        low=5,
        high=100,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text("The rest goes to restarts, checkpoints and evaluation.", "其余时间用于重启、检查点和评测。"),
    )
    price_per_gpu_hour: float | None = real(
        Text("Price per GPU and hour", "单卡每小时价格"),
        None,
        low=0,
        high=10_000,
        unit="money/h",
        group=MONEY,
        advanced=True,
        help=Text("Empty: the catalog's.", "留空：取目录的价格。"),
    )
    node_factor: float = real(
        Text("Server power over the cards' power", "整机功率与显卡功率之比"),
        1.8,
        low=1,
        high=4,
        group=MONEY,
        advanced=True,
        help=Text("DGX H100: 10.2 kW for eight cards of 700 W.", "DGX H100：10.2 kW，八张 700 W 的卡。"),
    )
    pue: float = real(
        Text("PUE"),
        1.3,
        low=1,
        high=3,
        group=MONEY,
        advanced=True,
        help=Text("Energy of the building over energy of the machines.", "机房总能耗与 IT 设备能耗之比。"),
    )


AT_DEFAULT_MFU = ("train_time_default_mfu",)
"""What measures a run's time at a utilisation that nobody measured: published GPU-hours against 6 N D at the default."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What comes back."""

    days: Range = result(
        Text("Days", "天数"),
        "day",
        kind="assumed",
        headline=True,
        help=Text(
            "Restarts included. ±40 % without a measured speed, ±2 % with one.", "含重启。没有实测速度时 ±40%，有则 ±2%。"
        ),
    )
    gpu_hours: float = result(
        Text("GPU-hours", "GPU 小时"),
        "GPU-h",
        kind="modelled",
        cases=AT_DEFAULT_MFU,
        digits=0,
        headline=True,
        help=Text(
            "While running, without restarts. With a measured speed published totals are met within 2 %.",
            "仅运行时间，不含重启。填写实测速度时，与公开总量相差不超过 2%。",
        ),
    )
    cost: float | None = result(
        Text("Cost", "成本"),
        "money",
        kind="assumed",
        digits=0,
        headline=True,
        help=Text("Paid hours × price; date and source stand in the table.", "付费小时数 × 单价；日期和来源见表格。"),
    )
    flops: float = result(
        Text("Arithmetic needed", "所需计算量"),
        "EFLOP",
        kind="exact",
        help=Text("6·N·D and causal attention.", "6·N·D 加因果注意力。"),
    )
    flops_per_token: float = result(Text("Per token", "每个 token"), "GFLOP", kind="exact")
    active_parameters: int = result(
        Text("Parameters that multiply per token", "每个 token 参与乘法的参数"),
        kind="exact",
        help=Text("Visited experts only; the embedding table is looked up.", "只计被选中的专家；词嵌入表是查表。"),
    )
    gpu_hours_at_utilisation: float = result(
        Text("GPU-hours without waiting", "无等待时的 GPU 小时"),
        "GPU-h",
        kind="exact",
        digits=0,
        help=Text("Arithmetic ÷ (peak × utilisation).", "计算量 ÷（峰值 × 利用率）。"),
    )
    mfu: float | None = result(
        Text("MFU", "MFU"),
        "%",
        kind="modelled",
        cases=AT_DEFAULT_MFU,
        digits=1,
        help=Text("Of the whole run: after waiting and recomputation.", "整个训练的 MFU：扣除等待和重计算之后。"),
    )
    mfu_all_pairs: float | None = result(
        Text("MFU, attention counted as PaLM", "MFU（按 PaLM 计注意力）"),
        "%",
        kind="modelled",
        cases=AT_DEFAULT_MFU,
        digits=1,
        help=Text("Counts masked pairs of tokens too; many papers do.", "被掩码的 token 对也计入，许多论文采用这种算法。"),
    )
    tokens_per_gpu: float = result(
        Text("Speed per GPU", "单卡速度"), "token/s", kind="modelled", cases=AT_DEFAULT_MFU, digits=0
    )
    waiting_percent: float | None = result(
        Text("Time spent waiting", "等待所占时间"),
        "%",
        kind="assumed",
        digits=1,
        help=Text(
            "Pipeline bubble and communication that is not hidden, at the link share and overlap above; no public case measures it.",
            "流水线气泡和未被遮住的通信，按上面的链路比例与重叠比例；没有公开算例检验。",
        ),
    )
    bubble_percent: float | None = result(
        Text("Pipeline bubble", "流水线气泡"), "%", kind="assumed", digits=1,
        help=Text("(p − 1) ÷ (m · v) of the arithmetic. Assumed: equal stages.", "计算时间的 (p − 1) ÷ (m · v)。假设各阶段耗时相同。"),
    )  # fmt: skip
    linear_percent: float | None = result(
        Text("Share of linear speed-up", "线性加速比"),
        "%",
        kind="assumed",
        digits=1,
        headline=True,
        help=Text(
            "Speed against the fewest GPUs that hold one copy, per GPU. Assumed: the link share and overlap above.",
            "与放下一个副本的最少卡数相比，平均到每张卡的速度。按上面假设的链路比例与重叠比例。",
        ),
    )
    speed_up: float | None = result(
        Text("Speed-up over one copy", "相对单副本的加速"),
        "×",
        kind="assumed",
        digits=2,
        help=Text("As sure as the share of linear speed-up.", "可信度与线性加速比相同。"),
    )
    tokens_per_step: int = result(Text("Tokens per step", "每步 token 数"), "token", kind="exact")
    step_seconds: float | None = result(
        Text("Seconds per step", "每步秒数"), "s", kind="modelled", cases=AT_DEFAULT_MFU, digits=2
    )
    gpus_for_target: int | None = result(
        Text("GPUs for the target", "达到目标所需卡数"),
        "gpu",
        kind="modelled",
        cases=AT_DEFAULT_MFU,
        help=Text("The fewest whole servers, at the middle estimate.", "按中值估算的最少整机数所含卡数。"),
    )
    energy_kwh: float | None = result(
        Text("Energy", "能耗"),
        "kWh",
        kind="assumed",
        digits=0,
        help=Text(
            "Board power × server factor × PUE × paid hours; real load is lower.",
            "板卡功耗 × 整机系数 × PUE × 付费小时；实际负载更低。",
        ),
    )
    memory_gib: Range = result(
        Text("Memory per GPU", "每张卡所需显存"),
        "GiB",
        kind="assumed",
        digits=1,
        help=Text("Mixed precision, AdamW; the other calculator has all settings.", "混合精度、AdamW；另一计算器有全部设置。"),
    )
    fits: Text = result(Text("Does it fit?", "放得下吗？"), kind="assumed")
    price_per_hour: float | None = result(Text("Price per GPU", "单卡价格"), "money/h", kind="assumed", digits=2)
