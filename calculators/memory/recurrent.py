"""Tensors and state of layers that carry a recurrent state instead of a KV cache.

In: an `Architecture` with `linear_layers`. Out: the tensors of one such layer, and the numbers that its state holds.
Shapes follow Hugging Face transformers: Gated DeltaNet (modular_qwen3_next.py), Kimi Delta Attention (kimi_linear),
lightning attention (minimax), Mamba-1 (mamba, jamba), Mamba-2 (mamba2, bamba, nemotron_h), short convolution (lfm2).
"""

from catalog.model import Architecture

from .tensor import Tensor, vector

GROUP = "linear_attention"


def recurrent_tensors(a: Architecture) -> list[Tensor]:
    """One recurrent layer of the model's kind."""
    return {
        "": _gated_delta_net,
        "kda": _kimi_delta,
        "lightning": _lightning,
        "mamba1": _mamba1,
        "mamba2": _mamba2,
        "short_conv": _short_conv,
    }[a.linear_kind](a)


def state_elements(a: Architecture) -> int:
    """Numbers that one layer keeps for one sequence: the convolution's last inputs, then the state itself."""
    keys = a.linear_num_key_heads * a.linear_key_head_dim
    values = a.linear_num_value_heads * a.linear_value_head_dim
    mixed = {"mamba1": values, "short_conv": a.hidden_size, "lightning": 0}.get(a.linear_kind, 2 * keys + values)
    state = 0 if a.linear_kind == "short_conv" else a.linear_key_head_dim * values
    return max(0, (a.linear_conv_kernel_dim - 1) * mixed) + state


def _gated_delta_net(a: Architecture) -> list[Tensor]:
    h = a.hidden_size
    keys = a.linear_num_key_heads * a.linear_key_head_dim
    values = a.linear_num_value_heads * a.linear_value_head_dim
    return [
        Tensor("linear_qkv", GROUP, "linear", 2 * keys + values, h),
        Tensor("linear_z", GROUP, "linear", values, h),
        Tensor("linear_ba", GROUP, "linear", 2 * a.linear_num_value_heads, h),
        Tensor("linear_conv", GROUP, "conv", 2 * keys + values, a.linear_conv_kernel_dim),
        vector("linear_a_log", GROUP, a.linear_num_value_heads, shard="split"),
        vector("linear_dt", GROUP, a.linear_num_value_heads, shard="split"),
        vector("linear_norm", GROUP, a.linear_value_head_dim),
        Tensor("linear_out", GROUP, "linear", h, values),
    ]


def _kimi_delta(a: Architecture) -> list[Tensor]:
    h, heads, narrow = a.hidden_size, a.linear_num_value_heads, a.linear_value_head_dim
    wide = heads * narrow
    return [
        Tensor("linear_qkv", GROUP, "linear", 3 * wide, h),
        Tensor("linear_conv", GROUP, "conv", 3 * wide, a.linear_conv_kernel_dim),
        Tensor("linear_gates_a", GROUP, "linear", 2 * narrow, h, shard="replicate"),
        Tensor("linear_gates_b", GROUP, "linear", wide, narrow, 2),
        Tensor("linear_b", GROUP, "linear", heads, h),
        vector("linear_a_log", GROUP, heads, shard="split"),
        vector("linear_dt", GROUP, wide, shard="split"),
        vector("linear_norm", GROUP, narrow),
        Tensor("linear_out", GROUP, "linear", h, wide),
    ]


def _lightning(a: Architecture) -> list[Tensor]:
    h, wide = a.hidden_size, a.linear_num_value_heads * a.linear_value_head_dim
    return [
        Tensor("linear_qkv", GROUP, "linear", 3 * wide, h),
        Tensor("linear_z", GROUP, "linear", wide, h),
        vector("linear_norm", GROUP, wide, shard="split"),
        Tensor("linear_out", GROUP, "linear", h, wide),
    ]


def _mamba1(a: Architecture) -> list[Tensor]:
    h, inner, state, rank = (
        a.hidden_size,
        a.linear_num_value_heads * a.linear_value_head_dim,
        a.linear_key_head_dim,
        a.linear_dt_rank,
    )
    found = [
        Tensor("linear_in", GROUP, "linear", 2 * inner, h),
        Tensor("linear_conv", GROUP, "conv", inner, a.linear_conv_kernel_dim),
        Tensor("linear_x", GROUP, "linear", rank + 2 * state, inner),
        Tensor("linear_dt_proj", GROUP, "linear", inner, rank),
        vector("linear_dt", GROUP, inner, shard="split"),
        Tensor("linear_a_log", GROUP, "conv", inner, state),
        vector("linear_d", GROUP, inner, shard="split"),
        Tensor("linear_out", GROUP, "linear", h, inner),
    ]
    if a.linear_dt_norm:
        found.append(vector("linear_norm", GROUP, rank + 2 * state))
    return found + _biases(a, 2 * inner, inner)


def _mamba2(a: Architecture) -> list[Tensor]:
    h, heads = a.hidden_size, a.linear_num_value_heads
    inner = heads * a.linear_value_head_dim
    mixed = inner + 2 * a.linear_num_key_heads * a.linear_key_head_dim
    found = [
        Tensor("linear_in", GROUP, "linear", inner + mixed + heads, h),
        Tensor("linear_conv", GROUP, "conv", mixed, a.linear_conv_kernel_dim),
        vector("linear_a_d_dt", GROUP, 3 * heads, shard="split"),
        vector("linear_norm", GROUP, inner, shard="split"),
        Tensor("linear_out", GROUP, "linear", h, inner),
    ]
    return found + _biases(a, inner + mixed + heads, mixed)


def _short_conv(a: Architecture) -> list[Tensor]:
    h = a.hidden_size
    found = [
        Tensor("linear_in", GROUP, "linear", 3 * h, h),
        Tensor("linear_conv", GROUP, "conv", h, a.linear_conv_kernel_dim),
        Tensor("linear_out", GROUP, "linear", h, h),
    ]
    return found + _biases(a, 3 * h, h)


def _biases(a: Architecture, projected: int, mixed: int) -> list[Tensor]:
    found = []
    if a.linear_conv_bias:
        found.append(vector("linear_conv_bias", GROUP, mixed, shard="split"))
    if a.linear_bias:
        found.append(vector("linear_bias", GROUP, projected + a.hidden_size, shard="split"))
    return found
