"""What a config does not say, and what nobody understands, is told and never guessed."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.importing.config import read_config
from calculators.importing.diffusion import read_diffusion
from calculators.importing.reading import compact, read
from calculators.importing.record import Unusable
from calculators.memory.params import parameter_groups
from tests.calculators.importing.test_configs import CASES

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "vocab_size": 128256,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
}


def test_an_unknown_kind_gives_no_architecture_but_says_what_it_read() -> None:
    found = read_config(LLAMA | {"model_type": "hyena_x", "long_conv_width": 7})
    assert found.architecture is None
    assert "hidden_size = 4,096" in found.understood
    assert next(u.key for u in found.not_understood) == "model_type = hyena_x"
    assert "long_conv_width" in [u.key for u in found.not_understood]


def test_an_unknown_wrapper_is_not_read_as_what_it_wraps() -> None:
    found = read_config({"model_type": "brand_new_vl", "text_config": LLAMA})
    assert found.architecture is None


def test_an_unknown_key_is_told_and_the_rest_counts() -> None:
    found = read_config(LLAMA | {"extra_expert_width": 64, "rope_theta": 5e5, "bos_token_id": 1, "unused": None})
    assert [u.key for u in found.not_understood] == ["extra_expert_width"]
    assert "experts" in found.not_understood[0].changes.en
    assert found.architecture is not None
    assert parameter_groups(found.architecture).total == 8_030_261_248


def test_infinity_in_a_key_that_does_not_matter_is_fine() -> None:
    assert read(json.dumps(LLAMA | {"time_step_limit": [0.0, float("inf")]})).architecture is not None


def test_a_tower_without_a_rule_is_told() -> None:
    found = read_config(LLAMA | {"vision_config": {"hidden_size": 8}})
    assert [u.key for u in found.not_understood] == ["vision_config"]


@pytest.mark.parametrize(
    ("config", "format"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8-block128"),
        ({"quant_method": "fp8"}, "fp8"),
        ({"quant_method": "awq", "bits": 4}, "awq-int4-g128"),
        ({"quant_method": "gptq", "bits": 4, "sym": True}, "gptq-int4-g128-sym"),
        ({"quant_method": "gptq", "bits": 8}, ""),
        ({"quant_method": "bitsandbytes", "bnb_4bit_use_double_quant": True}, "nf4-dq"),
        ({"quant_method": "mxfp4"}, "mxfp4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ("strange", ""),
    ],
)
def test_quantisation(config: Any, format: str) -> None:
    assert read_config(LLAMA | {"quantization_config": config}).weight_format == format


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({"_class_name": "FluxTransformer2DModel", "guidance_embeds": True}, 11_901_408_320),
        ({"_class_name": "FluxTransformer2DModel", "guidance_embeds": False}, 11_891_178_560),
        ({"_class_name": "WanTransformer3DModel"}, 14_288_491_584),
        ({"_class_name": "WanTransformer3DModel", "num_attention_heads": 12, "ffn_dim": 8960, "num_layers": 30}, 1_418_996_800),
        (
            {"_class_name": "WanTransformer3DModel", "image_dim": 1280, "added_kv_proj_dim": 5120, "in_channels": 36},
            16_394_878_784,
        ),
    ],
)
def test_diffusion_transformers_count_as_diffusers_builds_them(config: dict[str, Any], count: int) -> None:
    """Counts of diffusers 0.42.1, built from the same configs on the meta device."""
    assert read_diffusion(config).total == count


def test_an_unknown_diffusion_class_is_named() -> None:
    found = read_diffusion({"_class_name": "NewTransformer", "width": 3})
    assert found.total == 0
    assert found.not_understood[0].key == "_class_name = NewTransformer"


_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.lists(
        st.one_of(
            st.integers(-3, 3), st.text(max_size=3), st.none(), st.dictionaries(st.text(max_size=2), st.integers(), max_size=1)
        ),
        max_size=4,
    ),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=st.sampled_from(CASES), data=st.data())
def test_any_change_of_a_config_is_read_or_refused(case: dict[str, Any], data: st.DataObject) -> None:
    config = json.loads(json.dumps(case["config"]))
    places = [config, *(v for v in config.values() if isinstance(v, dict))]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(places))
        place[data.draw(st.sampled_from([*place, "layer_types", "rope_scaling", "architectures", "id2label"]))] = data.draw(
            _VALUES
        )
    try:
        short = compact(json.dumps(config))
    except Unusable:
        return
    assert compact(short) == short
    found = read(short)
    if found.architecture is not None:
        assert 0 < parameter_groups(found.architecture).total <= 10**14


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("", "vllm serve ", "llama-server -m ", '{"gpuguide":"config",', "name=x;gguf;base64,"):
        try:
            compact(start + text)
        except Unusable:
            continue


def test_a_short_form_of_a_short_form_counts_the_same_keys() -> None:
    config = json.loads(json.dumps(CASES[0]["config"])) | {f"strange_{n}": n for n in range(30)}
    short = compact(json.dumps(config))
    assert compact(short) == short
    assert json.loads(short)["more"] == len(read(json.dumps(config)).not_understood) - len(json.loads(short)["unread"]) > 0
