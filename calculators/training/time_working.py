"""The working of `training-time`: each formula with the numbers put in and who says so. In: a `Case`. Out: steps."""

from calculators.finance.energy import energy_kwh
from calculators.framework.spec import Working
from calculators.framework.text import Text, number
from calculators.market.words import card_name
from calculators.training.flops import active_parameters, model_attention_flops
from calculators.training.memory_fields import RECOMPUTES
from calculators.training.scaling import done_flops, model_flops, step
from calculators.training.time import HOURS_PER_DAY
from calculators.training.time_case import Case, Run, hours_without_waiting

PALM = "PaLM, appendix B, https://arxiv.org/abs/2204.02311"
KAPLAN = "Kaplan et al. 2020, https://arxiv.org/abs/2001.08361"
MEGATRON = "Narayanan et al. 2021, https://arxiv.org/abs/2104.04473"
ZERO = "ZeRO, section 7, https://arxiv.org/abs/1910.02054"
NCCL = "https://github.com/NVIDIA/nccl"


def show_working(show: Working, c: Case, run: Run) -> None:
    """Record every step of the time, and of one training step where the card's peak is known."""
    _arithmetic(show, c)
    if c.inputs.measured_rate is None and c.job is not None:
        _parts(show, c)
    _time(show, c, run)


def _arithmetic(show: Working, c: Case) -> None:
    a, i = c.model.architecture, c.inputs
    frozen = i.method != "full"
    active, attention = active_parameters(a), model_attention_flops(a, i.sequence)
    factor = 4 if frozen else 6
    show.show(
        Text("Parameters that multiply per token", "每个 token 参与乘法的参数"),
        Text("all but unvisited experts and the embedding look-up", "除未选中的专家和词嵌入查表以外的全部"),
        c.model.name,
        active,
        "",
        Text("config.json of the model", "模型的 config.json"),
    )
    show.show(
        Text("Arithmetic per token", "每个 token 的计算量"),
        Text(f"{factor} × N + 6 × layers × d × sequence (causal)", f"{factor} × N + 6 × 层数 × d × 序列长度（因果）"),
        f"{factor} × {active:,} + {attention / 1e9:.3f} × 10^9",
        model_flops(a, i.sequence, frozen=frozen) / 1e9,
        "GFLOP",
        f"{KAPLAN}; {PALM}",
        3,
    )
    again = done_flops(a, i.sequence, i.recompute, frozen=frozen) / model_flops(a, i.sequence, frozen=frozen)
    show.show(
        Text("Done over needed", "实际计算量与所需之比"),
        Text("recomputation runs a part of the forward pass twice", "重计算会把部分前向计算做两遍"),
        RECOMPUTES[i.recompute],
        again,
        "×",
        "Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198",
        3,
    )


def _parts(show: Working, c: Case) -> None:
    j = c.job
    if j is None:
        return
    s, i = step(j), c.inputs
    show.show(
        Text("Arithmetic of one step", "一步的计算时间"),
        Text(
            "tokens per copy × FLOPs done ÷ GPUs of a copy ÷ (peak × utilisation)",
            "每副本 token 数 × 实际计算量 ÷ 每副本卡数 ÷（峰值 × 利用率）",
        ),
        f"{j.micro_batch * j.micro_batches * j.sequence:,} ÷ {j.replica} ÷ ({j.peak / 1e12:g} TFLOPS × {i.mfu_percent:g} %)",
        s.compute,
        "s",
        Text(f"dense peak of {c.card.name} in the catalog", f"目录中 {card_name(c.card).zh} 的稠密峰值"),
        3,
    )
    if j.pipeline_parallel > 1:
        show.show(
            Text("Pipeline bubble", "流水线气泡"),
            Text("(p − 1) ÷ (m · v) of the time of the micro-batches", "微批总时间的 (p − 1) ÷ (m · v)"),
            f"({j.pipeline_parallel} − 1) ÷ ({j.micro_batches} · {j.virtual_stages})",
            s.bubble,
            "s",
            MEGATRON,
            3,
        )
    link = j.network.link(j.tensor_parallel, 1)
    if j.tensor_parallel > 1:
        show.show(
            Text("Tensor-parallel all-reduces", "张量并行 all-reduce"),
            Text("micro-batches × layers × 4 (6 with full recomputation) × [2(t−1)/t · b·s·h·2 B ÷ bandwidth + 2(t−1) hops]",
                 "微批数 × 层数 × 4（完全重计算为 6）× [2(t−1)/t · b·s·h·2 B ÷ 带宽 + 2(t−1) 跳]"),
            f"{link.bandwidth / 1e9:,.0f} GB/s, {link.hop * 1e6:g} µs",
            s.tensor,
            "s",
            f"{MEGATRON}; {NCCL}",
            3,
        )  # fmt: skip
    if j.context_parallel > 1:
        across = j.network.link(j.context_parallel, j.tensor_parallel)
        show.show(
            Text("Context-parallel traffic that is not hidden", "未被遮住的上下文并行通信"),
            Text("micro-batches × layers × 3 (4 with full recomputation) gathers of keys and values, less what the attention hides",
                 "微批数 × 层数 × 3（完全重计算为 4）次 Key/Value 收集，减去注意力计算能遮住的部分"),
            Text(f"{j.context_parallel} GPUs, {across.bandwidth / 1e9:,.1f} GB/s", f"{j.context_parallel} 张卡，{across.bandwidth / 1e9:,.1f} GB/s"),
            s.context,
            "s",
            "Megatron-Core, context parallelism, https://github.com/NVIDIA/Megatron-LM; Liu et al. 2023, https://arxiv.org/abs/2310.01889",
            3,
        )  # fmt: skip
    if s.expert:
        show.show(
            Text("Expert all-to-alls", "专家 all-to-all"),
            Text("micro-batches × MoE layers × 4 × (e−1)/e · tokens·k·h·2 B ÷ bandwidth", "微批数 × MoE 层数 × 4 × (e−1)/e · token·k·h·2 B ÷ 带宽"),
            Text(f"{j.expert_parallel} GPUs, {c.model.architecture.num_experts_per_tok} experts per token", f"{j.expert_parallel} 张卡，每个 token 选 {c.model.architecture.num_experts_per_tok} 个专家"),
            s.expert,
            "s",
            NCCL,
            3,
        )  # fmt: skip
    if j.data_parallel > 1:
        data = j.network.link(j.data_parallel, j.tensor_parallel)
        show.show(
            Text("Data-parallel traffic that is not hidden", "未被遮住的数据并行通信"),
            Text("all-reduce of the gradients (ZeRO-3: 2 gathers of the weights and 1 scatter per micro-batch), less what overlaps",
                 "梯度 all-reduce（ZeRO-3：每个微批 2 次权重 gather 和 1 次 scatter），减去与计算重叠的部分"),
            Text(f"{j.data_parallel:,} copies, {data.bandwidth / 1e9:,.1f} GB/s per ring, {i.overlap_percent:g} % hidden at most", f"{j.data_parallel:,} 个副本，每环 {data.bandwidth / 1e9:,.1f} GB/s，最多遮住 {i.overlap_percent:g}%"),
            s.data,
            "s",
            f"{ZERO}; {NCCL}",
            3,
        )  # fmt: skip
    show.show(
        Text("One step", "一步"),
        Text("arithmetic + bubble + communication", "计算 + 气泡 + 通信"),
        " + ".join(
            f"{x:.3f}"
            for x in (s.compute, s.bubble, s.tensor, *((s.context,) if s.context else ()), s.expert, s.pipeline, s.data)
        ),
        s.seconds,
        "s",
        Text("sum of the above", "以上各项之和"),
        3,
    )


def _time(show: Working, c: Case, run: Run) -> None:
    i = c.inputs
    show.show(
        Text("GPU-hours without waiting", "无等待时的 GPU 小时"),
        Text("tokens × FLOPs per token ÷ (peak × utilisation) ÷ 3600", "token 数 × 每 token 计算量 ÷（峰值 × 利用率）÷ 3600"),
        f"{i.tokens_billion:g} × 10^9; {i.mfu_percent:g} %",
        hours_without_waiting(c),
        "GPU-h",
        PALM,
        0,
    )
    rate = Text("measured", "实测") if i.measured_rate is not None else Text("modelled", "模型估算")
    show.show(
        Text("GPU-hours", "GPU 小时"),
        Text("tokens ÷ (tokens/s per GPU) ÷ 3600", "token 数 ÷ 单卡速度 ÷ 3600"),
        Text(f"{run.rate:,.1f} tokens/s, {rate.en}", f"{run.rate:,.1f} token/s，{rate.zh}"),
        run.gpu_hours,
        "GPU-h",
        Text("arithmetic", "直接计算"),
        0,
    )
    show.show(
        Text("Days, middle", "天数（中值）"),
        Text("GPU-hours ÷ running share ÷ GPUs ÷ 24", "GPU 小时 ÷ 有效运行比例 ÷ 卡数 ÷ 24"),
        f"{run.gpu_hours:,.0f} ÷ {i.running_percent:g} % ÷ {i.gpus:,} ÷ {HOURS_PER_DAY:g}",
        run.days,
        "day",
        Text("Llama 3 report: 90 % effective training time, https://arxiv.org/abs/2407.21783", "Llama 3 报告：有效训练时间 90%，https://arxiv.org/abs/2407.21783"),
        2,
    )  # fmt: skip
    if c.card.power is not None:
        show.show(
            Text("Energy", "能耗"),
            Text("board power × server factor × PUE × paid hours", "板卡功耗 × 整机系数 × PUE × 付费小时"),
            f"{c.card.power.value:g} W × {i.node_factor:g} × {i.pue:g} × {number(run.paid_hours, 0)} h",
            energy(c, run) or 0.0,
            "kWh",
            Text("PUE as The Green Grid defines it; DGX data sheets", "PUE 按 The Green Grid 的定义；DGX 数据手册"),
            0,
        )


def energy(c: Case, run: Run) -> float | None:
    """kWh of the run at the cards' power limit; None where the catalog has none."""
    if c.card.power is None:
        return None
    return energy_kwh(c.card.power.value / 1000 * c.inputs.node_factor, run.paid_hours, pue=c.inputs.pue)
