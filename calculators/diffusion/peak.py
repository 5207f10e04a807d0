"""Peak memory of a pipeline: phases one after another, and what stays on the card in each.

In: a `Run` (model, components, size, engine, offload). Out: `Phase`s with weights on the card and a range of working memory;
the peak is the largest. Model offload keeps one component on the card at a time: the maximum, not the sum.
"""

from dataclasses import dataclass

from calculators.diffusion.buffers import (
    BUFFER_ERROR,
    SMALL_ERROR,
    SMALL_TOKENS,
    TEXT_BYTES,
    UNET_FLASH_BYTES,
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
        """Bytes of all components."""
        return sum(p.total for p in self.parts)


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
        return _printed_range(_cpp_bytes(m, tokens, pixels, flash_attention=r.flash_attention), tokens)
    if m.backbone == "dit":
        low, high = torch_dit_bytes(tokens, m.num_attention_heads, m.hidden_size, flash_attention=r.flash_attention)
    else:
        low, high = torch_unet_bytes(pixels, tokens, m.num_attention_heads, flash_attention=r.flash_attention)
    return low * r.sequences, high * r.sequences


def _cpp_bytes(m: DiffusionModel, tokens: int, pixels: int, *, flash_attention: bool) -> float:
    """The buffer that stable-diffusion.cpp prints. The model has its coefficient: the calculator has checked."""
    linear = m.linear_buffer.value if m.linear_buffer else 0.0
    if m.backbone == "dit":
        return dit_buffer_bytes(tokens, m.num_attention_heads, m.hidden_size, linear, flash_attention=flash_attention)
    if flash_attention:
        linear = m.flash_buffer.value if m.flash_buffer else UNET_FLASH_BYTES
    return unet_buffer_bytes(pixels, tokens, m.num_attention_heads, linear, flash_attention=flash_attention)


def _printed_range(buffer: float, tokens: int) -> tuple[float, float]:
    below = SMALL_ERROR if tokens < SMALL_TOKENS else BUFFER_ERROR
    return buffer * (1 - below), buffer * (1 + BUFFER_ERROR)


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
        return r.weights
    if r.offload == "model":
        return sum(p.each for p in used)
    return max(p.largest for p in used)


def peak(r: Run) -> Peak:
    """Text encoders one after another, the denoiser (with ControlNet), the VAE."""
    phases = [Phase(f"text-{i}", resident(r, (p,)), *TEXT_BYTES) for i, p in enumerate(r.of("text-encoder"))]
    text = max(phases, key=lambda p: p.weights)
    return Peak(
        (
            Phase("text", text.weights, text.low, text.high),
            Phase("denoise", resident(r, r.of("denoiser", "controlnet")), *denoise_bytes(r)),
            Phase("decode", resident(r, r.of("vae")), *vae_bytes(r)),
        ),
        CONTEXT.low,
        CONTEXT.high,
    )


def host_bytes(r: Run) -> float:
    """RAM that holds the weights while they wait: all of them with offload, none without."""
    return 0.0 if r.offload == "none" else r.weights


def fits(p: Peak, capacity: float) -> str:
    """`yes` even at the high end, `tight` at the low end only, or `no`."""
    return "yes" if p.high <= capacity else "tight" if p.low <= capacity else "no"
