"""Inputs and outputs of `vram-diffusion`: labels, units, ranges, help in both languages."""

from dataclasses import dataclass

from calculators.diffusion.components import FORMATS
from calculators.framework.choices import cards, currency_input
from calculators.framework.spec import Choice, Range, choice, real, result, switch, whole
from calculators.framework.text import Text
from catalog.model import Catalog

MODEL = Text("Model", "模型")
PICTURE = Text("What is generated", "生成内容")
SAVING = Text("Saving memory", "节省显存")
CARD = Text("Card", "显卡")
MOST_SIDE, MOST_FRAMES, MOST_BATCH = 4096, 1024, 64

ENGINES = {"diffusers": Text("diffusers (PyTorch)", "diffusers（PyTorch）"), "sd.cpp": Text("stable-diffusion.cpp")}
OFFLOADS = {
    "none": Text("none: everything on the card", "不卸载：全部留在显卡"),
    "model": Text("model: one component at a time", "按模型卸载：每次只有一个组件在显卡"),
    "sequential": Text("sequential: one layer at a time", "逐层卸载：每次只有一层在显卡"),
}


def _models(catalog: Catalog) -> tuple[Choice, ...]:
    groups = {"image": Text("Image", "图像"), "video": Text("Video", "视频")}
    return tuple(Choice(m.id, Text(m.name), groups[m.task]) for m in catalog.diffusion_models.values())


FORMAT_CHOICES = tuple(Choice(id, f.name, Text("GGUF") if f.gguf else Text("safetensors")) for id, f in FORMATS.items())


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the reader chooses."""

    model: str = choice(
        Text("Model", "模型"),
        "flux-1-dev",
        _models,
        group=MODEL,
        help=Text("An open-weight image or video model of the catalog.", "目录中的开放权重图像或视频模型。"),
    )
    denoiser_format: str = choice(
        Text("Denoiser weights", "去噪模型权重格式"),
        "bf16",
        FORMAT_CHOICES,
        group=MODEL,
        help=Text("Of the UNet or DiT. Only its linear layers are quantised.", "UNet 或 DiT 的格式。只量化线性层。"),
    )
    text_format: str = choice(
        Text("Text encoder weights", "文本编码器权重格式"),
        "bf16",
        FORMAT_CHOICES,
        group=MODEL,
        help=Text(
            "Of all text encoders. T5-XXL alone is 8.9 GiB in BF16.", "所有文本编码器的格式。仅 T5-XXL 在 BF16 下就有 8.9 GiB。"
        ),
    )
    width: int | None = whole(
        Text("Width", "宽度"),
        None,
        low=64,
        high=MOST_SIDE,
        unit="px",
        group=PICTURE,
        help=Text("Empty: the model's usual width.", "留空则取模型的常用宽度。"),
    )
    height: int | None = whole(
        Text("Height", "高度"),
        None,
        low=64,
        high=MOST_SIDE,
        unit="px",
        group=PICTURE,
        help=Text("Empty: the model's usual height.", "留空则取模型的常用高度。"),
    )
    frames: int | None = whole(
        Text("Frames", "帧数"),
        None,
        low=1,
        high=MOST_FRAMES,
        unit="frame",
        group=PICTURE,
        help=Text("Video only. Empty: the model's usual length.", "仅用于视频。留空则取模型的常用帧数。"),
    )
    batch: int = whole(
        Text("At once", "同时生成数量"),
        1,
        low=1,
        high=MOST_BATCH,
        group=PICTURE,
        help=Text("Images or clips in one call.", "一次调用生成的图像或视频数量。"),
    )
    guidance: bool = switch(
        Text("Classifier-free guidance (CFG)", "无分类器引导（CFG）"),
        True,
        group=PICTURE,
        help=Text(
            "Doubles the batch of SD, SDXL, SD3, CogVideoX and LTX. FLUX and HunyuanVideo have it distilled, Wan runs two passes.",
            "SD、SDXL、SD3、CogVideoX 和 LTX 的批量翻倍。FLUX 和 HunyuanVideo 已蒸馏，Wan 分两次前向。",
        ),
    )
    offload: str = choice(
        Text("Offload", "权重卸载"),
        "none",
        tuple(Choice(value, label) for value, label in OFFLOADS.items()),
        group=SAVING,
        help=Text(
            "diffusers: enable_model_cpu_offload, enable_sequential_cpu_offload. The less stays, the slower.",
            "对应 diffusers 的 enable_model_cpu_offload 和 enable_sequential_cpu_offload。留得越少越慢。",
        ),
    )
    vae_tiling: bool = switch(
        Text("Tiled VAE decoding", "VAE 分块解码"),
        False,
        group=SAVING,
        help=Text("Decodes in tiles; seams are blended.", "分块解码，接缝处混合。"),
    )
    text_on_cpu: bool = switch(
        Text("Text encoders on the CPU", "文本编码器放在 CPU"),
        False,
        group=SAVING,
        help=Text("Once per prompt; takes seconds.", "每个提示词只运行一次，需要几秒。"),
    )
    flash_attention: bool = switch(
        Text("Flash attention", "Flash Attention"),
        True,
        group=SAVING,
        help=Text("Off: all attention scores stand in memory.", "关闭时，全部注意力分数都占显存。"),
    )
    accelerator: str = choice(
        Text("Card", "显卡"),
        "rtx-4090-24g",
        cards,
        group=CARD,
        help=Text("The card to check. All others stand in the table below.", "要检查的显卡。其他显卡见下方表格。"),
    )
    currency: str = currency_input(CARD)
    engine: str = choice(
        Text("Engine", "推理引擎"),
        "diffusers",
        tuple(Choice(value, label) for value, label in ENGINES.items()),
        group=MODEL,
        advanced=True,
        help=Text("Whose buffers are counted.", "按哪个引擎计算缓冲区。"),
    )
    controlnet: bool = switch(
        Text("With ControlNet", "使用 ControlNet"),
        False,
        group=MODEL,
        advanced=True,
        help=Text("One ControlNet. SD 1.5 and SDXL.", "加载一个 ControlNet，仅 SD 1.5 和 SDXL。"),
    )
    usable_percent: float = real(
        Text("Usable share of the card", "可用显存比例"),
        95.0,
        low=30,
        high=98,
        unit="%",
        group=CARD,
        advanced=True,
        help=Text("The rest goes to the driver and the desktop.", "其余留给驱动和桌面。"),
    )


@dataclass(frozen=True, slots=True)
class Outputs:
    """What comes back. GiB are 2^30 bytes."""

    peak_gib: Range = result(
        Text("Peak memory", "峰值显存"),
        "GiB",
        kind="assumed",
        digits=1,
        headline=True,
        help=Text("Exact weights, plus the ranges below.", "精确的权重，加上下面的区间。"),
    )
    usable_gib: float = result(
        Text("Usable on the card", "该卡可用显存"),
        "GiB",
        kind="assumed",
        digits=1,
        help=Text("Label × usable share.", "标称容量 × 可用比例。"),
    )
    verdict: Text = result(Text("Does it fit?", "放得下吗？"), kind="assumed", headline=True)
    peak_phase: Text = result(Text("Where the peak is", "峰值出现在"), kind="assumed")
    tokens: int = result(
        Text("Tokens in attention", "注意力 token 数"),
        "token",
        kind="exact",
        help=Text("Latent frames × image tokens + text.", "潜空间帧数 × 图像 token + 文本 token。"),
    )
    parameters: int = result(Text("Parameters, all components", "参数量（全部组件）"), kind="exact")
    denoiser_gib: float = result(
        Text("Denoiser", "去噪模型"),
        "GiB",
        kind="exact",
        digits=2,
        help=Text("UNet or DiT, all copies.", "UNet 或 DiT，含全部副本。"),
    )
    text_gib: float = result(Text("Text encoders", "文本编码器"), "GiB", kind="exact", digits=2)
    vae_gib: float = result(Text("VAE", "VAE（变分自编码器）"), "GiB", kind="exact", digits=2)
    weights_gib: float = result(Text("All weights", "全部权重"), "GiB", kind="exact", digits=2)
    resident_gib: float = result(Text("Weights on the card at the peak", "峰值时显卡上的权重"), "GiB", kind="exact", digits=2)
    denoise_gib: Range = result(
        Text("Working memory, denoising", "去噪时的工作显存"),
        "GiB",
        kind="assumed",
        digits=2,
        help=Text("stable-diffusion.cpp: modelled ± 1–2 %.", "stable-diffusion.cpp：模型估算 ± 1%–2%。"),
    )
    decode_gib: Range = result(Text("Working memory, VAE decoding", "VAE 解码时的工作显存"), "GiB", kind="assumed", digits=2)
    overhead_gib: Range = result(Text("CUDA context and libraries", "CUDA 上下文与运行库"), "GiB", kind="assumed", digits=2)
    host_gib: float = result(
        Text("RAM for offloaded weights", "卸载权重占用的内存"),
        "GiB",
        kind="exact",
        digits=1,
        help=Text("0 without offload.", "不卸载时为 0。"),
    )
    price_per_hour: float | None = result(
        Text("Price of the card per hour", "该卡每小时价格"),
        "money",
        kind="assumed",
        digits=2,
        help=Text("On demand; see the table for date and source.", "按需计费；日期和来源见表格。"),
    )
    cheapest: Text = result(Text("Cheapest that fits", "放得下的最便宜方案"), kind="assumed")
