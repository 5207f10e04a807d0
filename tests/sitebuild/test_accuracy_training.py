"""The training kinds of the accuracy command: within their limits, broken by breaking a calculator's function, and unseen cases."""

from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest

from calculators.training import activations, flops, footprint, recipes, states, time
from sitebuild.accuracy.cases import Case, read
from sitebuild.accuracy.run import BROKEN, OK, OUT, REPORTED, evaluate, outcome

CASES = read(Path(__file__).parents[1] / "cases" / "memory.yaml")
KINDS = ("train_states", "train_peak", "train_rule", "train_flops", "train_time", "mfu", "train_time_default_mfu")
MEDIANS = {"train_states": 0.005, "train_peak": 0.06, "mfu": 0.005, "train_time": 0.005}


def of_kind(kind: str) -> list[Case]:
    """The cases of one kind."""
    return [c for c in CASES if c.kind == kind]


@pytest.mark.parametrize("case", [c for c in CASES if c.kind in KINDS], ids=lambda c: c.id)
def test_case(case: Case) -> None:
    assert outcome(case, {}).status in (OK, REPORTED)


@pytest.mark.parametrize("kind", MEDIANS)
def test_median_error(kind: str) -> None:
    errors = [abs(o.error) for o in evaluate(of_kind(kind), {}) if o.error is not None and o.scored]
    assert median(errors) <= MEDIANS[kind]


BREAKS: list[tuple[ModuleType, str, str]] = [
    (states, "sharded", "train_states"),
    (states, "per_parameter", "train_states"),
    (states, "offloaded", "train_states"),
    (activations, "block_bytes", "train_peak"),
    (footprint, "logits_bytes", "train_peak"),
    (flops, "flops_per_token", "train_flops"),
    (flops, "flops_per_token", "train_time_default_mfu"),
    (flops, "attention_flops", "mfu"),
    (flops, "mfu", "mfu"),
    (flops, "megatron_flops", "mfu"),
    (time, "gpu_hours", "train_time_default_mfu"),
    (time, "gpu_hours_from_rate", "train_time"),
    (time, "scaled_hours", "train_time"),
    (time, "days", "train_time"),
]


@pytest.mark.parametrize(("module", "name", "kind"), BREAKS, ids=[f"{n}-{k}" for _, n, k in BREAKS])
def test_a_broken_function_fails_its_cases(module: ModuleType, name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = getattr(module, name)

    def wrong(*a: Any, **k: Any) -> Any:
        found = whole(*a, **k)
        if isinstance(found, states.States):
            return states.States(
                *(9 * x for x in (found.weights + 1, found.gradients, found.master, found.optimizer, found.host))
            )
        return 9 * found

    monkeypatch.setattr(module, name, wrong)
    assert any(o.status in (OUT, BROKEN) for o in evaluate(of_kind(kind), {}))


@pytest.mark.parametrize("name", ["sharded", "per_parameter", "offloaded", "kept_bytes", "logits_bytes", "optimizer_bytes"])
def test_the_functions_are_the_calculators(name: str) -> None:
    """What the cases reach is what the calculator's sum is made of."""
    homes = (states, activations, recipes)
    assert getattr(footprint, name) is next(getattr(home, name) for home in homes if hasattr(home, name))


def unseen(formula: str, value: float, tolerance: float, **inputs: Any) -> Case:
    """A case that the file does not have."""
    return Case("new", "new", formula, inputs, value, "", tolerance, scored=True, source="", line=1)


LLAMA = {"h": 4096, "heads": 32, "kv_heads": 8, "layers": 32, "ff": 14336, "vocab": 128256}
UNSEEN = [
    ("DeepSpeed over nodes", unseen("deepspeed_gib", 11.28, 0.001, stage=2, params=2851e6, gpus_per_node=8, nodes=8)),
    ("ZeRO with another optimizer", unseen("zero_gb", 60.0, 0.001, stage=0, params=7.5e9, dp=8, K=4)),
    (
        "QLoRA peak",
        unseen(
            "finetune_gib", 7.4, 0.2, model=LLAMA, base_bytes=0.516, rank=8, modules=["q", "v", "o"], train_bytes=12, batch=2, seq=2048,
            ckpt=True, logit_bytes=6, logit_chunks=8, overhead=2e8,
        ),
    ),
    ("MFU with causal attention", unseen("mfu", 0.377, 0.01, n_active=7.5e9, tok_per_s_per_gpu=7700, peak_flops=989.4e12,
                                        attn={"layers": 32, "d_attn": 4096, "seq": 4096})),
    ("Megatron without recomputation", unseen("megatron_tflops", 138, 0.02, batch=512, seq=2048, layers=24, h=2304, vocab=51200,
                                             iter_s=0.617, gpus=128, recompute=False)),
]  # fmt: skip


@pytest.mark.parametrize("case", [c for _, c in UNSEEN], ids=[name for name, _ in UNSEEN])
def test_unseen_case_is_computed(case: Case) -> None:
    found = outcome(case, {})
    assert found.status in (OK, OUT), found.detail
    assert found.computed is not None
    assert found.computed > 0


REFUSED = [
    ("an unknown input", unseen("train_flops", 1, 1, n_active=1e9, tokens=1e9, colour=1)),
    ("a stage that no estimator has", unseen("deepspeed_gib", 1, 1, stage=1, params=1e9)),
    ("modules that are no list", unseen("finetune_gib", 1, 1, model=LLAMA, rank=8, modules="q", train_bytes=12, seq=1)),
    ("attention that is no mapping", unseen("mfu", 1, 1, n_active=1, tok_per_s_per_gpu=1, peak_flops=1, attn=3)),
    ("a rate of nothing", unseen("gpu_hours_from_rate", 1, 1, tokens=1e9, tok_per_s_per_gpu=0)),
    ("no GPU", unseen("days", 1, 1, gpu_hours=1, gpus=0)),
]


@pytest.mark.parametrize("case", [c for _, c in REFUSED], ids=[name for name, _ in REFUSED])
def test_bad_case_is_an_error_of_its_own(case: Case) -> None:
    assert outcome(case, {}).status == BROKEN
