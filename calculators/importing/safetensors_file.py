"""A safetensors header, or a `model.safetensors.index.json`, -> `Imported`.

In: the first bytes of a file (8 bytes of length, then JSON), or the index's text. Read by a strict scanner, entry by entry:
a header of a hundred thousand tensors takes no memory, and anything but entries is an error. Raises `Unusable`.
"""

import re
from math import prod

from calculators.framework.text import Text
from calculators.importing.record import Imported, Unread, Unusable, shown
from calculators.importing.shapes import Census

LONGEST_HEADER = 16_000_000
MOST_TENSORS = 200_000
BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "BF16": 16, "F16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
}  # fmt: skip
_PACKED = ("I32", "U8", "I8", "F4")
_NAME = r'"((?:[^"\\\x00-\x1f]|\\.){1,400})"'
_META = re.compile(r'\s*"__metadata__"\s*:\s*\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\}\s*(,|\})', re.DOTALL)
_ENTRY = re.compile(
    rf'\s*{_NAME}\s*:\s*\{{\s*"dtype"\s*:\s*"([A-Z0-9_]{{1,10}})"\s*,\s*"shape"\s*:\s*\[([0-9,\s]{{0,200}})\]\s*,'
    r'\s*"data_offsets"\s*:\s*\[\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*\]\s*\}\s*(,|\})'
)
_INDEX_ENTRY = re.compile(rf"\s*{_NAME}\s*:\s*{_NAME}\s*(,|\}})")
_SHARD = re.compile(r"model-(\d{5})-of-(\d{5})")


def read_header(data: bytes, name: str = "") -> Imported:
    """The parameters of one file, by group, from its first bytes. Raises `Unusable` for anything that is no header."""
    if len(data) < 8:
        raise Unusable(Text("The file ends before its header's length.", "文件在写明文件头长度之前就结束了。"))
    length = int.from_bytes(data[:8], "little")
    if length > LONGEST_HEADER:
        raise Unusable(
            Text(
                f"The header claims {length:,} bytes; headers have at most {LONGEST_HEADER:,}. Is this a safetensors file?",
                f"文件头声称有 {length:,} 字节；上限为 {LONGEST_HEADER:,}。这是 safetensors 文件吗？",
            )
        )
    if length > len(data) - 8:
        raise Unusable(
            Text(
                f"The header has {length:,} bytes, but only {len(data) - 8:,} are here: the file is cut off.",
                f"文件头有 {length:,} 字节，但这里只有 {len(data) - 8:,} 字节：文件被截断。",
            )
        )
    try:
        text = data[8 : 8 + length].decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unusable(Text("The header is not UTF-8 text.", "文件头不是 UTF-8 文本。")) from error
    census = _tensors(text)
    return _imported(census, name)


def _tensors(text: str) -> Census:
    census, at = Census(), 0
    opening = re.match(r"\s*\{", text)
    if not opening:
        raise Unusable(Text("The header is no JSON object.", "文件头不是 JSON 对象。"))
    at = opening.end()
    seen: set[int] = set()
    while True:
        if meta := _META.match(text, at):
            at = meta.end()
            if meta.group(2) == "}":
                break
            continue
        entry = _ENTRY.match(text, at)
        if entry is None:
            raise Unusable(
                Text(
                    f"The header's entry {census.tensors + 1} is no tensor: “{shown(text[at : at + 40])}”.",
                    f"文件头的第 {census.tensors + 1} 项不是张量：“{shown(text[at : at + 40])}”。",
                )
            )
        name, kind, shape, start, end, more = entry.groups()
        if hash(name) in seen:
            raise Unusable(Text(f"The tensor “{shown(name)}” stands twice.", f"张量“{shown(name)}”出现了两次。"))
        seen.add(hash(name))
        elements = _elements(name, shape)
        _fits(name, kind, elements, int(start), int(end))
        census.add(name, elements, kind, int(end) - int(start))
        if census.tensors > MOST_TENSORS:
            raise Unusable(Text(f"More than {MOST_TENSORS:,} tensors.", f"超过 {MOST_TENSORS:,} 个张量。"))
        at = entry.end()
        if more == "}":
            break
    if text[at:].strip(" \n\r\t\0"):
        raise Unusable(Text("Something follows the header's end.", "文件头结尾之后还有内容。"))
    if not census.tensors:
        raise Unusable(Text("The header lists no tensor.", "文件头没有列出任何张量。"))
    return census


def _elements(name: str, shape: str) -> int:
    sizes = [s.strip() for s in shape.split(",")] if shape.strip() else []
    if len(sizes) > 8 or any(not s.isdigit() or len(s) > 12 for s in sizes):
        raise Unusable(Text(f"The shape of “{shown(name)}” is impossible.", f"“{shown(name)}”的形状不合理。"))
    return prod(int(s) for s in sizes)


def _fits(name: str, kind: str, elements: int, start: int, end: int) -> None:
    bits = BITS.get(kind)
    if bits is None:
        raise Unusable(
            Text(f"“{shown(name)}” has the unknown dtype {shown(kind)}.", f"“{shown(name)}”的 dtype {shown(kind)} 未知。")
        )
    if end < start or end - start != (elements * bits + 7) // 8:
        raise Unusable(
            Text(
                f"“{shown(name)}” has {elements:,} × {kind}, but {end - start:,} bytes.",
                f"“{shown(name)}”有 {elements:,} 个 {kind}，但占 {end - start:,} 字节。",
            )
        )


def _imported(census: Census, name: str) -> Imported:
    notes = [
        Text(
            "Shapes give the exact number of parameters, but not the number of heads: add the model's config.json for KV cache and speed.",
            "张量形状给出精确的参数量，但不含注意力头数：要计算 KV 缓存和速度，请再提供模型的 config.json。",
        )
    ]
    if shard := _SHARD.search(name):
        notes.append(
            Text(
                f"This is file {int(shard.group(1))} of {int(shard.group(2))}: the count is of this file alone.",
                f"这是 {int(shard.group(2))} 个文件中的第 {int(shard.group(1))} 个：计数只含这一个文件。",
            )
        )
    packed = [k for k in _PACKED if k in census.types]
    if packed:
        notes.append(
            Text(
                f"Packed types ({', '.join(packed)}) hold several weights in one element: the elements are fewer than the parameters.",
                f"打包类型（{'、'.join(packed)}）的一个元素含多个权重：元素数少于参数量。",
            )
        )
    return Imported(
        "safetensors",
        shown(name),
        parameters=dict(census.elements),
        bytes=census.bytes,
        understood=_understood(census),
        not_understood=tuple(
            Unread(shown(n), Text("a tensor of unknown use: counted under “other”", "用途未知的张量：计入“其他”"))
            for n in census.others
        ),
        notes=tuple(notes),
    )


def _understood(census: Census) -> tuple[str, ...]:
    found = [f"tensors = {census.tensors:,}", f"bytes = {census.bytes:,}"]
    found += [f"{kind} = {size:,} B" for kind, size in sorted(census.types.items(), key=lambda i: -i[1])]
    if census.layers:
        found.append(f"layers = {census.layers}")
    if census.experts:
        found.append(f"experts = {census.experts}")
    return tuple(found)


def read_index(text: str, name: str = "") -> Imported:
    """Total bytes, tensors and layers of a `model.safetensors.index.json`; it holds no shapes. Raises `Unusable`."""
    size = re.search(r'"total_size"\s*:\s*([0-9]{1,18})(\.0)?\b', text[:2000]) or re.search(
        r'"total_size"\s*:\s*([0-9]{1,18})(\.0)?\b', text[-2000:]
    )
    opening = re.search(r'"weight_map"\s*:\s*\{', text)
    if opening is None or size is None:
        raise Unusable(
            Text("An index needs “metadata.total_size” and “weight_map”.", "索引文件需要“metadata.total_size”和“weight_map”。")
        )
    census, at = Census(), opening.end()
    while True:
        entry = _INDEX_ENTRY.match(text, at)
        if entry is None:
            raise Unusable(
                Text(
                    f"The index breaks off at tensor {census.tensors + 1:,}: paste the whole file.",
                    f"索引在第 {census.tensors + 1:,} 个张量处中断：请提供整个文件。",
                )
            )
        census.add(entry.group(1), 0, "", 0)
        if census.tensors > MOST_TENSORS:
            raise Unusable(Text(f"More than {MOST_TENSORS:,} tensors.", f"超过 {MOST_TENSORS:,} 个张量。"))
        at = entry.end()
        if entry.group(3) == "}":
            break
    counted = re.search(r'"total_parameters"\s*:\s*([0-9]{1,18})\b', text[:2000])
    understood = [f"tensors = {census.tensors:,}", f"layers = {census.layers}", f"bytes = {int(size.group(1)):,}"]
    if census.experts:
        understood.append(f"experts = {census.experts}")
    if counted:
        understood.append(f"total_parameters = {int(counted.group(1)):,}")
    note = Text(
        "An index names tensors and bytes, not shapes: add the model's config.json for counts, KV cache and speed.",
        "索引只有张量名和字节数，没有形状：要计算参数量、KV 缓存和速度，请再提供模型的 config.json。",
    )
    return Imported("index", shown(name), bytes=int(size.group(1)), understood=tuple(understood), notes=(note,))
