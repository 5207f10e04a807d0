"""The input field by which every calculator takes a reader's own model. In: its group. Out: a field of `Inputs`."""

from typing import Any

from calculators.framework.numbers import Refused
from calculators.framework.spec import text
from calculators.framework.text import Text
from calculators.importing.choose import compact
from calculators.importing.record import LONGEST, Unusable


def config_input(group: Text, **more: Any) -> Any:
    """`config`: overrides `model`. What the reader gave becomes its short form, which a link can carry."""
    return text(
        Text("Your own model", "导入自己的模型"),
        longest=LONGEST,
        read=_short,
        group=group,
        help=Text(
            "Paste a Hugging Face config.json or a vllm serve / llama-server command line, or choose a config.json, "
            ".safetensors or .gguf file (only its header is read). It replaces the model chosen in the list.",
            "粘贴 Hugging Face 的 config.json，或 vllm serve / llama-server 命令行；也可以选择 config.json、.safetensors 或 .gguf 文件"
            "（只读取文件头）。填写后将替代列表中选择的模型。",
        ),
        **more,
    )


def _short(words: str) -> str:
    try:
        return compact(words)
    except Unusable as bad:
        raise Refused(bad.message) from bad
