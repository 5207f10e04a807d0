"""The inputs of `vram-inference` -> a `Serving`. Raises `InputError` for combinations that no engine runs."""

from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.importing.choose import architecture_of
from calculators.inference.fields import ENGINE_NAMES, KV_OF_ENGINE, Inputs
from calculators.memory.serving import Serving, splits
from calculators.memory.spread import Spread, context_ranks
from calculators.memory.weights import WEIGHT_FORMATS
from catalog.model import Catalog


def engine_of(inputs: Inputs) -> str:
    """The engine whose rules apply: for `auto`, llama.cpp runs GGUF files and vLLM the rest."""
    if inputs.engine != "auto":
        return inputs.engine
    return "llama.cpp" if WEIGHT_FORMATS[inputs.weight_format].block == "gguf" else "vllm"


def serving_of(inputs: Inputs, catalog: Catalog) -> Serving:
    """The inputs as the memory functions take them. Raises `InputError` for combinations that no engine runs."""
    engine = engine_of(inputs)
    name = ENGINE_NAMES[engine].en
    known = WEIGHT_FORMATS[inputs.weight_format]
    if engine == "llama.cpp" and known.block not in ("gguf", "none"):
        raise InputError(
            "weight_format",
            Text(
                f"llama.cpp does not run {known.name} files. Choose a GGUF type, or another engine.",
                f"llama.cpp 不能运行 {known.name} 格式。请选择 GGUF 类型，或换一个引擎。",
            ),
        )
    if inputs.kv_dtype not in KV_OF_ENGINE[engine]:
        listed = ", ".join(KV_OF_ENGINE[engine])
        raise InputError(
            "kv_dtype",
            Text(
                f"{name} cannot store the KV cache as {inputs.kv_dtype}. It takes: {listed}.",
                f"{name} 不支持以 {inputs.kv_dtype} 存储 KV 缓存。可选：{listed}。",
            ),
        )
    architecture = architecture_of(inputs.model, inputs.config, catalog)
    if inputs.mla_expanded and not architecture.kv_lora_rank:
        raise InputError(
            "mla_expanded",
            Text("This model has no MLA latent to expand. Switch this off.", "该模型没有 MLA 潜在向量，请关闭此项。"),
        )
    found = Serving(
        architecture,
        inputs.context,
        inputs.batch,
        inputs.weight_format,
        inputs.kv_dtype,
        engine,
        not inputs.mla_expanded,
        inputs.step_tokens,
        Spread(
            inputs.pipeline_parallel,
            inputs.data_parallel,
            inputs.expert_parallel,
            inputs.context_parallel,
            inputs.host_layers,
            inputs.host_experts,
        ),
        inputs.cuda_graphs,
        inputs.lora_adapters,
        inputs.lora_rank,
        catalog.models[inputs.draft_model].architecture if inputs.draft_model else None,
    )
    check_spread(inputs, found, name)
    if not splits(found, inputs.tensor_parallel):
        heads = architecture.num_attention_heads
        ways = ", ".join(str(n) for n in range(1, 65) if heads % n == 0)
        raise InputError(
            "tensor_parallel",
            Text(
                f"{heads} attention heads do not divide by {inputs.tensor_parallel}. {name} takes: {ways}.",
                f"{heads} 个注意力头不能被 {inputs.tensor_parallel} 整除。{name} 可用：{ways}。",
            ),
        )
    return found


def check_spread(inputs: Inputs, s: Serving, engine: str) -> None:
    """Raises `InputError` for a spread that the engine or the model does not allow."""
    a, spread = s.architecture, s.spread
    layers = a.num_hidden_layers
    if spread.host_layers > layers:
        raise InputError(
            "host_layers",
            Text(
                f"The model has {layers} layers. Enter at most {layers}.", f"该模型共 {layers} 层，请输入不超过 {layers} 的数。"
            ),
        )
    most = max(1, layers - spread.host_layers)
    if spread.pipeline > most:
        raise InputError(
            "pipeline_parallel",
            Text(
                f"{most} layers on GPUs cannot make {spread.pipeline} stages. Enter at most {most}.",
                f"卡上只有 {most} 层，不能切成 {spread.pipeline} 级，最多 {most} 级。",
            ),
        )
    if (spread.host_layers or spread.host_experts) and s.engine != "llama.cpp":
        field = "host_layers" if spread.host_layers else "host_experts"
        raise InputError(
            field,
            Text(
                f"{engine} keeps no layers in host memory this way. Choose llama.cpp, or switch this off.",
                f"{engine} 不以这种方式把层放在主机内存。请改用 llama.cpp，或取消此项。",
            ),
        )
    if spread.host_experts and not a.num_experts:
        raise InputError("host_experts", Text("This model has no experts. Switch this off.", "该模型没有专家层，请关闭此项。"))
    if spread.expert and not a.num_experts:
        raise InputError(
            "expert_parallel", Text("This model has no experts. Switch this off.", "该模型没有专家层，请关闭此项。")
        )
    if s.engine in ("llama.cpp", "transformers") and (spread.data > 1 or spread.context > 1):
        field = "data_parallel" if spread.data > 1 else "context_parallel"
        raise InputError(
            field,
            Text(
                f"{engine} does not do this: enter 1, or choose vLLM or SGLang.",
                f"{engine} 不支持此项：请填 1，或改用 vLLM 或 SGLang。",
            ),
        )
    ranks = context_ranks(a, inputs.tensor_parallel, latent=s.latent)
    if spread.context > ranks or inputs.tensor_parallel % spread.context:
        raise InputError(
            "context_parallel",
            Text(
                f"With {inputs.tensor_parallel} GPUs and these KV heads at most {ranks} ranks hold a cache twice. Enter a divisor up to {ranks}.",
                f"{inputs.tensor_parallel} 张卡与这些 KV 头数下，最多 {ranks} 张卡重复存放缓存，请输入不超过 {ranks} 的约数。",
            ),
        )
