"""Weight formats to choose from, and whether a card computes with one, beyond having room for it.

In: an `Accelerator` with its matrix peaks, a format id of `WEIGHT_FORMATS`. Out: one word of `SUPPORT`.
The rule follows vLLM's table of supported hardware (version 0.14) and its page on FP8 (version 0.32); a stack that the table
does not list is not guessed at. NVIDIA generations are told apart by their peaks: BF16 since Ampere, INT8 since Turing.
"""

from calculators.framework.remembered import PerCatalog
from calculators.framework.spec import Choice
from calculators.framework.text import Text
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.model import Accelerator, Catalog

SUPPORT = ("native", "weights-only", "as-fp16", "no", "unknown")
RUNS = frozenset({"native", "weights-only", "as-fp16"})
SOURCE = "vLLM, supported hardware, https://docs.vllm.ai/en/v0.14.0/features/quantization/"
_FP4 = ("mxfp4", "nvfp4")
_FOUR_BIT = ("awq-int4-g128", "gptq-int4-g128", "gptq-int4-g128-sym", "nf4", "nf4-dq")
_GGUF_STACKS = ("CUDA", "ROCm", "CANN", "MUSA", "oneAPI")  # llama.cpp has a backend for each


def formats(_: Catalog) -> tuple[Choice, ...]:
    """The weight formats as a closed list, GGUF apart."""
    groups = {True: Text("GGUF (llama.cpp)", "GGUF（llama.cpp）"), False: Text("Hugging Face")}
    return tuple(Choice(f.id, Text(f.name), groups[f.block == "gguf"]) for f in WEIGHT_FORMATS.values())


_found: PerCatalog[tuple[str, str], str] = PerCatalog()


def support_in(catalog: Catalog, card: Accelerator, weight_format: str) -> str:
    """`support` of one of the catalog's cards, remembered."""
    known, asked = _found.of(catalog), (card.id, weight_format)
    if asked not in known:
        known[asked] = support(card, weight_format)
    return known[asked]


def support(card: Accelerator, weight_format: str) -> str:
    """How the card runs the format: in its matrix units, as compressed weights of a 16-bit product, as FP16, or not."""
    units = {p.precision for p in card.peaks if p.matrix}
    form = WEIGHT_FORMATS[weight_format]
    if form.block == "gguf":
        return "weights-only" if card.ecosystem.startswith(_GGUF_STACKS) else "unknown"
    if form.block == "none":
        return _sixteen_bit(units, weight_format)
    native = "fp8" if weight_format.startswith("fp8") else "fp4" if weight_format in _FP4 else form.id
    if native in units and (weight_format != "nvfp4" or card.ecosystem == "CUDA"):  # NVFP4 is NVIDIA's own block format
        return "native"
    return _cuda(units, weight_format) if card.ecosystem == "CUDA" else "unknown"


def _sixteen_bit(units: set[str], weight_format: str) -> str:
    if weight_format in units or (units and weight_format == "fp32"):
        return "native"
    if "fp16" in units:
        return "as-fp16"
    return "native" if "bf16" in units else "unknown"


def _cuda(units: set[str], weight_format: str) -> str:
    ampere, turing, volta = "bf16" in units, "int8" in units and "fp16" in units, "fp16" in units
    if ampere:
        return "native" if weight_format == "int8" else "weights-only"
    if weight_format in _FP4 or weight_format == "int8":
        return "no"
    if weight_format.startswith(("fp8", "awq")):
        return "weights-only" if turing else "no"
    return "weights-only" if volta and weight_format in _FOUR_BIT else "no"
