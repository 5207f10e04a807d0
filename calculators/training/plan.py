"""One way to train one model, and what no framework runs.

In: the settings of a training job. Out: a frozen, hashable `Plan`; `problem(plan)` names the setting that cannot be.
"""

from dataclasses import dataclass

from calculators.framework.text import Text
from calculators.training.recipes import GALORE_RANK
from catalog.model import Architecture

STAGES = {"none": 0, "zero1": 1, "zero2": 2, "zero3": 3, "fsdp": 3, "hsdp": 3}
"""How far the states are divided, in ZeRO's stages."""

ADAPTER_METHODS = ("lora", "dora", "qlora")
ATTENTION_AND_FFN = ("q", "k", "v", "o", "gate", "up", "down")


@dataclass(frozen=True, slots=True)
class Plan:
    """A training job. Counts are at least 1; `gpus` = data x tensor x pipeline x context parallel."""

    architecture: Architecture
    method: str = "full"
    objective: str = "sft"
    precision: str = "mixed"
    optimizer: str = "adamw"
    sharding: str = "none"
    gpus: int = 1
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    context_parallel: int = 1
    expert_parallel: int = 1
    shard_group: int = 8
    virtual_stages: int = 1
    sequence_parallel: bool = True
    micro_batch: int = 1
    sequence: int = 4096
    micro_batches: int = 1
    recompute: str = "full"
    flash: bool = True
    fused_ffn: bool = False
    loss: str = "plain"
    loss_chunks: int = 8
    fused_backward: bool = False
    offload_optimizer: bool = False
    offload_parameters: bool = False
    rank: int = 16
    modules: tuple[str, ...] = ATTENTION_AND_FFN
    adapter_bytes: int = 4
    base_format: str = "nf4-dq"
    trained_layers: int = 2
    galore_rank: int = GALORE_RANK
    reference: bool = True
    rollout_sequences: int = 8
    rollout_parallel: int = 1
    rollout_sleep: bool = True

    @property
    def replica(self) -> int:
        """GPUs that hold one copy of the model and one part of the sequence each."""
        return self.tensor_parallel * self.pipeline_parallel * self.context_parallel

    @property
    def data_parallel(self) -> int:
        """Copies that see different data."""
        return max(1, self.gpus // self.replica)

    @property
    def ranks(self) -> int:
        """GPUs over which the states are divided: data and context parallel ones; with HSDP one shard group."""
        return self.ranks_of(self.gpus)

    def ranks_of(self, gpus: int) -> int:
        """`ranks` on another number of GPUs."""
        group = max(1, gpus // self.replica) * self.context_parallel
        return min(group, self.shard_group) if self.sharding == "hsdp" else group

    @property
    def stage(self) -> int:
        """ZeRO stage of the sharding."""
        return STAGES[self.sharding]

    @property
    def adapters(self) -> bool:
        """Are low-rank adapters trained, and the model frozen?"""
        return self.method in ADAPTER_METHODS

    @property
    def sequences(self) -> int:
        """Sequences of one forward pass: DPO runs the chosen and the rejected answer together."""
        return self.micro_batch * (2 if self.objective == "dpo" else 1)

    @property
    def tokens(self) -> float:
        """Tokens of one micro-batch on one GPU: context parallelism divides the sequence."""
        return self.sequences * self.sequence / self.context_parallel

    @property
    def tokens_per_step(self) -> int:
        """Tokens of one optimizer step over all GPUs."""
        return self.sequences * self.sequence * self.micro_batches * self.data_parallel


def problem(p: Plan) -> tuple[str, Text] | None:
    """The setting that no framework runs with the others, and how to mend it; None if all is well."""
    return _layout(p) or _memory(p) or _method(p)


def divides(p: Plan, gpus: int) -> bool:
    """Can the plan be laid out on so many GPUs? What `problem` asks of their number, without the words."""
    group = max(1, gpus // p.replica) * p.context_parallel
    return not (
        gpus % p.replica
        or group % p.expert_parallel
        or (p.sharding == "hsdp" and group % p.shard_group)
        or (p.objective == "grpo" and p.rollout_parallel > gpus)
    )


def _layout(p: Plan) -> tuple[str, Text] | None:
    a = p.architecture
    if p.gpus % p.replica:
        n = p.replica
        return "gpus", Text(
            f"{p.gpus} GPUs do not divide into copies of {n} (tensor × pipeline × context parallel). Take a multiple of {n}.",
            f"{p.gpus} 张卡不能按每份 {n} 张（张量 × 流水线 × 上下文并行）划分。请取 {n} 的倍数。",
        )
    if a.num_attention_heads and a.num_attention_heads % p.tensor_parallel:
        ways = ", ".join(str(n) for n in range(1, 65) if a.num_attention_heads % n == 0)
        return "tensor_parallel", Text(
            f"{a.num_attention_heads} attention heads do not divide by {p.tensor_parallel}. Possible: {ways}.",
            f"{a.num_attention_heads} 个注意力头不能被 {p.tensor_parallel} 整除。可用：{ways}。",
        )
    if p.pipeline_parallel * p.virtual_stages > a.num_hidden_layers:
        return "pipeline_parallel", Text(
            f"{a.num_hidden_layers} layers do not fill {p.pipeline_parallel} × {p.virtual_stages} pipeline stages. Take fewer.",
            f"{a.num_hidden_layers} 层不够分给 {p.pipeline_parallel} × {p.virtual_stages} 个流水线阶段，请减少。",
        )
    if p.virtual_stages > 1 and p.pipeline_parallel == 1:
        return "virtual_stages", Text(
            "Interleaving needs a pipeline of at least two stages. Set this to 1.", "交错调度至少需要两个流水线阶段，请设为 1。"
        )
    if p.expert_parallel > 1 and (not a.num_experts or a.num_experts % p.expert_parallel):
        return "expert_parallel", Text(
            f"{a.num_experts} experts do not divide by {p.expert_parallel}. Dense models take 1.",
            f"{a.num_experts} 个专家不能被 {p.expert_parallel} 整除。稠密模型请设为 1。",
        )
    if (p.data_parallel * p.context_parallel) % p.expert_parallel:
        return "expert_parallel", Text(
            f"Expert parallelism of {p.expert_parallel} must divide the {p.data_parallel * p.context_parallel} data-parallel GPUs.",
            f"专家并行数 {p.expert_parallel} 须能整除数据并行的 {p.data_parallel * p.context_parallel} 张卡。",
        )
    if p.sharding == "hsdp" and (p.data_parallel * p.context_parallel) % p.shard_group:
        return "shard_group", Text(
            f"Shard groups of {p.shard_group} must divide the {p.data_parallel * p.context_parallel} data-parallel GPUs.",
            f"分片组大小 {p.shard_group} 须能整除数据并行的 {p.data_parallel * p.context_parallel} 张卡。",
        )
    return None


def _memory(p: Plan) -> tuple[str, Text] | None:
    if p.sharding in ("zero2", "zero3") and p.pipeline_parallel > 1:
        return "sharding", Text(
            "DeepSpeed runs a pipeline with ZeRO-1 at most. Choose ZeRO-1, or FSDP.",
            "DeepSpeed 的流水线并行最多只能配合 ZeRO-1。请选择 ZeRO-1 或 FSDP。",
        )
    if p.offload_optimizer and p.stage == 0:
        return "offload_optimizer", Text(
            "Offloading needs ZeRO or FSDP (one GPU is enough). Choose a sharding, or switch this off.",
            "卸载需要 ZeRO 或 FSDP（单卡也可以）。请选择一种分片方式，或关闭此项。",
        )
    if p.offload_parameters and p.stage < 3:
        return "offload_parameters", Text(
            "Parameters can be offloaded with ZeRO-3 or FSDP only. Choose one of them, or switch this off.",
            "只有 ZeRO-3 或 FSDP 能卸载参数。请选择其一，或关闭此项。",
        )
    if p.fused_backward and (p.micro_batches > 1 or p.stage in (1, 2) or p.pipeline_parallel > 1):
        return "fused_backward", Text(
            "An optimizer in the backward pass cannot accumulate gradients, nor run with ZeRO-1, ZeRO-2 or a pipeline. Switch it off.",
            "反向传播中更新参数时不能累积梯度，也不能配合 ZeRO-1、ZeRO-2 或流水线并行。请关闭此项。",
        )
    return None


def _method(p: Plan) -> tuple[str, Text] | None:
    a = p.architecture
    if p.objective == "pretrain" and p.method != "full":
        return "method", Text("Pre-training trains all weights. Choose full.", "预训练需要训练全部权重，请选择全量。")
    if p.adapters and not p.modules:
        return "lora_modules", Text("Choose at least one matrix to adapt.", "请至少选择一个要适配的矩阵。")
    if p.adapters and (a.family and not set(p.modules) & {"o", "up", "down"}):
        return "lora_modules", Text(
            "This model has none of these matrices (q, k, v are one). Add o, up or down.",
            "该模型没有这些矩阵（q、k、v 合为一个）。请加上 o、up 或 down。",
        )
    if p.method == "freeze" and p.trained_layers > a.num_hidden_layers:
        return "trained_layers", Text(
            f"The model has {a.num_hidden_layers} layers. Train at most that many.",
            f"该模型只有 {a.num_hidden_layers} 层，请不要超过。",
        )
    if p.objective == "grpo" and p.rollout_parallel > p.gpus:
        return "rollout_parallel", Text(
            f"There are {p.gpus} GPUs. The rollout engine cannot use more.", f"共有 {p.gpus} 张卡，推理引擎不能使用更多。"
        )
    if p.objective == "grpo" and a.num_attention_heads % p.rollout_parallel:
        return "rollout_parallel", Text(
            f"{a.num_attention_heads} attention heads do not divide by {p.rollout_parallel}. Take a divisor.",
            f"{a.num_attention_heads} 个注意力头不能被 {p.rollout_parallel} 整除，请取其约数。",
        )
    return None
