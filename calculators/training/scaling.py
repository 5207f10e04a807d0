"""One training step over many GPUs: arithmetic, pipeline bubble and exposed communication; and how the speed scales.

In: a `Job`. Out: a `Step` in seconds, tokens per second, the share of linear speed-up.
Sizes of messages: tensor parallel 4 all-reduces of b·s·h per layer (Narayanan et al. 2021), data parallel one all-reduce of
the gradients, ZeRO-3 two gathers of the weights and one scatter of the gradients per micro-batch (ZeRO, section 7), experts
four all-to-alls per layer, context parallelism two gathers of keys and values and one scatter per layer. Bubble (p-1)/(m·v) (Narayanan et al. 2021, section 2.2, https://arxiv.org/abs/2104.04473).
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, gcd

from calculators.memory.params import parameter_groups
from calculators.training.communication import Network, all_gather, all_reduce, all_to_all, send
from calculators.training.flops import active_parameters, flops_per_token, model_attention_flops, recomputed_flops
from catalog.model import Architecture

ACTIVATION = 2
BACKWARD = 2 / 3
"""Share of a step's arithmetic in the backward pass, behind which gradients travel."""
FROZEN_FACTOR = 4
"""FLOPs per parameter and token when weights are frozen: no weight gradients (2 forward, 2 backward)."""
TRAINED_FACTOR = 6


@dataclass(frozen=True, slots=True)
class Job:
    """A training step. `peak` is FLOP/s of one GPU, `utilisation` the share of it reached while computing."""

    architecture: Architecture
    gpus: int
    sequence: int
    micro_batch: int
    micro_batches: int
    peak: float
    utilisation: float
    network: Network
    frozen: bool = False
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    expert_parallel: int = 1
    virtual_stages: int = 1
    stage: int = 1
    recompute: str = "none"
    gradient_bytes: int = 2
    overlap: float = 0.8
    context_parallel: int = 1

    @property
    def shards(self) -> int:
        """GPUs over which one copy's weights are divided: context ranks hold the same ones."""
        return self.tensor_parallel * self.pipeline_parallel

    @property
    def replica(self) -> int:
        """GPUs that work on one copy's micro-batch."""
        return self.shards * self.context_parallel

    @property
    def fewest(self) -> int:
        """The fewest GPUs of the layout: copies over which the experts can be dealt."""
        return self.replica * (self.expert_parallel // gcd(self.expert_parallel, self.context_parallel))

    @property
    def data_parallel(self) -> int:
        """Copies of the model."""
        return max(1, self.gpus // self.replica)

    @property
    def sequences(self) -> int:
        """Sequences of one step over all GPUs."""
        return self.micro_batch * self.micro_batches * self.data_parallel

    @property
    def tokens(self) -> int:
        """Tokens of one step over all GPUs."""
        return self.sequences * self.sequence


@dataclass(frozen=True, slots=True)
class Step:
    """Seconds of one step. Communication is what stands in the way, not what hides behind arithmetic."""

    compute: float
    bubble: float
    tensor: float
    pipeline: float
    data: float
    expert: float
    context: float = 0.0

    @property
    def seconds(self) -> float:
        """The whole step."""
        return self.compute + self.waiting

    @property
    def waiting(self) -> float:
        """Everything but arithmetic."""
        return self.bubble + self.tensor + self.context + self.pipeline + self.data + self.expert


@lru_cache(maxsize=1024)
def model_flops(a: Architecture, sequence: int, *, frozen: bool = False) -> float:
    """FLOPs per token that training needs: 6·N (4·N with frozen weights) and causal attention."""
    factor = FROZEN_FACTOR if frozen else TRAINED_FACTOR
    return flops_per_token(active_parameters(a), model_attention_flops(a, sequence), factor)


@lru_cache(maxsize=1024)
def done_flops(a: Architecture, sequence: int, recompute: str, *, frozen: bool = False) -> float:
    """FLOPs per token that the GPUs do: what training needs and what is computed again."""
    attention = model_attention_flops(a, sequence)
    return model_flops(a, sequence, frozen=frozen) + recomputed_flops(active_parameters(a), attention, recompute)


@lru_cache(maxsize=1024)
def _sizes(a: Architecture) -> tuple[int, int, int]:
    """(parameters outside routed experts, in them, MoE layers)."""
    groups = parameter_groups(a)
    moe = a.num_hidden_layers - a.first_k_dense_replace if a.num_experts else 0
    return groups.language - groups.routed_experts, groups.routed_experts, max(0, moe)


@lru_cache(maxsize=4096)
def step(j: Job) -> Step:
    """The parts of one step of the slowest GPU."""
    a, t, p = j.architecture, j.tensor_parallel, j.pipeline_parallel
    layers = ceil(a.num_hidden_layers / p)
    tokens = j.micro_batch * j.sequence
    message = ACTIVATION * tokens / j.context_parallel * a.hidden_size
    compute = (
        j.micro_batches
        * tokens
        * done_flops(a, j.sequence, j.recompute, frozen=j.frozen)
        / j.replica
        / (j.peak * j.utilisation)
    )
    passes = 6 if j.recompute == "full" else 4
    tensor = j.micro_batches * layers * passes * all_reduce(message, t, j.network.link(t, 1))
    expert = j.micro_batches * _expert(j, layers, message, passes)
    context = _context(j, layers, passes)
    bubble = (p - 1) / (j.micro_batches * j.virtual_stages) * (compute + tensor + expert + context)
    hops = 2 * j.micro_batches * j.virtual_stages if p > 1 else 0
    pipeline = hops * send(message / t, j.network.each(p, max(1, j.gpus // p)))
    return Step(compute, bubble, tensor, pipeline, _data(j, compute), expert, context)


def _context(j: Job, layers: int, passes: int) -> float:
    """Keys and values between the ranks that share a sequence, as far as they do not hide behind the attention's arithmetic.

    Per layer with attention: gathered in the forward pass, gathered again and their gradients scattered in the backward pass
    (Megatron-Core's context parallelism, ring attention: Liu et al. 2023, https://arxiv.org/abs/2310.01889); full
    recomputation gathers once more.
    """
    a, ranks = j.architecture, j.context_parallel
    if ranks == 1:
        return 0.0
    attending = layers * (a.num_hidden_layers - a.linear_layers - a.attention_free_layers) / a.num_hidden_layers
    if a.kv_lora_rank:
        width = a.num_attention_heads * (a.qk_nope_head_dim + a.qk_rope_head_dim + a.v_head_dim) / j.tensor_parallel
    else:
        width = max(1.0, a.kv_heads / j.tensor_parallel) * (a.head_width + (a.v_head_dim or a.head_width))
    size = ACTIVATION * j.micro_batch * j.sequence * width
    gathers = 3 if passes == 4 else 4
    busy = j.micro_batches * attending * gathers * all_gather(size, ranks, j.network.link(ranks, j.tensor_parallel))
    tokens = j.micro_batches * j.micro_batch * j.sequence
    beside = tokens * model_attention_flops(a, j.sequence) / j.replica / (j.peak * j.utilisation)
    return max(busy * (1 - j.overlap), busy - beside)


def _expert(j: Job, layers: int, message: float, passes: int) -> float:
    """All-to-alls of one micro-batch: tokens go to their experts and come back, forward and backward."""
    a, ranks = j.architecture, j.expert_parallel
    moe = _sizes(a)[2]
    if ranks == 1 or not moe:
        return 0.0
    count = layers * moe / a.num_hidden_layers * passes
    size = message * a.num_experts_per_tok / j.tensor_parallel
    return count * all_to_all(size, ranks, j.network.each(ranks, j.tensor_parallel))


def _data(j: Job, compute: float) -> float:
    """Gradients and sharded weights between the copies, as far as they do not hide behind arithmetic.

    Hidden is at most the share `overlap` of the communication, and at most the arithmetic that runs beside it: the last
    micro-batch's backward pass, or with ZeRO-3 the whole step.
    """
    dense, experts, _ = _sizes(j.architecture)
    ranks, gradient = j.data_parallel * j.context_parallel, 0 if j.frozen else j.gradient_bytes
    link = j.network.link(ranks, j.tensor_parallel)
    own = dense / j.shards
    sparse = experts / j.shards / j.expert_parallel
    sparse_ranks = max(1, ranks // j.expert_parallel)
    sparse_link = j.network.link(sparse_ranks, j.tensor_parallel * j.expert_parallel)
    if j.stage < 3:
        busy = all_reduce(own * gradient, ranks, link) + all_reduce(sparse * gradient, sparse_ranks, sparse_link)
        beside = BACKWARD * compute / j.micro_batches
        busy = busy if gradient else 0.0
    else:
        each = (2 * ACTIVATION + gradient) / (2 * ACTIVATION + 2)  # frozen weights are gathered, nothing is scattered
        busy = (
            j.micro_batches
            * 3
            * each
            * (all_gather(own * ACTIVATION, ranks, link) + all_gather(sparse * ACTIVATION, sparse_ranks, sparse_link))
        )
        beside = compute
    return max(busy * (1 - j.overlap), busy - beside)


def tokens_per_second(j: Job) -> float:
    """Over all GPUs."""
    return j.tokens / step(j).seconds


def on(j: Job, gpus: int, *, same_batch: bool = True) -> Job | None:
    """The job on another number of GPUs; `same_batch` keeps the tokens of a step, rounded up to whole micro-batches.

    None where the number does not divide into copies, or a copy would have nothing to do.
    """
    if gpus % j.fewest:
        return None
    copies = gpus // j.replica
    wanted = j.micro_batches * j.data_parallel
    if same_batch and copies > wanted:
        return None
    return replace(j, gpus=gpus, micro_batches=ceil(wanted / copies) if same_batch else j.micro_batches)


@dataclass(frozen=True, slots=True)
class Point:
    """One number of GPUs on the scaling curve. `share` of linear speed-up: 1 = twice the GPUs, half the time."""

    gpus: int
    speed: float
    speed_up: float
    share: float


def curve(j: Job, counts: tuple[int, ...], *, same_batch: bool = True) -> tuple[Point, ...]:
    """Speed and share of linear speed-up over GPUs, against the fewest GPUs that hold one copy of the model."""
    base_gpus = j.fewest
    base = on(j, base_gpus, same_batch=same_batch)
    found: list[Point] = []
    if base is None:
        return ()
    first = useful_speed(base, j, same_batch=same_batch)
    for n in counts:
        there = on(j, n, same_batch=same_batch)
        if there is not None:
            speed = useful_speed(there, j, same_batch=same_batch)
            found.append(Point(n, speed, speed / first, speed / first / (n / base_gpus)))
    return tuple(found)


def useful_speed(there: Job, asked: Job, *, same_batch: bool = True) -> float:
    """Tokens per second that count: with one batch for all, not those of places that rounding up left empty."""
    tokens = asked.tokens if same_batch else there.tokens
    return tokens / step(there).seconds
