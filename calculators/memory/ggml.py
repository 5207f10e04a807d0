"""ggml's tensor types and llama.cpp's choice of one per tensor for each GGUF file type.

In: role and shape of a tensor, facts of the model. Out: the name of a ggml type. Mimics llama.cpp at commit 007dbbf3,
src/llama-quant.cpp (rules), and gguf-parser-go at 8dc7a622, ggml.go (block sizes). A file type is a mixture: there is
no "bits of Q4_K_M", only of its tensors.
"""

from typing import NamedTuple

# type -> (bytes of a block, elements of a block)
BLOCKS: dict[str, tuple[int, int]] = {
    "F32": (4, 1),
    "F16": (2, 1),
    "BF16": (2, 1),
    "Q4_0": (18, 32),
    "Q4_1": (20, 32),
    "Q5_0": (22, 32),
    "Q5_1": (24, 32),
    "Q8_0": (34, 32),
    "MXFP4": (17, 32),
    "Q2_K": (84, 256),
    "Q3_K": (110, 256),
    "Q4_K": (144, 256),
    "Q5_K": (176, 256),
    "Q6_K": (210, 256),
    "IQ1_S": (50, 256),
    "IQ1_M": (56, 256),
    "IQ2_XXS": (66, 256),
    "IQ2_XS": (74, 256),
    "IQ2_S": (82, 256),
    "IQ3_XXS": (98, 256),
    "IQ3_S": (110, 256),
    "IQ4_XS": (136, 256),
    "IQ4_NL": (18, 32),
    "TQ1_0": (54, 256),
    "TQ2_0": (66, 256),
}

# file type -> the type that most tensors get
DEFAULT_TYPE: dict[str, str] = {
    "F32": "F32",
    "F16": "F16",
    "BF16": "BF16",
    "Q4_0": "Q4_0",
    "Q4_1": "Q4_1",
    "Q5_0": "Q5_0",
    "Q5_1": "Q5_1",
    "Q8_0": "Q8_0",
    "MXFP4_MOE": "MXFP4",
    "Q2_K": "Q2_K",
    "Q2_K_S": "Q2_K",
    "Q3_K_S": "Q3_K",
    "Q3_K_M": "Q3_K",
    "Q3_K_L": "Q3_K",
    "Q4_K_S": "Q4_K",
    "Q4_K_M": "Q4_K",
    "Q5_K_S": "Q5_K",
    "Q5_K_M": "Q5_K",
    "Q6_K": "Q6_K",
    "IQ1_S": "IQ1_S",
    "IQ1_M": "IQ1_M",
    "IQ2_XXS": "IQ2_XXS",
    "IQ2_XS": "IQ2_XS",
    "IQ2_S": "IQ2_XS",
    "IQ2_M": "IQ2_S",
    "IQ3_XXS": "IQ3_XXS",
    "IQ3_XS": "IQ3_S",
    "IQ3_S": "IQ3_S",
    "IQ3_M": "IQ3_S",
    "IQ4_XS": "IQ4_XS",
    "IQ4_NL": "IQ4_NL",
    "TQ1_0": "TQ1_0",
    "TQ2_0": "TQ2_0",
}
FILE_TYPES = tuple(DEFAULT_TYPE)
# what llama.cpp turns to where a row does not fill whole blocks
FALLBACK = {
    **dict.fromkeys(("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_XS"), "IQ4_NL"),
    **dict.fromkeys(("Q2_K", "Q3_K", "TQ1_0", "TQ2_0"), "Q4_0"),
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
}
_LOW_IQ = ("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M")
_EIGHT_EXPERT_OUT = (
    "Q2_K", "IQ3_XS", "IQ3_XXS", "Q3_K_S", "Q3_K_M", "IQ4_NL", "Q4_K_S", "Q4_K_M", "IQ3_S", "IQ3_M", "IQ4_XS",
)  # fmt: skip


class Mixture(NamedTuple):
    """What the rules look at besides the tensor. `gqa` = query heads per KV head; `is_70b` = llama.cpp's 70B model type."""

    file_type: str
    gqa: float
    experts: int
    layers: int
    attention_layers: int
    tied: bool
    imatrix: bool = False
    is_70b: bool = False


def bits_per_element(ggml_type: str) -> float:
    """Bits per weight of a ggml type, scales included. Raises KeyError for an unknown type."""
    size, count = BLOCKS[ggml_type]
    return 8 * size / count


def row_bytes(ggml_type: str, columns: int) -> int:
    """Bytes of one row. Raises ValueError when the row does not fill whole blocks."""
    size, count = BLOCKS[ggml_type]
    if columns % count:
        raise ValueError(f"{ggml_type} needs rows of a multiple of {count}, not {columns}")
    return columns // count * size


def fit(ggml_type: str, columns: int) -> str:
    """The type itself, or what llama.cpp falls back to when `columns` does not fill its blocks."""
    if columns % BLOCKS[ggml_type][1] == 0:
        return ggml_type
    other = FALLBACK.get(ggml_type, "F16")
    return other if columns % BLOCKS[other][1] == 0 else "F16"


def more_bits(i: int, n: int) -> bool:
    """llama.cpp's `use_more_bits`: the first and last eighth of the layers and every third between."""
    return i < n // 8 or i >= 7 * n // 8 or (i - n // 8) % 3 == 2


def _output(m: Mixture, default: str, columns: int) -> str:
    if m.file_type == "MXFP4_MOE" or columns % BLOCKS[default][1]:
        return "Q8_0"
    if m.file_type in (*_LOW_IQ, "IQ3_XXS"):
        return "Q5_K"
    return default if default == "Q8_0" else "Q6_K"


def _embedding(m: Mixture, default: str) -> str:
    f = m.file_type
    if f in ("IQ2_XXS", "IQ2_XS", "IQ1_S", "IQ1_M"):
        return "Q2_K"
    if f in ("IQ2_S", "IQ2_M", "IQ3_XXS"):
        return "IQ3_S"
    return "Q4_K" if f in ("TQ1_0", "TQ2_0") else default


def _low_iq(m: Mixture, default: str, role: str, i: int) -> str:
    """The 1- and 2-bit IQ mixtures have rules of their own."""
    better = m.file_type in ("IQ2_S", "IQ2_M")
    if role == "attn_v":
        return "Q4_K" if m.gqa >= 4 or m.experts >= 4 else ("IQ3_S" if better else "Q2_K")
    if role == "attn_k" and m.experts == 8:
        return "Q4_K"
    if role == "ffn_down" and i < m.layers // 8:
        return "IQ3_S" if better else "Q2_K"
    if role == "attn_output":
        if m.experts == 8:
            return "Q5_K"
        if m.file_type in ("IQ1_S", "IQ1_M"):
            return "IQ2_XXS"
        return "IQ3_S" if better else default
    return default


def _attn_v(m: Mixture, default: str, i: int) -> str:
    f, wide, chosen = m.file_type, m.gqa >= 4, default
    if f == "Q2_K":
        chosen = "Q4_K" if wide else "Q3_K"
    elif f in ("Q2_K_S", "IQ3_XS", "IQ3_S") and wide:
        chosen = "Q4_K"
    elif f == "IQ3_XXS":
        chosen = "Q4_K" if wide else ("IQ3_XXS" if m.imatrix else "IQ3_S")
    elif f == "IQ3_M":
        chosen = "Q4_K"
    elif f == "Q3_K_M":
        chosen = "Q5_K" if i < 2 else "Q4_K"
    elif f == "Q3_K_L" or (f in ("IQ4_NL", "IQ4_XS") and wide):
        chosen = "Q5_K"
    elif f in ("Q4_K_M", "Q5_K_M") and more_bits(i, m.attention_layers):
        chosen = "Q6_K"
    elif f == "Q4_K_S" and i < 4:
        chosen = "Q5_K"
    if m.is_70b and chosen in ("Q3_K", "Q4_K"):
        chosen = "Q5_K"
    return "Q8_0" if m.experts == 8 else chosen


def _ffn_down(m: Mixture, default: str, i: int) -> str:
    f, n, early = m.file_type, m.layers, i < m.layers // 8
    if f == "Q2_K":
        return "Q3_K"
    if f == "Q2_K_S":
        return "Q4_K" if early else default
    if f == "IQ3_XXS" and not m.imatrix:
        return "Q4_K" if early else "Q3_K"
    if f == "Q3_K_M":
        return "Q5_K" if i < n // 16 else "Q4_K"
    if f == "IQ3_M" and (early or (m.experts == 8 and more_bits(i, n))):
        return "Q4_K"
    if f == "Q3_K_L":
        return "Q5_K"
    if f in ("Q4_K_M", "Q5_K_M"):
        return "Q6_K" if more_bits(i, n) else default
    if early and ((f in ("IQ4_NL", "IQ4_XS") and not m.imatrix) or f == "Q4_K_S"):
        return "Q5_K"
    if early and m.imatrix and f in ("Q4_0", "Q5_0"):
        return {"Q4_0": "Q4_1", "Q5_0": "Q5_1"}[f]
    return default


def _attn_output(m: Mixture, default: str) -> str:
    if m.experts == 8:
        return "Q5_K" if m.file_type in _EIGHT_EXPERT_OUT else default
    raised = {"Q2_K": "Q3_K", "IQ3_XXS": "IQ3_S", "Q3_K_M": "Q4_K", "Q3_K_L": "Q5_K", "IQ3_M": "Q4_K"}
    return raised.get(m.file_type, default)


def _attn_qk(m: Mixture, default: str, role: str) -> str:
    if role == "attn_k" and m.experts == 8:
        return "Q8_0"
    return {"IQ3_XS": "IQ3_XXS", "IQ3_XXS": "IQ2_S"}.get(m.file_type, default)


def tensor_type(m: Mixture, role: str, columns: int, i: int = 0, *, expert: bool = False) -> str:
    """The ggml type of a quantisable matrix.

    `role`: output, token_embd, attn_q, attn_k, attn_v (also fused qkv), attn_output, ffn_gate, ffn_up, ffn_down or other;
    `i`: layer index (for attn_v: index among the layers that have one). Raises ValueError for an unknown file type.
    """
    default = DEFAULT_TYPE.get(m.file_type)
    if default is None:
        raise ValueError(f"unknown GGUF file type {m.file_type!r}: one of {', '.join(FILE_TYPES)}")
    if default in ("F32", "F16", "BF16"):
        return default
    if role == "output" or (role == "token_embd" and m.tied):
        return fit(_output(m, default, columns), columns)
    if m.file_type == "MXFP4_MOE":
        return fit("MXFP4" if expert else "Q8_0", columns)
    if role == "token_embd":
        return fit(_embedding(m, default), columns)
    if m.file_type in _LOW_IQ:
        return fit(_low_iq(m, default, role, i), columns)
    middle = m.layers // 8 <= i < 7 * m.layers // 8
    if role == "attn_v":
        chosen = _attn_v(m, default, i)
    elif role in ("attn_q", "attn_k"):
        chosen = _attn_qk(m, default, role)
    elif role == "ffn_down":
        chosen = _ffn_down(m, default, i)
    elif role == "attn_output":
        chosen = _attn_output(m, default)
    elif role in ("ffn_gate", "ffn_up") and m.file_type == "IQ3_XS" and middle:
        chosen = "IQ3_XXS"
    else:
        chosen = default
    return fit(chosen, columns)
