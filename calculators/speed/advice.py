"""Suggestions and notes of `throughput`. Every suggestion was run again: it keeps the target, and the next smaller step does not."""

from dataclasses import replace
from typing import Any

from calculators.framework.spec import InputError, Suggestion
from calculators.framework.text import Text, number, quantity
from calculators.inference.advice import CAVEATS
from calculators.market.words import card_name, per_hour
from calculators.memory.advice import SMALLER_FORMATS
from calculators.memory.formats import RUNS, support
from calculators.memory.weights import WEIGHT_FORMATS, weights_of
from calculators.speed.cards import COUNTS, Plan, Traffic
from calculators.speed.case import Case, resolve
from calculators.speed.service import Point


def suggestions(c: Case, found: tuple[Plan, ...], given: int | None) -> tuple[Suggestion, ...]:
    """What keeps the target where it is missed; a larger batch or a cheaper card where it is kept."""
    return _cheaper(c, found, given) if not c.missed else _mends(c, found, given)


def _mends(c: Case, found: tuple[Plan, ...], given: int | None) -> tuple[Suggestion, ...]:
    """Single changes, the mildest first: fewer requests, an 8-bit cache, smaller weights, more GPUs, another card.

    Where fewer requests would do, the others keep the reader's number of them; where not, they leave it open.
    """
    t = c.traffic
    batch = given if c.best.batch else None
    free = {"batch": None} if given is not None and batch is None else {}
    listed = [_batch(c, c.best.batch)] if c.best.batch else []
    if t.serving.kv_dtype == "bf16" and t.serving.engine != "llama.cpp":
        cached = _kept(c, replace(t, serving=replace(t.serving, kv_dtype="fp8")), c.gpus, batch)
        _add(listed, cached, {"kv_dtype": "fp8"} | free, Text("Store the KV cache as FP8", "KV 缓存改用 FP8"))
    for format_id in _smaller_formats(c):
        smaller = _kept(c, replace(t, serving=replace(t.serving, weight_format=format_id)), c.gpus, batch)
        name = WEIGHT_FORMATS[format_id].name
        if _add(listed, smaller, {"weight_format": format_id} | free, Text(f"Take the weights in {name}", f"权重改用 {name}")):
            break
    for n in COUNTS:
        title = Text(f"Use {n} GPUs per replica", f"每个副本改用 {n} 张卡")
        if n > c.gpus and _add(listed, _kept(c, t, n, batch), {"tensor_parallel": n} | free, title):
            break
    best = next((p for p in found if p.card.id != c.card.id and p.best.batch >= (batch or 1)), None)
    if best:
        listed.append(_other_card(best, c, batch, free))
    return tuple(listed)


def _smaller_formats(c: Case) -> list[str]:
    """Formats of the same engine with fewer bytes that the card is known to run, the widest first."""
    s = c.traffic.serving
    now, gguf = weights_of(s.architecture, s.weight_format).total, WEIGHT_FORMATS[s.weight_format].block == "gguf"
    return [
        f
        for f in SMALLER_FORMATS
        if (WEIGHT_FORMATS[f].block == "gguf") == gguf
        and weights_of(s.architecture, f).total < now
        and support(c.card, f) in RUNS
    ]


def _kept(c: Case, t: Traffic, gpus: int, batch: int | None) -> Case | None:
    """The case with a change, or None where that misses the target or no engine runs it."""
    try:
        found = resolve(c.model, t, c.card, gpus, batch)
    except InputError:
        return None
    return None if found.missed else found


def _add(listed: list[Suggestion], kept: Case | None, change: dict[str, Any], title: Text) -> bool:
    if kept is None:
        return False
    listed.append(Suggestion(title, change, _effect(kept.at, kept.replicas * kept.gpus)))
    return True


def _effect(at: Point, gpus: int) -> Text:
    return Text(
        f"then {quantity(at.batch, 'request', 'en')} at once, TPOT {at.tpot * 1e3:.1f} ms, {quantity(gpus, 'gpu', 'en')} in all",
        f"之后并发 {at.batch}，TPOT {at.tpot * 1e3:.1f} ms，共 {gpus} 张卡",
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


def _other_card(p: Plan, c: Case, batch: int | None, free: dict[str, Any]) -> Suggestion:
    """Another card; `batch` None: at the most that it keeps."""
    name, t = card_name(p.card), c.traffic
    at, gpus, price = p.best.point, p.all_gpus, p.per_hour
    if batch is not None:
        moved = resolve(c.model, t, p.card, p.gpus, batch)
        at, gpus = moved.at, moved.replicas * moved.gpus
        price = None if p.quote is None else p.quote.per_hour * gpus
    effect = _effect(at, gpus)
    if price is not None:
        money = per_hour(price, t.currency)
        effect = Text(f"{effect.en}, {money.en}", f"{effect.zh}，{money.zh}")
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
        listed.append(_other_card(best, c, None, {"batch": None} if given is not None else {}))
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
                f"目录没有 {name.zh} 的卡间互联带宽：all-reduce 按 PCIe 4.0 x16、25 GB/s 计算。",
            )
        )
    if c.card.ecosystem != "CUDA":
        found.append(
            Text(
                "The time per layer and the shares of bandwidth were fitted on NVIDIA A100; other stacks may be slower.",
                "每层时间和带宽比例用 NVIDIA A100 的数据拟合；其他软件栈可能更慢。",
            )
        )
    kind = support(c.card, t.serving.weight_format)
    if kind in CAVEATS:
        form, caveat = WEIGHT_FORMATS[t.serving.weight_format].name, CAVEATS[kind]
        found.append(Text(caveat.en.format(card=name.en, form=form), caveat.zh.format(card=name.zh, form=form)))
    if WEIGHT_FORMATS[t.serving.weight_format].bits_per_weight < 4:
        found.append(
            Text(
                "Below 4 bits kernels are bound by unpacking: slower than modelled here.",
                "低于 4 位时，解码受解包计算限制，实际比这里的估算慢。",
            )
        )
    if t.guesses:
        found.append(
            Text(
                "With speculative decoding TPOT is the mean of a token. The chance of a right guess decides it; no public case checks these numbers.",
                "使用投机解码时，TPOT 为每个 token 的平均时间，取决于猜测接受率；没有公开算例检验这些数值。",
            )
        )
    found.append(
        Text(
            "Prefill and decode share the GPUs (continuous batching). Separate prefill servers are not counted.",
            "预填充与解码共用 GPU（连续批处理）。未计入预填充/解码分离部署。",
        )
    )
    return tuple(found)
