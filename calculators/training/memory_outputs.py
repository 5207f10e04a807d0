"""The outputs of `vram-training`: labels, units, and how sure each one is."""

from dataclasses import dataclass

from calculators.framework.spec import Range, result
from calculators.framework.text import Text


@dataclass(frozen=True, slots=True)
class Outputs:
    """What comes back. GiB are 2^30 bytes; "per GPU" is the fullest one."""

    per_gpu_gib: Range = result(
        Text("Memory per GPU", "每张卡所需显存"),
        "GiB",
        kind="assumed",
        digits=1,
        headline=True,
        help=Text("Exact states, modelled activations, assumed overhead.", "精确的状态、模型估算的激活、假设的额外开销。"),
    )
    peak_gib: float = result(
        Text("Peak, middle", "峰值（中值）"),
        "GiB",
        kind="modelled",
        cases=("train_peak_run",),
        digits=1,
        help=Text(
            "Measured: Llama 3.1 8B on one and eight GPUs; tensor and pipeline parallel runs may differ more.",
            "实测算例为单卡与八卡训练 Llama 3.1 8B；张量并行和流水线并行误差可能更大。",
        ),
    )
    usable_gib: float = result(
        Text("Usable on the card", "该卡可用显存"),
        "GiB",
        kind="assumed",
        digits=1,
        help=Text("Label × usable share.", "标称容量 × 可用比例。"),
    )
    verdict: Text = result(Text("Does it fit?", "放得下吗？"), kind="assumed", headline=True)
    gpus_needed: int | None = result(
        Text("GPUs of this card needed", "需要几张这种卡"),
        "gpu",
        kind="assumed",
        help=Text("With this recipe; the copies are doubled until it fits.", "按此方案，副本数逐次加倍直到放得下。"),
    )
    parameters: int = result(Text("Parameters", "参数量"), kind="exact")
    trainable: int = result(
        Text("Trained parameters", "被训练的参数"), kind="exact", help=Text("All GPUs together.", "所有卡合计。")
    )
    trained_percent: float = result(Text("Share that is trained", "训练比例"), "%", kind="exact")
    states_gib: float = result(
        Text("Model states per GPU", "每张卡的模型状态"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("Weights, gradients, master weights and optimizer.", "权重、梯度、主权重和优化器状态。"),
    )
    weights_gib: float = result(Text("Weights", "权重"), "GiB", kind="exact", digits=2)
    gradients_gib: float = result(Text("Gradients", "梯度"), "GiB", kind="exact", digits=2)
    master_gib: float = result(Text("Master weights", "主权重"), "GiB", kind="exact", digits=2)
    optimizer_gib: float = result(Text("Optimizer states", "优化器状态"), "GiB", kind="exact", digits=2)
    reference_gib: float = result(Text("Reference model", "参考模型"), "GiB", kind="exact", digits=2)
    activations_gib: Range = result(
        Text("Activations", "激活"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text("Tensor by tensor ± 20 %: published peaks lie within.", "逐张量计算，再取 ± 20%：公开的峰值都在其中。"),
    )
    logits_gib: Range = result(Text("Logits and loss", "logits 与损失"), "GiB", kind="assumed", digits=2)
    transient_gib: Range = result(
        Text("Buckets and gathered weights", "通信桶与聚合的权重"),
        "GiB",
        kind="assumed",
        digits=2,
    )
    overhead_gib: Range = result(
        Text("Overhead", "额外开销"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text("Context, libraries, NCCL, fragmentation.", "上下文、运行库、NCCL、显存碎片。"),
    )
    rollout_gib: float = result(
        Text("Rollout engine", "推理引擎"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("BF16 weights and KV cache; asleep while training if so chosen.", "BF16 权重与 KV 缓存；可选择训练时休眠。"),
    )
    host_gib: float = result(
        Text("Host memory per server", "每台服务器的内存"),
        "GiB",
        kind="assumed",
        digits=0,
        help=Text(
            "For offloaded states. Assumed: DeepSpeed's own factor of 1.5; no public case measures it.",
            "用于卸载的状态。假设 DeepSpeed 自己采用的 1.5 倍系数；没有公开算例检验。",
        ),
    )
    deepspeed_gib: float | None = result(
        Text("DeepSpeed's own estimate of the states", "DeepSpeed 自带估算的模型状态"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("ZeRO-2 and 3 with AdamW; it counts FP32 gradients too.", "适用于 ZeRO-2、ZeRO-3 配 AdamW；另计 FP32 梯度。"),
    )
    data_parallel: int = result(Text("Copies of the model (data parallel)", "模型副本数（数据并行）"), kind="exact")
    fullest_stage: int = result(
        Text("Fullest pipeline stage", "最满的流水线阶段"),
        kind="exact",
        help=Text("1 is the first.", "1 为第一阶段。"),
    )
    tokens_per_step: int = result(Text("Tokens per step", "每步 token 数"), "token", kind="exact")
    largest_micro_batch: int | None = result(
        Text("Largest micro-batch that fits", "能放下的最大微批"),
        kind="assumed",
        help=Text("Even at the high end.", "按区间上限也放得下。"),
    )
    largest_sequence: int | None = result(
        Text("Longest sequence that fits", "能放下的最长序列"),
        "token",
        kind="assumed",
        help=Text("Even at the high end.", "按区间上限也放得下。"),
    )
    price_per_hour: float | None = result(
        Text("Price of these GPUs", "这些卡的价格"),
        "money/h",
        kind="assumed",
        digits=2,
        help=Text(
            "In the chosen currency, on demand; see the table for date and source.", "按所选货币，按需计费；日期和来源见表格。"
        ),
    )
    cheapest: Text = result(Text("Cheapest that fits", "放得下的最便宜方案"), kind="assumed")
