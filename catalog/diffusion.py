"""Records of image and video generators: the parts that a pipeline loads, and the shapes that decide their memory.

In: nothing. Out: `DiffusionComponent`, `DiffusionModel`. Names are those of diffusers' `config.json`s.
Standard library only.
"""

from dataclasses import dataclass

from catalog.fact import Fact, known

ROLES = ("denoiser", "text-encoder", "vae", "controlnet")
PRECISIONS = ("bf16", "fp32")
GUIDANCE = ("batched", "separate", "distilled")


@dataclass(frozen=True, slots=True)
class DiffusionComponent:
    """One network of a pipeline: a UNet or DiT, a text encoder, a VAE, a ControlNet."""

    id: str = known("file name without .yaml")
    name: str = known("the publisher's name of it")
    role: str = known("what it does in a pipeline", choices=ROLES)
    parameters: Fact = known("all parameters", units=("parameters",), low=1e6, high=1e12)
    linear: Fact | None = known(
        "those in weights of linear layers, which quantisers reach", None, units=("parameters",), low=1e5, high=1e12
    )
    largest: Fact | None = known("those of the largest tensor", None, units=("parameters",), low=1e4, high=1e11)
    precision: str = known("what its weights are loaded in, unless quantised", "bf16", choices=PRECISIONS)
    note: str = known("remarks", "")


@dataclass(frozen=True, slots=True)
class DiffusionPart:
    """One component of a pipeline."""

    component: str = known("id in catalog/diffusion_components/", refers_to="diffusion_components")
    copies: int = known("how many of this shape, with weights of their own (Wan 2.2 A14B: two)", 1, low=1, high=8)
    optional: bool = known("loaded only when asked for (ControlNet)", False)


@dataclass(frozen=True, slots=True)
class DiffusionModel:
    """An open-weight image or video model with its whole pipeline."""

    id: str = known("file name without .yaml")
    name: str = known("the publisher's name of it")
    publisher: str = known("who published it")
    task: str = known("what it makes", choices=("image", "video"))
    parts: tuple[DiffusionPart, ...] = known("what the pipeline loads, in the order of use")
    backbone: str = known("kind of denoiser", choices=("unet", "dit"))
    hidden_size: int = known("width of the denoiser's tokens (UNet: of its first level)", low=16, high=65536)
    num_attention_heads: int = known(
        "heads of its largest attention (UNet: of the level with the most tokens)", low=1, high=256
    )
    token_pixels: int = known("pixels along one side of a token of that attention: VAE factor x patch", low=1, high=256)
    source: str = known("where the shapes were read: id in catalog/sources/", refers_to="sources")
    read: str = known("the day it was read", date=True)
    width: int = known("usual width, pixels", low=64, high=8192)
    height: int = known("usual height, pixels", low=64, high=8192)
    guidance: str = known(
        "classifier-free guidance: one doubled batch, two passes, or distilled into the model", choices=GUIDANCE
    )
    text_tokens: int = known("text tokens that stand beside the image's in attention; 0 = cross-attention", 0, low=0, high=4096)
    frames: int = known("usual frames", 1, low=1, high=10000)
    token_frames: int = known("frames that one latent frame holds after the first; 1 for images", 1, low=1, high=64)
    vae_patch: int = known("pixels along one side that the decoder gives out at once", 1, low=1, high=32)
    vae_tile: int = known("pixels along one side of a tile in tiled decoding (diffusers' default)", 512, low=64, high=4096)
    vae_frames: int = known("frames decoded at once; 0 = all", 1, low=0, high=10000)
    linear_buffer: Fact | None = known(
        "stable-diffusion.cpp's buffer besides the attention scores: FP32 values per token and hidden unit (DiT), or bytes per pixel (UNet)",
        None,
        units=("values", "B/pixel"),
        low=0.1,
        high=10000,
    )
    flash_buffer: Fact | None = known(
        "the same with flash attention, where it differs", None, units=("B/pixel",), low=1, high=10000
    )
    url: str = known("the model's public page", "", url=True)
    licence: str = known("licence of the weights", "")
    released: str = known("YYYY, YYYY-MM or YYYY-MM-DD", "", partial_date=True)
    confirmed: bool = known("false: the shapes were not read on a public page; the guide marks it", True)
    note: str = known("remarks, English", "")
    note_zh: str = known("remarks, Chinese", "")
