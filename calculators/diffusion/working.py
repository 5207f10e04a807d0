"""The working of `vram-diffusion`: each formula with the numbers put in and who says so."""

from calculators.diffusion.buffers import DECODE_BYTES, DECODE_BYTES_FP32, PIXEL_BYTES, TOKEN_BYTES
from calculators.diffusion.case import Case
from calculators.diffusion.components import FORMATS
from calculators.diffusion.peak import CPP_TILE, GIB, Run
from calculators.diffusion.shapes import attention_tokens, decoded_pixels, image_tokens, latent_frames
from calculators.diffusion.tables import PHASES
from calculators.framework.spec import Working
from calculators.framework.text import Text

SHAPES = Text(
    "diffusers' model classes and conversion scripts, https://github.com/huggingface/diffusers",
    "diffusers 的模型类与转换脚本，https://github.com/huggingface/diffusers",
)
CPP = Text(
    "stable-diffusion.cpp's log lines in gguf-parser-go 8dc7a622, https://github.com/gpustack/gguf-parser-go",
    "gguf-parser-go 8dc7a622 收录的 stable-diffusion.cpp 日志，https://github.com/gpustack/gguf-parser-go",
)
TORCH = Text(
    "assumed; bounded by the published peaks of CogVideoX-5B (diffusers docs) and HunyuanVideo, https://github.com/Tencent/HunyuanVideo",
    "假设；以 CogVideoX-5B（diffusers 文档）和 HunyuanVideo 公布的峰值为界，https://github.com/Tencent/HunyuanVideo",
)
VAE = Text(
    "assumed; stable-diffusion.cpp prints 1,664 MB at 512 × 512, later versions 2,560 MB at 1,024 × 1,024, https://github.com/leejet/stable-diffusion.cpp/issues/1154",
    "假设；stable-diffusion.cpp 在 512 × 512 时打印 1,664 MB，后来的版本在 1,024 × 1,024 时打印 2,560 MB，https://github.com/leejet/stable-diffusion.cpp/issues/1154",
)


def show_working(show: Working, c: Case) -> None:
    """Record weights, tokens, the working memory of each phase, and the peak."""
    r = c.run
    for p in r.parts:
        linear = p.component.linear.value if p.component.linear else 0.0
        format_id = {"denoiser": c.inputs.denoiser_format, "text-encoder": c.inputs.text_format}.get(p.component.role, "bf16")
        bits = min(FORMATS[format_id].bits, 32.0 if p.component.precision == "fp32" else 16.0)
        rest = 32 if p.component.precision == "fp32" else 16
        show.show(
            Text(p.component.name),
            Text("linear weights × bits ÷ 8 + the rest × its bits ÷ 8", "线性层权重 × 位数 ÷ 8 + 其余 × 其位数 ÷ 8"),
            f"{linear:,.0f} × {bits:g} ÷ 8 + {p.component.parameters.value - linear:,.0f} × {rest} ÷ 8"
            + (f", × {p.copies}" if p.copies > 1 else ""),
            p.total / GIB,
            "GiB",
            SHAPES,
            3,
        )
    _tokens(show, r)
    _denoise(show, c)
    _decode(show, c)
    worst = c.peak.worst
    show.show(
        Text("Peak, high", "峰值（上限）"),
        Text(
            "weights on the card + working memory + context, in the fullest phase",
            "最满阶段的“显卡上的权重 + 工作显存 + 上下文”",
        ),
        Text(
            f"{PHASES[worst.id].en}: {worst.weights / GIB:.2f} + {worst.high / GIB:.2f} + {c.peak.overhead_high / GIB:.2f}",
            f"{PHASES[worst.id].zh}：{worst.weights / GIB:.2f} + {worst.high / GIB:.2f} + {c.peak.overhead_high / GIB:.2f}",
        ),
        c.peak.high / GIB,
        "GiB",
        Text(
            "phases run one after another; model offload keeps one component: the maximum, not the sum",
            "各阶段依次运行；按模型卸载只留一个组件：取最大值，而不是求和",
        ),
        2,
    )


def _tokens(show: Working, r: Run) -> None:
    m, s = r.model, r.size
    frames = latent_frames(s.frames, m.token_frames)
    show.show(
        Text("Tokens in attention", "注意力 token 数"),
        Text(
            f"latent frames × (W ÷ {m.token_pixels}) × (H ÷ {m.token_pixels}) + text",
            f"潜空间帧数 × (宽 ÷ {m.token_pixels}) × (高 ÷ {m.token_pixels}) + 文本",
        ),
        f"{frames} × {image_tokens(s.width, s.height, m.token_pixels):,} + {m.text_tokens}",
        attention_tokens(m, s),
        "token",
        SHAPES,
        0,
    )


def _denoise(show: Working, c: Case) -> None:
    r = c.run
    m = r.model
    phase = next(p for p in c.peak.phases if p.id == "denoise")
    tokens = attention_tokens(m, r.size)
    pixels = r.size.width * r.size.height
    scores = Text("", "") if r.flash_attention else Text(" + heads × tokens² × bytes", " + 注意力头数 × token 数² × 字节数")
    if r.engine == "sd.cpp":
        linear = m.linear_buffer.value if m.linear_buffer else 0.0
        formula = (
            Text(f"tokens × hidden × 4 B × {linear:g}{scores.en}", f"token 数 × 隐藏宽度 × 4 B × {linear:g}{scores.zh}")
            if m.backbone == "dit"
            else Text(f"pixels × bytes per pixel{scores.en}", f"像素数 × 每像素字节数{scores.zh}")
        )
        source = CPP
    elif m.backbone == "dit":
        formula = Text(
            f"sequences × (tokens × hidden × {TOKEN_BYTES[0]:g} to {TOKEN_BYTES[1]:g} B{scores.en})",
            f"序列数 × (token 数 × 隐藏宽度 × {TOKEN_BYTES[0]:g} 至 {TOKEN_BYTES[1]:g} B{scores.zh})",
        )
        source = TORCH
    else:
        formula = Text(
            f"samples × (pixels × {PIXEL_BYTES[0]:g} to {PIXEL_BYTES[1]:g} B{scores.en})",
            f"样本数 × (像素数 × {PIXEL_BYTES[0]:g} 至 {PIXEL_BYTES[1]:g} B{scores.zh})",
        )
        source = Text("assumed: half to twice stable-diffusion.cpp's buffer", "假设：stable-diffusion.cpp 缓冲区的一半至两倍")
    show.show(
        Text("Working memory, denoising, high", "去噪时的工作显存（上限）"),
        formula,
        Text(
            f"{r.sequences} at once; {tokens:,} tokens; {pixels:,} pixels; hidden {m.hidden_size:,}; {m.num_attention_heads} heads",
            f"同时 {r.sequences} 个；{tokens:,} token；{pixels:,} 像素；隐藏宽度 {m.hidden_size:,}；{m.num_attention_heads} 头",
        ),
        phase.high / GIB,
        "GiB",
        source,
        3,
    )


def _decode(show: Working, c: Case) -> None:
    r = c.run
    cpp = r.engine == "sd.cpp"
    fp32 = cpp or any(p.component.precision == "fp32" for p in r.of("vae"))
    low, high = DECODE_BYTES_FP32 if fp32 else DECODE_BYTES
    tile = (CPP_TILE if cpp else r.model.vae_tile) if r.tiling else 0
    phase = next(p for p in c.peak.phases if p.id == "decode")
    tiled = Text(f"tiles of {tile} px", f"{tile} px 的块") if tile else Text("untiled", "不分块")
    show.show(
        Text("Working memory, VAE decoding, high", "VAE 解码时的工作显存（上限）"),
        Text(f"pixels held at once × {low:g} to {high:g} B", f"同时持有的像素 × {low:g} 至 {high:g} B"),
        Text(
            f"{decoded_pixels(r.model, r.size, tile):,} pixels of one image or clip, {tiled.en}",
            f"每个图像或视频 {decoded_pixels(r.model, r.size, tile):,} 像素，{tiled.zh}",
        ),
        phase.high / GIB,
        "GiB",
        VAE,
        3,
    )
