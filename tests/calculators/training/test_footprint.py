"""Properties of the sum: monotone, sharding never adds to the states, each layer and tensor is somewhere exactly once."""

from dataclasses import replace
from math import isfinite
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calculators.memory.params import lora_parameters, parameter_groups
from calculators.training import footprint as footprint_module
from calculators.training.footprint import Footprint, finetune_peak, footprint, rank_states, sizing, trained_parameters
from calculators.training.memory_fields import (
    BASE_FORMATS,
    LOSSES,
    METHODS,
    OBJECTIVES,
    OPTIMIZER_NAMES,
    PRECISION_NAMES,
    RECOMPUTES,
    SHARDINGS,
)
from calculators.training.plan import ATTENTION_AND_FFN, STAGES, Plan, divides, problem
from calculators.training.recipes import OPTIMIZERS, PRECISIONS
from calculators.training.shards import stage_layers, stage_tensors, stages_to_check
from catalog import load

MODELS = {m.id: m.architecture for m in load.load().models.values()}
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Any plan that some framework runs."""
    size = st.sampled_from([1, 2, 4])
    a = MODELS[draw(st.sampled_from(sorted(MODELS)))]
    objective = draw(st.sampled_from(sorted(OBJECTIVES)))
    tensor, pipeline = draw(size), draw(size)
    experts = draw(st.sampled_from([1, 2, 8])) if a.num_experts else 1
    context = draw(st.sampled_from([1, 2]))
    shardings = sorted(set(SHARDINGS) - ({"zero2", "zero3"} if pipeline > 1 else set()))
    sharding = draw(st.sampled_from(shardings))
    found = Plan(
        a,
        method="full" if objective == "pretrain" else draw(st.sampled_from(sorted(METHODS))),
        objective=objective,
        precision=draw(st.sampled_from(sorted(PRECISION_NAMES))),
        optimizer=draw(st.sampled_from(sorted(OPTIMIZER_NAMES))),
        sharding=sharding,
        gpus=tensor * pipeline * context * 8 * draw(st.sampled_from([1, 8])),
        tensor_parallel=tensor,
        pipeline_parallel=pipeline,
        context_parallel=context,
        expert_parallel=experts,
        virtual_stages=draw(st.sampled_from([1, 2])) if pipeline > 1 else 1,
        sequence_parallel=draw(st.booleans()),
        micro_batch=draw(st.integers(1, 32)),
        sequence=draw(st.integers(1, 100_000)),
        micro_batches=draw(st.integers(1, 64)),
        recompute=draw(st.sampled_from(sorted(RECOMPUTES))),
        flash=draw(st.booleans()),
        fused_ffn=draw(st.booleans()),
        loss=draw(st.sampled_from(sorted(LOSSES))),
        offload_optimizer=draw(st.booleans()) if STAGES[sharding] else False,
        offload_parameters=draw(st.booleans()) if STAGES[sharding] == 3 else False,
        base_format=draw(st.sampled_from(BASE_FORMATS)),
    )
    assume(problem(found) is None)
    return found


def test_names_and_records_agree() -> None:
    assert set(OPTIMIZER_NAMES) == set(OPTIMIZERS)
    assert set(PRECISION_NAMES) == set(PRECISIONS)
    assert set(SHARDINGS) == set(STAGES)


def ends(f: Footprint) -> tuple[float, float, float]:
    """What is compared."""
    return f.low, f.middle, f.high


def most(p: Plan) -> tuple[float, float, float]:
    """The largest of each end over the stages: which stage is the fullest may change with the inputs."""
    stages = [
        footprint_module._stage_at(p, i)(p.gpus, p.micro_batch, p.sequence)
        for i in stages_to_check(p.architecture, p.pipeline_parallel)
    ]
    low, middle, high = (max(each) for each in zip(*(ends(f) for f in stages), strict=True))
    return low, middle, high


@QUICK
@given(plans(), st.sampled_from(["micro_batch", "sequence"]), st.integers(1, 1000))
def test_more_tokens_never_need_less(p: Plan, field: str, more: int) -> None:
    larger = replace(p, **{field: getattr(p, field) + more})
    for now, then in zip(most(p), most(larger), strict=True):
        assert now <= then * (1 + 1e-12)


@QUICK
@given(plans(), st.integers(1, 20))
def test_more_layers_never_need_less(p: Plan, more: int) -> None:
    deeper = replace(p.architecture, num_hidden_layers=p.architecture.num_hidden_layers + more)
    assert footprint(p).high <= footprint(replace(p, architecture=deeper)).high * (1 + 1e-12)


@QUICK
@given(plans())
def test_parts_are_finite_and_in_order(p: Plan) -> None:
    f = footprint(p)
    assert all(isfinite(x) and x >= 0 for x in ends(f))
    assert f.low <= f.middle <= f.high
    assert f.exact <= f.low
    assert f.states.host >= 0


@QUICK
@given(plans())
def test_sharding_never_adds_to_the_states(p: Plan) -> None:
    """Stage by stage the states shrink; so they do over more GPUs. Gather buffers come on top and are shown apart."""
    p = replace(p, pipeline_parallel=1, virtual_stages=1, offload_optimizer=False, offload_parameters=False)
    assume(problem(replace(p, sharding="zero3")) is None)
    sizes = [footprint(replace(p, sharding=s)).exact for s in ("none", "zero1", "zero2", "zero3")]
    assert sizes == sorted(sizes, reverse=True)
    for sharding in ("zero1", "zero2", "zero3", "fsdp"):
        more = replace(p, sharding=sharding, gpus=2 * p.gpus)
        assert footprint(more).exact <= footprint(replace(p, sharding=sharding)).exact * (1 + 1e-12)


SPLITS = ("tensor_parallel", "pipeline_parallel", "expert_parallel")
SPLIT_MODELS = ("llama-3-1-8b", "gemma-3-12b", "qwen3-30b-a3b", "deepseek-v3", "mixtral-8x7b", "qwen3-next-80b-a3b")


@QUICK
@given(
    st.sampled_from(SPLIT_MODELS),
    st.sampled_from(sorted(METHODS)),
    st.sampled_from(sorted(OPTIMIZER_NAMES)),
    st.fixed_dictionaries({field: st.sampled_from([1, 2, 4]) for field in SPLITS}),
    st.sampled_from(SPLITS),
)
def test_splitting_a_model_never_adds_to_its_states(
    model: str, method: str, optimizer: str, sizes: dict[str, int], field: str
) -> None:
    a = MODELS[model]
    if not a.num_experts:
        sizes = {**sizes, "expert_parallel": 1}
    p = replace(Plan(a, method=method, optimizer=optimizer, gpus=512), **sizes)  # type: ignore[arg-type]  # fields by name
    split = replace(p, **{field: 2 * getattr(p, field)})
    if problem(split) is not None:
        assert field == "expert_parallel"
        return
    # the first and the last stage may each be the fullest; a tied table stands on both
    before = max(rank_states(p, i)[0].device for i in (0, p.pipeline_parallel - 1))
    after = max(rank_states(split, i)[0].device for i in (0, split.pipeline_parallel - 1))
    assert after <= before * (1 + 1e-12)


@QUICK
@given(plans())
def test_recomputing_more_of_many_layers_keeps_less(p: Plan) -> None:
    kept = [footprint(replace(p, recompute=r, method="full", objective="sft")).activations for r in ("none", "selective")]
    assert kept[1] <= kept[0] * (1 + 1e-12)


@pytest.mark.parametrize("model", sorted(MODELS))
def test_one_gpu_holds_every_parameter_once(model: str) -> None:
    a = MODELS[model]
    held = sum(h.elements for h in stage_tensors(a, 1, 1, 1, 0))
    assert held == parameter_groups(a).language
    assert trained_parameters(Plan(a)) == parameter_groups(a).language


@pytest.mark.parametrize("model", sorted(MODELS))
def test_stages_hold_every_layer_and_parameter(model: str) -> None:
    a = MODELS[model]
    for stages in (2, 4, 7):
        assert sum(n for i in range(stages) for _, n in stage_layers(a, stages, i)) == a.num_hidden_layers
        held = sum(h.elements for i in range(stages) for h in stage_tensors(a, 1, stages, 1, i))
        tied = a.vocab_size * a.hidden_size if a.tie_word_embeddings else 0
        assert held == parameter_groups(a).language + tied


@pytest.mark.parametrize("model", ["llama-3-1-8b", "deepseek-v3", "qwen3-30b-a3b", "gemma-3-12b"])
def test_adapters_are_counted_as_everywhere_else(model: str) -> None:
    a = MODELS[model]
    assert trained_parameters(Plan(a, method="lora", rank=8)) == lora_parameters(a, 8, ATTENTION_AND_FFN)


def test_freezing_keeps_activations_of_the_trained_layers_only() -> None:
    a = MODELS["llama-3-1-8b"]
    full = footprint(Plan(a, recompute="none"))
    frozen = footprint(Plan(a, method="freeze", trained_layers=4, recompute="none"))
    assert frozen.activations == pytest.approx(full.activations * 4 / 32)
    assert trained_parameters(Plan(a, method="freeze", trained_layers=32)) < parameter_groups(a).language


def test_reference_and_rollout_stand_beside_the_policy() -> None:
    a = MODELS["llama-3-1-8b"]
    base: dict[str, Any] = {"sharding": "fsdp", "gpus": 8}
    sft, dpo = footprint(Plan(a, **base)), footprint(Plan(a, objective="dpo", **base))
    assert dpo.reference == pytest.approx(8030261248 * 2 / 8)
    assert dpo.activations > sft.activations
    assert footprint(Plan(a, objective="dpo", method="lora", **base)).reference == 0
    awake = footprint(Plan(a, objective="grpo", rollout_sleep=False, **base))
    asleep = footprint(Plan(a, objective="grpo", **base))
    assert awake.high == pytest.approx(
        asleep.high - asleep.rollout(1.2 * asleep.modelled + asleep.transient_high) + awake.engine
    )
    assert awake.high > asleep.high


def test_pipeline_ends_hold_the_most() -> None:
    """With many micro-batches the first stage is the fullest; with a large vocabulary and few of them the last one is."""
    a = MODELS["llama-3-1-70b"]
    p = Plan(a, sharding="zero1", gpus=8, pipeline_parallel=8, micro_batches=64, sequence=8192, recompute="none", loss="fused")
    assert footprint(p).stage == 0
    assert footprint(replace(p, micro_batches=1, micro_batch=8, recompute="full", loss="plain")).stage == 7


def test_dense_leading_layers_do_not_hide_the_fullest_stage() -> None:
    a = MODELS["deepseek-v3"]
    p = Plan(a, sharding="zero1", gpus=16, pipeline_parallel=16, sequence=1, loss="fused")
    assert footprint(p).stage not in (0, 15)


def test_one_gpu_peak_follows_the_same_rules() -> None:
    a = MODELS["llama-3-1-8b"]
    f = footprint(Plan(a, precision="bf16", micro_batch=2, sequence=2048, loss="chunked"))
    peak = finetune_peak(
        a, base=0, states=f.states.device, live_gradients=0, batch=2, sequence=2048, recompute="full", logit_bytes=6, logit_chunks=8
    )  # fmt: skip
    assert peak == pytest.approx(f.exact + f.modelled)


@QUICK
@given(p=plans(), batch=st.integers(1, 64), sequence=st.integers(1, 50_000), more=st.sampled_from([1, 2, 4]))
def test_one_sizing_serves_every_number_of_gpus_batch_and_sequence(p: Plan, batch: int, sequence: int, more: int) -> None:
    there = replace(p, gpus=p.gpus * more, micro_batch=batch, sequence=sequence)
    assert sizing(p)(there.gpus, batch, sequence) == sizing(there)(there.gpus, batch, sequence) == footprint(there)
    assert divides(p, there.gpus) or problem(there) is not None
