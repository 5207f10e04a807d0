"""What an import understood, in a reader's words: notes, a table and suggestions that any calculator can show.

In: an `Imported`. Out: texts of the framework.
"""

from dataclasses import fields
from typing import Any

from calculators.framework.spec import Column, Suggestion, Table
from calculators.framework.text import Text
from calculators.importing.record import KINDS, Imported
from calculators.memory.weights import WEIGHT_FORMATS

NAMES = {
    "engine": Text("engine", "引擎"),
    "context": Text("context", "上下文"),
    "batch": Text("requests", "并发"),
    "tensor_parallel": Text("GPUs", "卡数"),
    "kv_dtype": Text("KV cache", "KV 缓存"),
    "weight_format": Text("weights", "权重"),
    "usable_percent": Text("usable share", "可用比例"),
    "step_tokens": Text("tokens per step", "每步 token"),
    "pipeline_parallel": Text("pipeline stages", "流水线级数"),
    "data_parallel": Text("replicas", "副本数"),
    "expert_parallel": Text("experts whole", "专家整个切分"),
    "context_parallel": Text("context ranks", "上下文并行数"),
    "cuda_graphs": Text("CUDA graphs", "CUDA Graph"),
    "lora_adapters": Text("LoRA adapters", "LoRA 适配器"),
    "lora_rank": Text("LoRA rank", "LoRA 秩"),
    "host_layers": Text("layers in host memory", "主机内存中的层"),
    "host_experts": Text("experts in host memory", "主机内存中的专家"),
}


def notes_of(found: Imported | None) -> tuple[Text, ...]:
    """What a reader must know before believing a number of this model. Nothing for a model of the catalog."""
    if found is None:
        return ()
    kind = KINDS[found.kind]
    first = Text(f"Imported: {found.name or '—'}, from a {kind.en}.", f"已导入：{found.name or '—'}（{kind.get('zh')}）。")
    doubts = tuple(
        Text(f"Not understood: {u.key} ({u.changes.en}).", f"未能识别：{u.key}（{u.changes.get('zh')}）。")
        for u in found.not_understood
    )
    return (first, *doubts, *found.notes)


def table_of(found: Imported) -> Table:
    """Each value that was read, and each key that was not."""
    rows: list[dict[str, Any]] = []
    if found.architecture is not None:
        rows += [
            {"key": f.name, "value": _shown(value)}
            for f in fields(found.architecture)
            if (value := getattr(found.architecture, f.name)) != f.default
        ]
    else:
        rows += [{"key": key, "value": value} for key, _, value in (w.partition(" = ") for w in found.understood)]
    rows += [
        {"key": u.key, "value": Text(f"not understood: {u.changes.en}", f"未能识别：{u.changes.get('zh')}")}
        for u in found.not_understood
    ]
    return Table(
        "import",
        Text("What the import understood", "导入时识别到的内容"),
        (Column("key", Text("Key", "键"), kind="text"), Column("value", Text("Value", "值"), kind="text")),
        tuple(rows),
    )


def _shown(value: Any) -> str | Text:
    if isinstance(value, bool):
        return Text("yes", "是") if value else Text("no", "否")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _set(value: Any) -> Text:
    if isinstance(value, bool):
        return Text("on", "开") if value else Text("off", "关")
    return Text(str(value))


def settings_suggestion(found: Imported | None, inputs: Any) -> tuple[Suggestion, ...]:
    """One click that takes over what a command line sets, or a file's own weight format, where it differs from the form."""
    if found is None:
        return ()
    wanted = dict(found.settings)
    if found.weight_format and "weight_format" not in wanted and found.weight_format in WEIGHT_FORMATS:
        wanted["weight_format"] = found.weight_format
    change = {k: v for k, v in wanted.items() if hasattr(inputs, k) and getattr(inputs, k) != v}
    if not change:
        return ()
    listed = [Text(f"{NAMES[k].en} {_set(v).en}", f"{NAMES[k].get('zh')} {_set(v).get('zh')}") for k, v in change.items()]
    title = Text("Take over what the command line sets", "采用命令行中的设置")
    if not found.settings:
        title = Text("Take the weights as the file stores them", "按文件的权重格式计算")
    return (Suggestion(title, change, Text(", ".join(t.en for t in listed), "，".join(t.get("zh") for t in listed))),)
