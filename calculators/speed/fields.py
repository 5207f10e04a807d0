"""Inputs and outputs of `throughput`: labels, units, ranges, help in both languages."""

from dataclasses import dataclass

from calculators.framework.choices import cards, currency_input, model_input, writing_models
from calculators.framework.spec import Choice, Range, choice, real, result, whole
from calculators.framework.text import Text
from calculators.importing.field import config_input
from calculators.memory.formats import formats
from calculators.speed.machine import MOST_GPUS
from calculators.speed.target import MOST_BATCH

MODEL = Text("Model", "模型")
REQUESTS = Text("Requests", "请求")
TARGET = Text("Target", "延迟目标")
CARD = Text("Card", "显卡")
MONEY = Text("Price", "价格")

SERVED = ("serve_tpot",)
"""What measures everything that follows from the time per token of a busy replica: 18 rows of aiconfigurator, none fitted."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = model_input("llama-3-1-8b", MODEL, writing_models)
    config: str | None = config_input(MODEL)
    weight_format: str = choice(
        Text("Weight format", "权重格式"),
        "bf16",
        formats,
        group=MODEL,
        help=Text(
            "FP8, INT8 and NVFP4 also compute in that precision where the card can; the others compute in 16 bits.",
            "显卡支持时，FP8、INT8、NVFP4 也按该精度计算；其余格式按 16 位计算。",
        ),
    )
    kv_dtype: str = choice(
        Text("KV cache dtype", "KV 缓存精度"),
        "bf16",
        (Choice("bf16", Text("BF16 / FP16")), Choice("fp8", Text("FP8 (vLLM, SGLang)", "FP8（vLLM、SGLang）"))),
        group=MODEL,
        help=Text("How keys and values are stored.", "Key 和 Value 的存储精度。"),
    )
    prompt_tokens: int = whole(
        Text("Prompt", "输入长度"),
        1024,
        low=1,
        high=1_000_000,
        unit="token",
        group=REQUESTS,
        help=Text("Mean tokens that a request brings, history included.", "每个请求平均带入的 token 数，含历史对话。"),
    )
    answer_tokens: int = whole(
        Text("Answer", "输出长度"),
        256,
        low=1,
        high=200_000,
        unit="token",
        group=REQUESTS,
        help=Text("Mean tokens that the model writes, reasoning included.", "模型平均生成的 token 数，含思考过程。"),
    )
    requests_per_s: float = real(
        Text("Traffic", "请求速率"),
        5.0,
        low=0.001,
        high=100_000,
        unit="request/s",
        group=REQUESTS,
        help=Text("Requests per second at the busy hour.", "高峰时段每秒的请求数。"),
    )
    ttft_ms: float = real(
        Text("TTFT at most", "首 token 延迟 TTFT 上限"),
        2000.0,
        low=1,
        high=3_600_000,
        unit="ms",
        group=TARGET,
        help=Text(
            "Time to first token that must be kept, on average even when all requests of a replica arrive together.",
            "必须满足的首 token 延迟；即使一个副本的请求同时到达，平均值也不得超过。",
        ),
    )
    tpot_ms: float = real(
        Text("TPOT at most", "每 token 延迟 TPOT 上限"),
        50.0,
        low=0.1,
        high=100_000,
        unit="ms",
        group=TARGET,
        help=Text(
            "Time per output token that must be kept; 50 ms is 20 tokens a second.",
            "必须满足的每 token 延迟；50 ms 相当于每秒 20 个 token。",
        ),
    )
    batch: int | None = whole(
        Text("Requests at once", "并发请求数"),
        None,
        low=1,
        high=MOST_BATCH,
        unit="request",
        group=TARGET,
        help=Text(
            "Per replica. Empty: as many as keep the target and fit in memory.",
            "每个副本的并发。留空则取满足目标且放得下的最大值。",
        ),
    )
    accelerator: str = choice(
        Text("Card", "显卡"),
        "rtx-4090-24g",
        cards,
        group=CARD,
        help=Text("The card to check. All others stand in the table below.", "要检查的显卡。其他显卡见下方表格。"),
    )
    tensor_parallel: int = whole(
        Text("GPUs per replica", "每个副本的卡数"),
        1,
        low=1,
        high=MOST_GPUS,
        unit="gpu",
        group=CARD,
        help=Text(
            "Tensor parallel within one server. Must divide the attention heads.", "单台服务器内张量并行，须能整除注意力头数。"
        ),
    )
    currency: str = currency_input(MONEY)
    cached_percent: float = real(
        Text("Prompt found in the prefix cache", "前缀缓存命中比例"),
        0.0,
        low=0,
        high=100,
        unit="%",
        group=REQUESTS,
        advanced=True,
        help=Text(
            "Share of the prompt whose keys and values are still there (system prompt, history): only the rest is computed. "
            "Memory still counts the whole cache of each request.",
            "输入中 Key、Value 已在缓存里的比例（系统提示词、历史对话），只需计算其余部分。显存仍按每个请求的完整缓存计。",
        ),
    )
    draft_tokens: int = whole(
        Text("Tokens guessed per step", "每步猜测的 token 数"),
        0,
        low=0,
        high=32,
        unit="token",
        group=MODEL,
        advanced=True,
        help=Text(
            "Speculative decoding; 0 = off. For MTP, EAGLE or prompt look-up leave the draft model empty: their own time is not counted.",
            "投机解码，0 表示关闭。MTP、EAGLE 或 n-gram 查找请将草稿模型留空：它们自身的耗时不计。",
        ),
    )
    accepted_percent: float = real(
        Text("Guesses that are right", "猜测接受率"),
        70.0,
        low=0,
        high=99,
        unit="%",
        group=MODEL,
        advanced=True,
        help=Text(
            "Chance of each guess. Assumed: measure it on your own requests, engines print it.",
            "每个猜测被接受的概率。默认值为假设：请用自己的请求实测，引擎会打印该值。",
        ),
    )
    draft_model: str | None = choice(
        Text("Draft model", "草稿模型"),
        None,
        writing_models,
        group=MODEL,
        advanced=True,
        help=Text("Guesses the tokens, in BF16 on the same GPUs.", "在同样的卡上以 BF16 猜测 token 的小模型。"),
    )
    used_percent: float = real(
        Text("Filled to", "副本负载率"),
        70.0,
        low=5,
        high=100,
        unit="%",
        group=MONEY,
        advanced=True,
        help=Text(
            "How full replicas run at the busy hour. Close to 100 % queues grow without end.",
            "高峰时副本的负载占其最大吞吐的比例。接近 100% 时排队会无限增长。",
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
        help=Text("vLLM's gpu_memory_utilization.", "即 vLLM 的 gpu_memory_utilization。"),
    )


@dataclass(frozen=True, slots=True)
class Outputs:
    """What comes back. Of one replica where not said otherwise."""

    verdict: Text = result(
        Text("Is the target kept?", "能满足目标吗？"),
        kind="modelled",
        cases=SERVED,
        headline=True,
        help=Text("As sure as TPOT and TTFT below.", "可信度取决于下面的 TPOT 与 TTFT。"),
    )
    gpus_needed: int = result(
        Text("GPUs for this traffic", "承载该流量需要的卡数"),
        "gpu",
        kind="modelled",
        cases=SERVED,
        headline=True,
        help=Text("Replicas × GPUs per replica.", "副本数 × 每个副本的卡数。"),
    )
    tokens_per_s: float = result(
        Text("Throughput of one replica", "单个副本的吞吐"),
        "token/s",
        kind="modelled",
        cases=SERVED,
        headline=True,
        help=Text("Answer tokens of all requests, always full.", "满载时所有请求的输出 token 之和。"),
    )
    batch: int = result(Text("Requests at once", "并发请求数"), "request", kind="modelled", cases=SERVED)
    largest_batch: int | None = result(
        Text("Most that keep the target", "满足目标的最大并发"),
        "request",
        kind="modelled",
        cases=SERVED,
        help=Text("Within memory at its high end.", "同时按显存上限放得下。"),
    )
    limit: Text = result(
        Text("What stops one more", "限制因素"),
        kind="modelled",
        cases=SERVED,
        help=Text("As sure as TPOT and TTFT.", "可信度取决于 TPOT 与 TTFT。"),
    )
    tpot_ms: float = result(
        Text("Time per token (TPOT)", "每 token 延迟 TPOT"),
        "ms",
        kind="modelled",
        cases=SERVED,
        digits=1,
        help=Text(
            "Time per output token under load, other requests' prefills included.",
            "负载下的每 token 延迟，含其他请求预填充的干扰。",
        ),
    )
    ttft_ms: Range = result(
        Text("Time to first token (TTFT)", "首 token 延迟 TTFT"),
        "ms",
        kind="assumed",
        digits=0,
        help=Text(
            "From an idle replica to the mean when all requests come at once.",
            "从副本空闲时，到所有请求同时到达时的平均值。",
        ),
    )
    latency_s: float = result(
        Text("Whole request", "整个请求的时间"),
        "s",
        kind="modelled",
        cases=SERVED,
        help=Text("From arrival to the last token, replica full.", "副本满载时，从到达到最后一个 token。"),
    )
    requests_per_s: float = result(
        Text("Requests per second, one replica", "单个副本每秒请求数"),
        "request/s",
        kind="modelled",
        cases=SERVED,
    )
    prefill_tokens_per_s: Range = result(
        Text("Prefill speed", "预填充速度"),
        "token/s",
        kind="assumed",
        digits=0,
        help=Text("40–70 % of the dense peak.", "按稠密算力峰值的 40%–70%。"),
    )
    single_tokens_per_s: float = result(
        Text("One request alone", "只有一个请求时"),
        "token/s",
        kind="modelled",
        cases=("decode_speed",),
        help=Text("Decode. Measured on A100; other cards may differ more.", "解码速度。实测算例为 A100，其他卡误差可能更大。"),
    )
    decode_ceiling: float = result(
        Text("Its ceiling", "它的上限"),
        "token/s",
        kind="exact",
        help=Text("Bandwidth ÷ bytes read per token.", "带宽 ÷ 每个 token 读取的字节数。"),
    )
    intensity: float = result(
        Text("Decode intensity", "解码算术强度"), "FLOP/B", kind="exact", help=Text("At this batch.", "按当前并发。")
    )
    ridge: float = result(
        Text("Ridge of the card", "显卡的平衡点"),
        "FLOP/B",
        kind="exact",
        help=Text("Below it bandwidth binds, above it compute.", "低于它受带宽限制，高于它受算力限制。"),
    )
    replicas: int = result(Text("Replicas", "副本数"), "", kind="modelled", cases=SERVED)
    in_flight: float = result(
        Text("Requests in flight", "在途请求数"),
        "request",
        kind="modelled",
        cases=SERVED,
        digits=1,
        help=Text(
            "Little's law: arrivals × time in the system, all replicas.", "利特尔法则：到达率 × 停留时间，所有副本合计。"
        ),
    )
    price_per_hour: float | None = result(
        Text("Price per hour, all GPUs", "每小时价格（所有卡）"),
        "money",
        kind="assumed",
        digits=2,
        help=Text("On demand; see the table for date and source.", "按需计费；日期和来源见表格。"),
    )
    cost_per_million_answer: float | None = result(
        Text("Per million answer tokens", "每百万输出 token 的成本"),
        "money",
        kind="assumed",
        digits=3,
        help=Text("All GPU hours ÷ the answer tokens of this traffic.", "全部 GPU 费用 ÷ 该流量的输出 token 数。"),
    )
    cost_per_million_tokens: float | None = result(
        Text("Per million tokens, prompt and answer", "每百万 token 的成本（输入与输出）"), "money", kind="assumed", digits=3
    )
    cheapest: Text = result(Text("Cheapest that keeps the target", "满足目标的最便宜方案"), kind="assumed")
