"""Training memory: what a training job needs on its fullest GPU, which cards hold it, what to change when it does not fit.

In: a model of the catalog, a recipe (task, method, optimizer, precision), batch and sequence, cards and parallel sizes.
Out: memory per GPU in exact, modelled and assumed parts, the cards that fit with price per hour, recipes side by side, and
changes that make it fit, each run again. Formulas: `calculators.training`, each with its source.
"""

from calculators.framework.spec import Answer, Calculator, Range, Working
from calculators.framework.text import Text, bounds, number, quantity
from calculators.framework.verdict import VERDICTS
from calculators.importing.choose import model_of
from calculators.importing.report import notes_of
from calculators.market.offers import best_quote
from calculators.market.words import card_name, count_of, priced
from calculators.memory.params import parameter_groups
from calculators.training.cards import Placement, fits, placements
from calculators.training.footprint import ACTIVATION_ERROR, GIB, Footprint, footprint, host_bytes_per_gpu, trained_parameters
from calculators.training.memory_advice import largest_micro_batch, largest_sequence, notes, suggestions
from calculators.training.memory_case import Case, case_of
from calculators.training.memory_examples import EXAMPLES, PRESETS
from calculators.training.memory_fields import METHODS, Inputs
from calculators.training.memory_outputs import Outputs
from calculators.training.memory_tables import (
    cards_table,
    parts_chart,
    parts_table,
    recipe_plans,
    recipes_chart,
    recipes_table,
)
from calculators.training.memory_working import show_working
from calculators.training.shards import largest_tensor
from calculators.training.states import deepspeed_bytes
from catalog.model import Catalog


def compute(inputs: Inputs, catalog: Catalog, show: Working) -> Answer:
    """The whole answer. Raises `InputError` for inputs that no framework runs together."""
    c = case_of(inputs, catalog)
    p, f = c.plan, footprint(c.plan)
    found = placements(p, catalog, c.currency, c.usable_percent)
    here = next((q for q in found if q.card.id == c.card.id), None)
    quote = best_quote(catalog, c.card.id, c.currency)
    total = parameter_groups(p.architecture).language
    trained = trained_parameters(p)
    show_working(show, c, f, trained)
    outputs = Outputs(
        per_gpu_gib=Range(f.low / GIB, f.high / GIB),
        peak_gib=f.middle / GIB,
        usable_gib=c.capacity / GIB,
        verdict=VERDICTS[fits(p, c.capacity)],
        gpus_needed=here.gpus if here else None,
        parameters=total,
        trainable=trained,
        trained_percent=100 * trained / total,
        states_gib=f.states.device / GIB,
        weights_gib=f.states.weights / GIB,
        gradients_gib=f.states.gradients / GIB,
        master_gib=f.states.master / GIB,
        optimizer_gib=f.states.optimizer / GIB,
        reference_gib=f.reference / GIB,
        activations_gib=_taken(f.activations),
        logits_gib=_taken(f.logits),
        transient_gib=Range(f.transient_low / GIB, f.transient_high / GIB),
        overhead_gib=Range(f.overhead_low / GIB, f.overhead_high / GIB),
        rollout_gib=f.engine / GIB,
        host_gib=host_bytes_per_gpu(f) * min(p.gpus, c.server_gpus) / GIB,
        deepspeed_gib=_deepspeed(c, f),
        data_parallel=p.data_parallel,
        fullest_stage=f.stage + 1,
        tokens_per_step=p.tokens_per_step,
        largest_micro_batch=largest_micro_batch(p, c.capacity) or None,
        largest_sequence=largest_sequence(p, c.capacity) or None,
        price_per_hour=quote.per_hour * p.gpus if quote else None,
        cheapest=_cheapest(found, c.currency),
    )
    plans = recipe_plans(p)
    return Answer(
        outputs,
        tables=(parts_table(f, p.gpus), recipes_table(plans, c, catalog), cards_table(found, c)),
        charts=(parts_chart(c), recipes_chart(plans, c)),
        suggestions=suggestions(c, found, catalog),
        notes=notes_of(c.imported) + notes(c, f),
    )


def _taken(size: float) -> Range:
    """What a computed part is taken to be, low to high."""
    return Range((1 - ACTIVATION_ERROR) * size / GIB, (1 + ACTIVATION_ERROR) * size / GIB)


def _deepspeed(c: Case, f: Footprint) -> float | None:
    """DeepSpeed's estimate, where it makes one: full training with AdamW in ZeRO-2 or 3, no other parallelism."""
    p = c.plan
    known = p.sharding in ("zero2", "zero3") and p.method == "full" and p.optimizer == "adamw" and p.precision == "mixed"
    if not known or p.replica > 1 or p.expert_parallel > 1 or (p.offload_parameters and not p.offload_optimizer):
        return None
    estimate = deepspeed_bytes(
        f.trained,
        p.stage,
        p.gpus,
        largest_layer=largest_tensor(p.architecture) if p.stage == 3 else 0,
        offload_optimizer=p.offload_optimizer,
        offload_parameters=p.offload_parameters,
    )
    return estimate / GIB


def _cheapest(found: tuple[Placement, ...], currency: str) -> Text:
    best = next((p for p in found if p.per_hour is not None and p.verdict == "yes"), None)
    if best is None or best.per_hour is None or best.quote is None:
        return Text("no priced card of the catalog holds it", "目录中没有标价且放得下的卡")
    return priced(count_of(best.gpus, best.card), best.per_hour, currency, best.quote)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in one sentence."""
    model = model_of(inputs.model, inputs.config, catalog).model
    card = card_name(catalog.accelerators[inputs.accelerator])
    need = bounds(outputs.per_gpu_gib.low, outputs.per_gpu_gib.high, "GiB", "en", 1)
    usable = quantity(outputs.usable_gib, "GiB", "en", 1)
    n, method = inputs.gpus, METHODS[inputs.method]
    return Text(
        f"Training {model.name} ({method.en}) with a micro-batch of {number(inputs.micro_batch)} × {number(inputs.sequence)} tokens needs {need} "
        f"on each of {number(n)} GPU{'s' if n > 1 else ''}; {card.en} offers {usable}. Fits: {outputs.verdict.en}.",
        f"训练 {model.name}（{method.get('zh')}），微批 {number(inputs.micro_batch)} × {number(inputs.sequence)} token，{number(n)} 张卡时每张需要 {need}；"
        f"{card.zh} 可用 {usable}。结论：{outputs.verdict.zh}。",
    )


CALCULATOR = Calculator(
    id="vram-training",
    version=1,
    title=Text("Memory to train a model", "训练显存测算"),
    summary=Text(
        "How much memory pre-training, full fine-tuning, LoRA, QLoRA, DPO or GRPO needs on each GPU, which cards hold it, and what to change when it does not fit.",
        "预训练、全量微调、LoRA、QLoRA、DPO 或 GRPO 时每张卡需要多少显存，哪些卡放得下，放不下时该改什么。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
