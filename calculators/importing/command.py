"""A pasted `vllm serve …`, `python -m vllm.entrypoints…`, `python -m sglang.launch_server …` or `llama-server …` -> `Imported`.

In: one command line, quotes and line continuations included. Out: the model it names, as inputs of `vram-inference`, and every
option that is not understood. Nothing is run. Raises `Unusable`.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from calculators.framework.text import Text
from calculators.importing.quantization import BY_METHOD
from calculators.importing.record import Imported, Unread, Unusable, shown
from calculators.memory.weights import WEIGHT_FORMATS

LONGEST = 8_000
Setting = int | float | str | bool

VLLM: dict[str, tuple[str, str]] = {
    "--model": ("model", ""),
    "--max-model-len": ("context", "size"),
    "--max-num-seqs": ("batch", "int"),
    "--tensor-parallel-size": ("tensor_parallel", "int"),
    "-tp": ("tensor_parallel", "int"),
    "--kv-cache-dtype": ("kv_dtype", "kv"),
    "--quantization": ("weight_format", "quant"),
    "-q": ("weight_format", "quant"),
    "--dtype": ("weight_format", "dtype"),
    "--gpu-memory-utilization": ("usable_percent", "share"),
    "--max-num-batched-tokens": ("step_tokens", "size"),
    "--pipeline-parallel-size": ("pipeline_parallel", "int"),
    "-pp": ("pipeline_parallel", "int"),
    "--data-parallel-size": ("data_parallel", "int"),
    "-dp": ("data_parallel", "int"),
    "--decode-context-parallel-size": ("context_parallel", "int"),
    "-dcp": ("context_parallel", "int"),
    "--enable-expert-parallel": ("expert_parallel", "on"),
    "-ep": ("expert_parallel", "on"),
    "--enforce-eager": ("cuda_graphs", "off"),
    "--max-loras": ("lora_adapters", "int"),
    "--max-lora-rank": ("lora_rank", "int"),
}
SGLANG: dict[str, tuple[str, str]] = {
    "--model-path": ("model", ""),
    "--model": ("model", ""),
    "--context-length": ("context", "size"),
    "--max-running-requests": ("batch", "int"),
    "--tp": ("tensor_parallel", "int"),
    "--tp-size": ("tensor_parallel", "int"),
    "--tensor-parallel-size": ("tensor_parallel", "int"),
    "--kv-cache-dtype": ("kv_dtype", "kv"),
    "--quantization": ("weight_format", "quant"),
    "--dtype": ("weight_format", "dtype"),
    "--mem-fraction-static": ("usable_percent", "share"),
    "--chunked-prefill-size": ("step_tokens", "size"),
    "--pp-size": ("pipeline_parallel", "int"),
    "--pipeline-parallel-size": ("pipeline_parallel", "int"),
    "--disable-cuda-graph": ("cuda_graphs", "off"),
    "--max-loras-per-batch": ("lora_adapters", "int"),
    "--max-lora-rank": ("lora_rank", "int"),
}
LLAMA: dict[str, tuple[str, str]] = {
    "-m": ("model", ""),
    "--model": ("model", ""),
    "-hf": ("model", ""),
    "--hf-repo": ("model", ""),
    "-c": ("context", "size"),
    "--ctx-size": ("context", "size"),
    "-np": ("batch", "int"),
    "--parallel": ("batch", "int"),
    "-ctk": ("kv_dtype", "ggml"),
    "--cache-type-k": ("kv_dtype", "ggml"),
    "-ctv": ("cache_v", "ggml"),
    "--cache-type-v": ("cache_v", "ggml"),
    "-ngl": ("layers_on_gpu", "ngl"),
    "--gpu-layers": ("layers_on_gpu", "ngl"),
    "--n-gpu-layers": ("layers_on_gpu", "ngl"),
    "-fa": ("flash_attention", "fa"),
    "--flash-attn": ("flash_attention", "fa"),
    "--cpu-moe": ("host_experts", "on"),
    "-cmoe": ("host_experts", "on"),
}
FLAGS_ALONE = ("-fa", "--flash-attn")
HARMLESS = re.compile(
    r"--(host|port|api-key|served-model-name|alias|seed|trust-remote-code|download-dir|revision|tokenizer.*|chat-template.*|log.*|disable-log.*"
    r"|uvicorn.*|ssl.*|allowed.*|root-path|tool-call-parser|enable-auto-tool-choice|reasoning.*|jinja|threads.*|metrics|verbose|no-webui|timeout"
    r"|temp|top-[kp]|min-p|repeat-penalty|load-format|enable-prefix-caching|no-enable-prefix-caching|generation-config|override-generation-config)"
    r"|-t|-tb|-a|-v"
)
CHANGES = {
    "--dp-size": Text("copies of the model", "模型副本数"),
    "--data-parallel-size": Text("copies of the model", "模型副本数"),
    "--ep-size": Text("where the experts stand", "专家的分布"),
    "--cpu-offload-gb": Text("weights in host memory", "放在主机内存中的权重"),
    "--swap-space": Text("host memory", "主机内存"),
    "--speculative-config": Text("a draft model beside this one", "另有草稿模型"),
    "--lora-modules": Text("adapters beside the weights", "权重之外的适配器"),
    "--enable-lora": Text("adapters beside the weights", "权重之外的适配器"),
    "-b": Text("the compute buffer", "计算缓冲区"),
    "-ub": Text("the compute buffer", "计算缓冲区"),
    "--ubatch-size": Text("the compute buffer", "计算缓冲区"),
    "--n-cpu-moe": Text("experts in host memory", "放在主机内存中的专家"),
    "-ot": Text("tensors in host memory", "放在主机内存中的张量"),
    "--swa-full": Text("sliding layers keep the whole context", "滑动层保留整个上下文"),
    "-sm": Text("how tensors are split over GPUs", "张量在各卡间的切分方式"),
    "-ts": Text("how tensors are split over GPUs", "张量在各卡间的切分方式"),
}


@dataclass(frozen=True, slots=True)
class Engine:
    """One server's options."""

    id: str
    options: Mapping[str, tuple[str, str]]
    starts: re.Pattern[str]


ENGINES = (
    Engine("vllm", VLLM, re.compile(r"(^|[\s/])vllm(\s+serve|\.entrypoints)|vllm\.entrypoints")),
    Engine("sglang", SGLANG, re.compile(r"sglang\.launch_server|sglang\s+serve")),
    Engine("llama.cpp", LLAMA, re.compile(r"(^|[\s/])llama-(server|cli|bench|run)(\.exe)?(\s|$)")),
)
GGML_KV = ("f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl")
GGUF_KINDS = frozenset(f.id for f in WEIGHT_FORMATS.values() if f.block == "gguf")


def is_command(text: str) -> bool:
    """Does the text start one of the servers that are read here?"""
    return len(text) <= LONGEST and any(e.starts.search(text[:400]) for e in ENGINES)


def read_command(text: str) -> Imported:
    """The settings of a command line. Raises `Unusable` for text that is none, or for values that make no sense."""
    if len(text) > LONGEST:
        raise Unusable(Text(f"A command line has at most {LONGEST:,} characters.", f"命令行最多 {LONGEST:,} 个字符。"))
    engine = next((e for e in ENGINES if e.starts.search(text)), None)
    if engine is None:
        raise Unusable(Text("This starts neither vLLM, SGLang nor llama.cpp.", "这不是启动 vLLM、SGLang 或 llama.cpp 的命令。"))
    try:
        text = re.sub(r"(?<=[\w:.])\\(?=[\w.])", "/", text)  # folders of Windows
        words = shlex.split(re.sub(r"\\\r?\n", " ", text).replace("^\n", " "), comments=True)
    except ValueError as error:
        raise Unusable(Text("A quotation mark is not closed.", "引号没有闭合。")) from error
    return _read(engine, words)


def _read(engine: Engine, words: list[str]) -> Imported:
    settings: dict[str, Setting] = {"engine": engine.id}
    extra: dict[str, Setting] = {}
    understood, unread, model = [f"engine = {engine.id}"], [], ""
    rest = iter(_after_start(engine, words))
    pending: str | None = None
    while (word := pending if pending is not None else next(rest, None)) is not None:
        pending = None
        name, joined, value = word.partition("=")
        if not word.startswith("-") or (engine.id == "vllm" and not word.startswith("--") and name not in VLLM):
            if not model and not word.startswith("-"):
                model = word
            else:
                unread.append(Unread(shown(word), Text("a word of its own", "单独的词")))
            continue
        option = name if name in engine.options else name.replace("_", "-")
        if not joined and engine.options.get(option, ("", ""))[1] not in ("on", "off"):
            following = next(rest, None)
            if following is not None and following.startswith("-") and not re.fullmatch(r"-\d+(\.\d+)?", following):
                pending, value = following, ""
            else:
                value = following or ""
        if option not in engine.options:
            if not HARMLESS.fullmatch(option):
                unread.append(Unread(shown(word), CHANGES.get(option, Text("not known", "未知"))))
            continue
        field, kind = engine.options[option]
        if not value and option not in FLAGS_ALONE and kind not in ("on", "off"):
            raise Unusable(Text(f"“{option}” has no value.", f"“{option}”没有值。"))
        if field == "model":
            model = value
            continue
        got = _value(option, value, kind)
        if got is None:
            unread.append(
                Unread(f"{option} {shown(value)}", Text("this value has no counterpart here", "此值在这里没有对应项"))
            )
            continue
        (settings if field not in ("cache_v", "flash_attention") else extra)[field] = got
        understood.append(f"{option} = {shown(value) or 'on'}")
    notes = _llama(settings, extra, model) if engine.id == "llama.cpp" else []
    if not model:
        raise Unusable(Text("The command names no model.", "命令中没有写明模型。"))
    return Imported(
        "command",
        shown(re.split(r"[/\\]", model)[-1]),
        model=model[:200],
        settings=settings,
        understood=(f"model = {shown(model)}", *understood),
        not_understood=tuple(unread),
        notes=tuple(notes),
    )


def _after_start(engine: Engine, words: list[str]) -> list[str]:
    """The words after the program's name."""
    for i, word in enumerate(words):
        if engine.id == "vllm" and word.endswith("vllm") and i + 1 < len(words) and words[i + 1] == "serve":
            return words[i + 2 :]
        if engine.id == "sglang" and word.endswith("sglang") and i + 1 < len(words) and words[i + 1] == "serve":
            return words[i + 2 :]
        if (
            "vllm.entrypoints" in word
            or "sglang.launch_server" in word
            or re.search(r"llama-(server|cli|bench|run)(\.exe)?$", word)
        ):
            return words[i + 1 :]
    raise Unusable(Text("The command names no model.", "命令中没有写明模型。"))


def _value(option: str, text: str, kind: str) -> Setting | None:
    """The value in the calculator's terms, or None where it has none. Raises `Unusable` for what is no number."""
    match kind:
        case "int" | "size":
            return _size(option, text, kind)
        case "share":
            try:
                share = float(text)
            except ValueError:
                share = -1.0
            if not 0 < share <= 1:
                raise Unusable(
                    Text(
                        f"“{option}” must be between 0 and 1, not {shown(text)}.",
                        f"“{option}”必须在 0 和 1 之间，不能是 {shown(text)}。",
                    )
                )
            return round(share * 100, 4)
        case "kv":
            low = text.lower()
            return (
                "fp8"
                if low.startswith("fp8")
                else "bf16"
                if low in ("auto", "bf16", "bfloat16", "fp16", "float16", "half")
                else None
            )
        case "ggml":
            low = text.lower()
            return None if low not in GGML_KV else {"f16": "bf16"}.get(low, low)
        case "quant":
            return BY_METHOD.get(text.lower())
        case "dtype":
            return {
                "half": "fp16",
                "float16": "fp16",
                "bfloat16": "bf16",
                "auto": "bf16",
                "float32": "fp32",
                "float": "fp32",
            }.get(text.lower())
        case "ngl":
            return text if text in ("all", "auto") else _size(option, text, "int")
        case "on" | "off":
            return kind == "on"
        case _:
            return text.lower() not in ("off", "0", "false")


def _size(option: str, text: str, kind: str) -> int:
    """A whole number; vLLM also takes 32k (thousand), 32K (1024) and the like."""
    found = re.fullmatch(r"(-?\d{1,12}(?:\.\d{1,6})?)([kKmMgG]?)", text)
    if not found or (found.group(2) and kind != "size") or ("." in found.group(1) and not found.group(2)):
        raise Unusable(
            Text(f"“{option}” must be a whole number, not {shown(text)}.", f"“{option}”必须是整数，不能是 {shown(text)}。")
        )
    scale = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}[found.group(2)]
    value = float(found.group(1)) * scale
    if value < 0 and option not in ("-ngl", "--gpu-layers", "--n-gpu-layers", "-np", "--parallel", "--max-model-len"):
        raise Unusable(Text(f"“{option}” cannot be negative.", f"“{option}”不能为负。"))
    return int(value)


def _llama(settings: dict[str, Setting], extra: dict[str, Setting], model: str) -> list[Text]:
    """llama-server's own meanings: -c is shared by all slots, 0 and -1 mean the model's own; K and V may differ.

    A file's name or the tag of a repository says how it is quantised; `-ngl` waits for the model, whose layers it counts.
    """
    notes = []
    kinds = [kind for kind in re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)*", model.lower()) if kind in GGUF_KINDS]
    if kinds:
        settings["weight_format"] = kinds[-1]
    slots = settings.get("batch")
    if isinstance(slots, int) and slots < 1:
        settings.pop("batch")
        slots = None
    context = settings.get("context")
    if context == 0:
        settings.pop("context")
        notes.append(
            Text("-c 0 means the model's full context: choose it yourself.", "-c 0 表示模型的完整上下文：请自行选择。")
        )
    elif isinstance(context, int) and isinstance(slots, int) and slots > 1:
        settings["context"] = max(1, context // slots)
        notes.append(
            Text(
                f"-c {context:,} is shared by {slots} slots: {context // slots:,} tokens each.",
                f"-c {context:,} 由 {slots} 个槽位共用：每个 {context // slots:,} token。",
            )
        )
    if extra.get("cache_v", settings.get("kv_dtype", "bf16")) != settings.get("kv_dtype", "bf16"):
        notes.append(
            Text(
                "-ctk and -ctv differ: the calculator takes the type of K for both.",
                "-ctk 与 -ctv 不同：计算器对两者都按 K 的类型计。",
            )
        )
    if extra.get("flash_attention") is False:
        notes.append(Text("Without flash attention the compute buffer is larger.", "不用 flash attention 时计算缓冲区更大。"))
    layers = settings.get("layers_on_gpu")
    if not isinstance(layers, int) or layers < 0:
        settings.pop("layers_on_gpu", None)
    return notes
