"""`quantization_config` of a config, or `--quantization` of a command -> the id of a weight format, or nothing.

In: the object as it stands in the file. Out: an id of `calculators.memory.weights.WEIGHT_FORMATS`, empty where the file is
not quantised or its recipe has no format of ours.
"""

from typing import Any

BY_METHOD = {
    "awq": "awq-int4-g128",
    "awq_marlin": "awq-int4-g128",
    "gptq": "gptq-int4-g128",
    "gptq_marlin": "gptq-int4-g128",
    "mxfp4": "mxfp4",
    "fp8": "fp8",
    "modelopt": "fp8",
    "modelopt_fp4": "nvfp4",
    "nvfp4": "nvfp4",
    "bitsandbytes": "nf4",
}


def weight_format(config: Any) -> str:
    """The nearest format, by method and block."""
    if not isinstance(config, dict):
        return ""
    method = str(config.get("quant_method") or config.get("quant_algo") or "").lower()
    if method == "fp8":
        return "fp8-block128" if config.get("weight_block_size") else "fp8"
    if "nvfp4" in (method, str(config.get("quant_algo", "")).lower()):
        return "nvfp4"
    if method == "gptq" and config.get("bits") not in (None, 4):
        return ""
    if method == "gptq" and config.get("sym"):
        return "gptq-int4-g128-sym"
    if method == "bitsandbytes":
        if config.get("load_in_8bit"):
            return "int8"
        return "nf4-dq" if config.get("bnb_4bit_use_double_quant") else "nf4"
    return BY_METHOD.get(method, "")
