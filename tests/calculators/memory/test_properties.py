"""Properties that hold for any architecture: more of anything never takes less, sharding never adds, nothing is NaN."""

from dataclasses import replace
from math import isfinite

from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.memory.activations import activation_bytes
from calculators.memory.decode import bandwidth_seconds, step_bytes, two_term_seconds
from calculators.memory.kv import DTYPE_BYTES, ENGINES, kv_cache
from calculators.memory.params import parameter_groups
from calculators.memory.spread import weights_on_gpu
from calculators.memory.weights import WEIGHT_FORMATS, weight_bytes
from catalog.model import Architecture

FORMATS = sorted(WEIGHT_FORMATS)
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def architectures(draw: st.DrawFn) -> Architecture:
    """Dense, MoE, MLA, sliding or hybrid models of any reasonable shape."""
    layers = draw(st.integers(2, 40))
    kv_heads = draw(st.sampled_from([1, 2, 4, 8, 10]))
    heads = kv_heads * draw(st.sampled_from([1, 2, 4, 8]))
    width = draw(st.sampled_from([64, 80, 128, 256]))
    a = Architecture(
        hidden_size=draw(st.sampled_from([512, 2048, 2880, 5120])),
        num_hidden_layers=layers,
        vocab_size=draw(st.integers(1000, 260_000)),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=width,
        intermediate_size=draw(st.sampled_from([1024, 5504, 14336])),
        tie_word_embeddings=draw(st.booleans()),
        attention_bias=draw(st.booleans()),
        qk_norm=draw(st.sampled_from(["", "head", "full"])),
    )
    kind = draw(st.sampled_from(["dense", "moe", "mla", "sliding", "hybrid"]))
    if kind == "moe":
        experts = draw(st.sampled_from([8, 64, 128]))
        return replace(a, num_experts=experts, num_experts_per_tok=draw(st.integers(1, 8)), moe_intermediate_size=768)
    if kind == "mla":
        query = draw(st.sampled_from([0, 1536]))
        return replace(a, q_lora_rank=query, kv_lora_rank=512, qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128)
    if kind == "sliding":
        return replace(a, sliding_layers=draw(st.integers(1, layers)), sliding_window=draw(st.sampled_from([128, 1024, 4096])))
    if kind == "hybrid":
        return replace(
            a,
            linear_layers=draw(st.integers(1, layers - 1)),
            linear_num_key_heads=16,
            linear_key_head_dim=128,
            linear_num_value_heads=32,
            linear_value_head_dim=128,
            linear_conv_kernel_dim=4,
        )
    return a


contexts = st.integers(1, 200_000)
batches = st.integers(1, 64)
gpus = st.sampled_from([1, 2, 4, 8, 16])
engines = st.sampled_from(ENGINES)


@QUICK
@given(architectures(), contexts, contexts, batches, engines)
def test_longer_contexts_never_take_less(a: Architecture, one: int, other: int, batch: int, engine: str) -> None:
    short, long = sorted((one, other))
    assert kv_cache(a, short, batch, engine=engine).total <= kv_cache(a, long, batch, engine=engine).total


@QUICK
@given(architectures(), contexts, batches, batches, engines)
def test_more_sequences_never_take_less(a: Architecture, context: int, one: int, other: int, engine: str) -> None:
    few, many = sorted((one, other))
    assert kv_cache(a, context, few, engine=engine).total <= kv_cache(a, context, many, engine=engine).total


@QUICK
@given(architectures(), contexts, batches, st.sampled_from(sorted(DTYPE_BYTES)), st.sampled_from(sorted(DTYPE_BYTES)))
def test_wider_numbers_never_take_less(a: Architecture, context: int, batch: int, one: str, other: str) -> None:
    narrow, wide = sorted((one, other), key=DTYPE_BYTES.__getitem__)
    assert kv_cache(a, context, batch, narrow).total <= kv_cache(a, context, batch, wide).total


@QUICK
@given(architectures(), st.integers(1, 20), st.sampled_from(["bf16", "fp8", "awq-int4-g128", "q8_0"]))
def test_more_layers_take_more(a: Architecture, more: int, format_id: str) -> None:
    deeper = replace(a, num_hidden_layers=a.num_hidden_layers + more)
    assert parameter_groups(a).total < parameter_groups(deeper).total
    assert weight_bytes(a, format_id).total < weight_bytes(deeper, format_id).total
    assert kv_cache(a, 1000, 1).total < kv_cache(deeper, 1000, 1).total


@QUICK
@given(architectures(), st.sampled_from(FORMATS), gpus, gpus)
def test_sharding_never_adds_to_a_gpu(a: Architecture, format_id: str, one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert weights_on_gpu(a, format_id, many) <= weights_on_gpu(a, format_id, few)
    assert kv_cache(a, 4096, 4, tensor_parallel=many).per_gpu <= kv_cache(a, 4096, 4, tensor_parallel=few).per_gpu


@QUICK
@given(architectures(), contexts, batches, engines, gpus)
def test_low_total_and_high_are_in_order(a: Architecture, context: int, batch: int, engine: str, tp: int) -> None:
    cache = kv_cache(a, context, batch, engine=engine, tensor_parallel=tp)
    assert 0 <= cache.state <= cache.low <= cache.total <= cache.high
    assert cache.per_gpu <= cache.high_per_gpu
    assert cache.per_gpu * tp >= cache.total - tp  # every cell is somewhere
    assert all(isfinite(x) and x >= 0 for x in (cache.total, cache.per_token, cache.high_per_gpu))


@QUICK
@given(architectures(), st.sampled_from(FORMATS))
def test_weights_are_the_sum_of_their_groups(a: Architecture, format_id: str) -> None:
    w = weight_bytes(a, format_id)
    assert w.total == sum(w.by_group.values())
    assert 0 < w.streamed <= w.total
    assert isfinite(w.total)


@QUICK
@given(architectures())
def test_fewer_bits_never_take_more(a: Architecture) -> None:
    sizes = [weight_bytes(a, f).total for f in ("fp32", "bf16", "fp8", "nf4", "nf4-dq")]
    assert sizes == sorted(sizes, reverse=True)


@QUICK
@given(architectures(), batches, batches, contexts)
def test_bigger_steps_never_read_less_and_take_finite_time(a: Architecture, one: int, other: int, context: int) -> None:
    few, many = sorted((one, other))
    w = weight_bytes(a, "bf16")
    read = [step_bytes(a, w, b, kv_cache(a, context, b).total) for b in (few, many)]
    assert read[0] <= read[1] * (1 + 1e-12)
    seconds = two_term_seconds(read[1], 1e12, a.num_hidden_layers, efficiency=0.8)
    assert isfinite(seconds)
    assert seconds > bandwidth_seconds(read[1], 1e12)


@QUICK
@given(architectures(), st.integers(1, 32768), batches, gpus)
def test_activations_are_ordered_and_shrink_with_gpus(a: Architecture, tokens: int, batch: int, tp: int) -> None:
    low, middle, high = activation_bytes(a, tokens, batch, tp)
    assert 0 < low <= middle <= high
    assert activation_bytes(a, tokens, batch, 2 * tp)[1] <= middle
