"""Bytes of a model's weights by format, tensor group and GPU.

In: an `Architecture`, a format id of `WEIGHT_FORMATS`, a tensor-parallel size. Out: bytes (integers, exact for the tensors).
Hugging Face 4- and 8-bit checkpoints keep embedding, head, norms and router in BF16, so bytes are a sum over tensors, never
parameters x bits / 8.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from catalog.model import Architecture

from .ggml import DEFAULT_TYPE, bits_per_element
from .gguf import gguf_bytes
from .tensors import Tensor, is_tied, model_tensors

BF16_BITS = 16
REMEMBERED = 512


class WeightFormat(NamedTuple):
    """How one format stores a matrix.

    `value_bits` per number; one scale (and zero point) of `scale_bits` per block. `block`: `none`, `tensor`, `row` (one per
    output), `group` (`block_size` inputs of a row), `flat` (`block_size` numbers of the flattened matrix), `tile`
    (`block_size` squared), `gguf` (by llama.cpp's rules). `quantises`: which tensor kinds it
    applies to; the others stay `rest_bits`. `bits_per_weight`: of a quantised matrix, scales included; for a GGUF file type of its most common tensor type.
    """

    id: str
    name: str
    bits_per_weight: float
    value_bits: float
    block: str
    block_size: int
    scale_bits: float
    quantises: tuple[str, ...]
    source: str
    note: str
    tensor_bits: float = 0.0
    rest_bits: float = BF16_BITS


_EVERY = ("embedding", "position", "head", "linear", "expert", "router", "vector", "conv", "vision")
_LINEAR = ("linear", "expert")
_ARITHMETIC = "arithmetic of the format"
_SOURCE_QLORA = "Dettmers et al. 2023, QLoRA, arXiv 2305.14314"
_SOURCE_AWQ = "AutoAWQ and GPTQ checkpoints: FP16 scale and packed 4-bit zero per group"
_LEAVES = "Embedding, head, norms and router stay BF16."


def _plain(name_id: str, name: str, bits: int, note: str) -> WeightFormat:
    return WeightFormat(name_id, name, bits, bits, "none", 0, 0, _EVERY, _ARITHMETIC, note, rest_bits=bits)


def _grouped(name_id: str, name: str, scale_bits: float, note: str) -> WeightFormat:
    return WeightFormat(name_id, name, 4 + scale_bits / 128, 4, "group", 128, scale_bits, _LINEAR, _SOURCE_AWQ, note)


def nf4_bits(block: int = 64, double_block: int = 0) -> float:
    """Bits per weight of NF4: 4 and an FP32 absmax per `block`; with `double_block`, an 8-bit one and FP32 per so many of those.

    Source: QLoRA, section 3 (0.37 bits saved at 64 and 256). Raises ValueError for an empty block.
    """
    if block < 1 or double_block < 0:
        raise ValueError("block must be at least 1")
    return 4 + (8 / block + 32 / (block * double_block) if double_block else 32 / block)


_HUGGING_FACE = (
    _plain("bf16", "BF16", 16, "What most models are published in."),
    _plain("fp16", "FP16", 16, "Same bytes as BF16, for cards without BF16."),
    _plain("fp32", "FP32", 32, "Only for training or CPUs."),
    WeightFormat("fp8", "FP8 (per tensor)", 8, 8, "tensor", 0, 0, _LINEAR, "vLLM and NVIDIA ModelOpt FP8 checkpoints",
                 f"One FP32 scale per matrix. {_LEAVES}", tensor_bits=32),
    WeightFormat("fp8-block128", "FP8 (128x128 blocks)", 8 + 32 / 16384, 8, "tile", 128, 32, _LINEAR,
                 "DeepSeek-V3 config.json: weight_block_size 128 x 128", f"DeepSeek and Qwen files. {_LEAVES}"),
    WeightFormat("int8", "INT8 (per channel)", 8.0, 8, "row", 0, 32, _LINEAR,
                 "vLLM PR 12569, Llama 3.1 70B W8A8", f"FP32 scale per output channel. {_LEAVES}"),
    _grouped("awq-int4-g128", "AWQ INT4 (groups of 128)", 20, _LEAVES),
    _grouped("gptq-int4-g128", "GPTQ INT4 (groups of 128)", 20, f"Act-order adds 32 bits per input row. {_LEAVES}"),
    _grouped("gptq-int4-g128-sym", "GPTQ INT4 symmetric (groups of 128)", 16, f"No zero points are stored. {_LEAVES}"),
    WeightFormat("nf4", "NF4 (bitsandbytes)", nf4_bits(), 4, "flat", 64, 32, _LINEAR, _SOURCE_QLORA, f"FP32 absmax per 64. {_LEAVES}"),
    WeightFormat("nf4-dq", "NF4, double quantised", nf4_bits(64, 256), 4, "flat", 64, 8 + 32 / 256, _LINEAR,
                 _SOURCE_QLORA, f"8-bit absmax per 64, FP32 per 256 of those. {_LEAVES}"),
    WeightFormat("mxfp4", "MXFP4", 4.25, 4, "group", 32, 8, ("expert",), "OCP Microscaling formats; gpt-oss checkpoints",
                 "As gpt-oss: only the routed experts are MXFP4. A dense model has every linear layer in it."),
    WeightFormat("nvfp4", "NVFP4", 4.5, 4, "group", 16, 8, _LINEAR, "NVIDIA ModelOpt, group_size 16",
                 f"FP8 scale per 16, FP32 per tensor. {_LEAVES}", tensor_bits=32),
)  # fmt: skip

_GGUF = tuple(
    WeightFormat(
        name.lower(), f"GGUF {name}", bits_per_element(kind), bits_per_element(kind), "gguf", 0, 0, _EVERY,
        "llama.cpp src/llama-quant.cpp at 007dbbf3; block sizes of ggml",
        "A mixture of types by tensor; the embedding table stays in host memory.",
    )
    for name, kind in DEFAULT_TYPE.items()
    if name not in ("F32", "F16", "BF16")
)  # fmt: skip

WEIGHT_FORMATS: dict[str, WeightFormat] = {f.id: f for f in (*_HUGGING_FACE, *_GGUF)}


class WeightBytes(NamedTuple):
    """Bytes of a model's weights. `by_group` sums to `total`; `host` of them stay in host memory (GGUF embedding table).

    `streamed` = read from GPU memory for one token at batch 1: without the embedding look-up, unrouted experts, MTP, vision.
    """

    by_group: dict[str, int]
    host: int
    streamed: int

    @property
    def total(self) -> int:
        """All loaded weights."""
        return sum(self.by_group.values())

    @property
    def device(self) -> int:
        """What must fit in GPU memory, all GPUs together, without replication."""
        return self.total - self.host


def parts_bytes(parts: Iterable[tuple[float, float]]) -> float:
    """Sum of elements x bytes each: the one place where elements become bytes."""
    return sum(elements * each for elements, each in parts)


def weight_format(format_id: str) -> WeightFormat:
    """The format of that id. Raises ValueError naming the known ones."""
    found = WEIGHT_FORMATS.get(format_id)
    if found is None:
        raise ValueError(f"unknown weight format {format_id!r}: one of {', '.join(WEIGHT_FORMATS)}")
    return found


def _blocks(f: WeightFormat, rows: int, columns: int) -> int:
    """Scales of one matrix of rows x columns."""
    size = f.block_size
    return {
        "none": 0,
        "tensor": 0,
        "row": rows,
        "group": rows * ceil(columns / size) if size else 0,
        "flat": ceil(rows * columns / size) if size else 0,
        "tile": ceil(rows / size) * ceil(columns / size) if size else 0,
    }[f.block]


def tensor_bytes(t: Tensor, f: WeightFormat, *, dense: bool = False) -> float:
    """Bytes of all copies of a tensor. `dense`: the model has no experts (MXFP4 then takes every linear layer)."""
    quantises = _LINEAR if dense and f.quantises == ("expert",) else f.quantises
    if t.kind not in quantises:
        return parts_bytes([(t.elements, f.rest_bits / 8)])
    scales = _blocks(f, t.rows, t.columns) * t.copies
    return parts_bytes([(t.elements, f.value_bits / 8), (scales, f.scale_bits / 8), (t.copies, f.tensor_bits / 8)])


def _loaded(a: Architecture, mtp: bool) -> tuple[Tensor, ...]:
    return tuple(t for t in model_tensors(a) if t.group != "buffers" and (mtp or t.group != "mtp"))


def _streamed(a: Architecture, by_group: dict[str, int]) -> int:
    idle = sum(by_group.get(g, 0) for g in ("position", "mtp", "vision", "audio", "buffers"))
    if not is_tied(a):
        idle += by_group.get("embedding", 0)
    resting = 1 - min(1.0, a.num_experts_per_tok / a.num_experts) if a.num_experts else 0.0
    return round(sum(by_group.values()) - idle - by_group.get("routed_experts", 0) * resting)


def weight_bytes(a: Architecture, format_id: str, *, mtp: bool = False, imatrix: bool = False) -> WeightBytes:
    """Bytes of the weights as an engine loads them, by tensor group.

    `mtp`: load the multi-token-prediction module (engines do so only for speculative decoding). `imatrix`: GGUF only.
    Saved rotary buffers are recomputed by engines and not counted. Raises ValueError for an unknown format.
    """
    f = weight_format(format_id)
    if f.block == "gguf":
        size = gguf_bytes(a, f.id.upper(), imatrix=imatrix)
        return WeightBytes(dict(size.by_group), 0 if is_tied(a) else size.host_bytes, _streamed(a, size.by_group))
    exact: dict[str, float] = {}
    for t in _loaded(a, mtp):
        exact[t.group] = exact.get(t.group, 0.0) + tensor_bytes(t, f, dense=not a.num_experts)
    groups = {group: ceil(value) for group, value in exact.items()}
    return WeightBytes(groups, 0, _streamed(a, groups))


@lru_cache(maxsize=REMEMBERED)
def weights_of(a: Architecture, format_id: str) -> WeightBytes:
    """`weight_bytes`, remembered: a format of one model is asked for many times in one answer."""
    return weight_bytes(a, format_id)


def tensor_share(t: Tensor, a: Architecture, tensor_parallel: int) -> float:
    """Share of a tensor that the fullest GPU holds."""
    if t.shard == "replicate":
        return 1.0
    if t.shard == "kv":
        return ceil(a.kv_heads / tensor_parallel) / a.kv_heads if a.kv_heads else 1.0
    return 1 / tensor_parallel
