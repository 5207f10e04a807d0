"""Throughput: prefill and decode speed, TTFT and TPOT under load, GPUs for a traffic, cost per million tokens, what to change.

In: a model of the catalog, formats, request lengths, traffic, a latency target, a card. Out: speeds in exact, modelled and
assumed parts, the cards that keep the target with their price, and changes that keep it, each run again. Formulas:
`calculators.speed` and `calculators.memory.decode`, each with its source; mimics vLLM, SGLang and TensorRT-LLM (2025-2026).
"""

from calculators.framework.spec import Answer, Calculator, Example, InputError, Preset, Range, Working
from calculators.framework.text import Text, quantity
from calculators.importing.choose import model_of
from calculators.importing.report import notes_of, settings_suggestion
from calculators.market.offers import best_quote
from calculators.market.words import card_name, count_of, priced
from calculators.memory.kv import VLLM_BLOCK
from calculators.memory.serving import Serving
from calculators.memory.weights import WEIGHT_FORMATS
from calculators.speed.advice import notes, suggestions
from calculators.speed.cards import Plan, Traffic, cost_per_million, plans
from calculators.speed.case import WRITES_NOTHING, Case, resolve
from calculators.speed.fields import Inputs, Outputs
from calculators.speed.service import requests_in_flight
from calculators.speed.speculation import Speculation
from calculators.speed.steps import decode_bound_seconds, decode_intensity
from calculators.speed.tables import LIMITS, cards_table, charts
from calculators.speed.target import Target, batch_for_rate
from calculators.speed.working import show_working
from catalog.model import Catalog

VERDICTS = {
    "": Text("yes", "能"),
    "memory": Text("no: it does not fit in memory", "不能：显存放不下"),
    "tpot": Text("no: TPOT is too long", "不能：TPOT 过长"),
    "ttft": Text("no: TTFT is too long", "不能：TTFT 过长"),
}


def case_of(inputs: Inputs, catalog: Catalog) -> Case:
    """The inputs as the speed functions take them. Raises `InputError` for combinations that no engine runs."""
    gguf = WEIGHT_FORMATS[inputs.weight_format].block == "gguf"
    if gguf and inputs.kv_dtype == "fp8":
        raise InputError(
            "kv_dtype",
            Text("llama.cpp has no FP8 KV cache. Take BF16 / FP16.", "llama.cpp 没有 FP8 的 KV 缓存，请选 BF16 / FP16。"),
        )
    model = model_of(inputs.model, inputs.config, catalog).model
    if inputs.config is not None and (model.architecture.encoder or model.architecture.headless):
        raise InputError("config", WRITES_NOTHING)
    guesses = _guesses(inputs, catalog)
    serving = Serving(
        model.architecture,
        inputs.prompt_tokens + inputs.answer_tokens,
        1,
        inputs.weight_format,
        inputs.kv_dtype,
        "llama.cpp" if gguf else "vllm",
        draft=guesses.draft if guesses else None,
    )
    traffic = Traffic(
        serving,
        inputs.prompt_tokens,
        inputs.answer_tokens,
        inputs.requests_per_s,
        Target(inputs.ttft_ms / 1e3, inputs.tpot_ms / 1e3),
        inputs.used_percent,
        inputs.usable_percent,
        inputs.currency,
        cached_tokens(inputs.prompt_tokens, inputs.cached_percent),
        guesses,
    )
    return resolve(model, traffic, catalog.accelerators[inputs.accelerator], inputs.tensor_parallel, inputs.batch)


def _guesses(inputs: Inputs, catalog: Catalog) -> Speculation | None:
    if inputs.draft_model is not None and not inputs.draft_tokens:
        raise InputError(
            "draft_tokens",
            Text("Enter how many tokens the draft model guesses per step.", "请填写草稿模型每步猜测多少个 token。"),
        )
    if not inputs.draft_tokens:
        return None
    draft = catalog.models[inputs.draft_model].architecture if inputs.draft_model else None
    return Speculation(inputs.draft_tokens, inputs.accepted_percent / 100, draft)


def cached_tokens(prompt: int, percent: float) -> int:
    """Tokens of a prompt that the prefix cache holds: whole blocks of 16, and the last token is always computed (vLLM)."""
    return min(int(prompt * percent / 100), prompt - 1) // VLLM_BLOCK * VLLM_BLOCK


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The whole answer. Raises `InputError` for inputs that no engine runs together."""
    imported = model_of(inputs.model, inputs.config, catalog).imported
    c = case_of(inputs, catalog)
    t, m, load, at = c.traffic, c.machine, c.load, c.at
    found = plans(t, catalog)
    quote = best_quote(catalog, c.card.id, t.currency)
    busy = batch_for_rate(c.replica, t.requests_per_s / c.replicas, at.batch)
    price = quote.per_hour * c.gpus * c.replicas if quote else None
    written = t.requests_per_s * t.answer
    show_working(show, c)
    outputs = Outputs(
        verdict=VERDICTS[c.missed],
        gpus_needed=c.replicas * c.gpus,
        tokens_per_s=at.tokens_per_s,
        batch=at.batch,
        largest_batch=c.best.batch or None,
        limit=LIMITS[c.best.limit],
        tpot_ms=at.tpot * 1e3,
        ttft_ms=Range(at.ttft_low * 1e3, at.ttft_high * 1e3),
        latency_s=at.latency,
        requests_per_s=at.rate,
        prefill_tokens_per_s=Range(load.computed / c.replica.slow, load.computed / c.replica.quick),
        single_tokens_per_s=1 / c.replica.step(1),
        decode_ceiling=1 / decode_bound_seconds(load, m, 1),
        intensity=decode_intensity(load, at.batch),
        ridge=m.ridge,
        replicas=c.replicas,
        in_flight=requests_in_flight(t.requests_per_s, busy.latency),
        price_per_hour=price,
        cost_per_million_answer=None if price is None else cost_per_million(price, written),
        cost_per_million_tokens=None if price is None else cost_per_million(price, written + t.requests_per_s * t.prompt),
        cheapest=_cheapest(found, t.currency),
    )
    return Answer(
        outputs,
        tables=(cards_table(found, c),),
        charts=charts(c),
        suggestions=settings_suggestion(imported, inputs) + suggestions(c, found, inputs.batch),
        notes=notes_of(imported) + notes(c),
    )


def _cheapest(found: tuple[Plan, ...], currency: str) -> Text:
    best = next((p for p in found if p.per_hour is not None), None)
    if best is None or best.per_hour is None or best.quote is None:
        return Text("no priced card of the catalog keeps it", "目录中没有标价且满足目标的卡")
    return priced(count_of(best.all_gpus, best.card), best.per_hour, currency, best.quote)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model, card = model_of(inputs.model, inputs.config, catalog).model, card_name(catalog.accelerators[inputs.accelerator])
    name = WEIGHT_FORMATS[inputs.weight_format].name
    speed = {lang: quantity(outputs.tokens_per_s, "token/s", lang, 0) for lang in ("en", "zh")}
    n = inputs.tensor_parallel
    return Text(
        f"{model.name} in {name} on {n} × {card.en} with {outputs.batch} request{'s' if outputs.batch > 1 else ''} at once: "
        f"{speed['en']}, TPOT {outputs.tpot_ms:.1f} ms. Target kept: {outputs.verdict.en}. "
        f"{inputs.requests_per_s:g} requests/s take {outputs.gpus_needed} GPU{'s' if outputs.gpus_needed > 1 else ''}.",
        f"{model.name}（{name}）在 {n} × {card.zh} 上并发 {outputs.batch} 个请求：{speed['zh']}，TPOT {outputs.tpot_ms:.1f} ms。"
        f"能否满足目标：{outputs.verdict.zh}。每秒 {inputs.requests_per_s:g} 个请求共需 {outputs.gpus_needed} 张卡。",
    )


SILICON = "aiconfigurator 095f58a5, tools/accuracy_tracking/silicon_refs.csv, https://github.com/ai-dynamo/aiconfigurator"
EXAMPLES = (
    Example(
        "qwen3-32b-fp8-h100-batch-32",
        {
            "model": "qwen3-32b",
            "weight_format": "fp8",
            "accelerator": "h100-sxm",
            "prompt_tokens": 1024,
            "answer_tokens": 128,
            "batch": 32,
        },
        {"tpot_ms": 36.15},
        0.25,
        f"TensorRT-LLM 1.0.0rc3, 1,024 in, 128 out: TPOT 36.15 ms; {SILICON}",
    ),
    Example(
        "qwen3-32b-bf16-2-h100-batch-32",
        {
            "model": "qwen3-32b",
            "accelerator": "h100-sxm",
            "tensor_parallel": 2,
            "prompt_tokens": 1024,
            "answer_tokens": 1024,
            "batch": 32,
        },
        {"tpot_ms": 20.06},
        0.25,
        f"vLLM 0.12.0, 1,024 in, 1,024 out: TPOT 20.06 ms; {SILICON}",
    ),
    Example(
        "deepseek-r1-fp8-8-h200-batch-16",
        {
            "model": "deepseek-r1",
            "weight_format": "fp8-block128",
            "accelerator": "h200-sxm",
            "tensor_parallel": 8,
            "prompt_tokens": 1024,
            "answer_tokens": 1024,
            "batch": 16,
        },
        {"tpot_ms": 16.63},
        0.25,
        f"SGLang 0.5.9, 1,024 in, 1,024 out: TPOT 16.63 ms; {SILICON}",
    ),
    Example(
        "llama-2-70b-bf16-8-a100-single",
        {"model": "llama-2-70b", "accelerator": "a100-80g-sxm", "tensor_parallel": 8, "prompt_tokens": 5, "answer_tokens": 200},
        {"single_tokens_per_s": 62.5},
        0.12,
        "gpt-fast README 0f925b5d, Llama 2 70B BF16 on eight A100: 62.5 tokens/s; https://github.com/pytorch-labs/gpt-fast",
    ),
)

PRESETS = (
    Preset("chat-8b", Text("8B chat, 5 requests/s", "8B 对话，每秒 5 个请求"), {"model": "qwen3-8b"}),
    Preset(
        "rag-32b",
        Text("32B with long prompts", "32B 长提示词（RAG）"),
        {
            "model": "qwen2-5-32b",
            "weight_format": "fp8",
            "kv_dtype": "fp8",
            "prompt_tokens": 8192,
            "answer_tokens": 512,
            "requests_per_s": 1,
            "ttft_ms": 10000,
            "accelerator": "h100-sxm",
        },
    ),
    Preset(
        "deepseek-api",
        Text("DeepSeek-R1 as an API", "DeepSeek-R1 在线接口"),
        {
            "model": "deepseek-r1",
            "weight_format": "fp8-block128",
            "answer_tokens": 2048,
            "requests_per_s": 2,
            "accelerator": "h200-sxm",
            "tensor_parallel": 8,
        },
    ),
    Preset(
        "ascend-32b",
        Text("32B on Ascend 910B", "昇腾 910B 部署 32B"),
        {
            "model": "qwen2-5-32b",
            "accelerator": "ascend-910b3",
            "tensor_parallel": 2,
            "requests_per_s": 1,
            "tpot_ms": 100,
            "currency": "CNY",
        },
    ),
)

CALCULATOR = Calculator(
    id="throughput",
    version=1,
    title=Text("Speed, traffic and cost of serving", "推理吞吐与成本测算"),
    summary=Text(
        "How fast a language model answers under load, how many GPUs a traffic takes within a latency target, and what a million tokens cost.",
        "语言模型在负载下的首 token 延迟与每 token 延迟，在延迟目标内承载给定流量需要多少张卡，每百万 token 成本多少。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
