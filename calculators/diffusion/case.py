"""One case of `vram-diffusion`, resolved: the run, the card, its capacity; and the cards that hold a run.

In: `Inputs` and the catalog. Out: a `Case`, or an `InputError` for what no engine runs.
"""

from dataclasses import dataclass

from calculators.diffusion.components import FORMATS, loaded
from calculators.diffusion.fields import Inputs
from calculators.diffusion.peak import Peak, Run, fits, peak
from calculators.diffusion.shapes import Size
from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.market.offers import Quote, best_quote
from calculators.memory.serving import card_bytes
from catalog.diffusion import DiffusionModel
from catalog.model import Accelerator, Catalog


@dataclass(frozen=True, slots=True)
class Case:
    """The run on one card."""

    inputs: Inputs
    run: Run
    peak: Peak
    card: Accelerator
    capacity: float

    @property
    def verdict(self) -> str:
        """`yes`, `tight` or `no`."""
        return fits(self.peak, self.capacity)


@dataclass(frozen=True, slots=True)
class Place:
    """One card that holds the run, at least at the low end."""

    card: Accelerator
    verdict: str
    capacity: float
    quote: Quote | None

    @property
    def per_hour(self) -> float | None:
        """Its price per hour, or None where the catalog has none."""
        return None if self.quote is None else self.quote.per_hour


def run_of(inputs: Inputs, catalog: Catalog) -> Run:
    """The inputs as the memory functions take them. Raises `InputError` for combinations that no engine runs."""
    model = catalog.diffusion_models[inputs.model]
    _refuse(inputs, model)
    parts = loaded(model, catalog, inputs.denoiser_format, inputs.text_format, controlnet=inputs.controlnet)
    size = Size(inputs.width or model.width, inputs.height or model.height, inputs.frames or model.frames, inputs.batch)
    return Run(
        model,
        parts,
        size,
        inputs.engine,
        inputs.offload,
        inputs.guidance,
        inputs.flash_attention,
        inputs.vae_tiling,
        inputs.text_on_cpu,
    )


def _refuse(inputs: Inputs, model: DiffusionModel) -> None:
    if model.task == "image" and (inputs.frames or 1) > 1:
        raise InputError(
            "frames", Text(f"{model.name} makes images. Leave the frames empty.", f"{model.name} 只生成图像，帧数请留空。")
        )
    if inputs.controlnet and not any(p.optional for p in model.parts):
        raise InputError(
            "controlnet",
            Text(
                f"The catalog has no ControlNet for {model.name}. Switch this off.",
                f"目录中没有 {model.name} 的 ControlNet，请关闭此项。",
            ),
        )
    if inputs.engine != "sd.cpp":
        return
    if model.linear_buffer is None:
        raise InputError(
            "engine",
            Text(
                f"No buffer of stable-diffusion.cpp was published for {model.name}. Take diffusers.",
                f"没有公开的 stable-diffusion.cpp 运行 {model.name} 的缓冲区数据，请选 diffusers。",
            ),
        )
    if inputs.offload == "sequential":
        raise InputError(
            "offload",
            Text(
                "stable-diffusion.cpp has no sequential offload. Take model offload.",
                "stable-diffusion.cpp 没有逐层卸载，请选按模型卸载。",
            ),
        )
    for field in ("denoiser_format", "text_format"):
        if getattr(inputs, field) in ("int8", "nf4"):
            raise InputError(
                field,
                Text(
                    "stable-diffusion.cpp does not run bitsandbytes files. Take a GGUF type.",
                    "stable-diffusion.cpp 不能运行 bitsandbytes 格式，请选 GGUF 类型。",
                ),
            )


def resolve(inputs: Inputs, catalog: Catalog) -> Case:
    """The case. Raises `InputError`."""
    run, card = run_of(inputs, catalog), catalog.accelerators[inputs.accelerator]
    return Case(inputs, run, peak(run), card, card_bytes(card.memory, inputs.usable_percent))


def places(c: Case, catalog: Catalog) -> tuple[Place, ...]:
    """Every card of the catalog that holds the run, cheapest first, cards without a price last."""
    found = []
    for card in catalog.accelerators.values():
        capacity = card_bytes(card.memory, c.inputs.usable_percent)
        verdict = fits(c.peak, capacity)
        if verdict != "no":
            found.append(Place(card, verdict, capacity, best_quote(catalog, card.id, c.inputs.currency)))
    return tuple(sorted(found, key=lambda p: (p.per_hour is None, p.per_hour or 0.0, p.capacity, p.card.id)))


def smaller_formats(now: str, engine: str) -> tuple[str, ...]:
    """Formats with fewer bits than `now`, the widest first: GGUF after GGUF and in stable-diffusion.cpp, the others else."""
    gguf = engine == "sd.cpp" or FORMATS[now].gguf
    found = [id for id, f in FORMATS.items() if f.bits < FORMATS[now].bits and f.gguf == gguf]
    return tuple(sorted(found, key=lambda id: -FORMATS[id].bits))
