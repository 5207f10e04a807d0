"""A catalog card -> the rates that set the speed of one replica: bandwidth, compute at the format's precision, link.

In: an `Accelerator`, a weight format, a number of GPUs. Out: a `Machine`, or None where the catalog states no bandwidth
or no dense peak that the format can use: what nobody stated is absent, never guessed.
"""

from typing import NamedTuple

from catalog.model import Accelerator

TERA, GIGA = 1e12, 1e9
PRECISIONS = {"fp8": "fp8", "fp8-block128": "fp8", "int8": "int8", "nvfp4": "fp4"}
"""Formats whose matrices are multiplied as they are stored, where the card can. All others are widened to 16 bits first
(weight-only AWQ, GPTQ, NF4, GGUF; gpt-oss keeps BF16 activations)."""

ACCUMULATE = {"int8": "int32"}
PCIE_BYTES_PER_S = 25e9
"""Assumed where the catalog states no card-to-card link: PCIe 4.0 x16, 32 GB/s a direction less protocol; the value that
aiconfigurator 095f58a5 starts from for A100 nodes without NVLink between them."""

MOST_GPUS = 8
"""GPUs of one replica: one server, so that its all-reduces stay on its own links."""


class Machine(NamedTuple):
    """The GPUs of one replica. `flops` and `bandwidth` are one GPU's; `link` one GPU's, one direction, bytes/s."""

    bandwidth: float
    flops: float
    precision: str
    link: float
    link_assumed: bool
    gpus: int

    def times(self, gpus: int) -> "Machine":
        """So many of the same GPU."""
        return Machine(self.bandwidth, self.flops, self.precision, self.link, self.link_assumed, gpus)

    @property
    def ridge(self) -> float:
        """FLOP per byte at which compute and bandwidth bind together (Williams et al. 2009, Roofline)."""
        return self.flops / self.bandwidth


def dense_peak(card: Accelerator, weight_format: str) -> tuple[str, float] | None:
    """(precision, FLOP/s): the dense peak with FP32 (INT8: INT32) accumulation at which the format's matrices multiply.

    FP8, INT8 and FP4 only where the card has that peak and it is no slower than 16 bits; else BF16; else FP16.
    """
    rates: dict[str, float] = {}
    for precision in (PRECISIONS.get(weight_format, "bf16"), "bf16", "fp16"):
        peak = card.peak(precision, accumulate=ACCUMULATE.get(precision, "fp32"))
        if peak is not None:
            rates.setdefault(precision, peak.rate.value * TERA)
    wide = next((p for p in ("bf16", "fp16") if p in rates), None)
    best = next(iter(rates), None)
    if best is None:
        return None
    if wide is not None and rates[wide] > rates[best]:
        best = wide
    return best, rates[best]


def machine(card: Accelerator, weight_format: str, gpus: int) -> Machine | None:
    """The rates of `gpus` of this card, or None where the catalog lacks bandwidth or peak."""
    found = dense_peak(card, weight_format)
    if found is None or card.memory_bandwidth is None:
        return None
    precision, flops = found
    link = card.link_bandwidth
    one_way = link.value * GIGA / 2 if link else PCIE_BYTES_PER_S
    return Machine(card.memory_bandwidth.value * GIGA, flops, precision, one_way, link is None, gpus)
