"""One case of `training-time`, resolved: the reader's inputs as a `Job`, its card, its memory plan and its price."""

from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.importing.choose import architecture_of, model_of
from calculators.importing.record import Imported
from calculators.market.offers import Quote, best_quote
from calculators.training.communication import NVLINK_HOP, PCIE_HOP, Link, Network
from calculators.training.flops import mfu
from calculators.training.plan import Plan, problem
from calculators.training.scaling import Job, model_flops, on, step, tokens_per_second
from calculators.training.time import days, gpu_hours, gpu_hours_from_rate, scaled_hours
from calculators.training.time_fields import NETWORKS, PCIE, Inputs
from catalog.model import Accelerator, Catalog, LanguageModel

STAGES = {"none": 0, "zero1": 1, "zero3": 3}
GIGA = 1e9
WITHOUT_MEASUREMENT, WITH_MEASUREMENT = 0.40, 0.02
"""Error of GPU-hours: fifteen published runs at MFU 0.40 lie between -41 and +28 %; from a measured speed within 2 %."""


@dataclass(frozen=True, slots=True)
class Case:
    """The job, the card and what the run is paid with. `job` is None where only a measured speed is known."""

    model: LanguageModel
    card: Accelerator
    job: Job | None
    plan: Plan
    inputs: Inputs
    quote: Quote | None
    price: float | None
    imported: Imported | None = None

    @property
    def tokens(self) -> float:
        """Tokens of the whole run."""
        return self.inputs.tokens_billion * 1e9


def peak_of(card: Accelerator, precision: str, stated: float | None = None) -> float | None:
    """Dense peak in FLOP/s: the stated one, else the catalog's; FP16 where a card has no BF16. None where nobody states one."""
    if stated is not None:
        return stated * 1e12
    for name in (precision, "fp16") if precision == "bf16" else (precision,):
        found = card.peak(name)
        if found is not None:
            return found.rate.value * 1e12
    return None


def network_of(inputs: Inputs, card: Accelerator) -> Network:
    """Links as they are reached: the rate of one direction x the share that is reached.

    A card's link bandwidth is stated for both directions together, so half of it counts.
    """
    reached = inputs.link_percent / 100
    if inputs.inside == "card" and card.link_bandwidth is not None:
        inside = Link(card.link_bandwidth.value / 2 * GIGA * reached, NVLINK_HOP)
    else:
        slot = PCIE["pcie4" if inputs.inside == "card" else inputs.inside]
        inside = Link(slot * GIGA * reached, PCIE_HOP)
    port = NETWORKS[inputs.network][1] / 8 * GIGA
    return Network(inside, port * inputs.ports * reached, inputs.server_gpus)


def plan_of(inputs: Inputs, catalog: Catalog) -> Plan:
    """The same job as the memory functions take it: mixed precision, AdamW, rank-16 adapters, fused loss."""
    sharding = {"none": "none", "zero1": "zero1", "zero3": "fsdp" if inputs.pipeline_parallel > 1 else "zero3"}[inputs.sharding]
    return Plan(
        architecture_of(inputs.model, inputs.config, catalog),
        method=inputs.method,
        sharding=sharding,
        gpus=inputs.gpus,
        tensor_parallel=inputs.tensor_parallel,
        pipeline_parallel=inputs.pipeline_parallel,
        context_parallel=inputs.context_parallel,
        expert_parallel=inputs.expert_parallel,
        virtual_stages=inputs.virtual_stages,
        micro_batch=inputs.micro_batch,
        sequence=inputs.sequence,
        micro_batches=inputs.micro_batches,
        recompute=inputs.recompute,
        loss="fused",
    )


def case_of(inputs: Inputs, catalog: Catalog) -> Case:
    """The inputs as the functions take them. Raises `InputError` for what no framework runs, or a peak that nobody states."""
    plan = plan_of(inputs, catalog)
    wrong = problem(plan)
    if wrong:
        raise InputError(*wrong)
    card = catalog.accelerators[inputs.accelerator]
    peak = peak_of(card, inputs.precision, inputs.peak_tflops)
    if peak is None and inputs.measured_rate is None:
        raise InputError(
            "peak_tflops",
            Text(
                f"The catalog has no dense {inputs.precision.upper()} peak of {card.name}. Enter one, or a measured speed.",
                f"目录中没有 {card.name_zh or card.name} 的稠密 {inputs.precision.upper()} 峰值。请填写峰值或实测速度。",
            ),
        )
    quote = best_quote(catalog, card.id, inputs.currency)
    price = inputs.price_per_gpu_hour if inputs.price_per_gpu_hour is not None else (quote.per_hour if quote else None)
    job = job_of(inputs, catalog, card, peak) if peak is not None else None
    chosen = model_of(inputs.model, inputs.config, catalog)
    return Case(chosen.model, card, job, plan, inputs, quote, price, chosen.imported)


def job_of(inputs: Inputs, catalog: Catalog, card: Accelerator, peak: float) -> Job:
    """The job on a card of that peak."""
    return Job(
        architecture_of(inputs.model, inputs.config, catalog),
        gpus=inputs.gpus,
        sequence=inputs.sequence,
        micro_batch=inputs.micro_batch,
        micro_batches=inputs.micro_batches,
        peak=peak,
        utilisation=inputs.mfu_percent / 100,
        network=network_of(inputs, card),
        frozen=inputs.method != "full",
        tensor_parallel=inputs.tensor_parallel,
        pipeline_parallel=inputs.pipeline_parallel,
        expert_parallel=inputs.expert_parallel,
        virtual_stages=inputs.virtual_stages,
        stage=STAGES[inputs.sharding],
        recompute=inputs.recompute,
        overlap=inputs.overlap_percent / 100,
        context_parallel=inputs.context_parallel,
    )


class Run(NamedTuple):
    """How long the whole run takes on some GPUs."""

    gpus: int
    rate: float
    gpu_hours: float
    paid_hours: float
    days: float
    mfu: float | None


def run_of(c: Case, job: Job | None, *, measured: float | None = None) -> Run:
    """Hours and days of the run: from a measured speed, else from the modelled step. `paid` includes restarts."""
    gpus = job.gpus if job else c.inputs.gpus
    rate = measured if measured is not None else (tokens_per_second(job) / job.gpus if job else 0.0)
    hours = scaled_hours(gpu_hours_from_rate(1e12, rate), c.tokens)
    paid = hours * 100 / c.inputs.running_percent
    each = model_flops(c.model.architecture, c.inputs.sequence, frozen=c.inputs.method != "full")
    return Run(gpus, rate, hours, paid, days(paid, gpus), mfu(rate, each, job.peak) if job else None)


def hours_without_waiting(c: Case) -> float:
    """Arithmetic that training needs / (peak x utilisation): what a plain estimate gives."""
    a, i = c.model.architecture, c.inputs
    each = model_flops(a, i.sequence, frozen=i.method != "full")
    if c.job is None:
        return gpu_hours_from_rate(c.tokens, i.measured_rate or 1.0)
    return gpu_hours(each * c.tokens, c.job.peak, c.job.utilisation)


def fewest_gpus(c: Case, target_days: float, most: int) -> Job | None:
    """The job on the fewest GPUs that is done in time, in whole servers and copies; None if none is.

    Doubled until it does, then halved down to the last that does not: the one before the answer is too slow.
    """
    if c.job is None:
        return None
    job, unit = c.job, lcm(c.job.fewest, c.inputs.server_gpus)

    def there(units: int) -> Job | None:
        moved = on(job, units * unit, same_batch=c.inputs.same_batch)
        return moved if moved is not None and run_of(c, moved).days <= target_days else None

    high = 1
    while there(high) is None:
        high *= 2
        if high * unit > most:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if there(middle) is not None else (middle, high)
    return there(high)


def waiting_share(job: Job) -> float:
    """Share of a step that is not arithmetic."""
    found = step(job)
    return found.waiting / found.seconds
