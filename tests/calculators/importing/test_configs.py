"""Public configs: each gives the exact number of parameters, and an architecture that the catalog's rules accept."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from calculators.importing.config import read_config
from calculators.importing.reading import compact, read
from calculators.memory.kv import kv_cache
from calculators.memory.params import parameter_groups
from catalog.coherence import findings

FILE = Path(__file__).parent / "configs.yaml"


@cache
def _cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return cases


CASES = _cases()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_the_count_is_exact(case: dict[str, Any]) -> None:
    found = read_config(case["config"])
    assert found.architecture is not None
    p = parameter_groups(found.architecture)
    left_out = p.mtp + p.buffers if case["by"] == "transformers" else p.buffers
    assert p.total - left_out == case["count"]
    assert list(findings(found.architecture)) == []


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_the_short_form_is_the_same_model(case: dict[str, Any]) -> None:
    short = compact(json.dumps(case["config"]))
    assert compact(short) == short
    assert len(short) < 2500
    assert read(short).architecture == read_config(case["config"]).architecture


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_an_encoder_has_no_cache_and_a_decoder_has_one_or_a_state(case: dict[str, Any]) -> None:
    a = read_config(case["config"]).architecture
    assert a is not None
    total = kv_cache(a, 4096).total
    assert total == 0 if a.encoder else total > 0


def test_there_are_sixty_of_many_kinds() -> None:
    kinds = {c["config"]["model_type"] for c in CASES}
    assert len(CASES) >= 60
    assert len(kinds) >= 50
    architectures = [a for c in CASES if (a := read_config(c["config"]).architecture)]
    assert any(a.kv_lora_rank for a in architectures)
    assert any(a.sliding_layers for a in architectures)
    assert {a.linear_kind for a in architectures if a.linear_layers} >= {"", "mamba1", "mamba2", "short_conv", "lightning"}
    assert any(a.vision_parameters for a in architectures)
    assert any(a.audio_parameters for a in architectures)
    assert any(a.encoder for a in architectures)
    assert any(a.index_n_heads for a in architectures)
    assert any(a.num_nextn_predict_layers for a in architectures)
