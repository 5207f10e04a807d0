"""Short names of the case files -> fields of `catalog.model.Architecture`. In: a mapping. Out: an Architecture."""

from dataclasses import fields
from typing import Any

from catalog.model import Architecture

MODEL_FIELDS = {
    "h": "hidden_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "layers": "num_hidden_layers",
    "ff": "intermediate_size",
    "vocab": "vocab_size",
    "tied": "tie_word_embeddings",
    "qkv_bias": "attention_bias",
    "o_bias": "attention_out_bias",
    "qk_norm": "qk_norm",
    "sinks": "attention_sinks",
    "norms_per_layer": "norms_per_layer",
    "lm_head_bias": "lm_head_bias",
    "inv_freq_saved": "rotary_inv_freq_saved",
    "rope_freqs": "rope_freqs",
    "experts": "num_experts",
    "topk": "num_experts_per_tok",
    "moe_ff": "moe_intermediate_size",
    "shared": "n_shared_experts",
    "shared_ff": "shared_expert_intermediate_size",
    "shared_gate": "shared_expert_gate",
    "router_bias": "router_bias",
    "expert_bias": "expert_bias",
    "dense_layers": "first_k_dense_replace",
    "kv_lora": "kv_lora_rank",
    "q_lora": "q_lora_rank",
    "qk_nope": "qk_nope_head_dim",
    "qk_rope": "qk_rope_head_dim",
    "v_head": "v_head_dim",
    "mtp": "num_nextn_predict_layers",
    "mtp_own_embed": "mtp_own_embedding",
    "vision": "vision_tower",
    "family": "family",
    "n_ctx": "n_positions",
    "lin_layers": "linear_layers",
    "lin_k_heads": "linear_num_key_heads",
    "lin_k_dim": "linear_key_head_dim",
    "lin_v_heads": "linear_num_value_heads",
    "lin_v_dim": "linear_value_head_dim",
    "conv": "linear_conv_kernel_dim",
    "out_gate": "attention_output_gate",
}
_WIDTHS = {"hidden_size": 1, "num_hidden_layers": 1, "vocab_size": 1}
_HIGHEST = {f.name: f.metadata["rule"].high for f in fields(Architecture)}
_TEXT = ("qk_norm", "vision_tower", "family")


class InputError(ValueError):
    """An input that the adapter does not know or cannot use."""


class NoFunction(Exception):
    """A quantity or a function that the project does not compute yet."""


class Inputs:
    """The inputs of a case, taken out by name; what is left at the end was not understood."""

    def __init__(self, values: dict[str, Any]) -> None:
        """Takes a copy: a case is never changed."""
        self._left = dict(values)

    def take(self, name: str, default: Any = None) -> Any:
        """The value of that name, or the default. Raises InputError when it is missing and has none."""
        if name in self._left:
            value = self._left.pop(name)
            return default if value is None else value
        if default is None:
            raise InputError(f"input `{name}` is missing")
        return default

    def number(self, name: str, default: float | None = None) -> float:
        """A number. Raises InputError for anything else."""
        value = self.take(name, default)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise InputError(f"input `{name}` must be a number, not {value!r}") from None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"input `{name}` must be a number, not {value!r}")
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        """A whole number. Raises InputError for anything else."""
        value = self.number(name, default)
        if value != int(value):
            raise InputError(f"input `{name}` must be a whole number, not {value!r}")
        return int(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """True or false. Raises InputError for anything else."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise InputError(f"input `{name}` must be true or false, not {value!r}")
        return value

    def rest(self) -> dict[str, Any]:
        """All that is left, taken out."""
        left, self._left = self._left, {}
        return left

    def architecture(self, names: tuple[str, ...] = tuple(MODEL_FIELDS), **fixed: Any) -> Architecture:
        """The architecture in the inputs of those short names, `fixed` fields added."""
        found = {name: self._left.pop(name) for name in names if name in self._left}
        return architecture(found, **fixed)

    def model(self) -> Architecture:
        """The architecture under `model`."""
        value = self.take("model")
        if not isinstance(value, dict):
            raise InputError("input `model` must be a mapping of model fields")
        return architecture(value)

    def done(self) -> None:
        """Raises InputError when an input was not used: it would have changed the published figure."""
        if self._left:
            raise InputError(f"unknown input {', '.join(f'`{name}`' for name in self._left)}")


def _refuse(name: str, key: str, value: Any) -> None:
    """Raises InputError for a value that no architecture has: a type, a sign or a size out of the model's own rules."""
    if isinstance(value, str) != (key in _TEXT) or not isinstance(value, int | str):
        raise InputError(f"model field `{name}` cannot be {value!r}")
    highest = _HIGHEST.get(key)
    if isinstance(value, int) and (value < 0 or (highest is not None and value > highest)):
        raise InputError(f"model field `{name}` {value} is not in 0 to {highest}")


def architecture(values: dict[str, Any], **fixed: Any) -> Architecture:
    """Short names -> Architecture; null = absent. Raises InputError for an unknown name or a value of the wrong type."""
    unknown = [name for name in values if name not in MODEL_FIELDS]
    if unknown:
        raise InputError(f"unknown model field {', '.join(f'`{name}`' for name in unknown)}")
    given: dict[str, Any] = {**_WIDTHS, **fixed}
    for name, value in values.items():
        key = MODEL_FIELDS[name]
        if value is None or (name == "n_ctx" and values.get("family") != "gpt2"):
            continue
        _refuse(name, key, value)
        given[key] = value
    return Architecture(**given)
