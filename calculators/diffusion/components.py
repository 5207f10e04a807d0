"""Bytes of a pipeline's components by format. In: catalog components and format ids. Out: bytes, exact for the tensors."""

from dataclasses import dataclass

from calculators.framework.text import Text
from calculators.memory.ggml import bits_per_element
from calculators.memory.weights import nf4_bits, parts_bytes
from catalog.diffusion import DiffusionComponent, DiffusionModel
from catalog.model import Catalog

NATIVE_BYTES = {"bf16": 2.0, "fp32": 4.0}


@dataclass(frozen=True, slots=True)
class Format:
    """How linear layers are stored: bits per weight, scales included. All other tensors stay in 16 bits."""

    name: Text
    bits: float
    gguf: bool = False


FORMATS: dict[str, Format] = {
    "bf16": Format(Text("BF16 / FP16"), 16),
    "fp8": Format(Text("FP8 (layerwise casting, torchao)", "FP8（逐层转换、torchao）"), 8),
    "int8": Format(Text("INT8 (bitsandbytes, torchao)", "INT8（bitsandbytes、torchao）"), 8),
    "nf4": Format(Text("NF4 (bitsandbytes)", "NF4（bitsandbytes）"), nf4_bits()),
    **{
        name.lower(): Format(Text(f"GGUF {name}"), bits_per_element(name), gguf=True)
        for name in ("Q8_0", "Q6_K", "Q5_K", "Q5_0", "Q4_K", "Q4_0", "Q3_K", "Q2_K")
    },
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """One component as it is loaded: bytes of its weights and of its largest tensor. `copies` are used one after another."""

    component: DiffusionComponent
    each: float
    largest: float
    copies: int = 1

    @property
    def total(self) -> float:
        """Bytes of all copies."""
        return self.each * self.copies


def component_bytes(c: DiffusionComponent, format_id: str) -> float:
    """Linear weights x bits of the format + the rest as published. Quantisers leave norms, biases and convolutions alone."""
    native = NATIVE_BYTES[c.precision]
    linear = c.linear.value if c.linear else 0.0
    each = min(native, FORMATS[format_id].bits / 8)
    return parts_bytes([(linear, each), (c.parameters.value - linear, native)])


def _largest_bytes(c: DiffusionComponent, format_id: str) -> float:
    """The largest tensor, all of it in the format where quantisers reach any; unknown: the whole component."""
    if c.largest is None:
        return component_bytes(c, format_id)
    native = NATIVE_BYTES[c.precision]
    return c.largest.value * (min(native, FORMATS[format_id].bits / 8) if c.role == "denoiser" and c.linear else native)


def loaded(model: DiffusionModel, catalog: Catalog, denoiser: str, text: str, *, controlnet: bool) -> tuple[Loaded, ...]:
    """The components that the pipeline loads, in the order of use. `denoiser` and `text` are formats; the VAE keeps its own."""
    found = []
    for part in model.parts:
        c = catalog.diffusion_components[part.component]
        if part.optional and not controlnet:
            continue
        format_id = {"denoiser": denoiser, "text-encoder": text}.get(c.role, "bf16")
        found.append(Loaded(c, component_bytes(c, format_id), _largest_bytes(c, format_id), part.copies))
    return tuple(found)
