"""The inputs of `vram-training`: labels, units, ranges and help, in both languages."""

from dataclasses import dataclass

from calculators.framework.choices import cards, choices, currency_input, model_input
from calculators.framework.spec import choice, real, several, switch, whole
from calculators.framework.text import Text
from calculators.importing.field import config_input
from calculators.memory.weights import WEIGHT_FORMATS
from calculators.training.plan import ATTENTION_AND_FFN

RECIPE = Text("Recipe", "训练方案")
LOAD = Text("Batch", "批量")
CARD = Text("Cards", "加速卡")
MOST_MICRO_BATCH = 1024
MOST_SEQUENCE = 2_000_000
MOST_GPUS = 32_768

OBJECTIVES = {
    "pretrain": Text("Pre-training", "预训练"),
    "sft": Text("Fine-tuning (SFT)", "微调（SFT）"),
    "dpo": Text("DPO"),
    "grpo": Text("GRPO"),
}
METHODS = {
    "full": Text("Full: all weights", "全量：训练全部权重"),
    "freeze": Text("Freeze: the last layers", "冻结：只训练最后几层"),
    "lora": Text("LoRA"),
    "dora": Text("DoRA"),
    "qlora": Text("QLoRA: frozen weights in 4 bits", "QLoRA：冻结权重量化为 4 位"),
}
PRECISION_NAMES = {
    "mixed": Text("Mixed: BF16/FP16 with FP32 master weights", "混合精度：BF16/FP16，FP32 主权重"),
    "megatron": Text("Megatron: BF16, FP32 gradients and master weights", "Megatron：BF16，FP32 梯度与主权重"),
    "fp32-params": Text("FP32 weights, BF16 compute (FSDP, autocast)", "FP32 权重，BF16 计算（FSDP、autocast）"),
    "bf16": Text("Pure BF16", "纯 BF16"),
    "fp8": Text("FP8, as DeepSeek-V3", "FP8（DeepSeek-V3 的做法）"),
}
OPTIMIZER_NAMES = {
    "adamw": Text("AdamW"),
    "adamw-8bit": Text("8-bit AdamW (bitsandbytes)", "8 位 AdamW（bitsandbytes）"),
    "paged-adamw": Text("Paged AdamW", "分页 AdamW"),
    "paged-adamw-8bit": Text("Paged 8-bit AdamW", "分页 8 位 AdamW"),
    "adafactor": Text("Adafactor"),
    "lion": Text("Lion"),
    "muon": Text("Muon (AdamW for embedding, head, norms)", "Muon（词嵌入、输出层和归一化用 AdamW）"),
    "sgd-momentum": Text("SGD with momentum", "SGD（带动量）"),
    "galore": Text("GaLore (AdamW in a low-rank subspace)", "GaLore（低秩子空间中的 AdamW）"),
}
SHARDINGS = {
    "none": Text("None (DDP)", "不分片（DDP）"),
    "zero1": Text("ZeRO-1 / Megatron distributed optimizer", "ZeRO-1 / Megatron 分布式优化器"),
    "zero2": Text("ZeRO-2"),
    "zero3": Text("ZeRO-3"),
    "fsdp": Text("FSDP"),
    "hsdp": Text("HSDP: FSDP inside groups", "HSDP：组内 FSDP"),
}
RECOMPUTES = {
    "none": Text("No recomputation", "不重计算"),
    "selective": Text("Selective: attention scores", "选择性：只重算注意力分数"),
    "full": Text("Full: every layer", "完全：每层都重算"),
}
LOSSES = {
    "plain": Text("Plain: all logits at once", "普通：一次生成全部 logits"),
    "chunked": Text("In chunks", "分块"),
    "fused": Text("Fused (Liger)", "融合（Liger）"),
}
BASE_FORMATS = ("nf4-dq", "nf4", "int8")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = model_input("llama-3-1-8b", RECIPE)
    config: str | None = config_input(RECIPE)
    objective: str = choice(
        Text("Task", "任务"),
        "sft",
        choices(OBJECTIVES),
        group=RECIPE,
        help=Text(
            "DPO and GRPO add a reference model, GRPO also a rollout engine.",
            "DPO 和 GRPO 多一个参考模型，GRPO 还多一个推理引擎。",
        ),
    )
    method: str = choice(
        Text("What is trained", "训练哪些权重"),
        "lora",
        choices(METHODS),
        group=RECIPE,
        help=Text("Only trained weights need gradients and optimizer states.", "只有被训练的权重才需要梯度和优化器状态。"),
    )
    optimizer: str = choice(
        Text("Optimizer", "优化器"),
        "adamw",
        choices(OPTIMIZER_NAMES),
        group=RECIPE,
        help=Text("Decides the bytes of optimizer state per trained weight.", "决定每个被训练权重的优化器状态字节数。"),
    )
    precision: str = choice(
        Text("Precision", "精度"),
        "mixed",
        choices(PRECISION_NAMES),
        group=RECIPE,
        help=Text(
            "Of trained weights, gradients and master copies. Frozen weights are BF16.",
            "被训练权重、梯度和主权重的精度。冻结权重为 BF16。",
        ),
    )
    micro_batch: int = whole(
        Text("Micro-batch", "微批大小"),
        1,
        low=1,
        high=MOST_MICRO_BATCH,
        group=LOAD,
        help=Text("Sequences of one forward pass on one copy of the model.", "模型的一个副本每次前向计算的序列数。"),
    )
    sequence: int = whole(
        Text("Sequence length", "序列长度"),
        2048,
        low=1,
        high=MOST_SEQUENCE,
        unit="token",
        group=LOAD,
        help=Text("Tokens of one sequence, padding or packing included.", "一个序列的 token 数，含填充或拼接。"),
    )
    recompute: str = choice(
        Text("Activation recomputation", "激活重计算"),
        "full",
        choices(RECOMPUTES),
        group=LOAD,
        help=Text(
            "Full costs about a third more arithmetic and keeps one input per layer.",
            "完全重计算约多三分之一计算量，每层只保留一个输入。",
        ),
    )
    accelerator: str = choice(
        Text("Card", "加速卡"),
        "rtx-4090-24g",
        cards,
        group=CARD,
        help=Text("The card to check. All others stand in the table below.", "要检查的加速卡。其他加速卡见下方表格。"),
    )
    gpus: int = whole(
        Text("GPUs", "卡数"),
        1,
        low=1,
        high=MOST_GPUS,
        unit="gpu",
        group=CARD,
        help=Text("All of them together.", "总卡数。"),
    )
    sharding: str = choice(
        Text("Sharding of the states", "状态分片"),
        "none",
        choices(SHARDINGS),
        group=CARD,
        help=Text("What data-parallel GPUs divide among themselves.", "数据并行的卡之间如何分摊模型状态。"),
    )
    currency: str = currency_input(CARD)
    rank: int = whole(
        Text("LoRA rank", "LoRA 秩"),
        16,
        low=1,
        high=1024,
        group=RECIPE,
        advanced=True,
        help=Text("Width of the adapters.", "适配器的宽度。"),
    )
    lora_modules: tuple[str, ...] = several(
        Text("Adapted matrices", "适配的矩阵"),
        ATTENTION_AND_FFN,
        choices({m: Text(m) for m in ATTENTION_AND_FFN}),
        group=RECIPE,
        advanced=True,
        help=Text("Per layer. Experts of a mixture are not adapted.", "每层的矩阵。混合专家模型的专家不加适配器。"),
    )
    adapter_dtype: str = choice(
        Text("Adapter weights", "适配器精度"),
        "fp32",
        choices({"fp32": Text("FP32"), "bf16": Text("BF16")}),
        group=RECIPE,
        advanced=True,
        help=Text(
            "PEFT keeps adapters in FP32, torchtune in BF16. Moments are FP32.",
            "PEFT 的适配器为 FP32，torchtune 为 BF16；动量均为 FP32。",
        ),
    )
    base_format: str = choice(
        Text("QLoRA weight format", "QLoRA 权重格式"),
        "nf4-dq",
        choices({f: Text(WEIGHT_FORMATS[f].name) for f in BASE_FORMATS}),
        group=RECIPE,
        advanced=True,
        help=Text("Of the frozen linear layers; embedding and head stay BF16.", "冻结线性层的格式；词嵌入和输出层保留 BF16。"),
    )
    trained_layers: int = whole(
        Text("Layers trained (freeze)", "训练层数（冻结法）"),
        2,
        low=1,
        high=1000,
        unit="layer",
        group=RECIPE,
        advanced=True,
        help=Text("The last ones. Nothing below them needs activations.", "最后的若干层；其下各层不需要保留激活。"),
    )
    galore_rank: int = whole(
        Text("GaLore rank", "GaLore 秩"),
        128,
        low=1,
        high=8192,
        group=RECIPE,
        advanced=True,
        help=Text("Rank of the projected gradients.", "投影梯度的秩。"),
    )
    fused_backward: bool = switch(
        Text("Optimizer in the backward pass", "反向传播中更新参数"),
        False,
        group=RECIPE,
        advanced=True,
        help=Text("Each gradient is used and freed at once (LOMO, torchtune).", "每个梯度用完即释放（LOMO、torchtune）。"),
    )
    reference_model: bool = switch(
        Text("Reference model in memory", "参考模型驻留显存"),
        True,
        group=RECIPE,
        advanced=True,
        help=Text(
            "For DPO and GRPO. Off: its log-probabilities are precomputed, or not used.",
            "用于 DPO 和 GRPO。关闭：预先算好其对数概率，或不使用。",
        ),
    )
    rollout_sequences: int = whole(
        Text("Rollouts at once", "并发采样数"),
        8,
        low=1,
        high=4096,
        group=RECIPE,
        advanced=True,
        help=Text("GRPO: sequences that one rollout engine generates together.", "GRPO：一个推理引擎同时生成的序列数。"),
    )
    rollout_parallel: int = whole(
        Text("GPUs per rollout engine", "每个推理引擎的卡数"),
        1,
        low=1,
        high=64,
        unit="gpu",
        group=RECIPE,
        advanced=True,
        help=Text("GRPO: tensor parallelism of the engine.", "GRPO：推理引擎的张量并行数。"),
    )
    rollout_sleep: bool = switch(
        Text("Rollout engine sleeps while training", "训练时推理引擎休眠"),
        True,
        group=RECIPE,
        advanced=True,
        help=Text("GRPO: vLLM's sleep mode frees its weights and cache.", "GRPO：vLLM 的休眠模式会释放其权重和缓存。"),
    )
    micro_batches: int = whole(
        Text("Micro-batches per step", "每步微批数"),
        1,
        low=1,
        high=4096,
        group=LOAD,
        advanced=True,
        help=Text(
            "Gradient accumulation; in a pipeline, the micro-batches in it.", "梯度累积次数；流水线并行时即流水线中的微批数。"
        ),
    )
    flash: bool = switch(
        Text("Flash attention", "Flash Attention"),
        True,
        group=LOAD,
        advanced=True,
        help=Text("Off: the scores of all pairs of tokens are kept.", "关闭：保留所有 token 两两之间的分数。"),
    )
    fused_ffn: bool = switch(
        Text("Fused FFN activation", "融合 FFN 激活"),
        False,
        group=LOAD,
        advanced=True,
        help=Text(
            "Liger or Megatron kernels: one tensor of FFN width less.", "Liger 或 Megatron 内核：少保留一个 FFN 宽度的张量。"
        ),
    )
    loss: str = choice(
        Text("Logits and loss", "logits 与损失"),
        "plain",
        choices(LOSSES),
        group=LOAD,
        advanced=True,
        help=Text("With large vocabularies the logits are often the largest tensor.", "词表大时，logits 往往是最大的张量。"),
    )
    loss_chunks: int = whole(
        Text("Chunks of the loss", "损失分块数"),
        8,
        low=1,
        high=1024,
        group=LOAD,
        advanced=True,
        help=Text("For the chunked loss; torchtune takes 8.", "用于分块损失；torchtune 默认 8。"),
    )
    offload_optimizer: bool = switch(
        Text("Optimizer in host memory", "优化器卸载到内存"),
        False,
        group=CARD,
        advanced=True,
        help=Text("ZeRO-Offload: moves gradients and master weights too.", "ZeRO-Offload：梯度和主权重一并卸载。"),
    )
    offload_parameters: bool = switch(
        Text("Weights in host memory", "权重卸载到内存"),
        False,
        group=CARD,
        advanced=True,
        help=Text("ZeRO-3 or FSDP only.", "仅用于 ZeRO-3 或 FSDP。"),
    )
    tensor_parallel: int = whole(
        Text("Tensor parallel", "张量并行"),
        1,
        low=1,
        high=64,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text("Must divide the attention heads.", "须能整除注意力头数。"),
    )
    sequence_parallel: bool = switch(
        Text("Sequence parallel", "序列并行"),
        True,
        group=CARD,
        advanced=True,
        help=Text("With tensor parallelism: norms and their inputs are divided too.", "配合张量并行：归一化及其输入也被切分。"),
    )
    pipeline_parallel: int = whole(
        Text("Pipeline parallel", "流水线并行"),
        1,
        low=1,
        high=128,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text(
            "Stages. The first holds most micro-batches, the last the logits.",
            "阶段数。第一阶段在途微批最多，最后一阶段持有 logits。",
        ),
    )
    virtual_stages: int = whole(
        Text("Parts per stage (interleaved)", "每阶段分段数（交错）"),
        1,
        low=1,
        high=32,
        group=CARD,
        advanced=True,
        help=Text("1 = 1F1B. More shrinks the bubble and keeps more activations.", "1 即 1F1B。越多气泡越小，保留的激活越多。"),
    )
    context_parallel: int = whole(
        Text("Context parallel", "上下文并行"),
        1,
        low=1,
        high=64,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text("Divides each sequence.", "切分每个序列。"),
    )
    expert_parallel: int = whole(
        Text("Expert parallel", "专家并行"),
        1,
        low=1,
        high=1024,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text("Divides routed experts among data-parallel GPUs.", "在数据并行的卡之间切分路由专家。"),
    )
    shard_group: int = whole(
        Text("Shard group (HSDP)", "分片组大小（HSDP）"),
        8,
        low=1,
        high=1024,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text("GPUs that divide one copy of the states.", "共同分摊一份状态的卡数。"),
    )
    server_gpus: int = whole(
        Text("GPUs per server", "每台服务器卡数"),
        8,
        low=1,
        high=72,
        unit="gpu",
        group=CARD,
        advanced=True,
        help=Text("For the host memory of one server.", "用于计算单台服务器的内存。"),
    )
    usable_percent: float = real(
        Text("Usable share of the card", "可用显存比例"),
        95.0,
        low=30,
        high=99,
        unit="%",
        group=CARD,
        advanced=True,
        help=Text("The driver and other processes keep the rest.", "其余部分留给驱动和其他进程。"),
    )
