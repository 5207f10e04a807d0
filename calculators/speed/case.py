"""One case of `throughput`, resolved: what every part of its answer is made from.

In: the traffic, a card, GPUs per replica, a batch or none. Out: a `Case`, or an `InputError` for what no engine runs or the
catalog does not know.
"""

from typing import NamedTuple

from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.memory.serving import card_bytes, splits
from calculators.speed.cards import Traffic
from calculators.speed.machine import MOST_GPUS, Machine, machine
from calculators.speed.service import Point, Replica, replica, replicas_for
from calculators.speed.steps import Load
from calculators.speed.target import Best, best_batch, memory_batch
from catalog.model import Accelerator, LanguageModel

WRITES_NOTHING = Text("This model writes no text: it has no decode.", "该模型不生成文本，没有解码阶段。")


class Case(NamedTuple):
    """The model and its traffic on one card; `best` the largest batch under the target, `at` the batch in use."""

    model: LanguageModel
    traffic: Traffic
    card: Accelerator
    replica: Replica
    best: Best
    at: Point

    @property
    def machine(self) -> Machine:
        """The GPUs of one replica."""
        return self.replica.machine

    @property
    def load(self) -> Load:
        """The model and its requests on them."""
        return self.replica.load

    @property
    def gpus(self) -> int:
        """GPUs of one replica."""
        return self.machine.gpus

    @property
    def missed(self) -> str:
        """What the batch in use misses: `memory`, `tpot`, `ttft`, or nothing."""
        return "memory" if self.at.batch > self.best.memory else self.traffic.target.missed((self.at.tpot, self.at.ttft_high))

    @property
    def replicas(self) -> int:
        """Replicas for the traffic at the batch in use."""
        return replicas_for(self.traffic.requests_per_s, self.at.rate, self.traffic.used_percent)


def resolve(model: LanguageModel, traffic: Traffic, card: Accelerator, gpus: int, batch: int | None) -> Case:
    """The case. Raises `InputError` naming the field to mend."""
    if model.architecture.encoder or model.architecture.headless:
        raise InputError("model", WRITES_NOTHING)
    if not splits(traffic.serving, gpus):
        heads = model.architecture.num_attention_heads
        ways = ", ".join(str(n) for n in range(1, MOST_GPUS + 1) if heads % n == 0)
        raise InputError(
            "tensor_parallel",
            Text(
                f"{heads} attention heads do not divide by {gpus}. Take one of: {ways}.",
                f"{heads} 个注意力头不能被 {gpus} 整除。可用：{ways}。",
            ),
        )
    m = machine(card, traffic.serving.weight_format, gpus)
    if m is None:
        raise InputError(
            "accelerator",
            Text(
                f"The catalog has no dense compute peak or no bandwidth for {card.name}. Choose another card.",
                f"目录中没有 {card.name_zh or card.name} 的稠密算力或带宽数据，请换一张卡。",
            ),
        )
    one = replica(traffic.load(gpus), m)
    memory = memory_batch(traffic.serving, gpus, card_bytes(card.memory, traffic.usable_percent))
    best = best_batch(one, traffic.target, memory)
    return Case(model, traffic, card, one, best, best.point if batch is None else one.at(batch))
