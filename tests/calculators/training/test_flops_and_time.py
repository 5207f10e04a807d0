"""Arithmetic of training against published counts, and the identities of time."""

from collections.abc import Callable

import pytest

from calculators.training.flops import (
    active_parameters,
    attention_flops,
    flops_per_token,
    megatron_flops,
    mfu,
    model_attention_flops,
    recomputed_flops,
    train_flops,
)
from calculators.training.scaling import done_flops, model_flops
from calculators.training.time import days, gpu_hours, gpu_hours_from_rate, scaled_hours
from catalog.model import Catalog


@pytest.mark.parametrize(
    ("parameters", "tokens", "published"),
    [(174.6e9, 300e9, 3.14e23), (13015866880, 2e12, 1.56e23), (405853388800, 15.6e12, 3.8e25)],
    ids=["GPT-3 table D.1", "Llama 2 13B", "Llama 3.1 405B"],
)
def test_six_n_d(parameters: float, tokens: float, published: float) -> None:
    assert train_flops(parameters, tokens) == pytest.approx(published, rel=0.01)


def test_causal_attention_is_half_of_all_pairs() -> None:
    assert attention_flops(118, 12288, 2048, causal=False) == 2 * attention_flops(118, 12288, 2048)


def test_attention_of_models(catalog: Catalog) -> None:
    llama = catalog.models["llama-3-1-8b"].architecture
    assert model_attention_flops(llama, 8192) == 6 * 32 * 4096 * 8192
    mla = catalog.models["deepseek-v3"].architecture
    assert model_attention_flops(mla, 4096) == 6 * 61 * 128 * (192 + 128) / 2 * 4096
    sliding = catalog.models["gemma-3-12b"].architecture
    assert sliding.sliding_layers
    everything = 6 * sliding.num_hidden_layers * sliding.num_attention_heads * sliding.head_width * 131_072
    assert model_attention_flops(sliding, 131_072) < 0.3 * everything
    assert model_attention_flops(sliding, 512) == pytest.approx(everything * 512 / 131_072)
    hybrid = catalog.models["qwen3-next-80b-a3b"].architecture
    assert model_attention_flops(hybrid, 4096) == pytest.approx(
        6 * (48 - hybrid.linear_layers) * hybrid.num_attention_heads * hybrid.head_width * 4096
    )


def test_parameters_that_multiply(catalog: Catalog) -> None:
    llama = catalog.models["llama-3-1-8b"].architecture
    assert active_parameters(llama) == 8030261248 - 128256 * 4096
    tied = catalog.models["llama-3-2-3b"].architecture
    assert tied.tie_word_embeddings
    assert active_parameters(tied) > 3.2e9  # the table multiplies as the head
    assert 36e9 < active_parameters(catalog.models["deepseek-v3"].architecture) < 38e9


def test_recomputation_adds_a_forward_pass(catalog: Catalog) -> None:
    a = catalog.models["llama-3-1-8b"].architecture
    assert done_flops(a, 8192, "full") / model_flops(a, 8192) == pytest.approx(4 / 3)
    assert done_flops(a, 8192, "none") == model_flops(a, 8192)
    assert recomputed_flops(1e9, 3e6, "selective") == 1e6
    frozen = model_flops(a, 1, frozen=True)
    assert frozen / model_flops(a, 1) == pytest.approx(4 / 6, rel=1e-3)


def test_palm_mfu() -> None:
    """PaLM 540B: 238,300 tokens/s on 6,144 TPU v4 are 46.2 % with attention, 45.7 % without."""
    rate = 238_300 / 6144
    attention = attention_flops(118, 48 * 256, 2048, causal=False)
    assert mfu(rate, flops_per_token(540.35e9, attention), 275e12) == pytest.approx(0.462, abs=0.001)
    assert mfu(rate, flops_per_token(540.35e9), 275e12) == pytest.approx(0.457, abs=0.001)


@pytest.mark.parametrize(
    ("gpus", "teraflops", "layers", "hidden", "tokens", "published"),
    [(1024, 140, 96, 12288, 300e9, 34), (3072, 163, 128, 25600, 450e9, 84)],
    ids=["GPT-3 175B", "1T"],
)
def test_megatron_training_days(gpus: int, teraflops: float, layers: int, hidden: int, tokens: float, published: float) -> None:
    """Narayanan et al. 2021, section 5.1: 34 days for GPT-3 on 1,024 A100, 84 days for 1T parameters on 3,072."""
    per_token = megatron_flops(1, 2048, layers, hidden, 51200) / 2048
    assert per_token * tokens / (gpus * teraflops * 1e12) / 86400 == pytest.approx(published, rel=0.03)
    assert megatron_flops(1, 2048, layers, hidden, 51200, recompute=False) * 4 == 3 * per_token * 2048


def test_time_identities() -> None:
    assert gpu_hours(3.6e18, 1e15, 0.5) == 2
    assert gpu_hours_from_rate(3600, 1) == 1
    assert gpu_hours_from_rate(1.4e12, 380) == pytest.approx(1_022_362, rel=0.002)  # LLaMA 65B
    assert scaled_hours(180_000, 14.8e12) == pytest.approx(2_664_000)  # DeepSeek-V3
    assert round(days(180_000, 2048), 1) == 3.7


@pytest.mark.parametrize(
    "wrong",
    [lambda: gpu_hours(1, 0, 1), lambda: gpu_hours(1, 1, 0), lambda: gpu_hours_from_rate(1, 0), lambda: days(1, 0)],
    ids=["peak", "utilisation", "rate", "GPUs"],
)
def test_nothing_is_divided_by_nothing(wrong: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match=r"positive|at least"):
        wrong()
