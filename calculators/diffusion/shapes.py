"""What one run generates -> tokens, latent frames, pixels. In: a `DiffusionModel` and a size. Out: whole numbers, exact."""

from dataclasses import dataclass
from math import ceil

from catalog.diffusion import DiffusionModel


@dataclass(frozen=True, slots=True)
class Size:
    """What is generated at once: pixels, frames, and how many images or clips."""

    width: int
    height: int
    frames: int = 1
    batch: int = 1


def latent_frames(frames: int, token_frames: int) -> int:
    """(frames - 1) / t + 1, rounded up: the first frame has a latent of its own (Wan, HunyuanVideo, CogVideoX, LTX)."""
    return ceil((frames - 1) / token_frames) + 1


def image_tokens(width: int, height: int, token_pixels: int) -> int:
    """(W / p) (H / p), each rounded up to whole tokens; p is the VAE's factor times the patch."""
    return ceil(width / token_pixels) * ceil(height / token_pixels)


def attention_tokens(model: DiffusionModel, size: Size) -> int:
    """Tokens of the denoiser's largest attention, for one image or clip: latent frames x image tokens + text beside them."""
    return (
        latent_frames(size.frames, model.token_frames) * image_tokens(size.width, size.height, model.token_pixels)
        + model.text_tokens
    )


def decoded_pixels(model: DiffusionModel, size: Size, tile: int = 0) -> int:
    """Pixels that the VAE's decoder holds at once at its own resolution, for one image or clip. `tile` 0 = untiled."""
    width, height = (min(n, tile) if tile else n for n in (size.width, size.height))
    frames = min(size.frames, model.vae_frames) if model.vae_frames else size.frames
    return ceil(width / model.vae_patch) * ceil(height / model.vae_patch) * frames
