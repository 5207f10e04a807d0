"""Peak memory of a pipeline: phases one after another, and what stays on the card in each.

In: a `Run` (model, components, size, engine, offload). Out: `Phase`s with weights on the card and a range of working memory;
the peak is the largest. Model offload keeps one component on the card at a time: the maximum, not the sum.
"""

from dataclasses import dataclass

from calculators.diffusion.buffers import (
    DIT_ERROR,
    FEW_ERROR,
    FEW_TOKENS,
    TEXT_BYTES,
    UNET_ERROR,
    UNET_FLASH_BYTES,
    UNET_FLASH_ERROR,
    decode_bytes,
    dit_buffer_bytes,
    torch_dit_bytes,
    torch_unet_bytes,
    unet_buffer_bytes,
)
from calculators.diffusion.components import Loaded
from calculators.diffusion.shapes import Size, attention_tokens, decoded_pixels
from calculators.memory.overhead import CONTEXT
from catalog.diffusion import DiffusionModel

GIB = 2**30
OFFLOADS = ("none", "model", "sequential")
CPP_TILE = 256
"""stable-diffusion.cpp's tile in pixels: 32 x 32 latents."""


@dataclass(frozen=True, slots=True)
class Run:
    """One way to run one model."""

    model: DiffusionModel
    parts: tuple[Loaded, ...]
    size: Size
    engine: str
    offload: str
    guided: bool
    flash_attention: bool
    tiling: bool
    text_on_cpu: bool = False

    def of(self, *roles: str) -> tuple[Loaded, ...]:
        """The components with one of these roles."""
        return tuple(p for p in self.parts if p.component.role in roles)

    @property
    def sequences(self) -> int:
        """Images or clips that pass the denoiser together: the batch, doubled where guidance is batched.

        stable-diffusion.cpp makes one image at a time, and its guided pass after the other.
        """
        if self.engine == "sd.cpp":
            return 1
        return self.size.batch * (2 if self.guided and self.model.guidance == "batched" else 1)

    @property
    def weights(self) -> float:
        """Bytes of all components, wherever they are."""
        return sum(p.total for p in self.parts)

    @property
    def card_parts(self) -> tuple[Loaded, ...]:
        """The components that the card works on."""
        return tuple(p for p in self.parts if not (self.text_on_cpu and p.component.role == "text-encoder"))


@dataclass(frozen=True, slots=True)
class Phase:
    """One step of the pipeline: weights on the card meanwhile, and working memory from low to high. Bytes."""

    id: str
    weights: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Peak:
    """The phases, and the library's own memory, bytes low to high."""

    phases: tuple[Phase, ...]
    overhead_low: float
    overhead_high: float

    @property
    def worst(self) -> Phase:
        """The phase that needs most, at its high end."""
        return max(self.phases, key=lambda p: p.weights + p.high)

    @property
    def low(self) -> float:
        """The least that the run needs."""
        return max(p.weights + p.low for p in self.phases) + self.overhead_low

    @property
    def high(self) -> float:
        """The most that the run needs."""
        return self.worst.weights + self.worst.high + self.overhead_high


def denoise_bytes(r: Run) -> tuple[float, float]:
    """(low, high) working memory of one denoising step."""
    m = r.model
    tokens, pixels = attention_tokens(m, r.size), r.size.width * r.size.height
    if r.engine == "sd.cpp":
        buffer = cpp_bytes(m, tokens, pixels, flash_attention=r.flash_attention)
        low, high = _error(m, tokens, flash_attention=r.flash_attention)
        return buffer * (1 + low), buffer * (1 + high)
    if m.backbone == "dit":
        low, high = torch_dit_bytes(tokens, m.num_attention_heads, m.hidden_size, flash_attention=r.flash_attention)
    else:
        low, high = torch_unet_bytes(pixels, tokens, m.num_attention_heads, flash_attention=r.flash_attention)
    return low * r.sequences, high * r.sequences


def cpp_bytes(m: DiffusionModel, tokens: int, pixels: int, *, flash_attention: bool) -> float:
    """The buffer that stable-diffusion.cpp prints. The model has its coefficient: the calculator has checked."""
    linear = m.linear_buffer.value if m.linear_buffer else 0.0
    if m.backbone == "dit":
        return dit_buffer_bytes(tokens, m.num_attention_heads, m.hidden_size, linear, flash_attention=flash_attention)
    if flash_attention:
        linear = m.flash_buffer.value if m.flash_buffer else UNET_FLASH_BYTES
    return unet_buffer_bytes(pixels, tokens, m.num_attention_heads, linear, flash_attention=flash_attention)


def _error(m: DiffusionModel, tokens: int, *, flash_attention: bool) -> tuple[float, float]:
    if m.backbone == "unet":
        either = UNET_FLASH_ERROR if flash_attention else UNET_ERROR
        return -either, either
    return FEW_ERROR if tokens < FEW_TOKENS else (-DIT_ERROR, DIT_ERROR)


def vae_bytes(r: Run) -> tuple[float, float]:
    """(low, high) working memory of the decode: the whole batch in diffusers, one image in stable-diffusion.cpp."""
    cpp = r.engine == "sd.cpp"
    tile = (CPP_TILE if cpp else r.model.vae_tile) if r.tiling else 0
    pixels = decoded_pixels(r.model, r.size, tile) * (1 if cpp or r.tiling else r.size.batch)
    fp32 = cpp or any(p.component.precision == "fp32" for p in r.of("vae"))
    return decode_bytes(pixels, fp32=fp32)


def resident(r: Run, used: tuple[Loaded, ...]) -> float:
    """Weights on the card while `used` work: all of them; one copy of each used; or the largest tensor of those."""
    if r.offload == "none":
        return sum(p.total for p in r.card_parts)
    if r.offload == "model":
        return sum(p.each for p in used)
    return max(p.largest for p in used)


def peak(r: Run) -> Peak:
    """Text encoders one after another, the denoiser (with ControlNet), the VAE."""
    encoders = () if r.text_on_cpu else r.of("text-encoder")
    text = (Phase("text", max(resident(r, (p,)) for p in encoders), *TEXT_BYTES),) if encoders else ()
    return Peak(
        (
            *text,
            Phase("denoise", resident(r, r.of("denoiser", "controlnet")), *denoise_bytes(r)),
            Phase("decode", resident(r, r.of("vae")), *vae_bytes(r)),
        ),
        CONTEXT.low,
        CONTEXT.high,
    )


def host_bytes(r: Run) -> float:
    """RAM that holds weights: all of them with offload; without it, text encoders that the CPU runs."""
    return r.weights - (sum(p.total for p in r.card_parts) if r.offload == "none" else 0.0)


def fits(p: Peak, capacity: float) -> str:
    """`yes` even at the high end, `tight` at the low end only, or `no`."""
    return "yes" if p.high <= capacity else "tight" if p.low <= capacity else "no"
