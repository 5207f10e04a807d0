"""Keys and tensor shapes of a GGUF file -> an `Architecture`.

In: metadata under llama.cpp's names, and the shapes. Out: the architecture, or None where its layers are of a kind that is not
read here; what was understood; what was not. Heads and counts come from the keys, biases, norms and tied heads from the tensors.
"""

from typing import Any

from calculators.framework.text import Text
from calculators.importing.config import checked
from calculators.importing.kinds import fields_of
from calculators.importing.record import Unread, Unusable, shown
from catalog.model import Architecture

DECODERS = (
    "llama", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "phi3", "gemma", "gemma2", "gemma3", "mistral", "mistral3", "deepseek2", "glm4", "glm4moe",
    "gpt-oss", "olmo2", "olmoe", "granite", "minimax-m2", "smollm3", "command-r", "cohere2", "internlm2", "exaone4", "seed_oss", "starcoder2",
    "hunyuan-dense", "ernie4_5", "ernie4_5-moe", "dots1", "arcee", "stablelm",
)  # fmt: skip
"""`general.architecture` whose blocks the record can hold."""

Shapes = dict[str, tuple[int, ...]]


def architecture_of_keys(keys: dict[str, Any], shapes: Shapes) -> tuple[Architecture | None, list[str], list[Unread]]:
    """The architecture with what was and was not understood. Raises `Unusable` for keys of the wrong kind."""
    kind = keys.get("general.architecture")
    if not isinstance(kind, str) or not kind:
        raise Unusable(Text("“general.architecture” is missing.", "缺少“general.architecture”。"))
    if kind not in DECODERS:
        what = Unread(
            f"general.architecture = {shown(kind)}",
            Text("the kind of every layer: KV cache and speed are not computed", "每一层的种类：因此不计算 KV 缓存和速度"),
        )
        return None, [], [what]
    get = _Keys(keys, kind)
    layers = get.whole("block_count")
    predicted = get.whole("nextn_predict_layers", 0)
    h, heads = get.whole("embedding_length"), get.whole("attention.head_count")
    found: dict[str, Any] = {
        "hidden_size": h,
        "num_hidden_layers": layers - predicted,
        "vocab_size": _vocabulary(shapes, h),
        "num_attention_heads": heads,
        "intermediate_size": get.whole("feed_forward_length", 0),
        "tie_word_embeddings": "output.weight" not in shapes,
        "max_position_embeddings": get.whole("context_length", 0),
        "num_nextn_predict_layers": predicted,
    }
    if get.whole("attention.kv_lora_rank", 0):
        found |= _latent(get)
    else:
        kv, width = get.whole("attention.head_count_kv", heads), get.whole("attention.key_length", 0)
        found["num_key_value_heads"] = kv if kv != heads else 0
        found["head_dim"] = width if width and width * heads != h else 0
    found |= _experts(get, shapes)
    found |= _from_tensors(shapes, found)
    found |= _sliding(kind, get, found)
    return checked({k: v for k, v in found.items() if v}), list(get.used), list(get.rest())


class _Keys:
    """Takes whole numbers out of `{architecture}.…` keys."""

    def __init__(self, keys: dict[str, Any], kind: str) -> None:
        self.keys = keys
        self.kind = kind
        self.used: dict[str, int] = {}

    def whole(self, name: str, default: int | None = None) -> int:
        """One number; a list with one value per layer counts as that value where all are the same."""
        key = f"{self.kind}.{name}"
        value = self.keys.get(key)
        if value is None:
            if default is None:
                raise Unusable(Text(f"“{key}” is missing.", f"缺少“{key}”。"))
            return default
        if isinstance(value, list):
            if not value or any(v != value[0] for v in value):
                raise Unusable(Text(f"“{key}” differs from layer to layer: not read here.", f"“{key}”逐层不同：尚未支持。"))
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10**9:
            raise Unusable(
                Text(
                    f"“{key}” must be a whole number, not {shown(repr(value))}.",
                    f"“{key}”必须是整数，不能是 {shown(repr(value))}。",
                )
            )
        self.used[f"{key} = {value:,}"] = value
        return value

    def rest(self) -> list[Unread]:
        """Keys of the architecture that may change a size and were not taken."""
        taken = {u.split(" = ")[0] for u in self.used}
        words = ("ssm.", "shared_kv", "altup", "laurel", "per_layer", "attention.head_count", "value_length", "conv")
        return [
            Unread(shown(k), Text("a part that is not counted", "未计入的部件"))
            for k in self.keys
            if k.startswith(f"{self.kind}.")
            and k not in taken
            and any(w in k for w in words)
            and not k.endswith("value_length")
        ]


def _vocabulary(shapes: Shapes, h: int) -> int:
    table = shapes.get("token_embd.weight")
    if table is None or len(table) != 2 or table[0] != h:
        raise Unusable(Text("“token_embd.weight” is missing or has another width.", "缺少“token_embd.weight”，或其宽度不符。"))
    return table[1]


def _latent(get: _Keys) -> dict[str, Any]:
    rope = get.whole("rope.dimension_count")
    key = get.whole("attention.key_length_mla", 0) or get.whole("attention.key_length")
    value = get.whole("attention.value_length_mla", 0) or get.whole("attention.value_length")
    if key <= rope:
        raise Unusable(Text("The MLA key is not wider than its rope part.", "MLA 的 key 宽度不大于其 rope 部分。"))
    return {
        "kv_lora_rank": get.whole("attention.kv_lora_rank"),
        "q_lora_rank": get.whole("attention.q_lora_rank", 0),
        "qk_rope_head_dim": rope,
        "qk_nope_head_dim": key - rope,
        "v_head_dim": value,
    }


def _experts(get: _Keys, shapes: Shapes) -> dict[str, Any]:
    count = get.whole("expert_count", 0)
    if not count:
        return {}
    width = get.whole("expert_feed_forward_length", 0) or get.whole("feed_forward_length")
    layers = get.whole("block_count")
    first = next((i for i in range(layers) if f"blk.{i}.ffn_gate_inp.weight" in shapes), 0)
    shared = next((s for n, s in shapes.items() if n.endswith("ffn_up_shexp.weight")), None)
    found = {
        "num_experts": count,
        "num_experts_per_tok": get.whole("expert_used_count"),
        "moe_intermediate_size": width,
        "first_k_dense_replace": first,
        "router_bias": any(n.endswith(("exp_probs_b", "exp_probs_b.bias")) for n in shapes),
        "expert_bias": any("ffn_up_exps.bias" in n or "ffn_down_exps.bias" in n for n in shapes),
        "shared_expert_gate": any("ffn_gate_inp_shexp" in n for n in shapes),
    }
    if shared and len(shared) == 2:
        found |= {"n_shared_experts": 1, "shared_expert_intermediate_size": shared[1]}
    if not first:
        found["intermediate_size"] = 0
    return found


def _from_tensors(shapes: Shapes, found: dict[str, Any]) -> dict[str, Any]:
    """What only the tensors tell, looked up in the last block."""
    last = f"blk.{found['num_hidden_layers'] - 1}."
    here = {n.removeprefix(last): s for n, s in shapes.items() if n.startswith(last)}
    norms = [n for n, s in here.items() if s == (found["hidden_size"],) and "norm" in n and n.endswith("weight")]
    result: dict[str, Any] = {
        "attention_bias": "attn_q.bias" in here or "attn_qkv.bias" in here,
        "attention_out_bias": "attn_output.bias" in here,
        "attention_sinks": "attn_sinks" in here or "attn_sinks.weight" in here,
        "mlp_plain": "ffn_up.weight" in here and "ffn_gate.weight" not in here and not _fused(here, found),
        "mlp_bias": "ffn_up.bias" in here,
        "norm_bias": "attn_norm.bias" in here,
        "rope_freqs": next((s[0] for n, s in shapes.items() if n == "rope_freqs.weight" and len(s) == 1), 0),
        "other_parameters": 0,
    }
    wide = here.get("attn_q_norm.weight")
    if wide is not None:
        result["qk_norm"] = "head" if wide == (_head(found),) else "full"
        norms = [n for n in norms if n not in ("attn_q_norm.weight", "attn_k_norm.weight")]
    if len(norms) != 2:
        result["norms_per_layer"] = len(norms)
    return result


def _head(found: dict[str, Any]) -> int:
    return int(found.get("head_dim") or found["hidden_size"] // max(1, found["num_attention_heads"]))


def _fused(here: Shapes, found: dict[str, Any]) -> bool:
    """Phi-3 and GLM-4 files keep gate and up in one tensor, twice as wide."""
    up = here.get("ffn_up.weight")
    return up is not None and len(up) == 2 and up[1] == 2 * found["intermediate_size"]


_PERIODS = {"gemma2": 2, "gemma3": 6, "cohere2": 4, "gpt-oss": 2, "exaone4": 4}


def _sliding(kind: str, get: _Keys, found: dict[str, Any]) -> dict[str, Any]:
    """Sliding layers by llama.cpp's own periods; a window alone means that every layer slides."""
    window, layers = get.whole("attention.sliding_window", 0), found["num_hidden_layers"]
    if not window or (found["max_position_embeddings"] and window >= found["max_position_embeddings"]):
        return {}
    period = _PERIODS.get(kind, 0)
    letters = "".join("f" if period and (i + 1) % period == 0 else "s" for i in range(layers))
    ffn = "".join(
        "m" if found.get("num_experts") and i >= found.get("first_k_dense_replace", 0) else "d" for i in range(layers)
    )
    return {"sliding_window": window} | fields_of(letters, ffn, found.get("first_k_dense_replace", 0))
