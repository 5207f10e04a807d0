"""One case of `vram-training`, resolved: the reader's inputs as a `Plan`, a card and its capacity."""

from typing import NamedTuple

from calculators.framework.spec import InputError
from calculators.importing.choose import model_of
from calculators.importing.record import Imported
from calculators.memory.serving import card_bytes
from calculators.training.memory_fields import Inputs
from calculators.training.plan import Plan, problem
from catalog.model import Accelerator, Catalog, LanguageModel

FIELD_OF_PLAN = {"modules": "lora_modules", "reference": "reference_model"}
"""Plan settings whose input has another name."""


class Case(NamedTuple):
    """The model, how it is trained, and the card to check."""

    model: LanguageModel
    plan: Plan
    card: Accelerator
    usable_percent: float
    currency: str
    server_gpus: int
    imported: Imported | None = None

    @property
    def capacity(self) -> float:
        """Bytes of the card that training may use."""
        return card_bytes(self.card.memory, self.usable_percent)


def case_of(inputs: Inputs, catalog: Catalog) -> Case:
    """The inputs as the memory functions take them. Raises `InputError` for combinations that no framework runs."""
    chosen = model_of(inputs.model, inputs.config, catalog)
    model = chosen.model
    plan = Plan(
        model.architecture,
        method=inputs.method,
        objective=inputs.objective,
        precision=inputs.precision,
        optimizer=inputs.optimizer,
        sharding=inputs.sharding,
        gpus=inputs.gpus,
        tensor_parallel=inputs.tensor_parallel,
        pipeline_parallel=inputs.pipeline_parallel,
        context_parallel=inputs.context_parallel,
        expert_parallel=inputs.expert_parallel,
        shard_group=inputs.shard_group,
        virtual_stages=inputs.virtual_stages,
        sequence_parallel=inputs.sequence_parallel,
        micro_batch=inputs.micro_batch,
        sequence=inputs.sequence,
        micro_batches=inputs.micro_batches,
        recompute=inputs.recompute,
        flash=inputs.flash,
        fused_ffn=inputs.fused_ffn,
        loss=inputs.loss,
        loss_chunks=inputs.loss_chunks,
        fused_backward=inputs.fused_backward,
        offload_optimizer=inputs.offload_optimizer,
        offload_parameters=inputs.offload_parameters,
        rank=inputs.rank,
        modules=inputs.lora_modules,
        adapter_bytes=4 if inputs.adapter_dtype == "fp32" else 2,
        base_format=inputs.base_format,
        trained_layers=inputs.trained_layers,
        galore_rank=inputs.galore_rank,
        reference=inputs.reference_model,
        rollout_sequences=inputs.rollout_sequences,
        rollout_parallel=inputs.rollout_parallel,
        rollout_sleep=inputs.rollout_sleep,
    )
    wrong = problem(plan)
    if wrong:
        raise InputError(*wrong)
    card = catalog.accelerators[inputs.accelerator]
    return Case(model, plan, card, inputs.usable_percent, inputs.currency, inputs.server_gpus, chosen.imported)
