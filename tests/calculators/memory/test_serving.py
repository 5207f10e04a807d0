"""One sizing at any context and batch is what the footprint of that serving is, engine by engine."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.memory.kv import ENGINES
from calculators.memory.serving import Serving, cache_of, footprint, footprint_at, footprints
from calculators.memory.spread import Spread
from catalog import load

MODELS = {m.id: m.architecture for m in load.load().models.values()}


@settings(max_examples=80, deadline=None)
@given(
    model=st.sampled_from(sorted(MODELS)),
    engine=st.sampled_from(ENGINES),
    context=st.integers(1, 200_000),
    batch=st.integers(1, 64),
    gpus=st.sampled_from([1, 2, 8]),
    spread=st.builds(Spread, pipeline=st.sampled_from([1, 2]), data=st.sampled_from([1, 4]), context=st.sampled_from([1, 2])),
    draft=st.sampled_from([None, "qwen3-8b"]),
)
def test_a_sizing_is_the_footprint_at_every_point(
    model: str, engine: str, context: int, batch: int, gpus: int, spread: Spread, draft: str | None
) -> None:
    small = MODELS[draft] if draft else None
    s = Serving(MODELS[model], 4096, 2, "bf16", "bf16", engine, spread=spread, adapters=2, draft=small)
    there = footprint(replace(s, context=context, batch=batch), gpus)
    assert footprint_at(s, gpus)(context, batch) == there
    assert footprints(replace(s, batch=batch), gpus, "context", [context]) == [there]
    assert footprints(replace(s, context=context), gpus, "batch", [batch]) == [there]
    kept = cache_of(replace(s, context=context, batch=batch), gpus)
    assert (there.kv, there.kv_high) == (kept.per_gpu, kept.high_per_gpu)
