"""A GGUF header -> `Imported`.

In: the first bytes of a file of any size. Out: the architecture from its keys, with the tensors' exact elements, bytes and
types by group. Each count is checked against the bytes that are left before anything is read, so that no header, whatever
it claims, takes memory or time. Raises `Unusable`. Format: ggml/docs/gguf.md of llama.cpp, versions 2 and 3.
"""

import struct
from math import prod
from typing import Any

from calculators.framework.text import Text
from calculators.importing.gguf_keys import architecture_of_keys
from calculators.importing.record import Imported, Unread, Unusable, shown
from calculators.importing.shapes import Census
from calculators.memory.ggml import BLOCKS
from calculators.memory.params import parameter_groups

LONGEST_HEADER = 20_000_000
MOST_KEYS = 10_000
MOST_TENSORS = 100_000
MOST_STRINGS = 1_000_000
"""Of one list: the largest tokenizers have a quarter of a million tokens and twice as many merges."""
_LENGTH = struct.Struct("<Q").unpack_from
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1", 10: "Q2_K", 11: "Q3_K", 12: "Q4_K",
    13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 20: "IQ4_NL", 21: "IQ3_S",
    22: "IQ2_S", 23: "IQ4_XS", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 30: "BF16", 34: "TQ1_0",
    35: "TQ2_0", 39: "MXFP4",
}  # fmt: skip
_PLAIN = {"I8": (1, 1), "I16": (2, 1), "I32": (4, 1), "I64": (8, 1), "F64": (8, 1), "Q8_1": (36, 32), "Q8_K": (292, 256)}
"""Bytes and elements of a block, for the types that no model's weights are stored in."""


class _Bytes:
    """A cursor that never reads past the end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def need(self, count: int, what: str) -> None:
        if count < 0 or count > len(self.data) - self.at:
            raise Unusable(
                Text(
                    f"The header ends inside {what}: the file is cut off, or its counts are wrong.",
                    f"文件头在 {what} 处中断：文件被截断，或其中的计数有误。",
                )
            )

    def scalar(self, form: str, what: str) -> Any:
        size = struct.calcsize(form)
        self.need(size, what)
        value = struct.unpack_from(form, self.data, self.at)[0]
        self.at += size
        return value

    def skip_texts(self, count: int, what: str) -> None:
        """Steps over so many texts: they have no common size."""
        self.need(8 * count, what)
        data, at, end = self.data, self.at, len(self.data) - 8
        for _ in range(count):
            if at > end:
                self.need(len(self.data) + 1, what)
            at += 8 + _LENGTH(data, at)[0]
        self.at = min(at, len(data) + 1)
        self.need(0 if at <= len(data) else len(data) + 1, what)

    def text(self, what: str, most: int = 65_535) -> str:
        length = self.scalar("<Q", what)
        if length > most:
            raise Unusable(Text(f"{what} is {length:,} characters long.", f"{what} 长达 {length:,} 个字符。"))
        self.need(length, what)
        raw = self.data[self.at : self.at + length]
        self.at += length
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unusable(Text(f"{what} is not UTF-8 text.", f"{what} 不是 UTF-8 文本。")) from error


def read_gguf(data: bytes, name: str = "") -> Imported:
    """The model of a GGUF file, from its first bytes. Raises `Unusable`."""
    b = _Bytes(data)
    if data[:4] != b"GGUF":
        raise Unusable(Text("The file does not begin with “GGUF”.", "文件开头不是“GGUF”。"))
    b.at = 4
    version = b.scalar("<I", "the version")
    if version not in (2, 3):
        raise Unusable(
            Text(f"GGUF version {version} is not read here: 2 and 3 are.", f"不支持 GGUF 版本 {version}：只支持 2 和 3。")
        )
    tensors, pairs = b.scalar("<Q", "the counts"), b.scalar("<Q", "the counts")
    if tensors > MOST_TENSORS or pairs > MOST_KEYS:
        raise Unusable(
            Text(
                f"The header claims {tensors:,} tensors and {pairs:,} keys.",
                f"文件头声称有 {tensors:,} 个张量和 {pairs:,} 个键。",
            )
        )
    keys = _keys(b, pairs)
    shapes, census = _tensors(b, tensors)
    return _imported(keys, shapes, census, name)


def _keys(b: _Bytes, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(count):
        key = b.text("a key")
        kind = b.scalar("<I", f"the key “{shown(key)}”")
        if key in found:
            raise Unusable(Text(f"The key “{shown(key)}” stands twice.", f"键“{shown(key)}”出现了两次。"))
        found[key] = _value(b, kind, f"“{shown(key)}”")
    return found


def _value(b: _Bytes, kind: int, what: str) -> Any:
    if kind == _STRING:
        return b.text(what, 4_000_000)[:200]
    if kind != _ARRAY:
        form = _SCALARS.get(kind)
        if form is None:
            raise Unusable(Text(f"{what} has the unknown type {kind}.", f"{what} 的类型 {kind} 未知。"))
        return b.scalar(form, what)
    inner, count = b.scalar("<I", what), b.scalar("<Q", what)
    if inner == _STRING:
        if count > MOST_STRINGS:
            raise Unusable(Text(f"{what} claims {count:,} texts.", f"{what} 声称有 {count:,} 个文本。"))
        b.skip_texts(count, what)
        return count
    form = _SCALARS.get(inner)
    if form is None:
        raise Unusable(Text(f"{what} is a list of the unknown type {inner}.", f"{what} 是未知类型 {inner} 的列表。"))
    size = struct.calcsize(form)
    b.need(size * count, what)
    values = list(struct.unpack_from(f"<{count}{form[1]}", b.data, b.at)) if count <= 1024 else count
    b.at += size * count
    return values


def _tensors(b: _Bytes, count: int) -> tuple[dict[str, tuple[int, ...]], Census]:
    """Shapes by name, contiguous dimension first as in the file, and their sums."""
    b.need(24 * count, "the list of tensors")
    census = Census()
    shapes: dict[str, tuple[int, ...]] = {}
    for _ in range(count):
        name = b.text("a tensor's name", 256)
        dimensions = b.scalar("<I", f"“{shown(name)}”")
        if dimensions > 4:
            raise Unusable(Text(f"“{shown(name)}” has {dimensions} dimensions.", f"“{shown(name)}”有 {dimensions} 个维度。"))
        shape = tuple(b.scalar("<Q", f"“{shown(name)}”") for _ in range(dimensions))
        number = b.scalar("<I", f"“{shown(name)}”")
        b.scalar("<Q", f"“{shown(name)}”")
        kind = TYPES.get(number)
        if kind is None:
            raise Unusable(
                Text(f"“{shown(name)}” has the unknown ggml type {number}.", f"“{shown(name)}”的 ggml 类型 {number} 未知。")
            )
        if name in shapes:
            raise Unusable(Text(f"The tensor “{shown(name)}” stands twice.", f"张量“{shown(name)}”出现了两次。"))
        elements = prod(shape)
        if not all(0 < n < 10**10 for n in shape) or elements > 10**13:
            raise Unusable(Text(f"The shape of “{shown(name)}” is impossible.", f"“{shown(name)}”的形状不合理。"))
        size, block = _PLAIN.get(kind) or BLOCKS[kind]
        if shape and shape[0] % block:
            raise Unusable(
                Text(
                    f"“{shown(name)}”: rows of {shape[0]:,} do not divide into blocks of {block} ({kind}).",
                    f"“{shown(name)}”：每行 {shape[0]:,} 个元素不能按 {block} 分块（{kind}）。",
                )
            )
        shapes[name] = shape
        census.add(name, elements, kind, elements // block * size)
    return shapes, census


def _imported(keys: dict[str, Any], shapes: dict[str, tuple[int, ...]], census: Census, file: str) -> Imported:
    name = keys.get("general.name")
    stated = shown(name) if isinstance(name, str) and name else shown(file)
    architecture, understood, unread = architecture_of_keys(keys, shapes)
    notes: list[Text] = []
    if isinstance(keys.get("split.count"), int) and keys["split.count"] > 1:
        notes.append(
            Text(
                f"This is one of {keys['split.count']} parts: the count is of this part alone.",
                f"这是 {keys['split.count']} 个分卷之一：计数只含这一卷。",
            )
        )
    elif architecture is not None:
        ours, theirs = parameter_groups(architecture).total, sum(census.elements.values())
        if ours != theirs:
            unread.append(
                Unread(
                    f"tensors = {theirs:,}",
                    Text(
                        f"the tensors sum to {theirs - ours:+,} parameters beside the architecture read from the keys",
                        f"张量合计与由键得到的架构相差 {theirs - ours:+,} 个参数",
                    ),
                )
            )
    kind = max(census.types, key=lambda k: census.types[k]) if census.types else ""
    return Imported(
        "gguf",
        stated,
        architecture,
        parameters=dict(census.elements),
        bytes=census.bytes,
        weight_format=_format(kind, keys.get("general.file_type")),
        understood=(*understood, f"tensors = {census.tensors:,}", f"bytes = {census.bytes:,}"),
        not_understood=tuple(unread),
        notes=tuple(notes),
    )


_FILE_TYPES = {
    0: "fp32", 1: "fp16", 2: "q4_0", 3: "q4_1", 7: "q8_0", 8: "q5_0", 9: "q5_1", 10: "q2_k", 11: "q3_k_s", 12: "q3_k_m", 13: "q3_k_l",
    14: "q4_k_s", 15: "q4_k_m", 16: "q5_k_s", 17: "q5_k_m", 18: "q6_k", 19: "iq2_xxs", 20: "iq2_xs", 21: "q2_k_s", 22: "iq3_xs", 23: "iq3_xxs",
    24: "iq1_s", 25: "iq4_nl", 26: "iq3_s", 27: "iq3_m", 28: "iq2_s", 29: "iq2_m", 30: "iq4_xs", 31: "iq1_m", 32: "bf16",
}  # fmt: skip
"""llama.cpp's enum llama_ftype -> our weight format."""


def _format(kind: str, file_type: Any) -> str:
    stated = _FILE_TYPES.get(file_type, "") if isinstance(file_type, int) else ""
    return stated or {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}.get(kind, "")
