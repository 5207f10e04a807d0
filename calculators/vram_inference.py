"""Inference memory: what a model needs on each GPU, which cards hold it, how fast they decode, what to change.

In: a model of the catalog or the reader's own, context, batch, formats, engine, how it is spread, and a card. Out: memory per
GPU in exact, modelled and assumed parts, capacity in tokens, the cards that fit with price per hour and decode speed, and
changes that make it fit, each run again. Fields: `calculators.inference.fields`. Formulas: `calculators.memory`, each with its
source; rules of vLLM, SGLang, llama.cpp and transformers as of 2025.
"""

from collections.abc import Sequence

from calculators.framework.spec import Answer, Calculator, Example, Preset, Range, Working
from calculators.framework.text import Text, bounds, number, quantity
from calculators.framework.verdict import VERDICTS
from calculators.importing.choose import model_of
from calculators.importing.report import notes_of, settings_suggestion
from calculators.inference.advice import notes, suggestions
from calculators.inference.case import Case
from calculators.inference.check import serving_of
from calculators.inference.fields import KV_OF_ENGINE, MOST_BATCH, MOST_CONTEXT, Inputs, Outputs
from calculators.inference.tables import cards_table, context_chart, parts_chart, parts_table
from calculators.inference.working import show_working
from calculators.market.offers import best_quote
from calculators.market.words import card_name, count_of, priced
from calculators.memory.advice import largest_batch, largest_context
from calculators.memory.cards import Placement, cheapest, placements
from calculators.memory.params import parameter_groups
from calculators.memory.serving import (
    GIB,
    cache_of,
    capacity_tokens,
    decode_speed,
    fits,
    footprint,
    footprints,
    host_memory,
)
from calculators.memory.weights import WEIGHT_FORMATS, weights_of
from catalog.model import Catalog


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
    total = s.spread.gpus(gpus)
    tokens = capacity_tokens(s, gpus, c.capacity)
    decodes = not s.architecture.encoder
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
        extras_gib=need.extras / GIB,
        capacity_tokens=Range(*tokens) if tokens else None,
        concurrency=Range(tokens[0] / s.context, tokens[1] / s.context) if tokens else None,
        total_gpus=total,
        host_gib=host_memory(s) / GIB,
        largest_context=(largest_context(s, gpus, c.capacity, MOST_CONTEXT) or None) if decodes else None,
        largest_batch=largest_batch(s, gpus, c.capacity, MOST_BATCH) or None,
        decode_ceiling=1 / speed.bound_seconds if speed else None,
        decode_tokens_per_s=1 / speed.modelled_seconds if speed else None,
        decode_total_tokens_per_s=inputs.batch / speed.modelled_seconds if speed else None,
        price_per_hour=quote.per_hour * total if quote else None,
        cheapest=_cheapest(found, inputs.currency),
    )
    return Answer(
        outputs,
        tables=(parts_table(need, total), cards_table(found, c)),
        charts=(parts_chart(c), context_chart(c)),
        suggestions=settings_suggestion(chosen.imported, inputs) + suggestions(c, found, KV_OF_ENGINE[s.engine], catalog),
        notes=notes_of(chosen.imported) + notes(c, need),
    )


def sweep(inputs: Inputs, catalog: Catalog, field: str, values: Sequence[int]) -> dict[str, list[float | None]] | None:
    """Memory per GPU over many contexts or batches; other fields have no fast way."""
    if field not in ("context", "batch"):
        return None
    found = footprints(serving_of(inputs, catalog), inputs.tensor_parallel, field, values)
    return {
        "per_gpu_gib_low": [f.low / GIB for f in found],
        "per_gpu_gib_high": [f.high / GIB for f in found],
        "kv_per_gpu_gib": [f.kv / GIB for f in found],
    }


def _cheapest(found: tuple[Placement, ...], currency: str) -> Text:
    best = cheapest(found)
    if best is None or best.per_hour is None or best.quote is None:
        return Text("no priced card of the catalog holds and runs it", "目录中没有标价、放得下且能运行的卡")
    return priced(count_of(best.gpus, best.card), best.per_hour, currency, best.quote)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model, card = model_of(inputs.model, inputs.config, catalog).model, card_name(catalog.accelerators[inputs.accelerator])
    name = WEIGHT_FORMATS[inputs.weight_format].name
    need = bounds(outputs.per_gpu_gib.low, outputs.per_gpu_gib.high, "GiB", "en", 1)
    n = outputs.total_gpus
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
    sweep=sweep,
)
