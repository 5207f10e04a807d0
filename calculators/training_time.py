"""Training time: arithmetic, GPU-hours, days, energy and cost of a run; how it scales over GPUs and what makes it wait.

In: a model of the catalog, tokens, cards, a utilisation or a measured speed, parallel layout and network. Out: time as a
range, the parts of one step, the scaling curve with its share of linear speed-up, the same run on other cards, and changes
that reach a target, each run again. Formulas: `calculators.training`, each with its source.
"""

from calculators.framework.spec import Answer, Calculator, Range, Working
from calculators.framework.text import Text, bounds, number, quantity
from calculators.framework.verdict import VERDICTS
from calculators.importing.choose import model_of
from calculators.importing.report import notes_of
from calculators.market.words import card_name
from calculators.training.flops import active_parameters, mfu, model_attention_flops
from calculators.training.footprint import GIB, footprint
from calculators.training.scaling import Job, curve, model_flops, step
from calculators.training.time_advice import notes, suggestions
from calculators.training.time_case import (
    WITH_MEASUREMENT,
    WITHOUT_MEASUREMENT,
    Case,
    Run,
    case_of,
    fewest_gpus,
    hours_without_waiting,
    run_of,
)
from calculators.training.time_examples import EXAMPLES, PRESETS
from calculators.training.time_fields import MOST_GPUS, Inputs, Outputs
from calculators.training.time_tables import (
    cards_table,
    offered,
    scaling_chart,
    scaling_table,
    step_chart,
    step_table,
    verdict,
)
from calculators.training.time_working import energy, show_working
from catalog.model import Catalog


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The whole answer. Raises `InputError` for inputs that no framework runs, or a peak that nobody states."""
    c = case_of(inputs, catalog)
    run = run_of(c, c.job, measured=inputs.measured_rate)
    found = offered(c, catalog)
    show_working(show, c, run)
    job = c.job
    return Answer(
        _outputs(c, run),
        tables=(
            *((step_table(step(job)), scaling_table(c, job)) if job else ()),
            cards_table(found, c),
        ),
        charts=(scaling_chart(c, job), step_chart(c, job)) if job else (),
        suggestions=suggestions(c, run, found, catalog),
        notes=notes_of(c.imported) + notes(c),
    )


def _outputs(c: Case, run: Run) -> Outputs:
    i, a, job = c.inputs, c.model.architecture, c.job
    error = WITHOUT_MEASUREMENT if i.measured_rate is None else WITH_MEASUREMENT
    each = model_flops(a, i.sequence, frozen=i.method != "full")
    here = _point(c, job)
    memory = footprint(c.plan)
    target = fewest_gpus(c, i.target_days, MOST_GPUS) if i.target_days and i.measured_rate is None else None
    parts = step(job) if job else None
    modelled = parts if i.measured_rate is None else None
    return Outputs(
        days=Range(run.days * (1 - error), run.days * (1 + error)),
        gpu_hours=run.gpu_hours,
        cost=None if c.price is None else c.price * run.paid_hours,
        flops=each * c.tokens / 1e18,
        flops_per_token=each / 1e9,
        active_parameters=active_parameters(a),
        gpu_hours_at_utilisation=hours_without_waiting(c),
        mfu=None if run.mfu is None else 100 * run.mfu,
        mfu_all_pairs=None if job is None else 100 * mfu(run.rate, each + model_attention_flops(a, i.sequence), job.peak),
        tokens_per_gpu=run.rate,
        waiting_percent=100 * modelled.waiting / modelled.seconds if modelled else None,
        bubble_percent=100 * parts.bubble / parts.compute if parts else None,
        linear_percent=None if here is None else 100 * here[1],
        speed_up=None if here is None else here[0],
        tokens_per_step=c.plan.tokens_per_step,
        step_seconds=c.plan.tokens_per_step / (run.rate * i.gpus),
        gpus_for_target=target.gpus if target else None,
        energy_kwh=energy(c, run),
        memory_gib=Range(memory.low / GIB, memory.high / GIB),
        fits=VERDICTS[verdict(c.plan, c.card)],
        price_per_hour=c.price,
    )


def _point(c: Case, job: Job | None) -> tuple[float, float] | None:
    """(speed-up, share of linear) at the reader's number of GPUs."""
    if job is None:
        return None
    found = curve(job, (c.inputs.gpus,), same_batch=c.inputs.same_batch)
    return (found[0].speed_up, found[0].share) if found else None


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model = model_of(inputs.model, inputs.config, catalog).model
    card = card_name(catalog.accelerators[inputs.accelerator])
    days_en = bounds(outputs.days.low, outputs.days.high, "day", "en")
    days_zh = bounds(outputs.days.low, outputs.days.high, "day", "zh")
    hours = number(outputs.gpu_hours, 0)
    n = number(inputs.gpus)
    money_en = money_zh = ""
    if outputs.cost is not None:
        money_en = f", about {quantity(outputs.cost, inputs.currency, 'en', 0)}"
        money_zh = f"，约 {quantity(outputs.cost, inputs.currency, 'zh', 0)}"
    return Text(
        f"Training {model.name} on {number(inputs.tokens_billion)} billion tokens with {n} × {card.en} takes {days_en}: {hours} GPU-hours{money_en}. "
        f"Fits in memory: {outputs.fits.en}.",
        f"用 {n} 张 {card.zh} 以 {number(inputs.tokens_billion * 10)} 亿 token 训练 {model.name}，需要 {days_zh}，即 {hours} GPU 小时{money_zh}。显存：{outputs.fits.zh}。",
    )


CALCULATOR = Calculator(
    id="training-time",
    version=1,
    title=Text("Time and cost of training", "训练时间与成本测算"),
    summary=Text(
        "How many GPU-hours, days and how much money a training run takes, how well it scales over more GPUs, and what makes it wait.",
        "一次训练需要多少 GPU 小时、多少天、多少钱，增加卡数的线性加速比如何，时间浪费在哪里。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
