"""Whatever a reader pasted or dropped -> a short text that a link can carry, and the model behind it.

`compact(text)` reads a config, a header, a command line or its own earlier result, and gives the short form: JSON that begins
with `{"gpuguide":`. `read(text)` gives the model. File bytes arrive as `gguf;base64,…` or `safetensors;base64,…`, with the
file's name in front: `name=model.gguf;gguf;base64,…`.
"""

import binascii
import json
import re
from dataclasses import fields
from functools import lru_cache
from typing import Any

from calculators.framework.text import LANGUAGES, Text
from calculators.importing.command import is_command, read_command
from calculators.importing.config import checked, read_config, renamed
from calculators.importing.diffusion import is_diffusion, read_diffusion
from calculators.importing.gguf_file import read_gguf
from calculators.importing.record import KINDS, LONGEST, MORE, MOST_SHOWN, Imported, Unread, Unusable, shown
from calculators.importing.safetensors_file import read_header, read_index
from calculators.importing.strict_json import parse
from calculators.memory.tensor import GROUPS
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.model import Architecture, plain

MARK = '{"gpuguide":'
_CARRIED = re.compile(r"(?:name=([^;]{0,200});)?(?:(gguf|safetensors);base64,)?", re.DOTALL)
_FIELDS = {f.name: f for f in fields(Architecture)}
_SETTINGS = {
    "engine": str,
    "context": int,
    "batch": int,
    "tensor_parallel": int,
    "kv_dtype": str,
    "weight_format": str,
    "usable_percent": float,
    "step_tokens": int,
    "pipeline_parallel": int,
    "data_parallel": int,
    "expert_parallel": bool,
    "context_parallel": int,
    "cuda_graphs": bool,
    "lora_adapters": int,
    "lora_rank": int,
    "layers_on_gpu": int,
    "host_experts": bool,
}
"""What a command line may set, by the kind of its value."""


def read(text: str) -> Imported:
    """The model in a text. Raises `Unusable`."""
    if len(text) > LONGEST:
        raise Unusable(Text(f"More than {LONGEST:,} characters.", f"超过 {LONGEST:,} 个字符。"))
    carried = _CARRIED.match(text)
    name, kind = (carried.group(1) or "", carried.group(2)) if carried else ("", None)
    body = text[carried.end() :] if carried and carried.end() else text
    if kind:
        data = _bytes(body)
        return read_gguf(data, name) if kind == "gguf" else read_header(data, name)
    start = body[:4000].lstrip("\ufeff \t\r\n")
    if not start:
        raise Unusable(Text("There is nothing to read.", "没有可读取的内容。"))
    if start.startswith(MARK):
        return _expanded(parse(body))
    if not start.startswith(("{", "[")):
        if is_command(body):
            return read_command(body)
        raise Unusable(
            Text(
                "This is neither JSON nor a command line that starts vLLM, SGLang or llama.cpp.",
                "这既不是 JSON，也不是启动 vLLM、SGLang 或 llama.cpp 的命令行。",
            )
        )
    if '"weight_map"' in body[:4000] or (len(body) > 100_000 and '"weight_map"' in body):
        return read_index(body, name)
    data = parse(body.lstrip("\ufeff"))
    if not isinstance(data, dict):
        raise Unusable(Text("A config.json is an object: { … }.", "config.json 应为对象：{ … }。"))
    if is_diffusion(data):
        return renamed(read_diffusion(data), "")
    return renamed(read_config(data), re.sub(r"[_.-]?config\.json$|\.json$", "", name))


def read_bytes(data: bytes, name: str) -> Imported:
    """The model in a file's first bytes. Raises `Unusable`."""
    if data[:4] == b"GGUF":
        return read_gguf(data, name)
    if name.endswith(".safetensors"):
        return read_header(data, name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(
            Text(
                "The file is neither text nor GGUF nor safetensors.",
                "该文件既不是文本，也不是 GGUF 或 safetensors。",
            )
        ) from error
    return read(f"name={name.replace(';', ' ')[:200]};{text}")


def _bytes(text: str) -> bytes:
    try:
        return binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise Unusable(
            Text("The file arrived damaged: its bytes are not base64.", "文件传入时已损坏：不是有效的 base64。")
        ) from error


def compact(text: str) -> str:
    """The short form of whatever was imported: the same model, small enough for a link. Raises `Unusable`."""
    return _remembered(text) if len(text) <= 20_000 else _short(read(text))


def compact_bytes(data: bytes, name: str) -> str:
    """`compact` of a file's first bytes. Raises `Unusable`."""
    return _short(read_bytes(data, name))


@lru_cache(maxsize=32)
def _remembered(text: str) -> str:
    return _short(read(text))


def _short(i: Imported) -> str:
    short: dict[str, Any] = {"gpuguide": i.kind, "name": i.name}
    if i.architecture is not None:
        short["a"] = plain(i.architecture)
    if i.model:
        short["model"] = i.model
    optional = {"parameters": dict(i.parameters), "set": dict(i.settings), "bytes": i.bytes, "format": i.weight_format}
    short |= {key: value for key, value in optional.items() if value}
    if i.architecture is None:
        short["read"] = list(i.understood[:MOST_SHOWN])
    listed = [u for u in i.not_understood if u.key != MORE][:MOST_SHOWN]
    if listed:
        short["unread"] = [[u.key, u.changes.en, u.changes.zh] for u in listed]
    if more := sum(u.count for u in i.not_understood) - len(listed):
        short["more"] = more
    if i.notes:
        short["notes"] = [[n.en, n.zh] for n in i.notes[:4]]
    return json.dumps(short, ensure_ascii=False, separators=(",", ":"))


def _expanded(data: Any) -> Imported:
    """The short form back; as strict as with any other text, since a link may hold anything."""
    if not isinstance(data, dict) or data.get("gpuguide") not in KINDS:
        raise _damaged("gpuguide")
    architecture = _architecture(data["a"]) if "a" in data else None
    parameters = _numbers(data.get("parameters", {}), (*GROUPS, "scales"))
    settings = data.get("set", {})
    if not isinstance(settings, dict) or any(
        k not in _SETTINGS
        or (isinstance(v, bool) and _SETTINGS[k] is not bool)
        or not isinstance(v, (_SETTINGS[k], int) if _SETTINGS[k] is float else _SETTINGS[k])
        for k, v in settings.items()
    ):
        raise _damaged("set")
    fmt = data.get("format", "")
    if fmt and fmt not in WEIGHT_FORMATS:
        raise _damaged("format")
    size = data.get("bytes", 0)
    if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size < 10**16:
        raise _damaged("bytes")
    return Imported(
        data["gpuguide"],
        shown(_word(data, "name")),
        architecture,
        _word(data, "model")[:200],
        parameters,
        size,
        fmt,
        settings,
        understood=tuple(shown(w, 80) for w in _list(data, "read") if isinstance(w, str))
        or tuple(k for k in (data.get("a") or {}) if k in _FIELDS),
        not_understood=tuple(_unread(w) for w in _list(data, "unread")) + _more(data),
        notes=tuple(_text(w) for w in _list(data, "notes")),
    )


def _damaged(key: str) -> Unusable:
    return Unusable(
        Text(f"This link's model is damaged at “{key}”: import it again.", f"链接中的模型在“{key}”处损坏：请重新导入。")
    )


def _architecture(data: Any) -> Architecture:
    if not isinstance(data, dict):
        raise _damaged("a")
    for name, value in data.items():
        known = _FIELDS.get(name)
        if known is None or type(value) is not known.type:
            raise _damaged(shown(name))
        rule = known.metadata["rule"]
        if isinstance(value, int) and not isinstance(value, bool) and not (0 <= value <= (rule.high or 0)):
            raise _damaged(name)
        if isinstance(value, str) and ((rule.choices and value not in rule.choices) or len(value) > 2000):
            raise _damaged(name)
    if any(name not in data for name in ("hidden_size", "num_hidden_layers", "vocab_size")):
        raise _damaged("a")
    return checked(data)


def _numbers(data: Any, names: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(data, dict) or any(
        k not in names or isinstance(v, bool) or not isinstance(v, int) or not 0 <= v < 10**15 for k, v in data.items()
    ):
        raise _damaged("parameters")
    return data


def _word(data: dict[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise _damaged(key)
    return value


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list) or len(value) > MOST_SHOWN:
        raise _damaged(key)
    return value


def _unread(item: Any) -> Unread:
    if not isinstance(item, list) or len(item) != 1 + len(LANGUAGES) or not all(isinstance(w, str) for w in item):
        raise _damaged("unread")
    return Unread(shown(item[0], 80), Text(shown(item[1], 200), shown(item[2], 200)))


def _text(item: Any) -> Text:
    if not isinstance(item, list) or len(item) != len(LANGUAGES) or not all(isinstance(w, str) for w in item):
        raise _damaged("notes")
    return Text(shown(item[0], 400), shown(item[1], 400))


def _more(data: dict[str, Any]) -> tuple[Unread, ...]:
    more = data.get("more", 0)
    if isinstance(more, bool) or not isinstance(more, int) or not 0 <= more < 10**6:
        raise _damaged("more")
    return (Unread(MORE, Text(f"and {more} more", f"另有 {more} 项"), more),) if more else ()
