"""The fields of `vram-inference`: what a reader chooses and what comes back, each with its words, unit and range."""

from dataclasses import dataclass

from calculators.framework.choices import cards, currency_input, model_input, models
from calculators.framework.spec import Choice, Range, choice, real, result, switch, whole
from calculators.framework.text import Text
from calculators.importing.field import config_input
from calculators.memory.formats import formats

MODEL = Text("Model", "模型")
LOAD = Text("Load", "负载")
CARD = Text("Card", "加速卡")
SPREAD = Text("Spread over GPUs and host", "多卡切分与主机内存")
MOST_GPUS = 64
MOST_CONTEXT = 10_000_000
MOST_BATCH = 4096
ENGINE_NAMES = {
    "vllm": Text("vLLM"),
    "sglang": Text("SGLang"),
    "llama.cpp": Text("llama.cpp"),
    "transformers": Text("transformers"),
}
KV_DTYPES = {
    "bf16": Text("BF16 / FP16"),
    "fp8": Text("FP8 (vLLM, SGLang)", "FP8（vLLM、SGLang）"),
    **{
        kind: Text(f"{kind} (llama.cpp)", f"{kind}（llama.cpp）") for kind in ("q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl")
    },
}
KV_OF_ENGINE = {
    "vllm": ("bf16", "fp8"),
    "sglang": ("bf16", "fp8"),
    "llama.cpp": ("bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl"),
    "transformers": ("bf16",),
}


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = model_input("llama-3-1-8b", MODEL)
    config: str | None = config_input(MODEL)
    weight_format: str = choice(
        Text("Weight format", "权重格式"),
        "bf16",
        formats,
        group=MODEL,
        help=Text(
            "How the weights are stored. Scales and tensors that stay in BF16 are counted.",
            "权重的存储格式。缩放因子和保留 BF16 的张量都计算在内。",
        ),
    )
    context: int = whole(
        Text("Context", "上下文长度"),
        8192,
        low=1,
        high=MOST_CONTEXT,
        unit="token",
        group=LOAD,
        help=Text("Tokens of one request: prompt and answer together.", "单个请求的 token 数：提示词与回答之和。"),
    )
    batch: int = whole(
        Text("Requests at once", "并发请求数"),
        1,
        low=1,
        high=MOST_BATCH,
        unit="request",
        group=LOAD,
        help=Text(
            "Requests that are in memory at the same time, each with the full context.",
            "同时驻留显存的请求数，每个都按完整上下文计算。",
        ),
    )
    kv_dtype: str = choice(
        Text("KV cache dtype", "KV 缓存精度"),
        "bf16",
        tuple(Choice(value, label) for value, label in KV_DTYPES.items()),
        group=LOAD,
        help=Text("How keys and values are stored.", "Key 和 Value 的存储精度。"),
    )
    accelerator: str = choice(
        Text("Card", "加速卡"),
        "rtx-4090-24g",
        cards,
        group=CARD,
        help=Text("The card to check. All others stand in the table below.", "要检查的加速卡。其他加速卡见下方表格。"),
    )
    tensor_parallel: int = whole(
        Text("GPUs (tensor parallel)", "卡数（张量并行）"),
        1,
        low=1,
        high=64,
        unit="gpu",
        group=CARD,
        help=Text("GPUs that share the model. Must divide the attention heads.", "共同承载模型的卡数，须能整除注意力头数。"),
    )
    currency: str = currency_input(CARD)
    engine: str = choice(
        Text("Engine", "推理引擎"),
        "auto",
        (
            Choice("auto", Text("by weight format", "按权重格式自动选择")),
            *(Choice(value, label) for value, label in ENGINE_NAMES.items()),
        ),
        group=LOAD,
        advanced=True,
        help=Text("Whose rules for the KV cache and buffers apply.", "按哪个引擎的规则计算 KV 缓存和缓冲区。"),
    )
    mla_expanded: bool = switch(
        Text("Expand the MLA latent", "展开 MLA 潜在向量"),
        False,
        group=LOAD,
        advanced=True,
        help=Text(
            "For engines that do not implement latent attention. Changes DeepSeek and Kimi only.",
            "用于不支持潜在注意力的引擎，只影响 DeepSeek 和 Kimi 等模型。",
        ),
    )
    step_tokens: int = whole(
        Text("Tokens per step", "每步 token 数"),
        8192,
        low=64,
        high=131_072,
        unit="token",
        group=LOAD,
        advanced=True,
        help=Text(
            "vLLM's max_num_batched_tokens: sets the peak of the activations.",
            "即 vLLM 的 max_num_batched_tokens，决定激活峰值。",
        ),
    )
    cuda_graphs: bool = switch(
        Text("CUDA graphs", "CUDA Graph"),
        True,
        group=LOAD,
        advanced=True,
        help=Text(
            "Off is vLLM's --enforce-eager: less memory, slower decode.", "关闭即 vLLM 的 --enforce-eager：省显存，解码变慢。"
        ),
    )
    pipeline_parallel: int = whole(
        Text("Pipeline stages", "流水线级数"),
        1,
        low=1,
        high=MOST_GPUS,
        group=SPREAD,
        advanced=True,
        help=Text("Stages of consecutive layers, each on its own GPUs.", "按层切成若干级，每级使用各自的卡。"),
    )
    data_parallel: int = whole(
        Text("Replicas (data parallel)", "副本数（数据并行）"),
        1,
        low=1,
        high=MOST_GPUS,
        group=SPREAD,
        advanced=True,
        help=Text(
            "Each replica holds the attention and its share of the requests; routed experts are spread over all of them.",
            "每个副本各有一份注意力权重并分担请求；路由专家分布在所有副本上。",
        ),
    )
    expert_parallel: bool = switch(
        Text("Deal experts whole", "按整个专家切分"),
        False,
        group=SPREAD,
        advanced=True,
        help=Text(
            "vLLM's --enable-expert-parallel. Off: each expert is sliced.",
            "即 vLLM 的 --enable-expert-parallel；关闭时每个专家按宽度切片。",
        ),
    )
    context_parallel: int = whole(
        Text("Context ranks", "上下文并行数"),
        1,
        low=1,
        high=MOST_GPUS,
        group=SPREAD,
        advanced=True,
        help=Text(
            "vLLM's decode context parallel: GPUs of one group share the tokens of a cache that they would hold twice.",
            "即 vLLM 的 decode context parallel：同组的卡分摊原本各存一份的 KV 缓存。",
        ),
    )
    host_layers: int = whole(
        Text("Layers in host memory", "放在主机内存的层数"),
        0,
        low=0,
        high=1000,
        unit="layer",
        group=SPREAD,
        advanced=True,
        help=Text(
            "llama.cpp: layers beyond --n-gpu-layers, with their cache.", "llama.cpp：超出 --n-gpu-layers 的层及其 KV 缓存。"
        ),
    )
    host_experts: bool = switch(
        Text("Experts in host memory", "专家放在主机内存"),
        False,
        group=SPREAD,
        advanced=True,
        help=Text("llama.cpp's --cpu-moe: routed experts stay in RAM.", "即 llama.cpp 的 --cpu-moe：路由专家留在内存中。"),
    )
    lora_adapters: int = whole(
        Text("LoRA adapters", "LoRA 适配器数"),
        0,
        low=0,
        high=1024,
        group=LOAD,
        advanced=True,
        help=Text("Adapters held at once, on every linear layer, in BF16.", "同时驻留的适配器数，覆盖所有线性层，BF16。"),
    )
    lora_rank: int = whole(
        Text("LoRA rank", "LoRA 秩"),
        16,
        low=1,
        high=512,
        group=LOAD,
        advanced=True,
        help=Text("Rank of each adapter.", "每个适配器的秩。"),
    )
    draft_model: str | None = choice(
        Text("Draft model", "草稿模型"),
        None,
        models,
        group=LOAD,
        advanced=True,
        help=Text(
            "A small model for speculative decoding: its weights and its cache are added.",
            "用于投机解码的小模型：计入它的权重和 KV 缓存。",
        ),
    )
    usable_percent: float = real(
        Text("Usable share of the card", "可用显存比例"),
        90.0,
        low=30,
        high=98,
        unit="%",
        group=CARD,
        advanced=True,
        help=Text("vLLM's gpu_memory_utilization. The rest stays free.", "即 vLLM 的 gpu_memory_utilization，其余部分留空。"),
    )


@dataclass(frozen=True, slots=True)
class Outputs:
    """What comes back. GiB are 2^30 bytes."""

    per_gpu_gib: Range = result(
        Text("Memory per GPU", "每张卡所需显存"),
        "GiB",
        kind="assumed",
        digits=1,
        headline=True,
        help=Text("Exact weights and KV cache, plus the ranges below.", "精确的权重和 KV 缓存，加上下面的区间。"),
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
        help=Text("Smallest of 1, 2, 4 … 32.", "取 1、2、4……32 中最小的。"),
    )
    parameters: int = result(Text("Parameters", "参数量"), kind="exact")
    active_parameters: int = result(Text("Active per token", "每个 token 激活的参数"), kind="exact")
    weights_gib: float = result(
        Text("Weights", "权重"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("All GPUs together, each tensor once.", "所有卡合计，每个张量只计一次。"),
    )
    weights_per_gpu_gib: float = result(Text("Weights per GPU", "每张卡的权重"), "GiB", kind="exact", digits=2)
    kv_bytes_per_token: int = result(
        Text("KV cache per token", "每个 token 的 KV 缓存"),
        "B",
        kind="exact",
        help=Text("Once sliding windows are full.", "滑动窗口填满之后。"),
    )
    kv_cache_gib: float = result(
        Text("KV cache", "KV 缓存"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("All requests at full context, by the engine's rule.", "所有请求都用满上下文，按引擎规则。"),
    )
    kv_per_gpu_gib: float = result(Text("KV cache per GPU", "每张卡的 KV 缓存"), "GiB", kind="exact", digits=2)
    extras_gib: float = result(
        Text("Adapters and draft model", "适配器与草稿模型"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text(
            "Per GPU. Assumed: BF16, every adapter on every linear layer, half of it sharded; no public case measures it.",
            "每张卡。假设：BF16，每个适配器覆盖所有线性层，其中一半按卡切分；没有公开算例检验。",
        ),
    )
    activations_gib: Range = result(Text("Activations and buffers", "激活与缓冲区"), "GiB", kind="assumed", digits=2)
    overhead_gib: Range = result(
        Text("Overhead", "额外开销"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text("Context, libraries, graphs, NCCL.", "上下文、运行库、CUDA Graph、NCCL。"),
    )
    capacity_tokens: Range | None = result(
        Text("KV cache capacity", "KV 缓存容量"),
        "token",
        kind="assumed",
        digits=0,
        help=Text(
            "Tokens that the rest of the card holds, all replicas: what vLLM prints at start.",
            "卡上剩余显存能存的 token 数，所有副本合计：即 vLLM 启动时打印的值。",
        ),
    )
    concurrency: Range | None = result(
        Text("Requests of this context at once", "该上下文长度下的并发数"),
        "request",
        kind="assumed",
        digits=1,
        help=Text("Capacity ÷ context.", "容量 ÷ 上下文长度。"),
    )
    total_gpus: int = result(
        Text("GPUs in all", "总卡数"),
        "gpu",
        kind="exact",
        help=Text("Tensor parallel × stages × replicas.", "张量并行 × 流水线级数 × 副本数。"),
    )
    host_gib: float = result(
        Text("Host memory", "主机内存"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text(
            "Embedding table (llama.cpp), layers and experts kept there. Assumed: nothing else; no public case measures it.",
            "词嵌入表（llama.cpp）以及留在主机的层和专家。假设没有其他占用；没有公开算例检验。",
        ),
    )
    largest_context: int | None = result(
        Text("Largest context that fits", "能放下的最大上下文"),
        "token",
        kind="assumed",
        help=Text("With these requests, even at the high end.", "在当前并发数下，按区间上限。"),
    )
    largest_batch: int | None = result(
        Text("Most requests that fit", "能放下的最大并发数"),
        "request",
        kind="assumed",
        help=Text("With this context, even at the high end.", "在当前上下文长度下，按区间上限。"),
    )
    decode_ceiling: float | None = result(
        Text("Decode ceiling", "解码速度上限"),
        "token/s",
        kind="exact",
        help=Text("One request: bandwidth ÷ bytes read per token.", "单个请求：带宽 ÷ 每个 token 读取的字节数。"),
    )
    decode_tokens_per_s: float | None = result(
        Text("Decode speed per request", "单个请求的解码速度"),
        "token/s",
        kind="modelled",
        cases=("decode_speed",),
        help=Text(
            "Measured: one request, A100. Other cards and more requests may differ more.",
            "实测算例为 A100、单个请求；其他卡或更多请求误差可能更大。",
        ),
    )
    decode_total_tokens_per_s: float | None = result(
        Text("Decode speed, all requests", "所有请求的解码速度"),
        "token/s",
        kind="assumed",
        help=Text(
            "Requests × speed of each. Assumed: bandwidth still binds; “throughput” also counts prefills and compute.",
            "请求数 × 单个速度。假设仍受带宽限制；“吞吐”计算器还计入预填充和算力。",
        ),
    )
    price_per_hour: float | None = result(
        Text("Price of these GPUs per hour", "这些卡每小时的价格"),
        "money/h",
        kind="assumed",
        digits=2,
        help=Text("On demand; date and provider stand in the table of cards.", "按需计费；日期和服务商见加速卡表。"),
    )
    cheapest: Text = result(Text("Cheapest that fits", "放得下的最便宜方案"), kind="assumed")
