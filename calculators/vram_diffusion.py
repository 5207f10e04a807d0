"""Memory of image and video generation: what a pipeline needs at its peak, which cards hold it, what to change.

In: a model of the catalog, size, frames, formats, offload, a card. Out: memory in exact, modelled and assumed parts, the cards
that fit with their price, and changes that make it fit, each run again. Formulas: `calculators.diffusion`, each with its
source; mimics diffusers and stable-diffusion.cpp (2025-2026).
"""

from calculators.diffusion.advice import notes, suggestions
from calculators.diffusion.case import Place, places, resolve
from calculators.diffusion.fields import Inputs, Outputs
from calculators.diffusion.peak import GIB, denoise_bytes, host_bytes, vae_bytes
from calculators.diffusion.shapes import attention_tokens
from calculators.diffusion.tables import PHASES, cards_table, components_table, growth_chart, phases_chart, ways_table
from calculators.diffusion.working import show_working
from calculators.framework.spec import Answer, Calculator, Example, Preset, Range, Working
from calculators.framework.text import Text, bounds, quantity
from calculators.framework.verdict import VERDICTS
from calculators.market.offers import best_quote
from calculators.market.words import card_name, priced
from catalog.model import Catalog


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The whole answer. Raises `InputError` for inputs that no engine runs together."""
    c = resolve(inputs, catalog)
    r, p = c.run, c.peak
    found = places(c, catalog)
    quote = best_quote(catalog, c.card.id, inputs.currency)
    show_working(show, c)
    denoise, decode = denoise_bytes(r), vae_bytes(r)
    outputs = Outputs(
        peak_gib=Range(p.low / GIB, p.high / GIB),
        usable_gib=c.capacity / GIB,
        verdict=VERDICTS[c.verdict],
        peak_phase=PHASES[p.worst.id],
        tokens=attention_tokens(r.model, r.size),
        parameters=round(sum(q.component.parameters.value * q.copies for q in r.parts)),
        denoiser_gib=sum(q.total for q in r.of("denoiser")) / GIB,
        text_gib=sum(q.total for q in r.of("text-encoder")) / GIB,
        vae_gib=sum(q.total for q in r.of("vae")) / GIB,
        weights_gib=r.weights / GIB,
        resident_gib=p.worst.weights / GIB,
        denoise_gib=Range(denoise[0] / GIB, denoise[1] / GIB),
        decode_gib=Range(decode[0] / GIB, decode[1] / GIB),
        overhead_gib=Range(p.overhead_low / GIB, p.overhead_high / GIB),
        host_gib=host_bytes(r) / GIB,
        price_per_hour=quote.per_hour if quote else None,
        cheapest=_cheapest(found, inputs.currency),
    )
    return Answer(
        outputs,
        tables=(components_table(c), ways_table(c), cards_table(found, c)),
        charts=(phases_chart(c), growth_chart(c)),
        suggestions=suggestions(c, found, catalog),
        notes=notes(c),
    )


def _cheapest(found: tuple[Place, ...], currency: str) -> Text:
    best = next((p for p in found if p.per_hour is not None and p.verdict == "yes"), None)
    if best is None or best.per_hour is None or best.quote is None:
        return Text("no priced card of the catalog holds it", "目录中没有标价且放得下的卡")
    return priced(card_name(best.card), best.per_hour, currency, best.quote)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model, card = catalog.diffusion_models[inputs.model], card_name(catalog.accelerators[inputs.accelerator])
    need = bounds(outputs.peak_gib.low, outputs.peak_gib.high, "GiB", "en", 1)
    usable = quantity(outputs.usable_gib, "GiB", "en", 1)
    size = f"{inputs.width or model.width} × {inputs.height or model.height}"
    frames = inputs.frames or model.frames
    length = Text(f", {frames} frames", f"、{frames} 帧") if model.task == "video" else Text("", "")
    return Text(
        f"{model.name} at {size}{length.en} needs {need} at its peak; {card.en} offers {usable}. Fits: {outputs.verdict.en}.",
        f"{model.name} 生成 {size}{length.zh}，峰值需要 {need}；{card.zh} 可用 {usable}。结论：{outputs.verdict.zh}。",
    )


CPP_LOGS = (
    "stable-diffusion.cpp log line in gguf-parser-go 8dc7a622 gen.regression.go, https://github.com/gpustack/gguf-parser-go"
)
EXAMPLES = (
    Example(
        "flux-1-dev-nf4-transformer",
        {"denoiser_format": "nf4"},
        {"denoiser_gib": 6.72},
        0.1,
        "peak of the NF4 transformer alone, 6.72 GiB: https://huggingface.co/datasets/diffusers/benchmarks at 67ffa703",
    ),
    Example(
        "flux-1-dev-bf16-transformer",
        {},
        {"denoiser_gib": 22.63},
        0.03,
        "peak of the BF16 transformer alone, 22.63 GiB: https://huggingface.co/datasets/diffusers/benchmarks at 67ffa703",
    ),
    Example(
        "sd3-medium-cpp-buffer-1024x1536",
        {"model": "sd3-medium", "engine": "sd.cpp", "flash_attention": False, "width": 1024, "height": 1536},
        {"denoise_gib": 3824.36 / 1024},
        0.005,
        f"mmdit compute buffer of 3,824.36 MB; {CPP_LOGS}",
    ),
    Example(
        "sdxl-cpp-buffer-1024x1792",
        {"model": "sdxl", "engine": "sd.cpp", "flash_attention": False, "width": 1024, "height": 1792},
        {"denoise_gib": 2256.90 / 1024},
        0.02,
        f"unet compute buffer of 2,256.90 MB; {CPP_LOGS}",
    ),
)

PRESETS = (
    Preset(
        "flux-24",
        Text("FLUX.1 on 24 GB", "24 GB 显卡运行 FLUX.1"),
        {"denoiser_format": "fp8", "offload": "model", "vae_tiling": True},
    ),
    Preset("sdxl", Text("SDXL at home", "家用显卡运行 SDXL"), {"model": "sdxl", "vae_tiling": True}),
    Preset(
        "flux-gguf",
        Text("FLUX.1 as GGUF", "FLUX.1 GGUF 量化"),
        {"engine": "sd.cpp", "denoiser_format": "q4_k", "text_format": "q8_0", "text_on_cpu": True},
    ),
    Preset(
        "wan-720p",
        Text("Wan 2.2 video, 720p", "Wan 2.2 视频 720p"),
        {"model": "wan-2-2-a14b", "offload": "model", "vae_tiling": True, "accelerator": "h100-sxm"},
    ),
    Preset(
        "hunyuan-720p",
        Text("HunyuanVideo, 720p, 129 frames", "HunyuanVideo 720p 129 帧"),
        {"model": "hunyuanvideo", "offload": "model", "vae_tiling": True, "accelerator": "a100-80g-sxm"},
    ),
)

CALCULATOR = Calculator(
    id="vram-diffusion",
    version=1,
    title=Text("Memory to generate images and video", "图像与视频生成显存测算"),
    summary=Text(
        "How much memory an image or video model needs at its peak, with offload, tiling and quantised weights, and which cards hold it.",
        "图像或视频生成模型的峰值显存：权重卸载、分块解码、量化各省多少，哪些卡放得下。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
