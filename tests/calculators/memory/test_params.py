"""Parameter counts against published ones, and what the hub adds to them."""

from dataclasses import replace

import pytest

from calculators.memory.params import fp8_scale_elements, hub_elements, lora_parameters, parameter_groups
from catalog.load import load
from catalog.model import Architecture, LanguageModel
from tests.calculators.memory.architectures import ALL, DEEPSEEK_V3, LLAMA_3_1_8B, QWEN3_6_27B, QWEN3_NEXT

MODELS = load().models
# Qwen3.5's vision tower from its config: 27 blocks of 1152 with FFN 4304, patches 2 x 3 x 16 x 16, 2304 positions, a merger
# of 2 x 2 patches to the width of the language model
QWEN3_5_VISION = (
    27 * (4 * 1152**2 + 2 * 1152 * 4304 + 4304 + 9 * 1152)
    + (2 * 3 * 16 * 16 + 1) * 1152
    + 2304 * 1152
    + 2 * 1152
    + (4 * 1152) ** 2
    + 4 * 1152
    + 4 * 1152 * 5120
    + 5120
)
# models whose hub total is not the parameter count -> what the hub adds, and why
EXPLAINED = {
    "deepseek-v3": (41_540_496, "FP32 scales of 128 x 128-block FP8"),
    "deepseek-r1": (41_540_496, "FP32 scales of 128 x 128-block FP8"),
    "kimi-k2": (3_416, "no public explanation found"),
}


@pytest.mark.parametrize("model", [m for m in MODELS.values() if m.published_parameters], ids=lambda m: m.id)
def test_count_equals_the_published_one(model: LanguageModel) -> None:
    added, _ = EXPLAINED.get(model.id, (0, ""))
    assert model.published_parameters
    assert model.published_parameters.value - parameter_groups(model.architecture).total == added


def test_most_models_have_a_published_count() -> None:
    assert sum(m.published_parameters is not None for m in MODELS.values()) >= 30


@pytest.mark.parametrize("a", ALL.values(), ids=ALL.keys())
def test_groups_sum_to_the_total(a: Architecture) -> None:
    p = parameter_groups(a)
    assert sum(p.groups.values()) == p.total
    assert 0 < p.active <= p.language <= p.total
    assert p.non_embedding == p.total - p.embedding - p.position - p.head


def test_gated_deltanet_layers_and_the_mtp_module_count_exactly() -> None:
    assert parameter_groups(QWEN3_NEXT).total == 81_324_862_720  # hub total of Qwen3-Next-80B-A3B


def test_a_vision_tower_outside_the_record_explains_the_hub_total() -> None:
    """27,781,427,952: the hub's total of Qwen3.8-27B, whose config has the shapes of Qwen3.6-27B (kvfit models.json)."""
    assert parameter_groups(QWEN3_6_27B).total + QWEN3_5_VISION == 27_781_427_952


def test_deepseek_v3_is_671b_with_37b_active() -> None:
    p = parameter_groups(DEEPSEEK_V3)
    assert p.language == 671_026_419_200
    assert round(p.active / 1e9, 1) == 37.6
    assert fp8_scale_elements(DEEPSEEK_V3) == 41_540_496
    assert hub_elements(DEEPSEEK_V3, fp8_scales=True) == 684_531_386_000


def test_a_tied_head_saved_twice_counts_once_more_and_an_untied_one_does_not() -> None:
    tied = replace(LLAMA_3_1_8B, tie_word_embeddings=True)
    assert hub_elements(tied, double_tied=True) == hub_elements(LLAMA_3_1_8B, double_tied=True)
    assert parameter_groups(tied).head == 0


def test_adapters_sum_over_the_matrices_and_refuse_unknown_ones() -> None:
    assert lora_parameters(LLAMA_3_1_8B, 8, ("q",)) == 32 * 8 * (4096 + 4096)
    assert lora_parameters(LLAMA_3_1_8B, 8, ("v",)) == 32 * 8 * (4096 + 1024)
    with pytest.raises(ValueError, match="unknown module 'router'"):
        lora_parameters(LLAMA_3_1_8B, 8, ("router",))


def test_layer_kinds_that_exceed_the_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="32 layers cannot hold 40 sliding ones"):
        parameter_groups(replace(LLAMA_3_1_8B, sliding_layers=40, sliding_window=128))
