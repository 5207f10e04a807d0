"""Suggestions and notes of `vram-diffusion`. Every suggestion was run again; the next smaller step does not do."""

from dataclasses import replace
from itertools import combinations
from typing import Any

from calculators.diffusion.case import Case, Place, run_of, smaller_formats
from calculators.diffusion.components import FORMATS
from calculators.diffusion.peak import OFFLOADS as STEPS
from calculators.diffusion.peak import Peak, fits, peak
from calculators.framework.spec import InputError, Suggestion
from calculators.framework.text import Text, number
from calculators.framework.verdict import gib
from calculators.market.words import card_name, with_price
from calculators.memory.advice import largest
from catalog.model import Catalog

SLOWEST = "sequential"
OFFLOAD_TITLES = {
    "none": Text("keep all weights on the card", "权重全部留在显卡"),
    "model": Text("offload by model, one component at a time", "按模型卸载权重"),
    "sequential": Text("offload layer by layer", "逐层卸载权重"),
}
LEAST_SIDE = 256
GRID = 16
"""Sides are whole tokens of 16 pixels in most models."""


def suggestions(c: Case, found: tuple[Place, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """Single changes that make it fit, what costs least first; else pairs; where it fits, less offload or a cheaper card."""
    if c.verdict == "yes":
        return _roomier(c, found, catalog)
    steps = _switches(c)
    listed = _first_of_each(c, steps, catalog)
    listed += _numbers(c, catalog)
    if all(s.change.get("offload") == SLOWEST for s in listed):  # none, or only the one that is many times slower
        mild = [[change for change in kind if change.get("offload") != SLOWEST] for kind in steps]
        listed += _combined(c, [kind for kind in mild if kind], catalog)
    if not listed:
        listed = _combined(c, steps, catalog) or _everything(c, steps, catalog)
    best = next((p for p in found if p.verdict == "yes" and p.card.id != c.card.id), None)
    if best:
        listed.append(_other_card(best, c))
    return tuple(listed)


def _tried(c: Case, change: dict[str, Any], catalog: Catalog) -> Peak | None:
    """The peak with a change, or None where no engine runs it."""
    try:
        return peak(run_of(replace(c.inputs, **change), catalog))
    except InputError:
        return None


def _switches(c: Case) -> list[list[dict[str, Any]]]:
    """Kinds of change, each from the mildest: tried in turn, the first of a kind that fits is given."""
    i = c.inputs
    kinds: list[list[dict[str, Any]]] = []
    if not i.flash_attention:
        kinds.append([{"flash_attention": True}])
    if not i.vae_tiling:
        kinds.append([{"vae_tiling": True}])
    if not i.text_on_cpu:
        kinds.append([{"text_on_cpu": True}])
    kinds.append([{"offload": o} for o in STEPS[STEPS.index(i.offload) + 1 :]])
    kinds.append([{"text_format": f} for f in smaller_formats(i.text_format, i.engine)])
    kinds.append([{"denoiser_format": f} for f in smaller_formats(i.denoiser_format, i.engine)])
    return [k for k in kinds if k]


def _first_of_each(c: Case, kinds: list[list[dict[str, Any]]], catalog: Catalog) -> list[Suggestion]:
    listed = []
    for kind in kinds:
        for change in kind:
            p = _tried(c, change, catalog)
            if p is not None and fits(p, c.capacity) == "yes":
                listed.append(Suggestion(_title(change), change, _needs(p, c.capacity)))
                break
    return listed


def _everything(c: Case, kinds: list[list[dict[str, Any]]], catalog: Catalog) -> list[Suggestion]:
    """Where no set of switches is enough: all of them at their strongest, and the largest length or size that then fits."""
    strongest = {k: v for kind in kinds for k, v in kind[-1].items()}
    strong = replace(c, inputs=replace(c.inputs, **strongest))
    found = []
    for s in _numbers(strong, catalog)[-1:]:
        change = {**strongest, **s.change}
        for field in strongest:  # what is not needed for this size is left as it was
            fewer = {k: v for k, v in change.items() if k != field}
            p = _tried(c, fewer, catalog)
            if p is not None and fits(p, c.capacity) == "yes":
                change = fewer
        p = _tried(c, change, catalog)
        if p is not None:
            found.append(Suggestion(_title(change), change, _needs(p, c.capacity)))
    return found


def _numbers(c: Case, catalog: Catalog) -> list[Suggestion]:
    """The largest batch, length and size that fit."""
    s, m = c.run.size, c.run.model

    def holds(change: dict[str, Any]) -> bool:
        p = _tried(c, change, catalog)
        return p is not None and fits(p, c.capacity) == "yes"

    def given(change: dict[str, Any], worth: int) -> Suggestion | None:
        p = _tried(c, change, catalog) if worth else None
        return None if p is None else Suggestion(_title(change), change, _needs(p, c.capacity))

    batch = largest(lambda n: holds({"batch": n}), s.batch - 1)
    found = [given({"batch": batch}, batch)]
    if m.task == "video":
        whole = (s.frames - 2) // m.token_frames
        latents = largest(lambda n: holds({"frames": 1 + n * m.token_frames}), whole) if whole > 0 else 0
        found.append(given({"frames": 1 + latents * m.token_frames}, latents))
    columns = largest(lambda n: holds(_scaled(s.width, s.height, n)), (s.width - 1) // GRID)
    sides = _scaled(s.width, s.height, columns)
    found.append(given(sides, columns if min(sides.values()) >= LEAST_SIDE else 0))
    return [s for s in found if s is not None]


def _scaled(width: int, height: int, columns: int) -> dict[str, Any]:
    """A size `columns` x 16 pixels wide with the same proportions, the height rounded down to 16."""
    wide = max(64, columns * GRID)
    return {"width": wide, "height": max(64, height * wide // width // GRID * GRID)}


def _combined(c: Case, kinds: list[list[dict[str, Any]]], catalog: Catalog) -> list[Suggestion]:
    """Where no single change is enough: the smallest set of kinds that is, each at its mildest step that does."""
    for count in (2, 3, 4):
        for chosen in combinations(kinds, count):
            strongest = {k: v for kind in chosen for k, v in kind[-1].items()}
            p = _tried(c, strongest, catalog)
            if p is None or fits(p, c.capacity) != "yes":
                continue
            change = dict(strongest)
            for kind in chosen:  # soften one kind after another
                for milder in kind[:-1]:
                    softer = {**change, **milder}
                    q = _tried(c, softer, catalog)
                    if q is not None and fits(q, c.capacity) == "yes":
                        change, p = softer, q
                        break
            return [Suggestion(_title(change), change, _needs(p, c.capacity))]
    return []


def _title(change: dict[str, Any]) -> Text:
    titles = [_one_title(field, value) for field, value in change.items() if field not in ("width", "height")]
    if "width" in change:
        size = f"{change['width']} × {change['height']}"
        titles.append(Text(f"generate {size}", f"改为生成 {size}"))
    return _sentence(Text(" and ".join(t.en for t in titles), "，并".join(t.zh for t in titles)))


def _sentence(words: Text) -> Text:
    return Text(words.en[:1].upper() + words.en[1:], words.zh)


def _one_title(field: str, value: Any) -> Text:
    if field in ("denoiser_format", "text_format"):
        name = FORMATS[value].name
        of = {"denoiser_format": Text("denoiser", "去噪模型"), "text_format": Text("text encoders", "文本编码器")}[field]
        return Text(f"take the {of.en} in {name.en}", f"{of.zh}改用 {name.get('zh')}")
    if field == "offload":
        return OFFLOAD_TITLES[value]
    shown = number(value) if isinstance(value, int) else value
    return {
        "flash_attention": Text("switch flash attention on", "打开 Flash Attention"),
        "vae_tiling": Text("decode in tiles", "使用 VAE 分块解码"),
        "text_on_cpu": Text("run the text encoders on the CPU", "文本编码器放到 CPU 上"),
        "batch": Text(f"generate {shown} at once", f"每次生成 {shown} 个"),
        "frames": Text(f"generate {shown} frames", f"生成 {shown} 帧"),
    }[field]


def _needs(p: Peak, capacity: float) -> Text:
    return Text(f"then at most {gib(p.high)} of {gib(capacity)}", f"之后最多需要 {gib(p.high)}，可用 {gib(capacity)}")


def _other_card(p: Place, c: Case) -> Suggestion:
    name, needs = card_name(p.card), _needs(c.peak, p.capacity)
    needs = with_price(needs, p.per_hour, c.inputs.currency)
    return Suggestion(Text(f"Take {name.en}", f"改用 {name.zh}"), {"accelerator": p.card.id}, needs)


def _roomier(c: Case, found: tuple[Place, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """It fits: less offload, which is faster; and the cheapest card, if that costs less than the reader's."""
    listed: list[Suggestion] = []
    for offload in STEPS[: STEPS.index(c.inputs.offload)]:
        p = _tried(c, {"offload": offload}, catalog)
        if p is not None and fits(p, c.capacity) == "yes":
            effect = Text(
                f"faster, and still at most {gib(p.high)} of {gib(c.capacity)}",
                f"更快，最多仍只需 {gib(p.high)}，可用 {gib(c.capacity)}",
            )
            listed.append(Suggestion(_title({"offload": offload}), {"offload": offload}, effect))
            break
    best = next((p for p in found if p.verdict == "yes" and p.per_hour is not None), None)
    mine = next((p for p in found if p.card.id == c.card.id), None)
    paid = mine.per_hour if mine else None
    if best is not None and best.per_hour is not None and best.card.id != c.card.id and (paid is None or best.per_hour < paid):
        listed.append(_other_card(best, c))
    return tuple(listed)


def notes(c: Case) -> tuple[Text, ...]:
    """What a reader must know to use the answer."""
    m, i = c.run.model, c.inputs
    found = []
    if m.note:
        found.append(Text(m.note, m.note_zh))
    if i.engine == "sd.cpp" and i.batch > 1:
        found.append(
            Text(
                "stable-diffusion.cpp makes one image after another: the batch adds no memory.",
                "stable-diffusion.cpp 逐张生成：批量不增加显存。",
            )
        )
    if i.offload == "sequential":
        found.append(
            Text(
                "Sequential offload moves every layer over PCIe in every step: many times slower.",
                "逐层卸载在每一步都要通过 PCIe 搬运每一层，速度慢很多倍。",
            )
        )
    if not m.confirmed:
        found.append(
            Text(
                "The shapes of this model could not be confirmed on a public page.",
                "该模型的结构参数未能在公开页面上得到证实。",
            )
        )
    if i.engine == "diffusers":
        found.append(
            Text(
                "Working memory in PyTorch is a wide range: kernels, compilation and versions differ. LoRA, IP-Adapter and refiner are not counted.",
                "PyTorch 的工作显存区间较宽：算子、编译方式和版本各不相同。未计入 LoRA、IP-Adapter 和 refiner。",
            )
        )
    return tuple(found)
