"""The suggestions and notes of `vram-inference`. Every suggestion was run again before it is given."""

from typing import Any

from calculators.framework.spec import Suggestion
from calculators.framework.text import Text, number
from calculators.framework.verdict import needs_per_gpu
from calculators.inference.case import Case
from calculators.inference.working import RULES
from calculators.market.offers import best_quote
from calculators.market.words import card_name, with_price
from calculators.memory.advice import changes
from calculators.memory.cards import COUNTS, Placement, cheapest
from calculators.memory.formats import support
from calculators.memory.serving import GIB, Footprint, fits
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.model import Catalog


def suggestions(c: Case, found: tuple[Placement, ...], kv_dtypes: tuple[str, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """Single changes that make it fit; where it fits, a cheaper way to the same. `kv_dtypes`: what the engine can store."""
    s = c.serving
    if fits(s, c.gpus, c.capacity) == "yes":
        return _cheaper(c, found, catalog)
    smaller = tuple(d for d in kv_dtypes if d not in (s.kv_dtype, "bf16"))
    listed = [
        Suggestion(_change_title(change.fields), change.fields, needs_per_gpu(change.needed, c.capacity))
        for change in changes(s, c.gpus, c.capacity, smaller, COUNTS)
    ]
    best = next((p for p in found if p.verdict == "yes" and p.card.id != c.card.id), None)
    if best:
        listed.append(_other_card(best, c.currency))
    return tuple(listed)


def _change_title(fields: dict[str, Any]) -> Text:
    titles = [_one_title(field, value) for field, value in fields.items()]
    return Text(" and ".join(t.en for t in titles), "，并".join(t.zh for t in titles))


def _one_title(field: str, value: Any) -> Text:
    if field == "weight_format":
        name = WEIGHT_FORMATS[value].name
        return Text(f"Take the weights in {name}", f"权重改用 {name}")
    shown = number(value) if isinstance(value, int) else value
    return {
        "kv_dtype": Text(f"Store the KV cache as {shown}", f"KV 缓存改用 {shown}"),
        "context": Text(f"Cap the context at {shown} tokens", f"上下文限制在 {shown} token"),
        "batch": Text(f"Take {shown} requests at once", f"并发降到 {shown} 个请求"),
        "tensor_parallel": Text(f"Split over {shown} GPUs", f"切分到 {shown} 张卡"),
    }[field]


def _other_card(p: Placement, currency: str) -> Suggestion:
    name, needs = card_name(p.card), needs_per_gpu(p.footprint.high, p.capacity)
    needs = with_price(needs, p.per_hour, currency)
    change = {"accelerator": p.card.id, "tensor_parallel": p.tensor_parallel}
    return Suggestion(Text(f"Take {p.gpus} × {name.en}", f"改用 {p.gpus} × {name.zh}"), change, needs)


def _cheaper(c: Case, found: tuple[Placement, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """The cheapest priced placement, if it costs less than the reader's own cards, or those have no price."""
    now = best_quote(catalog, c.card.id, c.currency)
    best = cheapest(found)
    if best is None or best.per_hour is None or (best.card.id, best.gpus) == (c.card.id, c.total_gpus):
        return ()
    if now is not None and best.per_hour >= now.per_hour * c.total_gpus:
        return ()
    return (_other_card(best, c.currency),)


CAVEATS = {
    "no": Text(
        "{card} has room, but vLLM's list of supported hardware does not run {form} on it.",
        "{card} 放得下，但按 vLLM 的硬件支持列表不能运行 {form}。",
    ),
    "unknown": Text(
        "Whether {card} runs {form} is not known here: vLLM's and llama.cpp's lists leave its software stack out.",
        "本指南不清楚 {card} 能否运行 {form}：vLLM 与 llama.cpp 的列表没有涉及它的软件生态。",
    ),
    "as-fp16": Text(
        "{card} has no BF16 units: engines run the model in FP16, which takes the same memory but has a smaller range.",
        "{card} 没有 BF16 单元：引擎按 FP16 运行，显存相同，但数值范围更小。",
    ),
}


def notes(c: Case, need: Footprint) -> tuple[Text, ...]:
    """What a reader must know to use the answer."""
    s, name = c.serving, card_name(c.card)
    found = []
    most = s.architecture.max_position_embeddings
    if most and s.context > most:
        found.append(
            Text(
                f"The model's configuration states a context of {most:,} tokens; longer needs rope scaling and is not what it was trained for.",
                f"模型配置的上下文为 {most:,} token；更长需要位置编码外推，并非训练时的设定。",
            )
        )
    if need.kv_high > need.kv:
        found.append(
            Text(
                f"Engine versions differ on sliding layers: the KV cache is {need.kv / GIB:.2f} GiB per GPU when windows are freed, "
                f"{need.kv_high / GIB:.2f} GiB when every layer keeps all tokens. The high end takes the larger.",
                f"不同版本的引擎对滑动层处理不同：释放窗口外的页时，每张卡 KV 缓存为 {need.kv / GIB:.2f} GiB；"
                f"每层都保留全部 token 时为 {need.kv_high / GIB:.2f} GiB。上限取较大者。",
            )
        )
    if s.engine != "llama.cpp" and WEIGHT_FORMATS[s.weight_format].block == "gguf":
        found.append(
            Text(
                "GGUF in vLLM and SGLang is experimental; llama.cpp is its home.",
                "vLLM 和 SGLang 对 GGUF 的支持仍是实验性的，推荐使用 llama.cpp。",
            )
        )
    kind = support(c.card, s.weight_format)
    if kind in CAVEATS:
        form, caveat = WEIGHT_FORMATS[s.weight_format].name, CAVEATS[kind]
        found.append(Text(caveat.en.format(card=name.en, form=form), caveat.zh.format(card=name.zh, form=form)))
    if "modified" in c.card.flags:
        found.append(
            Text(
                f"{name.en} is a third-party modification: no datasheet, no maker's warranty.",
                f"{name.zh} 是第三方改装卡：没有数据手册，也没有原厂质保。",
            )
        )
    if not (c.model.confirmed and c.card.memory.confirmed):
        found.append(
            Text("Some of these inputs could not be confirmed on a public page.", "部分输入未能在公开页面上得到证实。")
        )
    rule = RULES[s.engine]
    found.append(Text(f"Rule of the KV cache. {rule.en}.", f"KV 缓存的计算规则。{rule.zh}。"))
    return tuple(found)
