"""Guesses and the prefix cache: the formula by hand, what they may change, and what they never do."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import bridge
from calculators.memory.serving import Serving
from calculators.speed.machine import Machine
from calculators.speed.service import Replica, replica
from calculators.speed.speculation import Speculation, tokens_per_step
from calculators.speed.steps import load_of, step_seconds
from calculators.speed.work import prefill_flops, work
from calculators.throughput import cached_tokens
from catalog import load

MODELS = {m.id: m.architecture for m in load.load().models.values()}
H100 = Machine(3350e9, 989.5e12, "bf16", 450e9, False, 1)


def served(model: str, guesses: Speculation | None = None, cached: int = 0) -> Replica:
    """One replica with prompts of 2,048 and answers of 512 tokens."""
    s = Serving(MODELS[model], 2560, 1, "bf16", "bf16", "vllm", draft=guesses.draft if guesses else None)
    return replica(load_of(s, 2048, 512, 1, cached, guesses), H100)


@pytest.mark.parametrize(
    ("ahead", "accepted", "expected"), [(0, 0.9, 1), (3, 0.0, 1), (1, 0.5, 1.5), (2, 0.6, 1.96), (5, 0.8, 3.68928)]
)
def test_tokens_of_one_step(ahead: int, accepted: float, expected: float) -> None:
    assert tokens_per_step(ahead, accepted) == pytest.approx(expected, rel=1e-12)


def test_a_chance_is_one() -> None:
    with pytest.raises(ValueError, match="chance"):
        tokens_per_step(3, 1.0)


@settings(max_examples=60, deadline=None)
@given(model=st.sampled_from(sorted(MODELS)), ahead=st.integers(1, 16), accepted=st.floats(0, 0.99), batch=st.integers(1, 512))
def test_a_draft_takes_time_and_no_guess_is_free(model: str, ahead: int, accepted: float, batch: int) -> None:
    plain, free = served(model), served(model, Speculation(ahead, accepted))
    drafted = served(model, Speculation(ahead, accepted, MODELS["qwen3-4b"]))
    assert plain.step(batch) / (ahead + 1) <= free.step(batch) * (1 + 1e-9)
    assert free.step(batch) < drafted.step(batch)
    assert step_seconds(free.load, free.rates, batch) >= plain.step(batch) * (1 - 1e-9)
    assert free.step(batch + 1) * (batch + 1) >= free.step(batch) * batch
    assert drafted.middle > plain.middle  # the draft reads the prompt too


def test_guesses_pay_when_a_step_waits_for_memory_and_not_when_it_computes() -> None:
    guesses = Speculation(4, 0.7)
    assert served("llama-3-1-8b", guesses).step(1) < 0.5 * served("llama-3-1-8b").step(1)
    s = Serving(MODELS["llama-3-1-8b"], 32, 1, "bf16", "bf16", "vllm")  # short requests: many of them compute
    plain, guessed = (replica(load_of(s, 16, 16, 1, 0, g), H100) for g in (None, guesses))
    assert guessed.step(1024) > plain.step(1024)


@settings(max_examples=60, deadline=None)
@given(model=st.sampled_from(sorted(MODELS)), few=st.integers(0, 2047), many=st.integers(0, 2047))
def test_a_cached_prefix_is_never_slower_and_its_attention_stays(model: str, few: int, many: int) -> None:
    few, many = sorted((few, many))
    w = work(MODELS[model])
    assert prefill_flops(w, 2048, many) <= prefill_flops(w, 2048, few) * (1 + 1e-12)
    assert prefill_flops(w, 2048, few) >= prefill_flops(w, 2048 - few) * (1 - 1e-12)
    assert served(model, cached=many).middle <= served(model, cached=few).middle * (1 + 1e-12)
    assert served(model, cached=many).step(8) == served(model).step(8)


@pytest.mark.parametrize(
    ("prompt", "percent", "expected"), [(1000, 50, 496), (1024, 100, 1008), (16, 100, 0), (17, 100, 16), (5, 90, 0)]
)
def test_whole_blocks_are_cached_and_one_token_is_computed(prompt: int, percent: float, expected: int) -> None:
    assert cached_tokens(prompt, percent) == expected


def _asked(change: dict[str, Any]) -> dict[str, Any]:
    bridge.use(load.load())
    found: dict[str, Any] = json.loads(bridge.call("throughput", json.dumps({"accelerator": "h100-sxm"} | change)))
    return found


def test_the_answer_says_what_was_guessed_and_cached() -> None:
    found = _asked({"draft_tokens": 4, "draft_model": "llama-3-2-3b", "cached_percent": 75})
    labels = [s["label"] for s in found["working"]]
    assert "Tokens of one step" in labels
    assert "Time of one token" in labels
    assert "768 in the prefix cache" in found["working"][0]["numbers"]
    assert found["outputs"]["batch"] < _asked({"cached_percent": 75})["outputs"]["batch"]  # the draft takes memory
    assert any("speculative" in n for n in found["notes"])


def test_a_draft_without_guesses_names_the_field() -> None:
    assert _asked({"draft_model": "llama-3-2-3b"})["error"]["fields"][0]["field"] == "draft_tokens"
