"""The working of `vram-inference`: each formula with the numbers put in and who says so.

In: a `Case` and its `Footprint`. Out: steps in a `Working`.
"""

from calculators.framework.spec import Working
from calculators.framework.text import Text
from calculators.inference.case import Case
from calculators.memory.decode import ALLREDUCE_SECONDS, LAYER_SECONDS
from calculators.memory.kv import bytes_per_token
from calculators.memory.params import parameter_groups
from calculators.memory.serving import GIB, Footprint, Speed, cache_of
from calculators.memory.weights import WEIGHT_FORMATS, weights_of
from catalog.model import Fact

KV_SOURCE = Text(
    "GQA https://arxiv.org/abs/2305.13245; MLA https://arxiv.org/abs/2405.04434; start-up logs of llama.cpp and vLLM",
    "GQA https://arxiv.org/abs/2305.13245；MLA https://arxiv.org/abs/2405.04434；llama.cpp 与 vLLM 的启动日志",
)
SPEED_SOURCE = Text(
    "two-term model fitted on five A100 rows of gpt-fast, https://github.com/pytorch-labs/gpt-fast",
    "两项模型，用 gpt-fast 的五行 A100 数据拟合，https://github.com/pytorch-labs/gpt-fast",
)
AIC = "aiconfigurator https://github.com/ai-dynamo/aiconfigurator"
RULES = {
    "vllm": Text(
        "vLLM: whole blocks of 16 tokens; sliding layers free what left the window; at the high end every layer keeps all tokens",
        "vLLM：按 16 个 token 的整块计；滑动层释放窗口外的块；上限按每层都保留全部 token 计",
    ),
    "transformers": Text(
        "transformers: one cell per token; sliding layers keep their window", "transformers：每个 token 一格；滑动层只保留窗口"
    ),
    "sglang": Text("SGLang: one cell per token; sliding layers keep their window", "SGLang：每个 token 一格；滑动层只保留窗口"),
    "llama.cpp": Text(
        "llama.cpp: context padded to 256 cells; sliding layers keep window × sequences + micro-batch",
        "llama.cpp：上下文按 256 格补齐；滑动层保留“窗口 × 序列数 + 微批”",
    ),
}
"""How each engine counts the cells of its KV cache, in words."""

GROUPS = {
    "embedding": Text("embedding", "词嵌入"),
    "position": Text("positions", "位置嵌入"),
    "head": Text("head", "输出层"),
    "attention": Text("attention", "注意力"),
    "linear_attention": Text("linear attention", "线性注意力"),
    "mlp": Text("FFN", "FFN"),
    "routed_experts": Text("routed experts", "路由专家"),
    "shared_experts": Text("shared experts", "共享专家"),
    "router": Text("router", "路由器"),
    "norms": Text("norms", "归一化"),
    "mtp": Text("MTP module", "MTP 模块"),
    "vision": Text("vision tower", "视觉塔"),
    "audio": Text("audio tower", "音频塔"),
    "other": Text("other parts", "其他部件"),
    "buffers": Text("saved buffers", "缓冲张量"),
}
"""Tensor groups of `calculators.memory.tensors`, in words."""


def _listed(sizes: dict[str, int], scale: float, form: str) -> Text:
    """`embedding 0.98 + head 0.98 …` in both languages, groups that are absent left out."""
    shown = [(GROUPS[name], format(size / scale, form)) for name, size in sizes.items() if size]
    return Text(" + ".join(f"{g.en} {n}" for g, n in shown), " + ".join(f"{g.zh} {n}" for g, n in shown))


def show_working(show: Working, c: Case, need: Footprint, speed: Speed | None) -> None:
    """Record every step of the sum, and of the speed where the card's bandwidth is known."""
    _weights(show, c, need)
    _cache(show, c)
    _rest(show, c, need)
    if speed is not None and c.card.memory_bandwidth is not None:
        _speed(show, c, speed, c.card.memory_bandwidth)


def _weights(show: Working, c: Case, need: Footprint) -> None:
    s = c.serving
    groups = parameter_groups(s.architecture)
    known = WEIGHT_FORMATS[s.weight_format]
    weights = weights_of(s.architecture, s.weight_format)
    show.show(
        Text("Parameters", "参数量"),
        Text("Σ elements of every tensor", "Σ 每个张量的元素数"),
        _listed(groups.groups, 1, ",.0f"),
        groups.total,
        "",
        Text("config.json of the model; tensor shapes of transformers", "模型的 config.json；transformers 中的张量形状"),
    )
    show.show(
        Text("Weights", "权重"),
        Text("Σ tensor elements × bits of its format ÷ 8 ÷ 2^30", "Σ 张量元素数 × 该格式的位数 ÷ 8 ÷ 2^30"),
        _listed(weights.by_group, GIB, ".3f"),
        weights.total / GIB,
        "GiB",
        known.source,
        3,
    )
    if weights.host:
        show.show(
            Text("of these in host memory", "其中留在主机内存"),
            Text("the embedding table stays in RAM (llama.cpp)", "词嵌入表留在内存中（llama.cpp）"),
            f"{weights.host:,} B",
            weights.host / GIB,
            "GiB",
            known.source,
            3,
        )
    show.show(
        Text("Weights per GPU", "每张卡的权重"),
        Text(
            "split tensors ÷ GPUs + replicated tensors (norms, router, MLA down-projections)",
            "切分的张量 ÷ 卡数 + 每卡复制的张量（归一化、路由器、MLA 降维投影）",
        ),
        Text(f"the fullest of {c.gpus}", f"{c.gpus} 张卡中最满的一张"),
        need.weights / GIB,
        "GiB",
        Text("sharding of Megatron-LM, as in vLLM and SGLang", "Megatron-LM 的切分方式，vLLM 与 SGLang 相同"),
        3,
    )


def _cache(show: Working, c: Case) -> None:
    s = c.serving
    a, rule = s.architecture, RULES[s.engine]
    kv = cache_of(s, c.gpus)
    each = bytes_per_token(a, s.kv_dtype, latent=s.latent)
    cells = Text(f"{kv.full_cells:,} cells in full layers", f"全注意力层 {kv.full_cells:,} 格")
    if a.sliding_layers:
        cells = Text(f"{cells.en}, {kv.sliding_cells:,} in sliding layers", f"{cells.zh}，滑动层 {kv.sliding_cells:,} 格")
    state = Text(f"; recurrent state {kv.state:,} B", f"；循环状态 {kv.state:,} B") if kv.state else Text("", "")
    latent = bool(a.kv_lora_rank) and s.latent
    show.show(
        Text("KV cache", "KV 缓存"),
        Text("layers × cells × (kv_lora_rank + rope width) × bytes", "层数 × 格数 × (kv_lora_rank + rope 宽度) × 字节数")
        if latent
        else Text(
            "Σ layers × cells × KV heads × (K width + V width) × bytes", "Σ 层数 × 格数 × KV 头数 × (K 宽度 + V 宽度) × 字节数"
        ),
        Text(
            f"{cells.en}; {each:,.0f} B per token over all layers{state.en}. {rule.en}",
            f"{cells.zh}；所有层合计每个 token {each:,.0f} B{state.zh}。{rule.zh}",
        ),
        kv.total / GIB,
        "GiB",
        KV_SOURCE,
        3,
    )


def _rest(show: Working, c: Case, need: Footprint) -> None:
    s = c.serving
    if s.engine == "llama.cpp":
        formula = Text("max(logits, attention step) of one micro-batch", "一个微批的 max(logits, 注意力一步)")
        source = Text("llama.cpp start-up logs, seven of them within 6.2 %", "llama.cpp 启动日志，七份误差均在 6.2% 以内")
    else:
        formula = Text(
            "2 × tokens per step × (2.5 h + 2 f ÷ GPUs) × 2 B + 3 × sequences × vocabulary × 4 B",
            "2 × 每步 token 数 × (2.5 h + 2 f ÷ 卡数) × 2 B + 3 × 序列数 × 词表 × 4 B",
        )
        source = Text(AIC)
    show.show(
        Text("Activations and buffers, high", "激活与缓冲区（上限）"),
        formula,
        Text(
            f"h {s.architecture.hidden_size:,}; {s.step_tokens:,} tokens per step; {s.batch:,} sequences",
            f"h {s.architecture.hidden_size:,}；每步 {s.step_tokens:,} token；{s.batch:,} 个序列",
        ),
        need.activations_high / GIB,
        "GiB",
        source,
        3,
    )
    show.show(
        Text("Overhead, high", "额外开销（上限）"),
        Text("CUDA context and libraries + graphs + NCCL buffers", "CUDA 上下文与运行库 + CUDA Graph + NCCL 缓冲区"),
        Text(
            f"assumed from {need.overhead_low / GIB:.2f} to {need.overhead_high / GIB:.2f} GiB",
            f"假设为 {need.overhead_low / GIB:.2f} 至 {need.overhead_high / GIB:.2f} GiB",
        ),
        need.overhead_high / GIB,
        "GiB",
        Text(f"vLLM logs; {AIC}", f"vLLM 日志；{AIC}"),
        3,
    )
    show.show(
        Text("Memory per GPU, high", "每张卡所需显存（上限）"),
        Text(
            "weights + KV cache + adapters and draft + activations + overhead",
            "权重 + KV 缓存 + 适配器与草稿 + 激活 + 额外开销",
        ),
        " + ".join(
            f"{v / GIB:.2f}" for v in (need.weights, need.kv_high, need.extras, need.activations_high, need.overhead_high)
        ),
        need.high / GIB,
        "GiB",
        Text("sum of the above", "以上各项之和"),
        2,
    )
    show.show(
        Text("Usable on the card", "该卡可用显存"),
        Text("label × usable share; a label's GB is counted as 2^30 bytes", "标称容量 × 可用比例；标称的 GB 按 2^30 字节计"),
        f"{c.card.memory.value:g} × {c.usable_percent:g} %",
        c.capacity / GIB,
        "GiB",
        Text(
            "vLLM logs: 79.15 to 79.25 GiB on 80 GB cards before the share is taken",
            "vLLM 日志：80 GB 的卡在取比例之前为 79.15 至 79.25 GiB",
        ),
        2,
    )


def _speed(show: Working, c: Case, speed: Speed, bandwidth: Fact) -> None:
    gpus, layers = c.gpus, c.serving.architecture.num_hidden_layers
    show.show(
        Text("Bytes read per step and GPU", "每步每张卡读取的字节"),
        Text("streamed weights ÷ GPUs + KV cache of all requests", "读取的权重 ÷ 卡数 + 所有请求的 KV 缓存"),
        Text(
            f"{gpus} GPU{'s' if gpus > 1 else ''}; the embedding table is looked up, not read through",
            f"{gpus} 张卡；词嵌入表是查表，不通读",
        ),
        speed.bytes_per_gpu / 1e9,
        "GB",
        Text("arithmetic", "直接计算"),
        3,
    )
    waiting = Text(f" + 2 × layers × {ALLREDUCE_SECONDS * 1e6:g} µs", f" + 2 × 层数 × {ALLREDUCE_SECONDS * 1e6:g} µs")
    more = waiting if gpus > 1 else Text("", "")
    show.show(
        Text("Decode step", "解码一步的时间"),
        Text(
            f"bytes ÷ (bandwidth × efficiency) + layers × {LAYER_SECONDS * 1e3:g} ms{more.en}",
            f"字节数 ÷ (带宽 × 效率) + 层数 × {LAYER_SECONDS * 1e3:g} ms{more.zh}",
        ),
        Text(
            f"{speed.bytes_per_gpu / 1e9:.3f} GB ÷ ({bandwidth.value:g} GB/s × {speed.efficiency:g}); {layers} layers",
            f"{speed.bytes_per_gpu / 1e9:.3f} GB ÷ ({bandwidth.value:g} GB/s × {speed.efficiency:g})；{layers} 层",
        ),
        speed.modelled_seconds * 1000,
        "ms",
        SPEED_SOURCE,
        2,
    )
