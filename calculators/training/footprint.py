"""What the fullest GPU holds while it trains: the sum that `vram-training` shows.

In: a `Plan`. Out: a `Footprint` in bytes: model states (exact), activations and logits (modelled), gather buffers and
runtime overhead (assumed, low to high). All pipeline stages that can be the fullest are computed; the fullest is given.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from calculators.memory.kv import kv_cache
from calculators.memory.overhead import COLLECTIVES, CONTEXT, FRAGMENTATION
from calculators.memory.spread import weights_on_gpu
from calculators.memory.weights import tensor_bytes, weight_format
from calculators.training.activations import (
    LOGIT_BYTES,
    fused_chunks,
    in_flight,
    kept_bytes,
    logits_bytes,
)
from calculators.training.plan import Plan
from calculators.training.recipes import OPTIMIZERS, PRECISIONS, Optimizer, Precision, moment_bytes, optimizer_bytes
from calculators.training.shards import (
    REMEMBERED,
    Held,
    adapter_elements,
    largest_linear,
    largest_unit,
    layer_tensors,
    stage_layers,
    stage_tensors,
    stages_to_check,
    top_layers,
)
from calculators.training.states import HOST_FACTOR, States, added, offloaded, per_parameter, sharded
from catalog.model import Architecture

GIB = 2**30
ACTIVATION_ERROR = 0.20
"""Share by which activations and logits are taken to be off: peaks of torchtune and torchtitan lie within 20 % of ours."""
BUCKET = 500_000_000
"""Numbers in one of DeepSpeed's reduce and all-gather buckets (reduce_bucket_size, allgather_bucket_size: 5e8)."""
FROZEN = 2.0
"""Bytes of a frozen weight that is not quantised: BF16."""


class Footprint(NamedTuple):
    """Bytes on the fullest GPU, and what is in host memory per GPU. `low`, `high`: the least and the most that it needs."""

    stage: int
    in_flight: float
    trained: float
    states: States
    reference: float
    activations: float
    logits: float
    dequantised: float
    transient_low: float
    transient_high: float
    engine: float
    asleep: bool
    overhead_low: float
    overhead_high: float
    low: float
    high: float

    @property
    def exact(self) -> float:
        """Model states and the reference model."""
        return self.states.device + self.reference

    @property
    def modelled(self) -> float:
        """Activations, logits and dequantised weights."""
        return self.activations + self.logits + self.dequantised

    def rollout(self, working: float) -> float:
        """What the rollout engine adds beside the `working` memory of a training step."""
        return _added(self.engine, working, asleep=self.asleep)

    @property
    def middle(self) -> float:
        """States and modelled activations, assumed parts halfway."""
        working = self.modelled + (self.transient_low + self.transient_high) / 2
        return self.exact + working + self.rollout(working) + (self.overhead_low + self.overhead_high) / 2


def _added(engine: float, working: float, *, asleep: bool) -> float:
    """What a rollout engine adds. Asleep while training, it reuses the working memory of the training step."""
    return max(0.0, engine - working) if asleep else engine


@lru_cache(maxsize=REMEMBERED)
def footprint(p: Plan) -> Footprint:
    """The fullest GPU of a plan. Raises KeyError for unknown ids; `plan.problem` tells impossible combinations."""
    return sizing(p)(p.gpus, p.micro_batch, p.sequence)


@lru_cache(maxsize=64)
def sizing(p: Plan) -> Callable[[int, int, int], Footprint]:
    """`footprint` as a function of GPUs, micro-batch and sequence, for searches: what depends on none is computed once."""
    stages = [_stage_at(p, i) for i in stages_to_check(p.architecture, p.pipeline_parallel)]

    def at(gpus: int, micro_batch: int, sequence: int) -> Footprint:
        found = [stage(gpus, micro_batch, sequence) for stage in stages]
        return found[0] if len(found) == 1 else max(found, key=lambda f: (f.high, -f.stage))

    return at


def rank_states(p: Plan, stage: int) -> tuple[States, float]:
    """(states on one GPU of a pipeline stage after sharding and offload, trained numbers on it before sharding)."""
    groups = _groups(_recipe(p), stage)
    return _states(p, groups, p.ranks), sum(trained for _, trained, _ in groups)


def _states(p: Plan, groups: tuple[tuple[States, float, bool], ...], ranks: int) -> States:
    """States on one of `ranks` GPUs after sharding and offload. Expert parallelism already divides the copies of experts."""
    found = States(0, 0, 0, 0)
    for whole, _, expert in groups:
        found = added(found, sharded(whole, p.stage, max(1, ranks // p.expert_parallel) if expert else ranks))
    if p.offload_optimizer or p.offload_parameters:
        found = offloaded(found, optimizer=p.offload_optimizer, parameters=p.offload_parameters)
    return _paged(p, found) if OPTIMIZERS[p.optimizer].paged and not p.offload_optimizer else found


def _paged(p: Plan, s: States) -> States:
    """A paged optimizer needs the state of the tensor that it updates; the rest may leave for host memory."""
    a, precision = p.architecture, PRECISIONS[p.precision]
    moment = FP32_MOMENT if p.adapters else precision.moment
    trained = a.vocab_size * a.hidden_size if p.method == "full" else largest_linear(a, 1)
    elements = p.rank * 2 * a.hidden_size if p.adapters else trained
    page = moment_bytes(OPTIMIZERS[p.optimizer], elements / p.tensor_parallel, moment)
    kept = min(s.optimizer, page)
    return States(s.weights, s.gradients, s.master, kept, s.host + s.optimizer - kept)


FP32_MOMENT = 4.0


def _recipe(p: Plan) -> Plan:
    """The plan without what the unsharded states do not depend on, so that they are computed once for many batches and GPUs."""
    return Plan(
        p.architecture,
        method=p.method,
        precision=p.precision,
        optimizer=p.optimizer,
        tensor_parallel=p.tensor_parallel,
        pipeline_parallel=p.pipeline_parallel,
        expert_parallel=p.expert_parallel,
        fused_backward=p.fused_backward,
        rank=p.rank,
        modules=p.modules,
        adapter_bytes=p.adapter_bytes,
        base_format=p.base_format,
        trained_layers=p.trained_layers,
        galore_rank=p.galore_rank,
    )


def _held_bytes(
    held: tuple[Held, ...], precision: Precision, optimizer: Optimizer, galore_rank: int, *, expert: bool
) -> tuple[States, float]:
    """States of trained tensors before sharding, and their numbers; routed experts apart from the rest."""
    mine = [h for h in held if h.expert == expert]
    elements = sum(h.elements for h in mine)
    state = sum(optimizer_bytes(optimizer, h.tensor, precision.moment, galore_rank) * h.share for h in mine)
    base = per_parameter(elements, precision.weights, precision.gradients, precision.master, 0)
    return States(base.weights, base.gradients, base.master, state), elements


@lru_cache(maxsize=REMEMBERED)
def _groups(p: Plan, stage: int) -> tuple[tuple[States, float, bool], ...]:
    """(states, trained numbers, are they experts) of what one stage holds, before sharding."""
    a = p.architecture
    held = stage_tensors(a, p.tensor_parallel, p.pipeline_parallel, p.expert_parallel, stage)
    precision, optimizer = PRECISIONS[p.precision], OPTIMIZERS[p.optimizer]
    if p.adapters:
        return (*_frozen(held, p, ()), (*_adapters(p, stage), False))
    if p.method == "freeze":
        layers = _trained_layers(p, stage)
        held_trained = layer_tensors(a, layers, p.tensor_parallel, p.expert_parallel)
        found = _frozen(held, p, held_trained)
    else:
        held_trained, found = held, []
    for expert in (False, True):
        states, elements = _held_bytes(held_trained, precision, optimizer, p.galore_rank, expert=expert)
        if p.fused_backward:
            largest = (
                max((h.elements / h.tensor.copies for h in held_trained if h.tensor.copies), default=0.0) * precision.gradients
            )
            states = States(states.weights, min(states.gradients, 0.0 if expert else largest), states.master, states.optimizer)
        found.append((states, elements, expert))
    return tuple(found)


def _frozen(held: tuple[Held, ...], p: Plan, trained: tuple[Held, ...]) -> list[tuple[States, float, bool]]:
    """Weights that are kept and not trained: all of `held` but `trained`."""
    found = []
    base = weight_format(p.base_format)
    dense = not p.architecture.num_experts
    for expert in (False, True):
        if p.method == "qlora":
            size = sum(tensor_bytes(h.tensor, base, dense=dense) * h.share for h in held if h.expert == expert)
        else:
            count = sum(h.elements for h in held if h.expert == expert)
            count -= sum(h.elements for h in trained if h.expert == expert)
            size = count * (PRECISIONS[p.precision].weights if trained else FROZEN)
        found.append((States(size, 0, 0, 0), 0.0, expert))
    return found


def _adapters(p: Plan, stage: int) -> tuple[States, float]:
    """States of the adapters: weights and gradients of `adapter_bytes`, FP32 moments, no master copy (PEFT, torchtune)."""
    layers = stage_layers(p.architecture, p.pipeline_parallel, stage)
    count = adapter_elements(p.architecture, layers, p.tensor_parallel, p.rank, p.modules, magnitudes=p.method == "dora")
    optimizer = OPTIMIZERS[p.optimizer]
    # Adafactor keeps one row and one column of each thin matrix: in + out numbers per adapted matrix
    factored = optimizer.rule == "factored"
    state = count / p.rank * FP32_MOMENT if factored else moment_bytes(optimizer, count, FP32_MOMENT)
    whole = per_parameter(count, p.adapter_bytes, 0 if p.fused_backward else p.adapter_bytes, 0, 0)
    return States(whole.weights, whole.gradients, 0, state), count


def _trained_layers(p: Plan, stage: int) -> tuple[tuple[tuple[str, str], int], ...]:
    """Layers of a stage that freeze tuning trains: the model's last ones."""
    a = p.architecture
    each, more = divmod(a.num_hidden_layers, p.pipeline_parallel)
    end = (stage + 1) * each + min(stage + 1, more)
    behind = a.num_hidden_layers - end
    count = min(max(0, p.trained_layers - behind), sum(n for _, n in stage_layers(a, p.pipeline_parallel, stage)))
    return top_layers(a, count) if count else ()


def _stage_at(p: Plan, stage: int) -> Callable[[int, int, int], Footprint]:
    """One pipeline stage as a function of GPUs, micro-batch and sequence."""
    a, stages = p.architecture, p.pipeline_parallel
    groups = _groups(_recipe(p), stage)
    trained = sum(count for _, count, _ in groups)
    flying = in_flight(stages, stage, p.micro_batches, p.virtual_stages)
    kept_at, logits_at = _kept_at(p, stage, flying), _logits_at(p) if stage == stages - 1 else None
    dequantised = 2 * largest_linear(a, p.tensor_parallel) if p.method in ("qlora", "dora") else 0.0
    on_ranks: dict[int, tuple[States, float, float, float]] = {}
    sequences = p.sequences // p.micro_batch

    def at(gpus: int, micro_batch: int, sequence: int) -> Footprint:
        ranks = p.ranks_of(gpus)
        if ranks not in on_ranks:
            on_ranks[ranks] = (_states(p, groups, ranks), *_transient(p, stage, trained, ranks), _reference(p, stage, ranks))
        states, low, high, reference = on_ranks[ranks]
        tokens = micro_batch * sequences * sequence / p.context_parallel
        kept = kept_at(tokens, sequence)
        logits = logits_at(tokens) if logits_at else 0.0
        step = kept + logits + dequantised
        overhead_low = CONTEXT.low + (COLLECTIVES.low if gpus > 1 else 0) + FRAGMENTATION[0] * (step + low)
        overhead_high = CONTEXT.high + (COLLECTIVES.high if gpus > 1 else 0) + FRAGMENTATION[1] * (step + high)
        exact, engine, asleep = states.device + reference, _engine(p, sequence), p.rollout_sleep
        least, most = (1 - ACTIVATION_ERROR) * step + low, (1 + ACTIVATION_ERROR) * step + high
        return Footprint(
            stage, flying, trained, states, reference, kept, logits, dequantised, low, high,
            engine, asleep, overhead_low, overhead_high,
            exact + least + _added(engine, least, asleep=asleep) + overhead_low,
            exact + most + _added(engine, most, asleep=asleep) + overhead_high,
        )  # fmt: skip

    return at


def _kept_at(p: Plan, stage: int, flying: float) -> Callable[[float, int], float]:
    """`kept_bytes` as a function of tokens and sequence; the same plan on more GPUs keeps the same on each."""
    a = p.architecture
    layers = _trained_layers(p, stage) if p.method == "freeze" else stage_layers(a, p.pipeline_parallel, stage)
    linear_input = PRECISIONS[p.precision].linear_input
    known: dict[tuple[float, int], float] = {}

    def at(tokens: float, sequence: int) -> float:
        if (tokens, sequence) not in known:
            known[tokens, sequence] = kept_bytes(
                a,
                layers,
                tokens,
                sequence,
                in_flight=flying,
                recompute=p.recompute,
                tensor_parallel=p.tensor_parallel,
                sequence_parallel=p.sequence_parallel,
                flash=p.flash,
                linear_input=linear_input,
                fused_ffn=p.fused_ffn,
            )
        return known[tokens, sequence]

    return at


def _logits_at(p: Plan) -> Callable[[float], float]:
    a = p.architecture
    chunks = {"plain": 1, "chunked": p.loss_chunks, "fused": fused_chunks(a)}[p.loss]
    return lambda tokens: logits_bytes(a.vocab_size, tokens, LOGIT_BYTES[p.loss], chunks, p.tensor_parallel)


def _reference(p: Plan, stage: int, ranks: int) -> float:
    """The frozen reference model of DPO and GRPO, in BF16. With adapters it is the base itself, adapters switched off."""
    if p.objective not in ("dpo", "grpo") or not p.reference or p.adapters:
        return 0.0
    held = stage_tensors(p.architecture, p.tensor_parallel, p.pipeline_parallel, p.expert_parallel, stage)
    size = 0.0
    for expert in (False, True):
        whole = States(sum(h.elements for h in held if h.expert == expert) * FROZEN, 0, 0, 0)
        size += sharded(whole, p.stage, max(1, ranks // p.expert_parallel) if expert else ranks).device
    return size


def _transient(p: Plan, stage: int, trained: float, ranks: int) -> tuple[float, float]:
    """(low, high) bytes of buckets and gathered weights.

    DDP: gradient buckets as large as the gradients unless gradient_as_bucket_view is set (PyTorch). ZeRO-1 and 2: one
    reduce bucket of 5e8 numbers, an all-gather bucket beside it. ZeRO-3 and FSDP: one or two gathered blocks (the next is
    fetched ahead) and their gradients; with a pipeline FSDP keeps the whole stage gathered (torchtitan). Autocast keeps a
    BF16 copy of FP32 weights through the forward pass (PyTorch).
    """
    precision = PRECISIONS[p.precision]
    cast = trained * precision.compute if precision.weights > precision.compute and p.stage < 3 and not p.adapters else 0.0
    if ranks == 1 and not p.offload_parameters:
        return cast, cast
    if p.stage == 0:
        return cast, cast + (0.0 if p.fused_backward else trained * precision.compute)
    if p.stage < 3:
        bucket = min(trained, BUCKET) * precision.compute
        return cast + bucket, cast + 2 * bucket
    a = p.architecture
    weight = 0.5 if p.method == "qlora" else precision.compute
    gradient = precision.gradients if p.method == "full" else 0.0
    if p.pipeline_parallel > 1:
        held = sum(h.elements for h in stage_tensors(a, p.tensor_parallel, p.pipeline_parallel, p.expert_parallel, stage))
        whole = held * weight + trained * gradient
        return whole, whole
    unit = largest_unit(a, p.tensor_parallel, p.expert_parallel)
    return unit * weight, 2 * unit * (weight + gradient)


def _engine(p: Plan, sequence: int) -> float:
    """GRPO's inference engine on the same GPUs: BF16 weights and KV cache (vLLM, as in TRL and verl)."""
    return _engine_bytes(p.architecture, sequence, p.rollout_sequences, p.rollout_parallel) if p.objective == "grpo" else 0.0


@lru_cache(maxsize=REMEMBERED)
def _engine_bytes(a: Architecture, sequence: int, sequences: int, tensor_parallel: int) -> float:
    cache = kv_cache(a, sequence, sequences, "bf16", engine="vllm", tensor_parallel=tensor_parallel)
    return weights_on_gpu(a, "bf16", tensor_parallel) + cache.per_gpu


def trained_parameters(p: Plan) -> int:
    """Numbers that are trained, all GPUs together and each once."""
    one = Plan(p.architecture, method=p.method, rank=p.rank, modules=p.modules, trained_layers=p.trained_layers)
    return round(rank_states(one, 0)[1])


def host_bytes_per_gpu(f: Footprint) -> float:
    """Host memory beside one GPU: what was offloaded or paged, with DeepSpeed's allowance of half as much again."""
    return f.states.host * HOST_FACTOR


def finetune_peak(
    a: Architecture,
    *,
    base: float,
    states: float,
    live_gradients: float,
    batch: int,
    sequence: int,
    recompute: str,
    logit_bytes: float,
    logit_chunks: float,
    dequantised: bool = False,
    overhead: float = 0.0,
) -> float:
    """Peak of fine-tuning on one GPU from bytes that are known apart: frozen base, trained states, live gradients.

    The same activation, logit and dequantisation rules as `footprint`; for published runs that state those bytes only.
    """
    layers = stage_layers(a, 1, 0)
    kept = kept_bytes(a, layers, batch * sequence, sequence, recompute=recompute)
    logits = logits_bytes(a.vocab_size, batch * sequence, logit_bytes, logit_chunks)
    copies = 2 * largest_linear(a, 1) if dequantised else 0.0
    return base + states + live_gradients + kept + logits + copies + overhead
