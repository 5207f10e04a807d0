"""A case -> the value that the project's own functions give. In: formula name and inputs. Out: a number.

Nothing is computed here: each entry of `FORMULAS` turns the inputs into arguments and the result into the case's unit.
Functions are reached through their modules, so that breaking one in a test breaks its cases.
"""

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from calculators.memory import activations, decode, gguf, kv, params, weights
from catalog.model import Architecture
from sitebuild.accuracy import diffusion, expressions, training, whole
from sitebuild.accuracy.fields import InputError, Inputs, NoFunction
from sitebuild.accuracy.language import UnknownFunction

GIB, MIB, GB = 2**30, 2**20, 1e9
DTYPES = {"f16": "fp16", "f32": "fp32", "fp8_e4m3": "fp8", "fp8_e5m2": "fp8"}
_KV_FIELDS = ("layers", "kv_heads", "head_dim", "kv_lora", "qk_rope")


def _params(i: Inputs) -> float:
    return params.parameter_groups(i.architecture()).total


def _params_nonembed(i: Inputs) -> float:
    return params.parameter_groups(i.architecture()).non_embedding


def _double_tied(i: Inputs) -> float:
    return params.hub_elements(i.architecture(), double_tied=True)


def _fp8_scales(i: Inputs) -> float:
    return params.hub_elements(i.architecture(), fp8_scales=True)


def _lora(i: Inputs) -> float:
    modules = i.take("modules")
    if not isinstance(modules, list):
        raise InputError("input `modules` must be a list")
    return params.lora_parameters(i.architecture(), i.integer("rank"), tuple(str(m) for m in modules))


def _lora_all(i: Inputs) -> float:
    a = i.architecture()
    modules = i.take("modules")
    if not isinstance(modules, list):
        raise InputError("input `modules` must be a list")
    adapters = params.lora_parameters(a, i.integer("rank"), tuple(str(m) for m in modules))
    return params.parameter_groups(a).total + adapters


def _gguf(i: Inputs) -> gguf.GgufSize:
    model = i.take("model")
    if not isinstance(model, dict):
        raise InputError("input `model` must be a mapping of model fields")
    forced = model.get("emb_type", "")
    a = Inputs({"model": {k: v for k, v in model.items() if k != "emb_type"}}).model()
    bump = i.take("bump_70b", "by shape")
    return gguf.gguf_bytes(
        a,
        str(i.take("ftype")),
        imatrix=i.flag("imatrix"),
        is_70b=bump if isinstance(bump, bool) else None,
        embedding_type=str(forced),
    )


def _parts(i: Inputs) -> float:
    given = i.take("parts")
    try:
        pairs = [(float(elements), float(each)) for elements, each in given]
    except (TypeError, ValueError):
        raise InputError("input `parts` must be a list of [elements, bytes each]") from None
    return weights.parts_bytes(pairs)


def _weights_gib(i: Inputs) -> float:
    return weights.parts_bytes([(i.number("params"), i.number("bytes"))]) / i.integer("tp", 1) / GIB


def _dtype(i: Inputs) -> str:
    name = str(i.take("dtype", "bf16")).lower()
    return DTYPES.get(name, name)


def _kv_architecture(i: Inputs) -> Architecture:
    key, value = i.integer("k_head", 0), i.integer("v_head", 0)
    widths: dict[str, Any] = {"v_head_dim": value} if value else {}
    if key:
        widths["head_dim"] = key
    return i.architecture(_KV_FIELDS, **widths)


def _kv(i: Inputs) -> float:
    a = _kv_architecture(i)
    cells = i.integer("tokens")
    return kv.cache_bytes(a, cells, cells, dtype=_dtype(i), tensor_parallel=i.integer("tp", 1), transposed=i.flag("kv_t"))


def _kv_tokens(i: Inputs) -> float:
    each = kv.bytes_per_token(_kv_architecture(i), _dtype(i), tensor_parallel=i.integer("tp", 1))
    return kv.kv_tokens(i.number("avail_gib") * GIB, each, i.integer("block", kv.VLLM_BLOCK))


def _concurrency(i: Inputs) -> float:
    return kv.concurrency(i.integer("blocks"), i.integer("max_len"), i.integer("block", kv.VLLM_BLOCK))


def _swa_cells(i: Inputs) -> float:
    ubatch, sequences = i.integer("n_ubatch", kv.LLAMA_CPP_UBATCH), i.integer("seqs", 1)
    return kv.swa_cells(i.integer("n_ctx"), i.integer("window"), ubatch, sequences)


def _gdn_mib(i: Inputs) -> float:
    layers = i.integer("layers")
    names = ("lin_k_heads", "lin_k_dim", "lin_v_heads", "lin_v_dim", "conv")
    a = i.architecture(names, num_hidden_layers=layers, linear_layers=layers)
    return kv.recurrent_state_bytes(a, i.integer("seqs", 1)) / MIB


def _compute_mib(i: Inputs) -> float:
    return (
        activations.compute_buffer_bytes(
            i.integer("h"),
            i.integer("vocab"),
            i.integer("heads"),
            i.integer("n_ctx"),
            i.integer("n_ubatch", 512),
            flash_attention=i.flag("flash"),
        )
        / MIB
    )


def _decode_bytes(i: Inputs) -> float:
    return decode.decode_bytes(i.model(), i.number("bytes_per_weight"), i.integer("tp", 1))


def _bandwidth(i: Inputs) -> float:
    return 1 / decode.bandwidth_seconds(_decode_bytes(i), i.number("bw"), i.number("eff"))


def _two_term(i: Inputs) -> float:
    a, tp = i.model(), i.integer("tp", 1)
    seconds = decode.two_term_seconds(
        decode.decode_bytes(a, i.number("bytes_per_weight"), tp),
        i.number("bw"),
        a.num_hidden_layers,
        efficiency=i.number("eff"),
        tensor_parallel=tp,
        layer_seconds=i.number("layer_ms", decode.LAYER_SECONDS * 1e3) / 1e3,
        allreduce_seconds=i.number("allreduce_ms", decode.ALLREDUCE_SECONDS * 1e3) / 1e3,
    )
    return 1 / seconds


def _scaled(i: Inputs) -> float:
    return decode.scaled_tokens_per_second(i.number("ref_tok_s"), i.number("ref_bpw"), i.number("bpw"))


def _decode_ms(i: Inputs) -> float:
    cache = i.integer("batch", 1) * i.number("ctx", 0) * i.number("kv_bytes_per_token", 0)
    per_gpu = (i.number("weight_bytes") + cache) / i.integer("tp", 1)
    return decode.bandwidth_seconds(per_gpu, i.number("bw"), i.number("eff", 1.0)) * 1e3


def _nf4_saving(i: Inputs) -> float:
    block = i.integer("block", 64)
    return weights.nf4_bits(block) - weights.nf4_bits(block, i.integer("block2", 256))


FORMULAS: dict[str, Callable[[Inputs], float]] = {
    **training.FORMULAS,
    **diffusion.FORMULAS,
    whole.FORMULA: whole.calculator_output,
    "params": _params,
    "params_nonembed": _params_nonembed,
    "params_hf_double_tied": _double_tied,
    "params_with_fp8_scales": _fp8_scales,
    "lora_params": _lora,
    "lora_all_params": _lora_all,
    "gguf_bpw": lambda i: _gguf(i).bits_per_weight,
    "gguf_gib": lambda i: _gguf(i).bytes / GIB,
    "weights_gib": _weights_gib,
    "weights_mixed_bytes": _parts,
    "weights_mixed_gib": lambda i: _parts(i) / GIB,
    "kv_bytes": _kv,
    "kv_mib": lambda i: _kv(i) / MIB,
    "kv_gib": lambda i: _kv(i) / GIB,
    "kv_tokens": _kv_tokens,
    "concurrency": _concurrency,
    "swa_cells": _swa_cells,
    "gdn_mib": _gdn_mib,
    "compute_mib": _compute_mib,
    "decode_gb": lambda i: _decode_bytes(i) / GB,
    "tok_s_bandwidth": _bandwidth,
    "tok_s_two_term": _two_term,
    "tok_s_scaled": _scaled,
    "decode_ms": _decode_ms,
    "nf4_saving_bits": _nf4_saving,
    "nf4_saving_gb": lambda i: _nf4_saving(i) * i.number("params") / 8 / GB,
}


def compute(formula: str, inputs: dict[str, Any], kind: str = "") -> float:
    """The value. A formula is a quantity's name or, for the kinds that have it so, an expression over the inputs.

    Raises NoFunction for what no function covers yet, and ValueError, TypeError or ArithmeticError when the inputs cannot be
    used, an unknown name among them.
    """
    expression = kind in expressions.KINDS
    if formula in FORMULAS and not (expression and formula in inputs):
        taken = Inputs(inputs)
        value = FORMULAS[formula](taken)
        taken.done()
        return value
    a_name = formula.isidentifier() and not iskeyword(formula) and not formula.startswith("_")
    if not expression or (a_name and formula not in inputs):
        raise NoFunction(f"no function for `{formula}`")
    try:
        return expressions.compute(formula, inputs)
    except UnknownFunction as e:
        raise NoFunction(str(e)) from e
