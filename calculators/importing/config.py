"""A Hugging Face `config.json` -> `Imported`.

In: the parsed object. Out: the architecture with what was understood and what was not; for a `model_type` that has no rule,
no architecture, only a clear statement. Raises `Unusable` for configs that contradict themselves.
"""

from dataclasses import fields, replace
from typing import Any

from calculators.framework.text import Text
from calculators.importing import decoders, others
from calculators.importing.quantization import weight_format
from calculators.importing.reader import Reader
from calculators.importing.record import Imported, Unread, Unusable, shown
from calculators.importing.towers import AUDIO, TEXT_OF, VISION
from calculators.memory.params import parameter_groups
from catalog.coherence import findings
from catalog.model import Architecture

RULES = decoders.RULES | others.RULES
_DEFAULTS = {f.name: f.default for f in fields(Architecture)}
_CONTEXT_ONLY = ("vision_config", "audio_config", "text_config", "language_config", "llm_config", "use_unified_vision_chunk")


def read_config(data: dict[str, Any]) -> Imported:
    """The model of a config. Raises `Unusable` where nothing can be said."""
    top = Reader(data)
    kind = top.word("model_type")
    if not kind:
        raise Unusable(
            Text(
                "There is no “model_type” in this JSON: paste a model's config.json.",
                "这段 JSON 中没有“model_type”：请粘贴模型的 config.json。",
            )
        )
    inside = top.inner("text_config", "language_config", "llm_config")
    text = inside or top
    inner_kind = text.word("model_type") or kind
    rule = RULES.get(TEXT_OF.get(inner_kind, inner_kind)) or (
        RULES.get(TEXT_OF[kind]) if kind in TEXT_OF and not inside else None
    )
    name = _name(top)
    fmt = weight_format(data.get("quantization_config") or text.data.get("quantization_config"))
    if rule is None or (inside is not None and kind not in TEXT_OF):
        return _unknown(text, kind if inside is not None and kind not in TEXT_OF else inner_kind, name)
    found = rule(text)
    towers = _towers(top, kind, found)
    unread = list(text.rest("" if text is top else "text_config."))
    if text is not top:
        unread += [u for u in top.rest() if u.key not in _CONTEXT_ONLY]
    unread += towers
    architecture = checked({k: v for k, v in found.items() if v != _DEFAULTS.get(k)})
    notes = _notes(architecture)
    return Imported(
        "config",
        name,
        architecture,
        weight_format=fmt,
        understood=tuple(k for k in found if getattr(architecture, k) != _DEFAULTS[k]),
        not_understood=tuple(unread),
        notes=notes,
    )


def _name(top: Reader) -> str:
    stated = top.data.get("_name_or_path")
    return shown(stated.rsplit("/", 1)[-1]) if isinstance(stated, str) and stated else shown(top.word("model_type"))


def _unknown(text: Reader, kind: str, name: str) -> Imported:
    """What a config of an unknown kind says under the usual names; never an architecture."""
    usual = (
        decoders.WIDTH,
        decoders.LAYERS,
        decoders.HEADS,
        decoders.KV_HEADS,
        decoders.FFN,
        decoders.EXPERTS,
        ("vocab_size",),
    )
    understood = []
    for names in usual:
        value = text.raw(*names)
        if isinstance(value, int) and not isinstance(value, bool):
            key = next(n for n in names if text.data.get(n) is not None)
            understood.append(f"{key} = {value:,}" if value < 10**15 else key)
    unread = (
        Unread(
            f"model_type = {shown(kind)}", Text("the kind of every layer: no count is made", "每一层的种类：因此不做任何计算")
        ),
        *text.rest(),
    )
    notes = (
        Text(
            "If its blocks are those of a known kind, change “model_type” to that kind (for example llama) and read the warnings.",
            "如果它的层与某个已知类型相同，可把“model_type”改成该类型（例如 llama），并留意提示。",
        ),
    )
    return Imported("config", name, None, understood=tuple(understood), not_understood=unread, notes=notes)


def _towers(top: Reader, kind: str, found: dict[str, Any]) -> list[Unread]:
    """Counts the towers into `found`; gives what could not be counted."""
    unread: list[Unread] = []
    for key, rules, field in (("vision_config", VISION, "vision_parameters"), ("audio_config", AUDIO, "audio_parameters")):
        tower = top.inner(key)
        rule = rules.get(kind)
        if tower is None:
            if rule is not None:
                unread.append(
                    Unread(key, Text("the tower is not in this config and is not counted", "配置中没有这个编码器，未计入"))
                )
        elif rule is None:
            unread.append(Unread(key, Text("this kind of tower is not counted", "这种编码器未计入")))
        else:
            found[field] = rule(tower, top, found["hidden_size"])
            unread += tower.rest(f"{key}.")
    return unread


def checked(found: dict[str, Any]) -> Architecture:
    """The record, if its numbers go together. Raises `Unusable` with the first reason."""
    architecture = Architecture(**found)
    for field, message, _ in findings(architecture):
        words = message.replace("`", "")
        raise Unusable(Text(f"The config contradicts itself at “{field}”: {words}.", f"配置在“{field}”处自相矛盾：{words}。"))
    rules = {f.name: f.metadata["rule"] for f in fields(Architecture)}
    for name, value in found.items():
        high = rules[name].high
        if high is not None and isinstance(value, int) and not isinstance(value, bool) and value > high:
            raise Unusable(Text(f"“{name}” comes to {value:,}: above {high:,}.", f"“{name}”为 {value:,}，超过 {high:,}。"))
    if parameter_groups(architecture).total > 10**14:
        raise Unusable(Text("These widths give more than 10^14 parameters.", "这些宽度给出的参数量超过 10^14。"))
    return architecture


def _notes(a: Architecture) -> tuple[Text, ...]:
    if a.index_n_heads:
        return (
            Text(
                "Sparse attention: the indexer's keys are counted by vLLM's and SGLang's rule. Speed is counted as if every cached token were read; "
                "at long contexts a step reads fewer.",
                "稀疏注意力：索引器的 Key 缓存按 vLLM 与 SGLang 的规则计入。速度按读取全部缓存 token 计算，长上下文时实际读取更少。",
            ),
        )
    return ()


def renamed(found: Imported, name: str) -> Imported:
    """The same import under a reader's file name, where the config has none of its own."""
    return replace(found, name=shown(name)) if name else found
