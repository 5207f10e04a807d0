"""The one entrance for a reader's own model: `model_of(model, config, catalog)` gives a calculator the imported model, or that
of the catalog. What reads configs, headers and command lines (`calculators.importing.reading`) is imported when there is
something to read: most visits never need it, and importing it is half of a calculator's start.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.importing.record import Imported, Unusable
from catalog.model import Architecture, Catalog, LanguageModel


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model of a calculation, and where it came from; `imported` is None for one of the catalog."""

    model: LanguageModel
    imported: Imported | None = None


def readers() -> ModuleType:
    """`calculators.importing.reading`."""
    return import_module("calculators.importing.reading")


def compact(text: str) -> str:
    """The short form of a text: see `reading.compact`. Raises `Unusable`."""
    short: str = readers().compact(text)
    return short


@lru_cache(maxsize=8)
def _read(config: str) -> Imported:
    """Remembered: one answer asks for the same model many times."""
    found: Imported = readers().read(config)
    return found


def imported_of(config: str | None) -> Imported | None:
    """What the field holds, or None where it is empty. Raises `InputError` for text that cannot be read."""
    if not config:
        return None
    try:
        return _read(config)
    except Unusable as bad:
        raise InputError("config", bad.message) from bad


def model_of(model: str, config: str | None, catalog: Catalog) -> Chosen:
    """The model of a calculation: the imported one where there is one, else that of the catalog. Raises `InputError`."""
    found = imported_of(config)
    if found is None:
        return Chosen(catalog.models[model])
    if found.architecture is not None:
        record = LanguageModel("imported", found.name or "imported", "", found.architecture, "", "", confirmed=True)
        return Chosen(record, found)
    if found.model:
        named = known_model(found.model, catalog)
        if named is None:
            raise InputError(
                "config",
                Text(
                    f"The catalog has no model “{found.name}”: paste its config.json instead, or choose a model above.",
                    f"目录中没有模型“{found.name}”：请改为粘贴它的 config.json，或在上方选择模型。",
                ),
            )
        return Chosen(named, _settled(found, named.architecture.num_hidden_layers))
    raise InputError("config", _nothing(found))


def _settled(found: Imported, layers: int) -> Imported:
    """The settings for a model of so many layers: those beyond llama.cpp's `-ngl` stay in host memory."""
    on_gpu = found.settings.get("layers_on_gpu")
    if on_gpu is None:
        return found
    rest = {k: v for k, v in found.settings.items() if k != "layers_on_gpu"}
    return replace(found, settings=rest | {"host_layers": max(0, layers - int(on_gpu))})


def _nothing(found: Imported) -> Text:
    listed = ", ".join(u.key for u in found.not_understood[:4])
    if found.kind == "config" and listed:
        return Text(
            f"Not understood: {listed}. Without the kind of the layers nothing is computed; what was read: {', '.join(found.understood[:6]) or '—'}.",
            f"未能识别：{listed}。不知道层的种类，因此不做计算；已读取：{'、'.join(found.understood[:6]) or '—'}。",
        )
    if found.kind == "gguf" and listed:
        return Text(
            f"Not understood: {listed}. The tensors are counted in the parameter calculator; memory needs a known kind of model.",
            f"未能识别：{listed}。参数量计算器可统计其张量；显存测算需要已知类型的模型。",
        )
    if found.kind == "index":
        return found.notes[0]
    if found.kind == "diffusion":
        return Text(
            "This is a diffusion model: its memory has a calculator of its own.",
            "这是扩散模型：请使用专门的扩散模型显存计算器。",
        )
    return Text(
        "The shapes do not say how many heads there are: paste the model's config.json.",
        "张量形状不含注意力头数：请粘贴模型的 config.json。",
    )


def architecture_of(model: str, config: str | None, catalog: Catalog) -> Architecture:
    """The architecture of a calculation. Raises `InputError` that names the field."""
    return model_of(model, config, catalog).model.architecture


def known_model(words: str, catalog: Catalog) -> LanguageModel | None:
    """The catalog's model of that name, repository or file; None where none, or more than one, is meant."""
    wanted = _bare(re.split(r"[/\\]", words.rstrip("/"))[-1])
    exact = [m for m in catalog.models.values() if wanted in (_bare(m.id), _bare(m.name), _bare(m.url.rsplit("/", 1)[-1]))]
    if len(exact) == 1:
        return exact[0]
    part = sorted((m for m in catalog.models.values() if wanted.startswith(_bare(m.id))), key=lambda m: -len(m.id))
    return (
        part[0]
        if part and (len(part) == 1 or len(part[0].id) > len(part[1].id)) and _only_suffix(wanted, _bare(part[0].id))
        else None
    )


_SUFFIX = re.compile(
    r"(meta)?(instruct|chat|it|base|hf|bf16|fp8|awq|gptq|int4|int8|gguf|dynamic|w4a16|w8a8|nvfp4|mxfp4|i?q\d\w*|v\d+|\d{4}|ud|k?m|xs|xl|f16|thinking)*"
)


def _only_suffix(words: str, id: str) -> bool:
    return bool(_SUFFIX.fullmatch(words[len(id) :]))


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().removesuffix(".gguf").removeprefix("meta-"))
