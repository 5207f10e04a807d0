"""Cases of training memory, arithmetic and time -> the values of the functions that `vram-training` and `training-time` call.

In: a case's inputs. Out: numbers in the case's unit. Nothing is computed here; functions are reached through their modules,
so that breaking one in a test breaks its cases.
"""

from collections.abc import Callable
from math import floor

from calculators.memory import params
from calculators.training import flops, footprint, states, time
from sitebuild.accuracy.fields import InputError, Inputs

GIB, MIB, GB = 2**30, 2**20, 1e9
BASE_IS_QUANTISED_BELOW = 2


def _deepspeed(i: Inputs) -> float:
    return states.deepspeed_bytes(
        i.number("params"),
        i.integer("stage"),
        i.integer("gpus_per_node", 1) * i.integer("nodes", 1),
        largest_layer=i.number("largest_layer", 0),
        offload_optimizer=i.flag("offload_opt"),
        offload_parameters=i.flag("offload_param"),
    )


def _zero(i: Inputs) -> float:
    return states.zero_bytes(i.number("params"), i.integer("stage"), i.integer("dp", 1), i.number("K", 12))


def _fsdp(i: Inputs) -> float:
    return states.sharded_difference(i.number("params"), i.number("bytes_per_param"), i.integer("dp_a"), i.integer("dp_b"))


def _finetune(i: Inputs) -> float:
    a = i.model()
    count = params.parameter_groups(a).language
    base_bytes = i.number("base_bytes", 0)
    if i.flag("full"):
        trained = states.per_parameter(count, i.number("state_bytes"), 0, 0, 0).device
    else:
        modules = i.take("modules")
        if not isinstance(modules, list):
            raise InputError("input `modules` must be a list")
        adapters = params.lora_parameters(a, i.integer("rank"), tuple(str(m) for m in modules))
        trained = states.per_parameter(adapters, i.number("train_bytes"), 0, 0, 0).device
    return footprint.finetune_peak(
        a,
        base=count * base_bytes,
        states=trained,
        live_gradients=footprint.FROZEN * i.number("live_grad_params", 0),
        batch=i.integer("batch", 1),
        sequence=i.integer("seq"),
        recompute="full" if i.flag("ckpt") else "none",
        logit_bytes=i.number("logit_bytes", 0),
        logit_chunks=i.number("logit_chunks", 1),
        dequantised=0 < base_bytes < BASE_IS_QUANTISED_BELOW,
        overhead=i.number("overhead", 0),
    )


def _rule(i: Inputs) -> float:
    return states.per_parameter(i.number("billions") * 1e9, i.number("gb_per_b"), 0, 0, 0).device / GB


def _attention(i: Inputs) -> float:
    """FLOPs of attention per token, from `attn`; 0 where the case counts parameters only."""
    given = i.take("attn", {})
    if not given:
        return 0.0
    if not isinstance(given, dict):
        raise InputError("input `attn` must be a mapping of layers, d_attn and seq")
    a = Inputs(given)
    found = flops.attention_flops(a.integer("layers"), a.number("d_attn"), a.number("seq"), causal=not a.flag("palm"))
    a.done()
    return found


def _train_flops(i: Inputs) -> float:
    return flops.train_flops(i.number("n_active"), i.number("tokens"), _attention(i))


def _gpu_hours(i: Inputs) -> float:
    return time.gpu_hours(_train_flops(i), i.number("peak_flops"), i.number("mfu"))


def _mfu(i: Inputs) -> float:
    each = flops.flops_per_token(i.number("n_active"), _attention(i))
    return flops.mfu(i.number("tok_per_s_per_gpu"), each, i.number("peak_flops"))


def _megatron(i: Inputs) -> float:
    return (
        flops.megatron_flops(
            i.number("batch"),
            i.number("seq"),
            i.integer("layers"),
            i.integer("h"),
            i.integer("vocab"),
            recompute=i.flag("recompute", default=True),
        )
        / (i.number("iter_s") * i.integer("gpus"))
        / 1e12
    )


FORMULAS: dict[str, Callable[[Inputs], float]] = {
    "deepspeed_gib": lambda i: _deepspeed(i) / GIB,
    "deepspeed_mib": lambda i: floor(_deepspeed(i) / MIB),  # the estimator prints whole MB, cut off
    "zero_gb": lambda i: _zero(i) / GB,
    "fsdp_state_delta_gib": lambda i: _fsdp(i) / GIB,
    "finetune_gib": lambda i: _finetune(i) / GIB,
    "rule_gb": _rule,
    "train_flops": _train_flops,
    "gpu_hours": _gpu_hours,
    "gpu_hours_from_rate": lambda i: time.gpu_hours_from_rate(i.number("tokens"), i.number("tok_per_s_per_gpu")),
    "hours_scale": lambda i: time.scaled_hours(i.number("hours_per_trillion"), i.number("tokens")),
    "days": lambda i: time.days(i.number("gpu_hours"), i.integer("gpus")),
    "mfu": _mfu,
    "megatron_tflops": _megatron,
}
