"""Writes the headers that the tests read: GGUF and safetensors, whole or broken, without any weights."""

import json
import struct
from typing import Any

STRING, ARRAY, U32, U64, F32 = 8, 9, 4, 10, 6
Tensors = dict[str, tuple[tuple[int, ...], int]]


def text(value: str) -> bytes:
    """A GGUF string."""
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, value: Any) -> bytes:
    """One key of GGUF metadata: int as u32, str, list of str."""
    if isinstance(value, str):
        return text(key) + struct.pack("<I", STRING) + text(value)
    if isinstance(value, list):
        return text(key) + struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(text(v) for v in value)
    return text(key) + struct.pack("<II", U32, value)


def gguf(keys: dict[str, Any], tensors: Tensors, *, version: int = 3) -> bytes:
    """A GGUF header; a tensor is its dimensions, contiguous first, and its ggml type."""
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys))
    out += b"".join(pair(k, v) for k, v in keys.items())
    for name, (shape, kind) in tensors.items():
        out += (
            text(name)
            + struct.pack("<I", len(shape))
            + b"".join(struct.pack("<Q", n) for n in shape)
            + struct.pack("<IQ", kind, 0)
        )
    return out


def llama_gguf(layers: int = 2, *, kind: int = 1, tokens: int = 64) -> tuple[dict[str, Any], Tensors]:
    """Keys and tensors of a small Llama with grouped queries and a head of its own."""
    h, heads, kv, f, v = 256, 4, 2, 512, 320
    keys: dict[str, Any] = {
        "general.architecture": "llama",
        "general.name": "Tiny Llama",
        "general.file_type": kind,
        "llama.block_count": layers,
        "llama.embedding_length": h,
        "llama.feed_forward_length": f,
        "llama.attention.head_count": heads,
        "llama.attention.head_count_kv": kv,
        "llama.context_length": 4096,
        "tokenizer.ggml.tokens": [f"token {i}" for i in range(tokens)],
    }
    tensors: Tensors = {"token_embd.weight": ((h, v), kind), "output.weight": ((h, v), kind), "output_norm.weight": ((h,), 0)}
    for i in range(layers):
        b = f"blk.{i}."
        tensors |= {
            b + "attn_q.weight": ((h, h), kind),
            b + "attn_k.weight": ((h, h // heads * kv), kind),
            b + "attn_v.weight": ((h, h // heads * kv), kind),
            b + "attn_output.weight": ((h, h), kind),
            b + "ffn_gate.weight": ((h, f), kind),
            b + "ffn_up.weight": ((h, f), kind),
            b + "ffn_down.weight": ((f, h), kind),
            b + "attn_norm.weight": ((h,), 0),
            b + "ffn_norm.weight": ((h,), 0),
        }
    return keys, tensors


def safetensors(entries: dict[str, Any], *, length: int | None = None) -> bytes:
    """A safetensors header as bytes; `length` lies about its size."""
    body = json.dumps(entries).encode()
    return struct.pack("<Q", len(body) if length is None else length) + body


def entry(kind: str, shape: list[int], size: int, start: int = 0) -> dict[str, Any]:
    """One tensor of a safetensors header."""
    return {"dtype": kind, "shape": shape, "data_offsets": [start, start + size]}
