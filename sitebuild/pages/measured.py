"""Published measurements, recomputed at build by the functions that the calculators call: the evidence for `how sure`.

In: the case files of the tests, where this copy has them. Out: one row per case and one summary per kind of quantity.
"""

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from calculators.framework.text import Text
from catalog.model import Catalog
from sitebuild.accuracy import whole
from sitebuild.accuracy.cases import published, read
from sitebuild.accuracy.expressions import KINDS as MONEY
from sitebuild.accuracy.expressions import PUBLISHED_ERROR
from sitebuild.accuracy.run import NOT_YET, OK, REPORTED, evaluate, exceptions
from sitebuild.pages.memo import Memo

KINDS = {
    "params": Text("parameters", "参数量"),
    "gguf_size": Text("GGUF file size", "GGUF 文件大小"),
    "weights": Text("weights in memory", "载入后的权重"),
    "kv_cache": Text("KV cache", "KV 缓存"),
    "kv_capacity": Text("tokens that the KV cache holds", "KV 缓存可容纳的 token 数"),
    "compute_buffer": Text("compute buffer", "计算缓冲区"),
    "lora": Text("LoRA parameters", "LoRA 参数量"),
    "decode_bytes": Text("bytes read per token", "每个 token 读取的字节数"),
    "decode_speed": Text("decode speed", "解码速度"),
    "decode_speed_batched": Text("decode speed, batched", "批量解码速度"),
    "serve_tpot": Text("time per token under load", "负载下的每 token 延迟"),
    "diffusion_buffer": Text("diffusion buffers", "扩散模型缓冲区"),
    "diffusion_peak": Text("diffusion peak memory", "扩散模型峰值显存"),
    "train_states": Text("training states", "训练状态"),
    "train_peak": Text("training peak memory", "训练峰值显存"),
    "train_peak_run": Text("training peak memory of whole runs", "完整训练的峰值显存"),
    "train_rule": Text("training memory rules", "训练显存规则"),
    "train_flops": Text("training arithmetic", "训练运算量"),
    "train_time": Text("training time", "训练时间"),
    "train_time_default_mfu": Text("training time at an assumed MFU", "训练时间（假设 MFU）"),
    "mfu": Text("MFU"),
}
"""A kind that has no words yet is shown under its own name."""

TOPICS = {
    "finance": Text("present value and rate of return", "现值与内部收益率"),
    "capex": Text("purchase", "购置成本"),
    "second-hand": Text("second-hand purchase", "购买二手"),
    "depreciation": Text("depreciation", "折旧"),
    "electricity": Text("electricity", "用电"),
    "colocation": Text("colocation", "托管"),
    "break-even": Text("break-even", "盈亏平衡点"),
    "tco": Text("total cost of a cluster", "集群总成本"),
    "rental": Text("renting and billing", "租用与计费"),
    "spot": Text("spot price share", "竞价折扣"),
    "checkpoint": Text("checkpoint interval", "检查点间隔"),
    "reliability": Text("interruptions", "中断频率"),
    "inference": Text("cost of serving", "推理服务成本"),
    "training": Text("cost of a training run", "训练成本"),
    "throughput": Text("peak and achieved TFLOPS", "峰值与实得 TFLOPS"),
    "carbon": Text("carbon", "碳排放"),
    "seed": Text("a vendor's price table", "一份厂商价格表"),
}
"""What the cases of money are about; one that has no words yet is shown under its own name."""

STATUSES = {
    "ok": Text("within tolerance", "在容差内"),
    "not reproduced": Text("the published figure is wrong", "公开值有误"),
    "out of tolerance": Text("outside tolerance", "超出容差"),
    "exception": Text("outside, explained", "超出，原因已说明"),
    "reported": Text("shown, not scored", "仅列出，不计分"),
    "error": Text("not computable", "无法计算"),
    "not yet computed": Text("no formula in the guide yet", "本指南暂无对应公式"),
}


@dataclass(frozen=True, slots=True)
class Summary:
    """All cases of one kind."""

    kind: Text
    cases: int
    ok: int
    scored: int
    worst: float | None


def kind_name(kind: str) -> Text:
    """A kind or a topic in a reader's words."""
    return KINDS.get(kind) or TOPICS.get(kind) or Text(kind)


def quantity(row: dict[str, Any]) -> str:
    """What a case is about: its kind, or the topic where the kind only says whether the figure is right."""
    return str(row["topic"] if row["kind"] in MONEY and row["topic"] else row["kind"])


def cases(root: Path, catalog: Catalog, memo: Memo) -> list[dict[str, Any]]:
    """Every case with what came of it, as plain data; empty where this copy has no case files."""
    rows: list[dict[str, Any]] = []
    whole.use(catalog)
    for file in published(root / "tests" / "cases"):
        text = file.read_text(encoding="utf-8")
        facts = catalog.version if whole.FORMULA in text else ""
        rows += memo.get(["cases", text, exceptions(), facts], partial(_recompute, file))
    return rows


def _recompute(file: Path) -> list[dict[str, Any]]:
    found = read(file)
    outcomes = evaluate(found, exceptions())
    return [
        {
            **asdict(o),
            "source": c.source,
            "topic": c.topic,
            "note": asdict(Text(c.note, c.note_zh)),
            "derived": "derived" in c.flags,
        }
        for o, c in zip(outcomes, found, strict=True)
    ]


def summaries(rows: list[dict[str, Any]]) -> list[Summary]:
    """One row per quantity, those with formulas first, money after the measurements; figures that are wrong are left out."""
    right = sorted((r for r in rows if r["kind"] != PUBLISHED_ERROR), key=lambda r: r["kind"] in MONEY)
    made = [_summary(name, [r for r in right if quantity(r) == name]) for name in dict.fromkeys(map(quantity, right))]
    return sorted(made, key=lambda s: s.scored == 0)


def money(rows: list[dict[str, Any]]) -> list[Summary]:
    """The same, for the cases of money, reliability and power alone, by topic."""
    return summaries([r for r in rows if r["kind"] in MONEY])


def mistakes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The published figures that are wrong, by topic."""
    found = [r for r in rows if r["kind"] == PUBLISHED_ERROR]
    topics = list(dict.fromkeys(r["topic"] for r in found))
    return sorted(found, key=lambda r: topics.index(r["topic"]))


def _summary(kind: str, rows: list[dict[str, Any]]) -> Summary:
    scored = [r for r in rows if r["status"] not in (REPORTED, NOT_YET)]
    errors = [abs(r["error"]) for r in scored if r["error"] is not None]
    return Summary(kind_name(kind), len(rows), sum(r["status"] == OK for r in scored), len(scored), max(errors, default=None))
