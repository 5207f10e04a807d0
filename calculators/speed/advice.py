"""Suggestions and notes of `throughput`. Every suggestion was run again: it keeps the target, and the next smaller step does not."""

from dataclasses import replace
from typing import Any

from calculators.framework.spec import Suggestion
from calculators.framework.text import Text, number, quantity
from calculators.inference.case import card_name, per_hour
from calculators.memory.advice import SMALLER_FORMATS
from calculators.memory.serving import weights_of
from calculators.memory.weights import WEIGHT_FORMATS
from calculators.speed.cards import COUNTS, Plan, plan
from calculators.speed.case import Case


def suggestions(c: Case, found: tuple[Plan, ...], given: int | None) -> tuple[Suggestion, ...]:
    """What keeps the target where it is missed; a larger batch or a cheaper card where it is kept."""
    return _cheaper(c, found, given) if not c.missed else _mends(c, found, given)


def _mends(c: Case, found: tuple[Plan, ...], given: int | None) -> tuple[Suggestion, ...]:
    """Single changes, the mildest first: fewer requests, an 8-bit cache, smaller weights, more GPUs, another card."""
    t = c.traffic
    listed: list[Suggestion] = []
    if c.best.batch:
        listed.append(_batch(c, c.best.batch))
    free = {"batch": None} if given is not None else {}
    if t.serving.kv_dtype == "bf16" and t.serving.engine != "llama.cpp":
        cached = replace(t, serving=replace(t.serving, kv_dtype="fp8"))
        _add(
            listed,
            plan(cached, c.card, c.gpus, None),
            {"kv_dtype": "fp8"} | free,
            Text("Store the KV cache as FP8", "KV 缓存改用 FP8"),
        )
    now = weights_of(t.serving.architecture, t.serving.weight_format).total
    gguf = WEIGHT_FORMATS[t.serving.weight_format].block == "gguf"
    for format_id in SMALLER_FORMATS:
        known = WEIGHT_FORMATS[format_id]
        if (known.block == "gguf") != gguf or weights_of(t.serving.architecture, format_id).total >= now:
            continue
        smaller = replace(t, serving=replace(t.serving, weight_format=format_id))
        title = Text(f"Take the weights in {known.name}", f"权重改用 {known.name}")
        if _add(listed, plan(smaller, c.card, c.gpus, None), {"weight_format": format_id} | free, title):
            break
    for n in COUNTS:
        title = Text(f"Use {n} GPUs per replica", f"每个副本改用 {n} 张卡")
        if n > c.gpus and _add(listed, plan(t, c.card, n, None), {"tensor_parallel": n} | free, title):
            break
    best = next((p for p in found if p.card.id != c.card.id), None)
    if best:
        listed.append(_other_card(best, t.currency, free))
    return tuple(listed)


def _add(listed: list[Suggestion], p: Plan | None, change: dict[str, Any], title: Text) -> bool:
    if p is None:
        return False
    listed.append(Suggestion(title, change, _effect(p)))
    return True


def _effect(p: Plan) -> Text:
    at = p.best.point
    return Text(
        f"then {p.best.batch} requests at once, TPOT {at.tpot * 1e3:.1f} ms, {p.all_gpus} GPUs in all",
        f"之后并发 {p.best.batch}，TPOT {at.tpot * 1e3:.1f} ms，共 {p.all_gpus} 张卡",
    )


def _batch(c: Case, n: int) -> Suggestion:
    at = c.best.point
    return Suggestion(
        Text(f"Take {number(n)} requests at once per replica", f"每个副本并发改为 {number(n)}"),
        {"batch": n},
        Text(
            f"then TPOT {at.tpot * 1e3:.1f} ms and {quantity(at.tokens_per_s, 'token/s', 'en', 0)} per replica",
            f"之后 TPOT {at.tpot * 1e3:.1f} ms，单副本 {quantity(at.tokens_per_s, 'token/s', 'zh', 0)}",
        ),
    )


def _other_card(p: Plan, currency: str, free: dict[str, Any]) -> Suggestion:
    name, effect = card_name(p.card), _effect(p)
    if p.per_hour is not None:
        price = per_hour(p.per_hour, currency)
        effect = Text(f"{effect.en}, {price.en}", f"{effect.zh}，{price.zh}")
    change = {"accelerator": p.card.id, "tensor_parallel": p.gpus} | free
    return Suggestion(Text(f"Take {p.gpus} × {name.en} per replica", f"每个副本改用 {p.gpus} × {name.zh}"), change, effect)


def _cheaper(c: Case, found: tuple[Plan, ...], given: int | None) -> tuple[Suggestion, ...]:
    listed = []
    if given is not None and c.best.batch > c.at.batch:
        listed.append(_batch(c, c.best.batch))
    mine = next((p for p in found if p.card.id == c.card.id), None)
    quote = mine.quote if mine else None
    paid = None if quote is None else quote.per_hour * c.gpus * c.replicas
    best = next((p for p in found if p.per_hour is not None), None)
    if best is None or best.per_hour is None or (best.card.id, best.gpus) == (c.card.id, c.gpus):
        return tuple(listed)
    if paid is None or best.per_hour < paid:
        listed.append(_other_card(best, c.traffic.currency, {"batch": None} if given is not None else {}))
    return tuple(listed)


def notes(c: Case) -> tuple[Text, ...]:
    """What a reader must know to use the answer."""
    found = []
    t, name = c.traffic, card_name(c.card)
    most = t.serving.architecture.max_position_embeddings
    if most and t.serving.context > most:
        found.append(
            Text(
                f"The model's configuration states a context of {most:,} tokens; prompt and answer are longer.",
                f"模型配置的上下文为 {most:,} token，输入与输出之和超过了它。",
            )
        )
    if c.machine.link_assumed and c.gpus > 1:
        found.append(
            Text(
                f"The catalog states no card-to-card link for {name.en}: all-reduces are counted over PCIe 4.0 x16 at 25 GB/s.",
                f"数据目录没有 {name.zh} 的卡间互联带宽：all-reduce 按 PCIe 4.0 x16、25 GB/s 计算。",
            )
        )
    if c.card.ecosystem != "CUDA":
        found.append(
            Text(
                "The time per layer and the shares of bandwidth were fitted on NVIDIA A100; other stacks may be slower.",
                "每层时间和带宽比例用 NVIDIA A100 的数据拟合；其他软件栈可能更慢。",
            )
        )
    if c.machine.precision == "fp16" and t.serving.weight_format == "bf16":
        found.append(
            Text(
                f"{name.en} has no BF16 peak in the catalog: the model runs in FP16, if its activations stay in range.",
                f"数据目录中 {name.zh} 没有 BF16 算力：按 FP16 运行，前提是激活值不溢出。",
            )
        )
    if WEIGHT_FORMATS[t.serving.weight_format].bits_per_weight < 4:
        found.append(
            Text(
                "Below 4 bits kernels are bound by unpacking: slower than modelled here.",
                "低于 4 位时，解码受解包计算限制，实际比这里的估算慢。",
            )
        )
    found.append(
        Text(
            "Prefill and decode share the GPUs (continuous batching). No prefix cache, speculative decoding or separate prefill servers are counted.",
            "预填充与解码共用 GPU（连续批处理）。未计入前缀缓存、投机解码和预填充/解码分离部署。",
        )
    )
    return tuple(found)
