"""The working of `throughput`: each formula with the numbers put in and who says so."""

from calculators.framework.spec import Working
from calculators.framework.text import Text
from calculators.memory.decode import ALLREDUCE_SECONDS, LAYER_SECONDS
from calculators.speed.case import Case
from calculators.speed.service import queue_factor, requests_in_flight
from calculators.speed.steps import EFFICIENCY, decode_bytes_per_gpu, step_seconds
from calculators.speed.work import decode_flops

GPT_FAST = Text(
    "two-term model fitted on five A100 rows of gpt-fast, https://github.com/pytorch-labs/gpt-fast",
    "两项模型，用 gpt-fast 的五行 A100 数据拟合，https://github.com/pytorch-labs/gpt-fast",
)
KAPLAN = Text(
    "2 FLOPs per parameter and token; causal attention 2 L H d s²: Kaplan et al. 2020, https://arxiv.org/abs/2001.08361",
    "每参数每 token 2 FLOP；因果注意力 2 L H d s²：Kaplan 等 2020，https://arxiv.org/abs/2001.08361",
)
LITTLE = Text("Little 1961: requests = rate × time", "Little 1961：在途数 = 到达率 × 停留时间")
CONSERVED = Text("GPU time is conserved; no constant is fitted", "GPU 时间守恒，没有拟合常数")
LEVIATHAN = "Leviathan et al. 2023, equation 1, https://arxiv.org/abs/2211.17192"
AIC = "aiconfigurator 095f58a5, https://github.com/ai-dynamo/aiconfigurator"


def show_working(show: Working, c: Case) -> None:
    """Record every step from one prompt and one decode step to the GPUs for the traffic."""
    _prefill(show, c)
    _decode(show, c)
    _service(show, c)
    _fleet(show, c)


def _prefill(show: Working, c: Case) -> None:
    m, load = c.machine, c.load
    flops, cached = load.prompt_flops, load.prompt - load.computed
    show.show(
        Text("Work of one prompt", "单个提示词的计算量"),
        Text(
            "2 × N × s + 2 × head + Σ layers 2 H (d_k + d_v) × pairs",
            "2 × N × s + 2 × 输出层 + Σ 层 2 H (d_k + d_v) × 注意力对数",
        ),
        Text(
            f"N {load.work.body:,} active without embedding and head; s {load.prompt:,}"
            + (f", of which {cached:,} in the prefix cache" if cached else ""),
            f"N {load.work.body:,}（激活参数，不含词嵌入和输出层）；s {load.prompt:,}"
            + (f"，其中 {cached:,} 个命中前缀缓存" if cached else ""),
        ),
        flops / 1e12,
        "TFLOP",
        KAPLAN,
        3,
    )
    show.show(
        Text("Prefill", "预填充"),
        Text(
            "work ÷ (GPUs × dense peak × efficiency) + layers × 0.055 ms + all-reduces",
            "计算量 ÷ (卡数 × 稠密峰值 × 效率) + 层数 × 0.055 ms + all-reduce",
        ),
        Text(
            f"{m.gpus} × {m.flops / 1e12:g} TFLOP/s ({m.precision.upper()}) × {EFFICIENCY[1]:g}, assumed {EFFICIENCY[0]:g} to {EFFICIENCY[2]:g}",
            f"{m.gpus} × {m.flops / 1e12:g} TFLOP/s（{m.precision.upper()}）× {EFFICIENCY[1]:g}，假设范围 {EFFICIENCY[0]:g} 至 {EFFICIENCY[2]:g}",
        ),
        c.at.prefill * 1e3,
        "ms",
        Text(f"peak: the card's page; efficiency: assumed; {AIC}", f"峰值：该卡页面；效率：假设；{AIC}"),
        1,
    )


def _decode(show: Working, c: Case) -> None:
    m, load, batch = c.machine, c.load, c.at.batch
    read = decode_bytes_per_gpu(load, batch)
    show.show(
        Text("Bytes read per step and GPU", "每步每张卡读取的字节"),
        Text("weights that the batch touches ÷ GPUs + requests × KV cache", "本批触及的权重 ÷ 卡数 + 请求数 × KV 缓存"),
        Text(
            f"{batch} requests × {load.kv_sequence / 1e6:,.1f} MB at half the answer",
            f"{batch} 个请求 × {load.kv_sequence / 1e6:,.1f} MB（按答案写到一半）",
        ),
        read / 1e9,
        "GB",
        Text(
            "arithmetic; MoE: E (1 − (1 − k/E)^batch) experts per layer",
            "直接计算；MoE 每层触及 E (1 − (1 − k/E)^batch) 个专家",
        ),
        3,
    )
    compute = batch * (1 + load.ahead) * decode_flops(load.work, load.mean_context) / (m.gpus * m.flops * EFFICIENCY[1])
    show.show(
        Text("Decode step", "解码一步的时间"),
        Text(
            f"max(bytes ÷ (bandwidth × share), work ÷ (peak × efficiency)) + layers × {LAYER_SECONDS * 1e3:g} ms"
            + (f" + 2 × layers × ({ALLREDUCE_SECONDS * 1e6:g} µs + size ÷ link)" if m.gpus > 1 else ""),
            f"max(字节数 ÷ (带宽 × 比例), 计算量 ÷ (峰值 × 效率)) + 层数 × {LAYER_SECONDS * 1e3:g} ms"
            + (f" + 2 × 层数 × ({ALLREDUCE_SECONDS * 1e6:g} µs + 数据量 ÷ 链路带宽)" if m.gpus > 1 else ""),
        ),
        Text(
            f"max({read / 1e9:.3f} GB ÷ ({m.bandwidth / 1e9:g} GB/s × {load.fit.efficiency:g}), {compute * 1e3:.2f} ms); {load.architecture.num_hidden_layers} layers",
            f"max({read / 1e9:.3f} GB ÷ ({m.bandwidth / 1e9:g} GB/s × {load.fit.efficiency:g}), {compute * 1e3:.2f} ms)；{load.architecture.num_hidden_layers} 层",
        ),
        (step_seconds(load, c.replica.rates, batch) if load.ahead else c.at.step) * 1e3,
        "ms",
        GPT_FAST,
        2,
    )
    if load.ahead:
        _speculation(show, c)


def _speculation(show: Working, c: Case) -> None:
    load, guesses = c.load, c.traffic.guesses
    if guesses is None:
        return
    show.show(
        Text("Tokens of one step", "一步得到的 token 数"),
        "(1 − a^(k+1)) ÷ (1 − a)",
        f"a {guesses.accepted:g}, k {guesses.ahead}",
        load.per_step,
        "token",
        LEVIATHAN,
        2,
    )
    show.show(
        Text("Time of one token", "每个 token 的解码时间"),
        Text("step, with the draft's own steps ÷ tokens of one step", "一步时间（含草稿模型的各步）÷ 一步得到的 token 数"),
        f"{step_seconds(load, c.replica.rates, c.at.batch) * 1e3:.2f} ÷ {load.per_step:.2f}",
        c.at.step * 1e3,
        "ms",
        LEVIATHAN,
        2,
    )


def _service(show: Working, c: Case) -> None:
    at = c.at
    show.show(
        Text("TPOT under load", "负载下的 TPOT"),
        Text("step + (requests − 1) × prefill ÷ answer", "一步时间 + (并发 − 1) × 预填充 ÷ 输出长度"),
        f"{at.step * 1e3:.2f} + {at.batch - 1} × {at.prefill * 1e3:.1f} ÷ {at.answer:,}",
        at.tpot * 1e3,
        "ms",
        Text(
            f"{CONSERVED.en}. 18 rows of {AIC} (silicon_refs.csv): median 14 %, −41 to +76 %",
            f"{CONSERVED.zh}。{AIC}（silicon_refs.csv）的 18 行：中位误差 14%，范围 −41% 至 +76%",
        ),
        2,
    )
    show.show(
        Text("Requests per second of one full replica", "单个满载副本每秒请求数"),
        Text("1 ÷ (prefill + answer × step ÷ requests)", "1 ÷ (预填充 + 输出长度 × 一步时间 ÷ 并发)"),
        f"1 ÷ ({at.prefill * 1e3:.1f} ms + {at.answer:,} × {at.step * 1e3:.2f} ms ÷ {at.batch})",
        at.rate,
        "request/s",
        CONSERVED,
        3,
    )
    show.show(
        Text("TTFT with arrivals spread out", "请求均匀到达时的 TTFT"),
        Text("prefill × (1 + log2(requests) ÷ 8) + step", "预填充 × (1 + log2(并发) ÷ 8) + 一步时间"),
        f"{at.prefill * 1e3:.1f} × {queue_factor(at.batch):.2f} + {at.step * 1e3:.2f}",
        at.ttft_steady * 1e3,
        "ms",
        Text(
            f"{AIC}: its correction for vLLM, 18 % mean error by its own comment",
            f"{AIC}：其对 vLLM 的修正，代码注释称平均误差 18%",
        ),
        0,
    )
    show.show(
        Text("TTFT when all come at once, mean", "所有请求同时到达时的平均 TTFT"),
        Text("slow prefill × (requests + 1) ÷ 2 + step", "最慢预填充 × (并发 + 1) ÷ 2 + 一步时间"),
        f"× {(at.batch + 1) / 2:g}",
        at.ttft_high * 1e3,
        "ms",
        Text("prompts are read one after another, first come first served", "提示词逐个处理，先到先服务"),
        0,
    )


def _fleet(show: Working, c: Case) -> None:
    t = c.traffic
    show.show(
        Text("Replicas", "副本数"),
        Text("⌈traffic ÷ (requests per second × filled to)⌉", "⌈请求速率 ÷ (每秒请求数 × 负载率)⌉"),
        f"{t.requests_per_s:g} ÷ ({c.at.rate:.3f} × {t.used_percent:g} %)",
        c.replicas,
        "",
        CONSERVED,
        0,
    )
    show.show(
        Text("Requests in flight, replicas full", "在途请求数（副本满载时）"),
        Text("traffic × time of a request", "请求速率 × 单个请求的时间"),
        f"{t.requests_per_s:g} × {c.at.latency:.2f} s",
        requests_in_flight(t.requests_per_s, c.at.latency),
        "request",
        LITTLE,
        1,
    )
