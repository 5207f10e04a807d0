"""Exact parameter counts by group. In: an `Architecture`. Out: `ParameterGroups` (elements, integers)."""

from dataclasses import dataclass, fields

from catalog.model import Architecture

from .tensors import is_tied, model_tensors

FP8_TILE = 128


@dataclass(frozen=True, slots=True)
class ParameterGroups:
    """Parameters by group, in elements. Groups that a model lacks are 0. `active` is per generated token."""

    embedding: int
    position: int
    head: int
    attention: int
    linear_attention: int
    mlp: int
    routed_experts: int
    shared_experts: int
    router: int
    norms: int
    mtp: int
    vision: int
    audio: int
    other: int
    buffers: int
    active_share: float

    @property
    def groups(self) -> dict[str, int]:
        """Group -> elements, in a fixed order; the sum is `total`."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "active_share"}

    @property
    def total(self) -> int:
        """Everything in the checkpoint, tied tables once."""
        return sum(self.groups.values())

    @property
    def language(self) -> int:
        """Without multi-token-prediction modules, towers and saved buffers: what 'a 671B model' means."""
        return self.total - self.mtp - self.vision - self.audio - self.buffers

    @property
    def active(self) -> int:
        """Language parameters that one token visits: routed experts count num_experts_per_tok / num_experts."""
        return self.language - round(self.routed_experts * (1 - self.active_share))

    @property
    def non_embedding(self) -> int:
        """Total without embedding, learned positions and an untied head."""
        return self.total - self.embedding - self.position - self.head


def parameter_groups(a: Architecture) -> ParameterGroups:
    """Exact count by group; no rounding anywhere.

    Source: shapes of transformers' modelling code, see `tensors`. Raises ValueError when layer kinds exceed the layers.
    """
    counted = dict.fromkeys((f.name for f in fields(ParameterGroups) if f.name != "active_share"), 0)
    for tensor in model_tensors(a):
        counted[tensor.group] += tensor.elements
    share = a.num_experts_per_tok / a.num_experts if a.num_experts else 1.0
    return ParameterGroups(**counted, active_share=min(1.0, share))


def fp8_scale_elements(a: Architecture, tile: int = FP8_TILE) -> int:
    """FP32 scales that a 128 x 128-block FP8 checkpoint stores beside its matrices (DeepSeek-V3: 41,540,496)."""
    return sum(
        t.copies * -(-t.rows // tile) * -(-t.columns // tile) for t in model_tensors(a) if t.kind in ("linear", "expert")
    )


def hub_elements(a: Architecture, *, double_tied: bool = False, fp8_scales: bool = False) -> int:
    """What the hub's `safetensors.total` says, where it is not the parameter count.

    `double_tied`: a tied head was saved a second time (Qwen3-0.6B). `fp8_scales`: the FP32 block scales are counted.
    """
    total = parameter_groups(a).total
    if double_tied and is_tied(a):
        total += a.vocab_size * a.hidden_size
    if fp8_scales:
        total += fp8_scale_elements(a)
    return total


ADAPTED = {
    "q": ("q", "q_a", "q_b"),
    "k": ("k",),
    "v": ("v",),
    "o": ("o",),
    "gate": ("gate",),
    "up": ("up",),
    "down": ("down",),
}


def lora_parameters(a: Architecture, rank: int, modules: tuple[str, ...]) -> int:
    """Trainable parameters of low-rank adapters: sum of rank x (in + out) over the adapted matrices (Hu et al. 2021).

    `modules` from q, k, v, o, gate, up, down. Raises ValueError for another name. Expert matrices are not adapted.
    """
    unknown = [m for m in modules if m not in ADAPTED]
    if unknown:
        raise ValueError(f"unknown module {unknown[0]!r}: one of {', '.join(ADAPTED)}")
    names = {name for m in modules for name in ADAPTED[m]}
    return sum(rank * (t.rows + t.columns) * t.copies for t in model_tensors(a) if t.name in names)
