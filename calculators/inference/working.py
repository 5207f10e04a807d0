"""The working of `vram-inference`: each formula with the numbers put in and who says so.

In: a `Case` and its `Footprint`. Out: steps in a `Working`.
"""

from calculators.framework.spec import Working
from calculators.framework.text import Text
from calculators.inference.case import Case
from calculators.memory.kv import bytes_per_token
from calculators.memory.params import parameter_groups
from calculators.memory.serving import GIB, Footprint, Speed, cache_of, weights_of
from calculators.memory.weights import WEIGHT_FORMATS

KV_SOURCE = "DeepSeek-V2 https://arxiv.org/abs/2405.04434; start-up logs of llama.cpp and vLLM"
SPEED_SOURCE = "two-term model fitted on five A100 rows of gpt-fast, https://github.com/pytorch-labs/gpt-fast"
AIC = "aiconfigurator https://github.com/ai-dynamo/aiconfigurator"


def show_working(show: Working, c: Case, need: Footprint, speed: Speed | None) -> None:
    """Record every step of the sum, and of the speed where the card's bandwidth is known."""
    s, gpus = c.serving, c.gpus
    a = s.architecture
    groups = parameter_groups(a)
    known = WEIGHT_FORMATS[s.weight_format]
    weights = weights_of(a, s.weight_format)
    listed = " + ".join(f"{name} {count:,}" for name, count in groups.groups.items() if count)
    show.show(
        Text("Parameters", "参数量"),
        "Σ elements of every tensor",
        listed,
        groups.total,
        "",
        "config.json of the model; shapes of transformers",
    )
    shares = " + ".join(f"{name} {size / GIB:.3f}" for name, size in weights.by_group.items() if size)
    show.show(
        Text("Weights", "权重"),
        "Σ tensor elements × bits of its format ÷ 8 ÷ 2^30",
        shares,
        weights.total / GIB,
        "GiB",
        known.source,
        3,
    )
    if weights.host:
        show.show(
            Text("of these in host memory", "其中留在主机内存"),
            "the embedding table stays in RAM (llama.cpp)",
            f"{weights.host:,} B",
            weights.host / GIB,
            "GiB",
            known.source,
            3,
        )
    show.show(
        Text("Weights per GPU", "每张卡的权重"),
        "split tensors ÷ GPUs + replicated tensors (norms, router, MLA down-projections)",
        f"on the fullest of {gpus}",
        need.weights / GIB,
        "GiB",
        "Megatron-style sharding as in vLLM and SGLang",
        3,
    )
    kv = cache_of(s, gpus)
    cells = f"{kv.full_cells:,} cells in full layers" + (
        f", {kv.sliding_cells:,} in sliding layers" if a.sliding_layers else ""
    )
    per = bytes_per_token(a, s.kv_dtype, latent=s.latent)
    show.show(
        Text("KV cache", "KV 缓存"),
        "Σ layers × cells × KV heads × (K width + V width) × bytes"
        if not a.kv_lora_rank
        else "layers × cells × (kv_lora_rank + rope) × bytes",
        f"{cells}; {per:,.0f} B per token over all layers; state {kv.state:,} B; {kv.rule}",
        kv.total / GIB,
        "GiB",
        KV_SOURCE,
        3,
    )
    show.show(
        Text("Activations and buffers, high", "激活与缓冲区（上限）"),
        "tokens per step × (2.5 h + 2 f ÷ GPUs) × 2 B × 2 + 3 × sequences × vocabulary × 4 B"
        if s.engine != "llama.cpp"
        else "max(logits, attention step) of one micro-batch",
        f"h {a.hidden_size:,}, {s.step_tokens:,} tokens, {s.batch:,} sequences",
        need.activations_high / GIB,
        "GiB",
        f"{AIC}; llama.cpp logs",
        3,
    )
    show.show(
        Text("Overhead, high", "额外开销（上限）"),
        "context + graphs + collectives",
        "see the ranges in the outputs",
        need.overhead_high / GIB,
        "GiB",
        f"vLLM logs; {AIC}",
        3,
    )
    show.show(
        Text("Memory per GPU, high", "每张卡所需显存（上限）"),
        "weights + KV cache + activations + overhead",
        f"{need.weights / GIB:.2f} + {need.kv_high / GIB:.2f} + {need.activations_high / GIB:.2f} + {need.overhead_high / GIB:.2f}",
        need.high / GIB,
        "GiB",
        "sum",
        2,
    )
    show.show(
        Text("Usable on the card", "该卡可用显存"),
        "label × usable share; a label's GB is counted as 2^30 bytes, as logs show",
        f"{c.card.memory.value:g} × {c.usable_percent:g} %",
        c.capacity / GIB,
        "GiB",
        "vLLM logs: 79.15-79.25 GiB on 80 GB cards before the share is taken",
        2,
    )
    if speed is not None and c.card.memory_bandwidth is not None:
        show.show(
            Text("Bytes read per step and GPU", "每步每张卡读取的字节"),
            "streamed weights ÷ GPUs + KV cache of all requests",
            f"{gpus} GPU",
            speed.bytes_per_gpu / 1e9,
            "GB",
            "embedding table is looked up, not read through",
            3,
        )
        show.show(
            Text("Decode step", "解码一步的时间"),
            "bytes ÷ (bandwidth × efficiency) + layers × 0.055 ms" + (" + 2 × layers × 10 µs" if gpus > 1 else ""),
            f"{speed.bytes_per_gpu / 1e9:.3f} GB ÷ ({c.card.memory_bandwidth.value:g} GB/s × {speed.efficiency:g}) + {a.num_hidden_layers} layers",
            speed.modelled_seconds * 1000,
            "ms",
            SPEED_SOURCE,
            2,
        )
