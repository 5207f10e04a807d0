"""Bytes per parameter of a training recipe: precisions and optimizers, each with who says so.

In: ids. Out: `Precision` and `Optimizer` records, and the optimizer-state bytes of one tensor.
"""

from typing import NamedTuple

from calculators.memory.tensors import Tensor

FP32 = 4
BITSANDBYTES_BLOCK = 256
BITSANDBYTES_SMALLEST = 4096
GALORE_RANK = 128
ZERO_PAPER = "Rajbhandari et al. 2020, ZeRO, section 3.1, https://arxiv.org/abs/1910.02054"


class Precision(NamedTuple):
    """Bytes per trained parameter besides the optimizer's own. `moment`: bytes of one optimizer number; `compute`: of a
    weight while it is multiplied; `linear_input`: of a number that a matrix keeps for its backward pass."""

    id: str
    weights: float
    gradients: float
    master: float
    moment: float
    compute: float
    linear_input: float
    source: str


PRECISIONS: dict[str, Precision] = {
    p.id: p
    for p in (
        Precision("mixed", 2, 2, 4, 4, 2, 2, ZERO_PAPER),
        Precision(
            "megatron", 2, 4, 4, 4, 2, 2,
            "18 bytes: Megatron-LM theoretical_memory_usage.py, https://github.com/NVIDIA/Megatron-LM",
        ),
        Precision(
            "fp32-params", 4, 4, 0, 4, 2, 2,
            "FP32 parameters, BF16 compute: torchtitan FSDP, https://github.com/pytorch/torchtitan",
        ),
        Precision("bf16", 2, 2, 0, 2, 2, 2, "every number in BF16: torchtune, https://github.com/pytorch/torchtune"),
        Precision(
            "fp8", 1, 4, 4, 2, 1, 1,
            "FP8 weights and linear inputs, FP32 master and gradients, BF16 moments: DeepSeek-V3, section 3.3, https://arxiv.org/abs/2412.19437",
        ),
    )
}  # fmt: skip


class Optimizer(NamedTuple):
    """How an optimizer keeps its state. `moments` per parameter in the recipe's precision; `eight_bit`: 1 byte each and an
    FP32 scale per block; `rule`: what differs by tensor; `paged`: lives in host memory and visits the GPU tensor by tensor."""

    id: str
    moments: int
    rule: str
    source: str
    eight_bit: bool = False
    paged: bool = False


_BNB = "bitsandbytes, https://github.com/bitsandbytes-foundation/bitsandbytes"
OPTIMIZERS: dict[str, Optimizer] = {
    o.id: o
    for o in (
        Optimizer("adamw", 2, "plain", "Loshchilov and Hutter 2019, https://arxiv.org/abs/1711.05101"),
        Optimizer("adamw-8bit", 2, "plain", f"Dettmers et al. 2022, https://arxiv.org/abs/2110.02861; blocks of 256: {_BNB}", True),
        Optimizer("paged-adamw", 2, "plain", f"Dettmers et al. 2023, QLoRA, https://arxiv.org/abs/2305.14314; {_BNB}", paged=True),
        Optimizer("paged-adamw-8bit", 2, "plain", f"QLoRA, https://arxiv.org/abs/2305.14314; {_BNB}", True, True),
        Optimizer("adafactor", 0, "factored", "Shazeer and Stern 2018, https://arxiv.org/abs/1804.04235"),
        Optimizer("lion", 1, "plain", "Chen et al. 2023, https://arxiv.org/abs/2302.06675"),
        Optimizer("muon", 1, "muon", "Jordan et al. 2024, https://kellerjordan.github.io/posts/muon/"),
        Optimizer("sgd-momentum", 1, "plain", "one velocity per parameter: torch.optim.SGD, https://docs.pytorch.org/docs/stable/optim.html"),
        Optimizer("galore", 2, "galore", "Zhao et al. 2024, table 1, https://arxiv.org/abs/2403.03507"),
    )
}  # fmt: skip


def moment_bytes(optimizer: Optimizer, elements: float, moment: float) -> float:
    """State of `elements` numbers with the optimizer's moments; 8-bit ones add an FP32 scale per block of 256.

    bitsandbytes leaves tensors below 4,096 elements in FP32 (its `min_8bit_size`).
    """
    if optimizer.eight_bit:
        each = 1 + FP32 / BITSANDBYTES_BLOCK if elements >= BITSANDBYTES_SMALLEST else FP32
        return optimizer.moments * elements * each
    return optimizer.moments * elements * moment


def optimizer_bytes(optimizer: Optimizer, t: Tensor, moment: float, galore_rank: int = GALORE_RANK) -> float:
    """Optimizer state of all copies of one tensor, bytes.

    Adafactor keeps a row and a column of FP32 for a matrix. Muon keeps one momentum for hidden matrices and Adam's two for
    embedding, head and vectors. GaLore keeps a projection m x r and two moments r x n of a matrix m x n, m <= n.
    """
    matrix = min(t.rows, t.columns) > 1
    hidden = t.kind in ("linear", "expert", "router")
    each = t.rows * t.columns
    if optimizer.rule == "factored":
        return t.copies * (t.rows + t.columns if matrix else each) * FP32
    if optimizer.rule == "muon" and not hidden:
        return t.copies * 2 * each * moment
    if optimizer.rule == "galore" and hidden and matrix:
        m, n = sorted((t.rows, t.columns))
        r = min(galore_rank, m)
        return t.copies * (m * r + 2 * r * n) * moment
    return t.copies * moment_bytes(optimizer, each, moment)
