"""Each published case by name: the calculators' functions against tests/cases/memory.yaml."""

from pathlib import Path

import pytest

from sitebuild.accuracy.cases import Case, read
from sitebuild.accuracy.run import BROKEN, NOT_YET, OUT, exceptions, outcome

CASES = read(Path(__file__).parents[2] / "cases" / "memory.yaml")
COMPUTED = (
    "params",
    "gguf_size",
    "weights",
    "kv_cache",
    "kv_capacity",
    "compute_buffer",
    "lora",
    "decode_bytes",
    "decode_speed",
)
# the exact kinds, and how close they have to be whatever a case allows
EXACT = {"gguf_size": 1e-3, "kv_cache": 1e-4}


@pytest.mark.parametrize("case", [c for c in CASES if c.kind in COMPUTED], ids=lambda c: c.id)
def test_case(case: Case) -> None:
    found = outcome(case, exceptions())
    assert found.status not in (OUT, BROKEN, NOT_YET), found
    if case.kind in EXACT:
        assert found.error is not None
        assert abs(found.error) <= EXACT[case.kind]
    if case.kind == "params" and case.tolerance == 0:
        assert found.computed == case.expected
