"""Diffusion memory through the door that pages use: examples, suggestions that hold, bad inputs."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.diffusion.components import FORMATS
from calculators.vram_diffusion import CALCULATOR, EXAMPLES
from catalog import load
from catalog.model import Catalog

CATALOG = load.load()
YES = "yes, even at the high end"


def ask(inputs: dict[str, Any]) -> dict[str, Any]:
    """The response, whatever it is."""
    found: dict[str, Any] = json.loads(bridge.call("vram-diffusion", json.dumps(inputs)))
    return found


def call(**inputs: Any) -> dict[str, Any]:
    """One answer; fails the test on an error."""
    data = ask(inputs)
    assert "outputs" in data, data["error"]
    return data


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_example(example: Any, catalog: Catalog) -> None:
    found = call(**example.inputs)["outputs"]
    for name, value in example.expected.items():
        assert found[name] == pytest.approx(value, rel=example.rel)


@pytest.mark.parametrize("model", CATALOG.diffusion_models)
def test_every_model_is_computed_in_both_languages(model: str, catalog: Catalog) -> None:
    for lang in ("en", "zh"):
        data = call(model=model, lang=lang, view=True)
        found = data["outputs"]
        assert found["weights_gib"] == pytest.approx(found["text_gib"] + found["denoiser_gib"] + found["vae_gib"])
        rows = next(t for t in data["tables"] if t["id"] == "components")["rows"]
        assert sum(r["size"] for r in rows) == pytest.approx(found["weights_gib"])
        assert len(data["charts"]) == 2


@pytest.mark.parametrize("preset", CALCULATOR.presets, ids=lambda p: p.id)
def test_presets_fit_their_card(preset: Any, catalog: Catalog) -> None:
    assert call(**preset.change)["outputs"]["verdict"] == YES


NOT_FITTING: list[dict[str, Any]] = [
    {},
    {"model": "sdxl", "batch": 16},
    {"model": "sd-1-5", "width": 2048, "height": 2048, "flash_attention": False},
    {"model": "sd3-5-large"},
    {"model": "cogvideox-5b"},
    {"model": "hunyuanvideo"},
    {"model": "wan-2-2-a14b", "accelerator": "a100-40g-sxm"},
    {"model": "wan-2-1-1-3b", "frames": 161},
    {"model": "ltx-video-13b", "accelerator": "l40s"},
    {"engine": "sd.cpp", "denoiser_format": "q8_0", "flash_attention": False, "width": 1536, "height": 1536},
]


@pytest.mark.parametrize("inputs", NOT_FITTING, ids=lambda i: "-".join(str(v) for v in i.values()) or "default")
def test_suggestions_are_proven_and_smallest(inputs: dict[str, Any], catalog: Catalog) -> None:
    data = call(**inputs)
    assert data["outputs"]["verdict"] != YES
    assert any("accelerator" not in s["change"] for s in data["suggestions"]), "nothing but another card is suggested"
    usual = CATALOG.diffusion_models[data["inputs"]["model"]]
    for suggestion in data["suggestions"]:
        change = suggestion["change"]
        changed = {**inputs, **change}
        assert call(**changed)["outputs"]["verdict"] == YES, suggestion["title"]
        if "batch" in change:
            assert call(**{**changed, "batch": change["batch"] + 1})["outputs"]["verdict"] != YES
        if "frames" in change:
            assert call(**{**changed, "frames": change["frames"] + usual.token_frames})["outputs"]["verdict"] != YES
        if len(change) == 1:
            milder = _milder(inputs, change)
            assert all(call(**{**inputs, **m})["outputs"]["verdict"] != YES for m in milder), "a smaller change would do"


def _milder(inputs: dict[str, Any], change: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps between the inputs and the change that an engine runs."""
    (field, value) = next(iter(change.items()))
    if field == "offload":
        return [{"offload": "model"}] if value == "sequential" and inputs.get("offload", "none") == "none" else []
    if field not in ("denoiser_format", "text_format"):
        return []
    now = FORMATS[inputs.get(field, "bf16")]
    gguf = FORMATS[value].gguf
    return [{field: f} for f, known in FORMATS.items() if FORMATS[value].bits < known.bits < now.bits and known.gguf == gguf]


def test_where_it_fits_less_offload_or_a_cheaper_card_is_offered(catalog: Catalog) -> None:
    inputs = {"model": "sdxl", "offload": "sequential", "accelerator": "h100-sxm"}
    now = call(**inputs)
    changes = [s["change"] for s in now["suggestions"]]
    assert {"offload": "none"} in changes
    for change in changes:
        then = call(**{**inputs, **change})["outputs"]
        assert then["verdict"] == YES
        assert then["price_per_hour"] <= now["outputs"]["price_per_hour"]


def test_cards_are_sorted_by_price_and_hold_it(catalog: Catalog) -> None:
    rows = next(t for t in call(model="sdxl")["tables"] if t["id"] == "cards")["rows"]
    known = [r["price"] for r in rows if r["price"] is not None]
    assert len(known) >= 10
    assert known == sorted(known)
    for row in rows[:8]:
        assert call(model="sdxl", accelerator=row["card"])["outputs"]["verdict"] != "no"


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("frames of an image", {"frames": 16}, "frames", "makes images"),
    ("a ControlNet that is not there", {"controlnet": True}, "controlnet", "no ControlNet"),
    ("an engine without a row", {"model": "wan-2-1-14b", "engine": "sd.cpp"}, "engine", "No buffer"),
    ("layers offloaded in stable-diffusion.cpp", {"engine": "sd.cpp", "offload": "sequential"}, "offload", "no sequential"),
    ("bitsandbytes in stable-diffusion.cpp", {"engine": "sd.cpp", "denoiser_format": "nf4"}, "denoiser_format", "GGUF"),
    ("the same for the text", {"engine": "sd.cpp", "text_format": "int8"}, "text_format", "GGUF"),
    ("too narrow", {"width": 63}, "width", "Too small"),
    ("too wide", {"width": 8192}, "width", "Too large"),
    ("half a pixel", {"height": 512.5}, "height", "whole number"),
    ("a size as text", {"width": "1024x1024"}, "width", ""),
    ("no frame", {"model": "wan-2-1-14b", "frames": 0}, "frames", "Too small"),
    ("a film", {"model": "wan-2-1-14b", "frames": 100_000}, "frames", "Too large"),
    ("none at once", {"batch": 0}, "batch", "Too small"),
    ("a batch that is empty", {"batch": ""}, "batch", "Enter a number"),
    ("maybe", {"vae_tiling": "maybe"}, "vae_tiling", "yes or no"),
    ("an unknown offload", {"offload": "disk"}, "offload", "not in the list"),
    ("an unknown model", {"model": "midjourney"}, "model", "not in the list"),
    ("a language model", {"model": "llama-3-1-8b"}, "model", "not in the list"),
    ("an unknown format", {"denoiser_format": "fp5"}, "denoiser_format", "not in the list"),
    ("more memory than there is", {"usable_percent": 120}, "usable_percent", "Too large"),
    ("infinite memory", {"usable_percent": "inf"}, "usable_percent", "finite"),
    ("an unknown field", {"steps": 30}, "steps", "no field"),
]


@pytest.mark.parametrize("row", BAD, ids=lambda r: r[0])
def test_bad_input_names_its_field_in_both_languages(row: tuple[str, dict[str, Any], str, str], catalog: Catalog) -> None:
    _, inputs, field, words = row
    error = ask(inputs)["error"]
    assert error["code"] == "bad-input"
    assert [f["field"] for f in error["fields"]] == [field]
    assert words in error["fields"][0]["message"]
    chinese = ask({**inputs, "lang": "zh"})["error"]["fields"][0]["message"]
    assert any("\u4e00" <= c <= "\u9fff" for c in chinese)


INPUTS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(list(CATALOG.diffusion_models)),
        "denoiser_format": st.sampled_from(list(FORMATS)),
        "text_format": st.sampled_from(list(FORMATS)),
        "width": st.none() | st.integers(64, 4096),
        "height": st.none() | st.integers(64, 4096),
        "frames": st.none() | st.integers(1, 1024),
        "batch": st.integers(1, 64),
        "guidance": st.booleans(),
        "offload": st.sampled_from(["none", "model", "sequential"]),
        "vae_tiling": st.booleans(),
        "text_on_cpu": st.booleans(),
        "flash_attention": st.booleans(),
        "accelerator": st.sampled_from(list(CATALOG.accelerators)),
        "engine": st.sampled_from(["diffusers", "sd.cpp"]),
        "controlnet": st.booleans(),
        "usable_percent": st.floats(30, 98),
    }
)


@pytest.mark.usefixtures("catalog")
@settings(max_examples=80, deadline=None)
@given(inputs=INPUTS)
def test_any_input_in_range_has_a_finite_answer_or_a_named_field(inputs: dict[str, Any]) -> None:
    data = ask({**inputs, "view": True})
    if "error" in data:
        assert data["error"]["fields"][0]["field"] in inputs
        return
    low, high = data["ranges"]["peak_gib"]
    assert 0 < low <= high
    assert data["outputs"]["resident_gib"] <= data["outputs"]["weights_gib"] + 1e-9
