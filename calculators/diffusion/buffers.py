"""Working memory of a denoiser and of a VAE decode.

In: tokens, widths, coefficients. Out: bytes; where no engine prints them, a range with who bounds it. Mimics
stable-diffusion.cpp (logs of 2025) and diffusers (2025-2026).
"""

FP32, HALF = 4, 2

TOKEN_BYTES = (6.0, 95.0)
"""Bytes per token and hidden unit that a DiT in 16 bits holds beside its weights, in PyTorch with flash attention. Assumed.

Low: CogVideoX-5B with model offload and tiling peaks at 11 GB (diffusers docs, cogvideox.md), 0.6 GiB over its weights.
Between: FLUX.1 dev at 22.63 and 6.72 GiB (diffusers/benchmarks), 35 bytes over its weights.
High: HunyuanVideo at 60 and 45 GB for 118,800 and 67,320 tokens of 3,072 (its README, b9b6bb3b): 95 bytes a token and unit."""

PIXEL_BYTES = (250.0, 1000.0)
"""The same for a UNet per pixel. Assumed: half to twice the 500 bytes that stable-diffusion.cpp prints with flash attention."""

UNET_FLASH_BYTES = 500.0
"""Bytes per pixel with flash attention where the catalog has no row: slope of SD2's and SDXL's rows (gguf-parser-go 8dc7a622)."""

SCORE_BYTES = (2.0, 6.0)
"""Bytes per score without flash attention in PyTorch. Assumed: 16-bit scores, or those and their FP32 softmax."""

DECODE_BYTES = (1280.0, 6656.0)
"""Bytes per pixel that a VAE decoder holds. Assumed. High: stable-diffusion.cpp prints 1,664.00 MB at 512 x 512 (FP32, issue 1044);
CogVideoX-5B's untiled decode at 19 GB is 6,700. Low: half of the 2,560.25 MB at 1,024 x 1,024 that its later versions print (issue 1154)."""

DECODE_BYTES_FP32 = (2560.0, 6656.0)

TEXT_BYTES = (0.02 * 2**30, 0.5 * 2**30)
"""Working memory of a text encoder over one prompt. Assumed: 512 tokens of 4,096 at 6 to 95 bytes, and its attention."""

DIT_ERROR = 0.01
"""stable-diffusion.cpp's DiT buffer by our rule, from 4,096 tokens: eleven of twelve rows that were not fitted are within 0.25 %."""

FEW_TOKENS, FEW_ERROR = 4096, (-0.20, 0.04)
"""Below that another step of the graph sets the peak: SD3 at 512 x 512 is 3.5 % above the rule, FLUX at 256 x 256 19 % below."""

UNET_ERROR, UNET_FLASH_ERROR = 0.02, 0.14
"""The UNet's: nine rows that were not fitted within 1.8 %; with flash attention one SDXL row is 13 % off, the others 1.4 %."""


def scores_bytes(tokens: int, heads: int, each: float = FP32) -> float:
    """Attention scores of one layer without flash attention: heads x tokens^2 x bytes."""
    return heads * tokens * tokens * each


def dit_buffer_bytes(tokens: int, heads: int, hidden_size: int, linear: float, *, flash_attention: bool = False) -> float:
    """stable-diffusion.cpp's compute buffer of a DiT: heads x tokens^2 x 4 B + linear x hidden x 4 B x tokens.

    `linear` is fitted on one row of each model (FLUX 512 x 512; SD3 and SD3.5 1,024 x 1,024; those rows are not scored).
    With flash attention the first term is absent. Source: log lines in gguf-parser-go gen.regression.go at 8dc7a622.
    """
    scores = 0.0 if flash_attention else scores_bytes(tokens, heads)
    return scores + linear * hidden_size * FP32 * tokens


def unet_buffer_bytes(pixels: int, tokens: int, heads: int, per_pixel: float, *, flash_attention: bool = False) -> float:
    """stable-diffusion.cpp's compute buffer of a UNet: heads x tokens^2 x 4 B of its largest attention + bytes per pixel.

    `per_pixel` is fitted on one row of each model (those are not scored). Same source as the DiT's. With flash attention the
    first term is absent, and `per_pixel` is another (K and V are converted).
    """
    return (0.0 if flash_attention else scores_bytes(tokens, heads)) + per_pixel * pixels


def torch_dit_bytes(tokens: int, heads: int, hidden_size: int, *, flash_attention: bool = True) -> tuple[float, float]:
    """(low, high) of a DiT's activations in PyTorch, 16 bits, one sequence."""
    low, high = (tokens * hidden_size * each for each in TOKEN_BYTES)
    return _with_scores(low, high, tokens, heads, flash_attention=flash_attention)


def torch_unet_bytes(pixels: int, tokens: int, heads: int, *, flash_attention: bool = True) -> tuple[float, float]:
    """(low, high) of a UNet's activations in PyTorch, 16 bits, one sample."""
    low, high = (pixels * each for each in PIXEL_BYTES)
    return _with_scores(low, high, tokens, heads, flash_attention=flash_attention)


def _with_scores(low: float, high: float, tokens: int, heads: int, *, flash_attention: bool) -> tuple[float, float]:
    if flash_attention:
        return low, high
    return low + scores_bytes(tokens, heads, SCORE_BYTES[0]), high + scores_bytes(tokens, heads, SCORE_BYTES[1])


def decode_bytes(pixels: int, *, fp32: bool) -> tuple[float, float]:
    """(low, high) of a VAE decode that holds so many pixels at once."""
    low, high = DECODE_BYTES_FP32 if fp32 else DECODE_BYTES
    return low * pixels, high * pixels
