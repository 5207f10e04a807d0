"""The working of `vram-training`: each formula with the numbers put in and who says so.

In: a `Case` and its `Footprint`. Out: steps in a `Working`.
"""

from calculators.framework.spec import Working
from calculators.framework.text import Text
from calculators.memory.params import parameter_groups
from calculators.training.activations import LOGIT_BYTES, block_bytes, fused_chunks
from calculators.training.footprint import BUCKET, FROZEN, GIB, Footprint
from calculators.training.memory_case import Case
from calculators.training.memory_fields import SHARDINGS
from calculators.training.recipes import OPTIMIZERS, PRECISIONS
from calculators.training.shards import largest_unit, stage_layers

KORTHIKANTI = "Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198"
LORA = "Hu et al. 2021, https://arxiv.org/abs/2106.09685"


def show_working(show: Working, c: Case, f: Footprint, trained: int) -> None:
    """Record every step of the sum."""
    _parameters(show, c, trained)
    _states(show, c, f)
    _activations(show, c, f)
    _rest(show, c, f)
    _sum(show, c, f)


def _parameters(show: Working, c: Case, trained: int) -> None:
    p, groups = c.plan, parameter_groups(c.model.architecture)
    source: Text | str
    show.show(
        Text("Parameters", "参数量"),
        Text("Σ elements of every tensor", "Σ 每个张量的元素数"),
        c.model.name,
        groups.language,
        "",
        Text("config.json of the model; tensor shapes of transformers", "模型的 config.json；transformers 中的张量形状"),
    )
    if p.adapters:
        formula = Text("Σ rank × (inputs + outputs) of each adapted matrix", "Σ 秩 ×（输入 + 输出），对每个适配的矩阵")
        if p.method == "dora":
            formula = Text(f"{formula.en}, + outputs (DoRA magnitudes)", f"{formula.zh}，再加输出数（DoRA 幅值）")
        numbers, source = Text(f"rank {p.rank}; {', '.join(p.modules)}", f"秩 {p.rank}；{'、'.join(p.modules)}"), LORA
    elif p.method == "freeze":
        formula = Text("Σ elements of the last layers", "Σ 最后若干层的元素数")
        numbers, source = (
            Text(f"{p.trained_layers} layers", f"{p.trained_layers} 层"),
            "LLaMA-Factory, https://github.com/hiyouga/LLaMA-Factory",
        )
    else:
        formula, numbers, source = Text("all of them", "全部参数"), Text(f"{groups.language:,}"), Text("arithmetic", "直接计算")
    show.show(Text("Trained parameters", "被训练的参数"), formula, numbers, trained, "", source)


def _states(show: Working, c: Case, f: Footprint) -> None:
    p, s = c.plan, f.states
    precision, optimizer = PRECISIONS[p.precision], OPTIMIZERS[p.optimizer]
    divided = Text(
        f"; {SHARDINGS[p.sharding].en} over {p.ranks} GPUs", f"；{SHARDINGS[p.sharding].get('zh')}，{p.ranks} 张卡分摊"
    )
    if p.adapters:
        kept = Text(
            f"frozen weights × {FROZEN:g} B" if p.method != "qlora" else "frozen weights in 4 or 8 bits with their scales",
            f"冻结权重 × {FROZEN:g} B" if p.method != "qlora" else "量化的冻结权重及其缩放因子",
        )
        bytes_ = Text(
            f"adapters {p.adapter_bytes} + {p.adapter_bytes} B, FP32 moments",
            f"适配器 {p.adapter_bytes} + {p.adapter_bytes} B，FP32 动量",
        )
        numbers = Text(f"{kept.en}; {bytes_.en}{divided.en}", f"{kept.zh}；{bytes_.zh}{divided.zh}")
    else:
        numbers = Text(
            f"{f.trained:,.0f} trained on this GPU: weights {precision.weights:g} + gradients {precision.gradients:g} + master {precision.master:g} B, "
            f"moments of {precision.moment:g} B{divided.en}",
            f"本卡训练 {f.trained:,.0f} 个：权重 {precision.weights:g} + 梯度 {precision.gradients:g} + 主权重 {precision.master:g} B，"
            f"动量每个 {precision.moment:g} B{divided.zh}",
        )
    show.show(
        Text("Weights, gradients, master weights", "权重、梯度与主权重"),
        Text("parameters × bytes ÷ the GPUs that share them", "参数量 × 字节数 ÷ 分摊的卡数"),
        numbers,
        (s.weights + s.gradients + s.master) / GIB,
        "GiB",
        "PEFT, https://github.com/huggingface/peft" if p.adapters else precision.source,
        3,
    )
    show.show(
        Text("Optimizer states", "优化器状态"),
        {
            "plain": Text("trained × moments × bytes", "被训练参数 × 动量数 × 字节数"),
            "factored": Text("(rows + columns) × 4 B of each matrix", "每个矩阵（行数 + 列数）× 4 B"),
            "muon": Text("hidden matrices × 1 moment, the rest × 2", "隐藏层矩阵 1 个动量，其余 2 个"),
            "galore": Text("(m·r + 2·r·n) of each matrix m × n, the rest × 2", "每个 m × n 矩阵为 m·r + 2·r·n，其余 2 个动量"),
        }[optimizer.rule],
        Text(f"{optimizer.moments or 'no'} moments per number{divided.en}", f"每个数 {optimizer.moments} 个动量{divided.zh}"),
        s.optimizer / GIB,
        "GiB",
        optimizer.source,
        3,
    )
    if s.host:
        show.show(
            Text("of all states in host memory, per GPU", "其中放在内存里的状态（每卡）"),
            Text("what was offloaded or paged", "被卸载或分页的部分"),
            Text(f"× 1.5 for buffers: {1.5 * s.host / GIB:.1f} GiB", f"含缓冲 × 1.5：{1.5 * s.host / GIB:.1f} GiB"),
            s.host / GIB,
            "GiB",
            "DeepSpeed memory.rst, https://github.com/deepspeedai/DeepSpeed",
            2,
        )
    if f.reference:
        show.show(
            Text("Reference model", "参考模型"),
            Text("parameters × 2 B ÷ the GPUs that share them", "参数量 × 2 B ÷ 分摊的卡数"),
            Text("frozen, BF16", "冻结，BF16"),
            f.reference / GIB,
            "GiB",
            "DPO, Rafailov et al. 2023, https://arxiv.org/abs/2305.18290; GRPO, https://arxiv.org/abs/2402.03300",
            3,
        )


def _activations(show: Working, c: Case, f: Footprint) -> None:
    p, a = c.plan, c.model.architecture
    layers = stage_layers(a, p.pipeline_parallel, f.stage)
    kind = max(layers, key=lambda layer: layer[1])[0]
    one = block_bytes(
        a,
        *kind,
        p.tokens,
        p.sequence,
        tensor_parallel=p.tensor_parallel,
        sequence_parallel=p.sequence_parallel,
        flash=p.flash,
        linear_input=PRECISIONS[p.precision].linear_input,
        fused_ffn=p.fused_ffn,
    )
    show.show(
        Text("Activations of one layer", "一层的激活"),
        Text("s·b·h (34 + 5·H·s/h)", "s·b·h (34 + 5·H·s/h)") if a.family else _layer_formula(c),
        _layer_numbers(c),
        one / GIB,
        "GiB",
        KORTHIKANTI,
        3,
    )
    count = sum(n for _, n in layers)
    show.show(
        Text("Activations kept", "保留的激活"),
        Text(
            "micro-batches in flight × layers × 2·tokens·h, + one layer whole", "在途微批数 × 层数 × 2·token·h，再加完整的一层"
        )
        if p.recompute == "full"
        else Text("micro-batches in flight × Σ layers", "在途微批数 × Σ 各层"),
        Text(
            f"{f.in_flight:g} in flight; {count} layers on stage {f.stage + 1}",
            f"在途 {f.in_flight:g} 个；第 {f.stage + 1} 阶段 {count} 层",
        ),
        f.activations / GIB,
        "GiB",
        f"{KORTHIKANTI}; 1F1B https://arxiv.org/abs/2104.04473",
        3,
    )
    if f.logits:
        chunks = {"plain": 1, "chunked": p.loss_chunks, "fused": fused_chunks(a)}[p.loss]
        show.show(
            Text("Logits and loss", "logits 与损失"),
            Text("tokens × vocabulary × bytes ÷ chunks ÷ tensor parallel", "token 数 × 词表 × 字节数 ÷ 块数 ÷ 张量并行"),
            f"{p.tokens:,.0f} × {a.vocab_size:,} × {LOGIT_BYTES[p.loss]} ÷ {chunks} ÷ {p.tensor_parallel}",
            f.logits / GIB,
            "GiB",
            Text(
                "BF16 logits, FP32 copy, FP32 gradient; chunks as in torchtune and Liger-Kernel, https://github.com/linkedin/Liger-Kernel",
                "BF16 logits、FP32 副本、FP32 梯度；分块同 torchtune 和 Liger-Kernel，https://github.com/linkedin/Liger-Kernel",
            ),
            3,
        )


def _layer_formula(c: Case) -> Text:
    """What a block keeps per token, by its kind of attention and FFN."""
    a, ffn = c.model.architecture, 3 if c.plan.fused_ffn else 4
    inside = f"4h + 2·H·d + 2·K·d + {ffn}f"
    if a.kv_lora_rank:
        inside = f"4h + 2·(q_lora + kv_lora) + 2·H·(d_nope + d_rope) + 2·H·d_v + {ffn}f"
    if a.num_experts:
        inside += " + 2k·h"
    return Text(
        f"2 B × tokens × ({inside}), + 5·H·s per token without flash attention",
        f"2 B × token 数 × ({inside})，无 Flash Attention 时每 token 另加 5·H·s",
    )


def _layer_numbers(c: Case) -> Text:
    p, a = c.plan, c.model.architecture
    heads = Text(
        f"{a.num_attention_heads} heads, {a.kv_heads} KV heads of {a.head_width}",
        f"{a.num_attention_heads} 个头、{a.kv_heads} 个 KV 头，宽 {a.head_width}",
    )
    if a.kv_lora_rank:
        widths = f"{a.qk_nope_head_dim} + {a.qk_rope_head_dim} / {a.v_head_dim}"
        heads = Text(f"{a.num_attention_heads} heads of {widths} (MLA)", f"{a.num_attention_heads} 个头，宽 {widths}（MLA）")
    experts = Text("", "")
    if a.num_experts:
        k = a.num_experts_per_tok
        experts = Text(f"; f over the {k} experts that a token visits", f"；f 为 token 所选 {k} 个专家之和")
    return Text(
        f"{p.tokens:,.0f} tokens; h {a.hidden_size:,}; {heads.en}{experts.en}; tensor parallel {p.tensor_parallel}",
        f"{p.tokens:,.0f} 个 token；h {a.hidden_size:,}；{heads.zh}{experts.zh}；张量并行 {p.tensor_parallel}",
    )


def _rest(show: Working, c: Case, f: Footprint) -> None:
    p, a = c.plan, c.model.architecture
    if f.dequantised:
        show.show(
            Text("Temporary weight copies", "临时权重副本"),
            Text("2 B × the largest matrix", "2 B × 最大的矩阵"),
            Text("dequantised (QLoRA), or merged for its norm (DoRA)", "反量化（QLoRA），或为求范数而合并（DoRA）"),
            f.dequantised / GIB,
            "GiB",
            "QLoRA, https://arxiv.org/abs/2305.14314; DoRA, https://arxiv.org/abs/2402.09353",
            3,
        )
    if f.transient_high:
        unit = largest_unit(a, p.tensor_parallel, p.expert_parallel)
        numbers = Text(f"buckets of {BUCKET:,} numbers", f"每桶 {BUCKET:,} 个数")
        if p.stage == 3:
            numbers = Text(
                f"largest unit {unit:,.0f} numbers; one or two at a time", f"最大单元 {unit:,.0f} 个数；同时一到两个"
            )
        show.show(
            Text("Buckets and gathered weights, high", "通信桶与聚合的权重（上限）"),
            Text("gathered blocks and their gradients, or all-reduce buckets", "聚合的层及其梯度，或 all-reduce 通信桶"),
            numbers,
            f.transient_high / GIB,
            "GiB",
            "DeepSpeed configuration, https://www.deepspeed.ai/docs/config-json/; PyTorch FSDP and DDP, https://docs.pytorch.org/docs/stable/",
            3,
        )
    if f.engine:
        show.show(
            Text("Rollout engine", "推理引擎"),
            Text("BF16 weights + KV cache of the rollouts", "BF16 权重 + 采样序列的 KV 缓存"),
            Text(
                f"{p.rollout_sequences} × {p.sequence:,} tokens over {p.rollout_parallel} GPUs",
                f"{p.rollout_sequences} × {p.sequence:,} token，{p.rollout_parallel} 张卡",
            ),
            f.engine / GIB,
            "GiB",
            "vLLM; GRPO, https://arxiv.org/abs/2402.03300",
            3,
        )
    show.show(
        Text("Overhead, high", "额外开销（上限）"),
        Text(
            "CUDA context + NCCL buffers + 2 to 8 % fragmentation of what comes and goes",
            "CUDA 上下文 + NCCL 缓冲 + 动态部分 2% 至 8% 的碎片",
        ),
        Text(
            f"assumed from {f.overhead_low / GIB:.2f} to {f.overhead_high / GIB:.2f} GiB",
            f"假设为 {f.overhead_low / GIB:.2f} 至 {f.overhead_high / GIB:.2f} GiB",
        ),
        f.overhead_high / GIB,
        "GiB",
        "aiconfigurator, https://github.com/ai-dynamo/aiconfigurator",
        3,
    )


def _sum(show: Working, c: Case, f: Footprint) -> None:
    show.show(
        Text("Memory per GPU, high", "每张卡所需显存（上限）"),
        Text(
            "states + 1.2 × activations and logits + buffers + rollout engine + overhead",
            "状态 + 1.2 ×（激活与 logits）+ 缓冲 + 推理引擎 + 额外开销",
        ),
        f"{f.exact / GIB:.2f} + 1.2 × {f.modelled / GIB:.2f} + {f.transient_high / GIB:.2f} + … + {f.overhead_high / GIB:.2f}",
        f.high / GIB,
        "GiB",
        Text(
            "20 %: published peaks of torchtune and torchtitan, https://github.com/pytorch/torchtune, https://github.com/pytorch/torchtitan",
            "20%：torchtune 与 torchtitan 公布的峰值，https://github.com/pytorch/torchtune，https://github.com/pytorch/torchtitan",
        ),
        2,
    )
    show.show(
        Text("Usable on the card", "该卡可用显存"),
        Text("label × usable share; a label's GB is counted as 2^30 bytes", "标称容量 × 可用比例；标称的 GB 按 2^30 字节计"),
        f"{c.card.memory.value:g} × {c.usable_percent:g} %",
        c.capacity / GIB,
        "GiB",
        Text("vLLM logs: 79.15 to 79.25 GiB on 80 GB cards", "vLLM 日志：80 GB 的卡为 79.15 至 79.25 GiB"),
        2,
    )
