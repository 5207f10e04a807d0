"""Runtime overhead per GPU: assumed ranges with their sources.

In: engine and GPUs. Out: `Overhead` parts in bytes, low-high.
"""

from typing import NamedTuple

GIB, MIB = 2**30, 2**20


class Overhead(NamedTuple):
    """One assumed part of a GPU's memory, bytes low-high, with who says so."""

    id: str
    low: int
    high: int
    source: str


CONTEXT = Overhead(
    "context",
    round(0.3 * GIB),
    1 * GIB,
    "CUDA context, library workspaces, launch buffers per process: https://github.com/rahulschand/gpu_poor takes 500 MB, aiconfigurator 095f58a5 551 MB",
)
GRAPHS = Overhead(
    "graphs",
    round(0.25 * GIB),
    3 * GIB,
    "CUDA graphs: vLLM's own log text says 1-3 GiB, a measured log 0.45 GiB, the package kvplan on PyPI 0.25 GiB",
)
COLLECTIVES = Overhead("collectives", 342 * MIB, 392 * MIB, "NCCL buffers for two GPUs or more: aiconfigurator at 095f58a5")
# share of weights + cache lost to the allocator's rounding and fragmentation
FRAGMENTATION = (0.02, 0.08)


def overhead_parts(engine: str = "vllm", tensor_parallel: int = 1, *, graphs: bool = True) -> tuple[Overhead, ...]:
    """The parts that apply to one GPU. llama.cpp captures small graphs inside its context and uses no NCCL; transformers captures none."""
    found = [CONTEXT]
    if engine in ("vllm", "sglang") and graphs:
        found.append(GRAPHS)
    if engine != "llama.cpp" and tensor_parallel > 1:
        found.append(COLLECTIVES)
    return tuple(found)


def overhead_bytes(engine: str = "vllm", tensor_parallel: int = 1, *, graphs: bool = True) -> tuple[int, int]:
    """(low, high) sum of the parts on one GPU, bytes."""
    parts = overhead_parts(engine, tensor_parallel, graphs=graphs)
    return sum(p.low for p in parts), sum(p.high for p in parts)
