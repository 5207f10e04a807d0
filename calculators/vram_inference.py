"""Inference memory: what a model needs on each GPU, which cards hold it, how fast they decode, what to change.

In: a model of the catalog, context, batch, formats, engine, GPUs and a card. Out: memory per GPU in exact, modelled and
assumed parts, the cards that fit with price per hour and decode speed, and changes that make it fit, each run again.
Formulas: `calculators.memory`, each with its source; rules of vLLM, SGLang and llama.cpp as of 2025.
"""

from dataclasses import dataclass

from calculators.framework.spec import (
    Answer,
    Calculator,
    Choice,
    Example,
    InputError,
    Preset,
    Range,
    Working,
    choice,
    real,
    result,
    switch,
    whole,
)
from calculators.framework.text import Text, bounds, number, quantity
from calculators.importing.choose import architecture_of, model_of
from calculators.importing.field import config_input
from calculators.importing.report import notes_of, settings_suggestion
from calculators.inference.advice import notes, suggestions
from calculators.inference.case import Case, card_name, per_hour
from calculators.inference.tables import cards_table, context_chart, parts_chart, parts_table
from calculators.inference.working import show_working
from calculators.market.offers import best_quote
from calculators.memory.advice import largest_batch, largest_context
from calculators.memory.cards import Placement, cheapest, placements
from calculators.memory.params import parameter_groups
from calculators.memory.serving import GIB, Serving, cache_of, decode_speed, fits, footprint, splits, weights_of
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.model import Catalog

MODEL = Text("Model", "模型")
LOAD = Text("Load", "负载")
CARD = Text("Card", "加速卡")
MOST_CONTEXT = 10_000_000
MOST_BATCH = 4096
ENGINE_NAMES = {"vllm": Text("vLLM"), "sglang": Text("SGLang"), "llama.cpp": Text("llama.cpp")}
KV_DTYPES = {
    "bf16": Text("BF16 / FP16"),
    "fp8": Text("FP8 (vLLM, SGLang)", "FP8（vLLM、SGLang）"),
    "q8_0": Text("q8_0 (llama.cpp)", "q8_0（llama.cpp）"),
    "q4_0": Text("q4_0 (llama.cpp)", "q4_0（llama.cpp）"),
}
KV_OF_ENGINE = {"vllm": ("bf16", "fp8"), "sglang": ("bf16", "fp8"), "llama.cpp": ("bf16", "q8_0", "q4_0")}
DECODE_ERROR_PERCENT = 10.0


def _models(catalog: Catalog) -> tuple[Choice, ...]:
    return tuple(Choice(m.id, Text(m.name), Text(m.publisher)) for m in catalog.models.values())


def _cards(catalog: Catalog) -> tuple[Choice, ...]:
    return tuple(Choice(a.id, Text(a.name, a.name_zh), Text(a.vendor)) for a in catalog.accelerators.values())


def _formats(_: Catalog) -> tuple[Choice, ...]:
    groups = {True: Text("GGUF (llama.cpp)", "GGUF（llama.cpp）"), False: Text("Hugging Face")}
    return tuple(Choice(f.id, Text(f.name), groups[f.block == "gguf"]) for f in WEIGHT_FORMATS.values())


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = choice(
        Text("Model", "模型"),
        "llama-3-1-8b",
        _models,
        group=MODEL,
        help=Text("An open-weight model of the catalog.", "目录中的开放权重模型。"),
    )
    config: str | None = config_input(MODEL)
    weight_format: str = choice(
        Text("Weight format", "权重格式"),
        "bf16",
        _formats,
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
        _cards,
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
    currency: str = choice(
        Text("Currency", "货币"),
        "USD",
        (Choice("USD", Text("US dollar", "美元")), Choice("CNY", Text("Chinese yuan", "人民币"))),
        group=CARD,
        help=Text(
            "Prices in the other currency are converted at the catalog's dated rate.",
            "另一种货币的价格按目录中注明日期的汇率换算。",
        ),
    )
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
    activations_gib: Range = result(Text("Activations and buffers", "激活与缓冲区"), "GiB", kind="assumed", digits=2)
    overhead_gib: Range = result(
        Text("Overhead", "额外开销"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text("Context, libraries, graphs, NCCL.", "上下文、运行库、CUDA Graph、NCCL。"),
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
        error_percent=DECODE_ERROR_PERCENT,
        help=Text("Checked on A100 rows only; other cards may differ more.", "仅用 A100 的数据检验过，其他卡误差可能更大。"),
    )
    decode_total_tokens_per_s: float | None = result(
        Text("Decode speed, all requests", "所有请求的解码速度"), "token/s", kind="modelled", error_percent=DECODE_ERROR_PERCENT
    )
    price_per_hour: float | None = result(
        Text("Price of these GPUs per hour", "这些卡每小时的价格"),
        "money/h",
        kind="assumed",
        digits=2,
        help=Text("On demand; date and provider stand in the table of cards.", "按需计费；日期和服务商见加速卡表。"),
    )
    cheapest: Text = result(Text("Cheapest that fits", "放得下的最便宜方案"), kind="assumed")


def engine_of(inputs: Inputs) -> str:
    """The engine whose rules apply: for `auto`, llama.cpp runs GGUF files and vLLM the rest."""
    if inputs.engine != "auto":
        return inputs.engine
    return "llama.cpp" if WEIGHT_FORMATS[inputs.weight_format].block == "gguf" else "vllm"


def serving_of(inputs: Inputs, catalog: Catalog) -> Serving:
    """The inputs as the memory functions take them. Raises `InputError` for combinations that no engine runs."""
    engine = engine_of(inputs)
    name = ENGINE_NAMES[engine].en
    known = WEIGHT_FORMATS[inputs.weight_format]
    if engine == "llama.cpp" and known.block != "gguf" and known.id not in ("bf16", "fp16", "fp32"):
        raise InputError(
            "weight_format",
            Text(
                f"llama.cpp does not run {known.name} files. Choose a GGUF type, or another engine.",
                f"llama.cpp 不能运行 {known.name} 格式。请选择 GGUF 类型，或换一个引擎。",
            ),
        )
    if inputs.kv_dtype not in KV_OF_ENGINE[engine]:
        listed = ", ".join(KV_OF_ENGINE[engine])
        raise InputError(
            "kv_dtype",
            Text(
                f"{name} cannot store the KV cache as {inputs.kv_dtype}. It takes: {listed}.",
                f"{name} 不支持以 {inputs.kv_dtype} 存储 KV 缓存。可选：{listed}。",
            ),
        )
    architecture = architecture_of(inputs.model, inputs.config, catalog)
    if inputs.mla_expanded and not architecture.kv_lora_rank:
        raise InputError(
            "mla_expanded",
            Text("This model has no MLA latent to expand. Switch this off.", "该模型没有 MLA 潜在向量，请关闭此项。"),
        )
    found = Serving(
        architecture,
        inputs.context,
        inputs.batch,
        inputs.weight_format,
        inputs.kv_dtype,
        engine,
        not inputs.mla_expanded,
        inputs.step_tokens,
    )
    if not splits(found, inputs.tensor_parallel):
        heads = architecture.num_attention_heads
        ways = ", ".join(str(n) for n in range(1, 65) if heads % n == 0)
        raise InputError(
            "tensor_parallel",
            Text(
                f"{heads} attention heads do not divide by {inputs.tensor_parallel}. {name} takes: {ways}.",
                f"{heads} 个注意力头不能被 {inputs.tensor_parallel} 整除。{name} 可用：{ways}。",
            ),
        )
    return found


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The whole answer. Raises `InputError` for inputs that no engine runs together."""
    s = serving_of(inputs, catalog)
    card, gpus = catalog.accelerators[inputs.accelerator], inputs.tensor_parallel
    chosen = model_of(inputs.model, inputs.config, catalog)
    c = Case(chosen.model, s, card, gpus, inputs.usable_percent, inputs.currency)
    need = footprint(s, gpus)
    speed = decode_speed(s, gpus, card.memory_bandwidth.value * 1e9) if card.memory_bandwidth else None
    found = placements(s, catalog, inputs.currency, inputs.usable_percent)
    quote = best_quote(catalog, card.id, inputs.currency)
    here = next((p for p in found if p.card.id == card.id), None)
    groups = parameter_groups(s.architecture)
    kv = cache_of(s, gpus)
    show_working(show, c, need, speed)
    outputs = Outputs(
        per_gpu_gib=Range(need.low / GIB, need.high / GIB),
        usable_gib=c.capacity / GIB,
        verdict=VERDICTS[fits(s, gpus, c.capacity)],
        gpus_needed=here.gpus if here else None,
        parameters=groups.total,
        active_parameters=groups.active,
        weights_gib=weights_of(s.architecture, s.weight_format).total / GIB,
        weights_per_gpu_gib=need.weights / GIB,
        kv_bytes_per_token=round(kv.per_token),
        kv_cache_gib=kv.total / GIB,
        kv_per_gpu_gib=kv.per_gpu / GIB,
        activations_gib=Range(need.activations_low / GIB, need.activations_high / GIB),
        overhead_gib=Range(need.overhead_low / GIB, need.overhead_high / GIB),
        largest_context=largest_context(s, gpus, c.capacity, MOST_CONTEXT) or None,
        largest_batch=largest_batch(s, gpus, c.capacity, MOST_BATCH) or None,
        decode_ceiling=1 / speed.bound_seconds if speed else None,
        decode_tokens_per_s=1 / speed.modelled_seconds if speed else None,
        decode_total_tokens_per_s=inputs.batch / speed.modelled_seconds if speed else None,
        price_per_hour=quote.per_hour * gpus if quote else None,
        cheapest=_cheapest(found, inputs.currency),
    )
    return Answer(
        outputs,
        tables=(parts_table(need, gpus), cards_table(found, c)),
        charts=(parts_chart(c), context_chart(c)),
        suggestions=settings_suggestion(chosen.imported, inputs) + suggestions(c, found, KV_OF_ENGINE[s.engine], catalog),
        notes=notes_of(chosen.imported) + notes(c, need),
    )


VERDICTS = {
    "yes": Text("yes, even at the high end", "放得下，按上限也够"),
    "tight": Text("only at the low end", "只有按下限才放得下"),
    "no": Text("no", "放不下"),
}


def _cheapest(found: tuple[Placement, ...], currency: str) -> Text:
    best = cheapest(found)
    if best is None or best.per_hour is None or best.quote is None:
        return Text("no priced card of the catalog holds and runs it", "目录中没有标价、放得下且能运行的卡")
    sure = best.quote.offer.confirmed
    money, name = per_hour(best.per_hour, currency), card_name(best.card)
    return Text(
        f"{best.gpus} × {name.en}, {money.en} ({best.quote.offer.date}{'' if sure else ', unconfirmed'})",
        f"{best.gpus} × {name.zh}，{money.zh}（{best.quote.offer.date}{'' if sure else '，未证实'}）",
    )


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model, card = model_of(inputs.model, inputs.config, catalog).model, card_name(catalog.accelerators[inputs.accelerator])
    name = WEIGHT_FORMATS[inputs.weight_format].name
    need = bounds(outputs.per_gpu_gib.low, outputs.per_gpu_gib.high, "GiB", "en", 1)
    n = inputs.tensor_parallel
    usable = quantity(outputs.usable_gib, "GiB", "en", 1)
    requests = Text(
        f"{number(inputs.batch)} request{'s' if inputs.batch > 1 else ''} of {number(inputs.context)} tokens",
        f"{number(inputs.batch)} 个 {number(inputs.context)} token 的请求",
    )
    return Text(
        f"{model.name} in {name} needs {need} on each of {n} GPU{'s' if n > 1 else ''} for {requests.en}; "
        f"{card.en} offers {usable}. Fits: {outputs.verdict.en}.",
        f"{model.name}（{name}）承载 {requests.zh}，{n} 张卡时每张需要 {need}；{card.zh} 可用 {usable}。结论：{outputs.verdict.zh}。",
    )


EXAMPLES = (
    Example(
        "llama-3-1-8b-bf16-vllm-weights",
        {"model": "llama-3-1-8b"},
        {"parameters": 8030261248, "weights_gib": 14.9595, "kv_cache_gib": 1.0},
        0.002,
        "vLLM start-up log: 14.9595 GiB; 8,030,261,248 parameters by the Hugging Face API",
    ),
    Example(
        "deepseek-v3-latent-163840",
        {
            "model": "deepseek-v3",
            "context": 163840,
            "weight_format": "fp8-block128",
            "tensor_parallel": 8,
            "accelerator": "h200-sxm",
        },
        {"kv_cache_gib": 10980 / 1024, "kv_per_gpu_gib": 10980 / 1024},
        1e-9,
        "ik_llama.cpp pull request 237: 10,980 MiB for the latent cache, https://github.com/ikawrakow/ik_llama.cpp/pull/237",
    ),
    Example(
        "qwen2-5-7b-q4-k-m-file",
        {"model": "qwen2-5-7b", "weight_format": "q4_k_m"},
        {"weights_gib": 4.36},
        0.003,
        "published GGUF file of 4.36 GiB",
    ),
    Example(
        "llama-3-3-70b-q4-k-m-file",
        {"model": "llama-3-3-70b", "weight_format": "q4_k_m", "accelerator": "rtx-6000-ada"},
        {"weights_gib": 39.59},
        0.002,
        "published GGUF file of 39.59 GiB",
    ),
)

PRESETS = (
    Preset(
        "chat-7b-20",
        Text("7B chat for 20 users", "7B 对话，20 人同时使用"),
        {"model": "qwen2-5-7b", "batch": 20, "context": 4096},
    ),
    Preset(
        "chat-70b-200",
        Text("70B chat for 200 users", "70B 对话，200 人同时使用"),
        {
            "model": "llama-3-3-70b",
            "weight_format": "fp8",
            "batch": 200,
            "context": 4096,
            "kv_dtype": "fp8",
            "tensor_parallel": 4,
            "accelerator": "h100-sxm",
        },
    ),
    Preset(
        "local-32b",
        Text("32B on one card at home", "家里一张卡跑 32B"),
        {"model": "qwen2-5-32b", "weight_format": "q4_k_m", "context": 8192},
    ),
    Preset(
        "deepseek-node",
        Text("DeepSeek-V3 on one server", "一台服务器部署 DeepSeek-V3"),
        {"model": "deepseek-v3", "weight_format": "fp8-block128", "tensor_parallel": 8, "accelerator": "h200-sxm", "batch": 32},
    ),
    Preset(
        "ascend-32b",
        Text("32B on Ascend 910B", "昇腾 910B 部署 32B"),
        {"model": "qwen2-5-32b", "accelerator": "ascend-910b3", "tensor_parallel": 2, "batch": 16, "currency": "CNY"},
    ),
)

CALCULATOR = Calculator(
    id="vram-inference",
    version=1,
    title=Text("Memory to serve a model", "推理显存测算"),
    summary=Text(
        "How much memory a language model needs on each GPU, which cards hold it, how fast they decode, and what to change when it does not fit.",
        "语言模型推理时每张卡需要多少显存，哪些卡放得下，解码有多快，放不下时该改什么。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
