"""The suggestions and notes of `training-time`. Every suggestion was run again before it is given."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from calculators.framework.spec import Suggestion
from calculators.framework.text import Text, number, quantity
from calculators.market.words import card_name
from calculators.training.plan import problem
from calculators.training.scaling import Job, curve, step
from calculators.training.time_case import Case, Run, fewest_gpus, job_of, plan_of, run_of, waiting_share
from calculators.training.time_fields import MOST_GPUS, MOST_MICRO_BATCHES, NETWORKS, Inputs
from calculators.training.time_tables import Offered, counts, verdict
from catalog.model import Accelerator, Catalog

TOO_MUCH_WAITING = 0.10
"""Share of waiting from which advice is given; published large runs with a good network stay near it."""
POOR_SCALING = 0.80


def suggestions(c: Case, run: Run, found: tuple[Offered, ...], catalog: Catalog) -> tuple[Suggestion, ...]:
    """GPUs for the target; what removes waiting; fewer GPUs where scaling is poor; a cheaper card."""
    if c.job is None or c.inputs.measured_rate is not None:
        return ()
    return (*_target(c, run), *_waiting(c, c.job, catalog), *_fewer(c, c.job, catalog), *_cheaper(c, run, found))


def _holds(c: Case, changed: Inputs, catalog: Catalog) -> bool:
    """Can the changed job run, and does it fit if the reader's own does?"""
    plan = plan_of(changed, catalog)
    return problem(plan) is None and (verdict(c.plan, c.card) != "yes" or verdict(plan, c.card) == "yes")


def _days(run: Run) -> Text:
    return Text(f"then {quantity(run.days, 'day', 'en')}", f"之后需要 {quantity(run.days, 'day', 'zh')}")


def _target(c: Case, run: Run) -> tuple[Suggestion, ...]:
    target = c.inputs.target_days
    if target is None or run.days <= target:
        return ()
    job = fewest_gpus(c, target, MOST_GPUS)
    if job is None:
        return ()
    change: dict[str, Any] = {"gpus": job.gpus}
    if job.micro_batches != c.inputs.micro_batches:
        change["micro_batches"] = job.micro_batches
    title = Text(f"Use {number(job.gpus)} GPUs", f"改用 {number(job.gpus)} 张卡")
    return (Suggestion(title, change, _days(run_of(c, job))),)


def _waiting(c: Case, job: Job, catalog: Catalog) -> tuple[Suggestion, ...]:
    """The smallest step of each kind that brings waiting to a tenth and still fits: ports, micro-batches, tensor parallelism."""
    if waiting_share(job) <= TOO_MUCH_WAITING:
        return ()
    listed = []
    for kind in (_inside, _networks, _more_micro_batches, _less_tensor_parallel):
        for title, change in kind(c.inputs, c.card):
            changed = replace(c.inputs, **change)
            if not _holds(c, changed, catalog):
                continue
            there = job_of(changed, catalog, c.card, job.peak)
            share = waiting_share(there)
            if share <= TOO_MUCH_WAITING:
                effect = _days(run_of(c, there))
                listed.append(
                    Suggestion(
                        title,
                        change,
                        Text(f"{effect.en}, {100 * share:.1f} % of it waiting", f"{effect.zh}，其中等待占 {100 * share:.1f}%"),
                    )
                )
                break
    return tuple(listed)


def _inside(i: Inputs, card: Accelerator) -> Iterator[tuple[Text, dict[str, Any]]]:
    """The card's own link where a slower one was chosen, alone or with less tensor parallelism."""
    if i.inside == "card" or card.link_bandwidth is None:
        return
    title = Text("Take servers with the cards' own link", "改用带卡间高速互联的服务器")
    yield title, {"inside": "card"}
    n = i.tensor_parallel
    while n > 1 and n % 2 == 0:
        n //= 2
        yield (
            Text(f"{title.en}, tensor parallel {n}", f"{title.zh}，张量并行降到 {n}"),
            {"inside": "card", "tensor_parallel": n},
        )


def _networks(i: Inputs, _: Accelerator) -> Iterator[tuple[Text, dict[str, Any]]]:
    now = NETWORKS[i.network][1]
    for value, (label, speed) in sorted(NETWORKS.items(), key=lambda n: n[1][1]):
        if speed > now:
            yield Text(f"Take {label.en} ports", f"改用 {label.get('zh')} 端口"), {"network": value}
    for ports in (2, 4, 8):
        if ports > i.ports:
            yield Text(f"Give each server {ports} ports", f"每台服务器配 {ports} 个端口"), {"ports": ports}
    for value, (label, speed) in sorted(NETWORKS.items(), key=lambda n: n[1][1]):
        if speed > now and i.ports < 8:
            yield (
                Text(f"Give each server 8 ports of {label.en}", f"每台服务器配 8 个 {label.get('zh')} 端口"),
                {"network": value, "ports": 8},
            )


def _more_micro_batches(i: Inputs, _: Accelerator) -> Iterator[tuple[Text, dict[str, Any]]]:
    for k in range(1, 15):
        n = i.micro_batches * 2**k
        if n <= MOST_MICRO_BATCHES:
            yield Text(f"Take {number(n)} micro-batches per step", f"每步增加到 {number(n)} 个微批"), {"micro_batches": n}


def _less_tensor_parallel(i: Inputs, _: Accelerator) -> Iterator[tuple[Text, dict[str, Any]]]:
    n = i.tensor_parallel
    while n > 1 and n % 2 == 0:
        n //= 2
        title = Text(f"Tensor parallel {n}", f"张量并行降到 {n}")
        yield title, {"tensor_parallel": n}
        if i.sharding != "zero3":
            yield Text(f"{title.en} with ZeRO-3", f"{title.zh}，改用 ZeRO-3"), {"tensor_parallel": n, "sharding": "zero3"}


def _fewer(c: Case, job: Job, catalog: Catalog) -> tuple[Suggestion, ...]:
    """Where the last GPUs bring little: the most GPUs that still scale well."""
    same = c.inputs.same_batch
    points = curve(job, counts(job, c.inputs.gpus), same_batch=same)
    here = next((p for p in points if p.gpus == c.inputs.gpus), None)
    if here is None or here.share >= POOR_SCALING:
        return ()
    work = job.micro_batches * job.data_parallel if same else 0
    good = [
        p
        for p in points
        if p.gpus < here.gpus and p.share >= POOR_SCALING and work <= MOST_MICRO_BATCHES * (p.gpus // job.replica)
    ]
    if not good:
        return ()
    best = max(good, key=lambda p: p.gpus)
    copies = best.gpus // job.replica
    change: dict[str, Any] = {"gpus": best.gpus}
    if same:
        change["micro_batches"] = -(-work // copies)
    if not _holds(c, replace(c.inputs, **change), catalog):
        return ()
    run = run_of(c, None, measured=best.speed / best.gpus)
    slower = run_of(c, replace(job, gpus=best.gpus, micro_batches=change.get("micro_batches", job.micro_batches)))
    saved = run_of(c, job).gpu_hours - run.gpu_hours
    return (
        Suggestion(
            Text(f"Use {number(best.gpus)} GPUs: the rest bring little", f"只用 {number(best.gpus)} 张卡：再多收益很小"),
            change,
            Text(
                f"{_days(slower).en} at {100 * best.share:.0f} % of linear speed-up, {number(max(0.0, saved), 0)} GPU-hours less",
                f"{_days(slower).zh}，线性加速比 {100 * best.share:.0f}%，节省 {number(max(0.0, saved), 0)} GPU 小时",
            ),
        ),
    )


def _cheaper(c: Case, run: Run, found: tuple[Offered, ...]) -> tuple[Suggestion, ...]:
    """The cheapest card that holds the job and is done within the target, or no later than now."""
    limit = c.inputs.target_days or run.days
    now = None if c.price is None else c.price * run.paid_hours
    for o in found:
        if o.cost is None or o.verdict != "yes" or o.card.id == c.card.id or o.run.days > limit:
            continue
        if now is not None and o.cost >= now:
            return ()
        name = card_name(o.card)
        money = Text(quantity(o.cost, c.inputs.currency, "en", 0), quantity(o.cost, c.inputs.currency, "zh", 0))
        effect = Text(f"{_days(o.run).en} for {money.en}", f"{_days(o.run).zh}，共 {money.zh}")
        return (Suggestion(Text(f"Take {name.en}", f"改用 {name.zh}"), {"accelerator": o.card.id}, effect),)
    return ()


def notes(c: Case) -> tuple[Text, ...]:
    """What a reader must know to use the answer."""
    i, a = c.inputs, c.model.architecture
    found = []
    if i.measured_rate is None:
        found.append(
            Text(
                "At a utilisation that was not measured, GPU-hours are good to about ±40 %: fifteen published runs counted at 40 % lie between −41 and +28 %.",
                "利用率未经实测时，GPU 小时的误差约 ±40%：15 个公开训练按 40% 计算，偏差在 −41% 至 +28% 之间。",
            )
        )
    if c.job and c.job.tensor_parallel > i.server_gpus:
        found.append(
            Text(
                "Tensor parallelism reaches across servers: its all-reduces stand in the way of every layer.",
                "张量并行跨越了服务器：每一层都要等待其 all-reduce。",
            )
        )
    if c.job and c.job.pipeline_parallel > 1 and step(c.job).bubble > TOO_MUCH_WAITING * step(c.job).compute:
        found.append(
            Text(
                "The pipeline bubble is above a tenth: more micro-batches or interleaved stages shrink it.",
                "流水线气泡超过十分之一：增加微批数或使用交错调度可以缩小。",
            )
        )
    if a.num_experts:
        found.append(
            Text(
                "Mixtures of experts reach less of the peak than dense models: DeepSeek-V3's published hours imply about 35 % before FP8.",
                "混合专家模型的利用率低于稠密模型：按 DeepSeek-V3 公布的小时数推算，以 BF16 峰值计约 35%。",
            )
        )
    if "modified" in c.card.flags or not c.card.memory.confirmed:
        found.append(
            Text(
                "Some of this card's values could not be confirmed on a public page.",
                "该卡的部分参数未能在公开页面上得到证实。",
            )
        )
    if c.card.link_bandwidth is None and i.inside == "card":
        found.append(
            Text(
                "The catalog states no card-to-card link for this card: PCIe 4.0 ×16 is taken.",
                "目录中没有该卡的卡间互联带宽：按 PCIe 4.0 ×16 计算。",
            )
        )
    return tuple(found)
