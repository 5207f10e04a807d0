"""Parameters of a model: exact counts by group, active per token, and why a hub or a file states another number.

In: a model of the catalog, or a reader's own config, file header or command line. Out: counts from the tensor shapes, or, where
a file lists its tensors, their sum; the differences that `safetensors.total` shows; a chart of the groups.
Formulas: `calculators.memory.params`, shapes of Hugging Face transformers.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from calculators.framework.choices import models
from calculators.framework.spec import (
    Answer,
    Calculator,
    Chart,
    Column,
    Example,
    Preset,
    Series,
    Table,
    Working,
    choice,
    result,
)
from calculators.framework.text import Text
from calculators.importing.choose import Chosen, imported_of, model_of
from calculators.importing.field import config_input
from calculators.importing.record import Imported
from calculators.importing.report import notes_of, table_of
from calculators.inference.working import GROUPS
from calculators.memory.params import ParameterGroups, fp8_scale_elements, parameter_groups
from calculators.memory.tensors import is_tied, model_tensors
from catalog.model import Architecture, Catalog

MODEL = Text("Model", "模型")
SHAPES = Text("tensor shapes of Hugging Face transformers", "Hugging Face transformers 中的张量形状")
NAMES = GROUPS | {"scales": Text("quantisation scales", "量化缩放因子")}
PACK = 8
"""4-bit weights that one 32-bit element holds in AWQ and GPTQ files."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = choice(
        Text("Model", "模型"),
        "deepseek-v3",
        models,
        group=MODEL,
        help=Text("An open-weight model of the catalog.", "目录中的开放权重模型。"),
    )
    config: str | None = config_input(MODEL)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Elements; a tied head counts once."""

    total: int = result(
        Text("All parameters", "总参数量"),
        kind="exact",
        headline=True,
        help=Text(
            "Every tensor once, multi-token prediction and towers included.", "每个张量计一次，包括多 token 预测模块和编码器。"
        ),
    )
    language: int | None = result(
        Text("Language model", "语言模型"),
        kind="exact",
        help=Text("Without multi-token prediction, towers and saved buffers.", "不含多 token 预测模块、编码器和缓冲张量。"),
    )
    active: int | None = result(
        Text("Active per token", "每个 token 激活的参数"),
        kind="exact",
        headline=True,
        help=Text("Language model with only the experts that one token visits.", "语言模型中一个 token 实际经过的部分。"),
    )
    embedding: int = result(
        Text("Embedding", "词嵌入"),
        kind="exact",
        help=Text("Tables of tokens, positions and token types.", "词表、位置表和类型表。"),
    )
    head: int = result(
        Text("Head of its own", "独立的输出层"),
        kind="exact",
        help=Text("0 where it is tied to the embedding.", "与词嵌入共用时为 0。"),
    )
    non_embedding: int = result(
        Text("Without embedding and head", "不含词嵌入与输出层"),
        kind="exact",
        help=Text("What scaling laws count.", "扩展律所用的参数量。"),
    )
    hub_total: int | None = result(
        Text("The hub states", "模型平台标注"),
        kind="exact",
        help=Text(
            "`safetensors.total` of the model's page, where the catalog has it.",
            "模型页面的 safetensors.total，目录收录时显示。",
        ),
    )
    hub_difference: int | None = result(
        Text("The hub's number less ours", "平台数值减本页数值"),
        kind="exact",
        help=Text("The table below says why.", "原因见下表。"),
    )


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The counts. Raises `InputError` where neither a kind of layer nor a list of tensors is known."""
    found = imported_of(inputs.config)
    if found is not None and found.architecture is None and found.parameters:
        return _from_tensors(found, show)
    chosen = model_of(inputs.model, inputs.config, catalog)
    return _from_architecture(chosen, show)


def _from_architecture(chosen: Chosen, show: Working) -> Answer:
    a, record = chosen.model.architecture, chosen.model
    p = parameter_groups(a)
    _show(show, a, p)
    stated = int(record.published_parameters.value) if record.published_parameters else None
    outputs = Outputs(
        p.total,
        p.language,
        p.active,
        p.embedding + p.position,
        p.head,
        p.non_embedding,
        stated,
        None if stated is None else stated - p.total,
    )
    tables = [_groups_table(p.groups, _active(p)), _reasons_table(a, p)]
    if chosen.imported is not None:
        tables.append(table_of(chosen.imported))
    return Answer(
        outputs,
        tables=tuple(tables),
        charts=(_chart(record.name, p.groups),),
        notes=notes_of(chosen.imported) + _file_notes(chosen.imported, p),
    )


def _from_tensors(found: Imported, show: Working) -> Answer:
    """A file that lists its tensors: sums, whatever the architecture is."""
    groups = dict(found.parameters)
    table, own_head = groups.get("embedding", 0) + groups.get("position", 0), groups.get("head", 0)
    total = found.total
    show.show(
        Text("All elements", "全部元素"),
        Text("Σ elements of every tensor in the file", "Σ 文件中每个张量的元素数"),
        _listed(groups),
        total,
        "",
        Text("the shapes in the file's header", "文件头中的张量形状"),
    )
    outputs = Outputs(total, None, None, table, own_head, total - table - own_head, None, None)
    return Answer(
        outputs,
        tables=(_groups_table(groups, groups), table_of(found)),
        charts=(_chart(found.name, groups),),
        notes=notes_of(found),
    )


def _file_notes(found: Imported | None, p: ParameterGroups) -> tuple[Text, ...]:
    """A GGUF file's tensors against its keys."""
    if found is None or not found.parameters or found.total == p.total:
        return ()
    more = found.total - p.total
    return (
        Text(
            f"The file's tensors sum to {found.total:,}: {more:+,} against the shapes above.",
            f"文件中张量合计 {found.total:,}，与上述形状相差 {more:+,}。",
        ),
    )


def _active(p: ParameterGroups) -> dict[str, int]:
    """Group -> elements that one token visits."""
    idle = {"mtp": 0, "vision": 0, "audio": 0, "buffers": 0, "routed_experts": round(p.routed_experts * p.active_share)}
    return {name: idle.get(name, count) for name, count in p.groups.items()}


def _listed(groups: Mapping[str, int]) -> Text:
    shown = [(NAMES[name], f"{count:,}") for name, count in groups.items() if count]
    return Text(" + ".join(f"{n.en} {c}" for n, c in shown), " + ".join(f"{n.get('zh')} {c}" for n, c in shown))


def _show(show: Working, a: Architecture, p: ParameterGroups) -> None:
    show.show(
        Text("All parameters", "总参数量"),
        Text("Σ rows × columns × copies of every tensor", "Σ 每个张量的 行 × 列 × 个数"),
        _listed(p.groups),
        p.total,
        "",
        SHAPES,
    )
    if a.num_experts:
        show.show(
            Text("Active per token", "每个 token 激活的参数"),
            Text(
                "language model − routed experts × (1 − experts per token ÷ experts)",
                "语言模型 − 路由专家 × (1 − 每 token 专家数 ÷ 专家数)",
            ),
            f"{p.language:,} − {p.routed_experts:,} × (1 − {a.num_experts_per_tok} ÷ {a.num_experts})",
            p.active,
            "",
            SHAPES,
        )
    table = a.vocab_size * a.hidden_size
    show.show(
        Text("Embedding table", "词嵌入表"),
        Text("vocabulary × hidden width; twice where the head is not tied", "词表大小 × 隐藏维度；输出层不共用时计两次"),
        f"{a.vocab_size:,} × {a.hidden_size:,}",
        table,
        "",
        SHAPES,
    )


def _groups_table(groups: Mapping[str, int], active: Mapping[str, int]) -> Table:
    total = sum(groups.values())
    rows: list[Mapping[str, int | float | Text]] = [
        {"group": NAMES[name], "count": count, "share": 100 * count / total, "active": active.get(name, 0)}
        for name, count in groups.items()
        if count
    ]
    rows.append({"group": Text("all", "合计"), "count": total, "share": 100.0, "active": sum(active.values())})
    return Table(
        "groups",
        Text("Parameters by group", "各部分参数量"),
        (
            Column("group", Text("Group", "部分"), kind="text"),
            Column("count", Text("Parameters", "参数量")),
            Column("share", Text("Share", "占比"), "%", 2),
            Column("active", Text("Active per token", "每 token 激活")),
        ),
        tuple(rows),
    )


def _reasons_table(a: Architecture, p: ParameterGroups) -> Table:
    """What a hub's counter adds to, or takes from, the parameters: each as it would be for this model."""
    table = a.vocab_size * a.hidden_size
    packed = sum(t.elements for t in model_tensors(a) if t.kind in ("linear", "expert"))
    doubled = 2 * table * a.num_nextn_predict_layers if not a.mtp_own_embedding else 0
    rows: list[Mapping[str, int | Text]] = []

    def row(reason: Text, change: int, when: Text) -> None:
        if change:
            rows.append({"reason": reason, "change": change, "when": when})

    if is_tied(a) and not a.headless:
        row(
            Text("tied head stored a second time", "共用的输出层又存了一份"),
            table,
            Text("Qwen3-0.6B and 1.7B files do", "Qwen3-0.6B、1.7B 的文件如此"),
        )
    row(
        Text("FP8 block scales", "FP8 分块缩放因子"),
        fp8_scale_elements(a),
        Text("one FP32 number per 128 × 128 block (DeepSeek-V3)", "每个 128 × 128 块一个 FP32（DeepSeek-V3）"),
    )
    row(
        Text("packed 4-bit weights", "打包的 4 位权重"),
        -(packed - packed // PACK),
        Text("AWQ and GPTQ: eight weights in one 32-bit element", "AWQ、GPTQ：一个 32 位元素含八个权重"),
    )
    row(
        Text("multi-token prediction in its own file entries", "单独计入的多 token 预测模块"),
        -p.mtp,
        Text("converters and GGUF files often drop it", "转换工具和 GGUF 文件常将其去掉"),
    )
    row(
        Text("embedding and head again for multi-token prediction", "多 token 预测模块另存的词嵌入与输出层"),
        doubled,
        Text("where the file stores them for the module too", "文件为该模块再存一份时"),
    )
    row(
        Text("saved rotary buffers", "保存的旋转位置缓冲"),
        (a.head_width // 2) * a.num_hidden_layers if not a.rotary_inv_freq_saved and a.head_width else 0,
        Text("old checkpoints store inv_freq per layer (Llama 2)", "旧检查点逐层保存 inv_freq（Llama 2）"),
    )
    row(
        Text("vision and audio towers", "视觉与音频编码器"),
        -(p.vision + p.audio),
        Text("GGUF keeps them in a second file (mmproj)", "GGUF 将其存于另一个文件（mmproj）"),
    )
    return Table(
        "reasons",
        Text("Why a hub or a file states another number", "平台或文件的数值为何不同"),
        (
            Column("reason", Text("Reason", "原因"), kind="text"),
            Column("change", Text("Change for this model", "对该模型的影响")),
            Column("when", Text("When", "何时"), kind="text"),
        ),
        tuple(rows),
        Text("Each line is what it would add or take away if it applied.", "每一行是该情形成立时增加或减少的数量。"),
    )


def _chart(name: str, groups: Mapping[str, int]) -> Chart:
    return Chart(
        "groups",
        "bar",
        Text("Parameters by group", "各部分参数量"),
        (Text("Group", "部分"), ""),
        (Text("Parameters", "参数量"), "10^9"),
        (Series(Text("parameters", "参数量"), tuple((NAMES[g], n / 1e9) for g, n in groups.items() if n)),),
        Text(f"Bars of the parameters of {name} in each group.", f"{name} 各部分参数量的柱状图。"),
    )


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    found = imported_of(inputs.config)
    name = found.name if found is not None and found.name else catalog.models[inputs.model].name
    total = f"{outputs.total / 1e9:,.2f}"
    if outputs.active is None or outputs.language is None:
        return Text(
            f"{name} holds {outputs.total:,} elements ({total} billion).", f"{name} 共有 {outputs.total:,} 个元素（{total}B）。"
        )
    if outputs.active == outputs.language:
        return Text(
            f"{name} has {outputs.total:,} parameters ({total} billion); every token visits all of the language model.",
            f"{name} 共有 {outputs.total:,} 个参数（{total}B）；每个 token 都经过整个语言模型。",
        )
    active = f"{outputs.active / 1e9:,.2f}"
    return Text(
        f"{name} has {outputs.total:,} parameters ({total} billion), of which a token visits {outputs.active:,} ({active} billion).",
        f"{name} 共有 {outputs.total:,} 个参数（{total}B），每个 token 激活 {outputs.active:,} 个（{active}B）。",
    )


EXAMPLES = (
    Example(
        "deepseek-v3-671b",
        {"model": "deepseek-v3"},
        {"language": 671_026_419_200, "hub_difference": 41_540_496},
        0.0,
        "hub total 684,531,386,000 of deepseek-ai/DeepSeek-V3 less 41,540,496 FP8 scales; 671B in https://arxiv.org/abs/2412.19437",
    ),
    Example(
        "llama-3-1-8b",
        {"model": "llama-3-1-8b"},
        {"total": 8_030_261_248, "active": 8_030_261_248, "hub_difference": 0},
        0.0,
        "hub total of meta-llama/Llama-3.1-8B: 8,030,261,248",
    ),
    Example(
        "qwen3-next-80b",
        {"model": "qwen3-next-80b-a3b"},
        {"total": 81_324_862_720},
        0.0,
        "hub total of Qwen/Qwen3-Next-80B-A3B-Instruct: 81,324,862,720",
    ),
)

PRESETS = (
    Preset("moe", Text("A trillion with 32B active", "万亿总量、32B 激活"), {"model": "kimi-k2"}),
    Preset("dense", Text("A dense 8B", "8B 稠密模型"), {"model": "llama-3-1-8b"}),
    Preset("hybrid", Text("Linear attention and experts", "线性注意力加专家"), {"model": "qwen3-next-80b-a3b"}),
)

CALCULATOR = Calculator(
    id="model-params",
    version=1,
    title=Text("Parameters of a model", "模型参数量"),
    summary=Text(
        "Exact parameters of a model by group, how many are active per token, and why the hub states another number; from the catalog, "
        "a config.json, a file's header or a command line.",
        "逐部分精确计算模型参数量、每个 token 激活多少，以及平台标注为何不同；可来自目录、config.json、文件头或命令行。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
