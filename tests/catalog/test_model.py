"""The records themselves: the compiled JSON loses nothing, money converts at a dated rate, prices become comparable."""

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Architecture, Catalog, from_json, plain, record, to_json
from tests.catalog.sample import TODAY, write


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return load(write(tmp_path_factory.mktemp("catalog")), TODAY)


def test_compiled_json_gives_the_same_catalog(catalog: Catalog) -> None:
    assert from_json(to_json(catalog)) == catalog


def test_compiled_json_is_stable_and_leaves_out_what_stands_at_its_default(catalog: Catalog) -> None:
    text = to_json(catalog)
    assert to_json(from_json(text)) == text
    card = next(a for a in json.loads(text)["accelerators"] if a["id"] == "card-b2")
    assert set(card) == {"id", "name", "vendor", "ecosystem", "form_factor", "memory"}
    assert "confirmed" not in card["memory"]


def test_records_are_in_the_order_of_their_files(catalog: Catalog) -> None:
    assert list(catalog.models) == sorted(catalog.models)


def test_records_cannot_be_changed(catalog: Catalog) -> None:
    with pytest.raises(FrozenInstanceError):
        catalog.accelerators["card-a1"].name = "other"  # type: ignore[misc]  # what the test is about


def test_convert_uses_the_newest_rate_in_either_direction(catalog: Catalog) -> None:
    assert catalog.rate("CNY", "USD").date == "2026-11-27"
    assert catalog.convert(10, "USD", "CNY") == pytest.approx(71)
    assert catalog.convert(71, "CNY", "USD") == pytest.approx(10)
    assert catalog.convert(5, "CNY", "CNY") == 5


def test_convert_says_which_rate_is_absent(catalog: Catalog) -> None:
    with pytest.raises(LookupError, match="no exchange rate between EUR and CNY"):
        catalog.convert(1, "EUR", "CNY")


@given(st.floats(min_value=0.01, max_value=1e9))
def test_convert_there_and_back(catalog: Catalog, amount: float) -> None:
    assert catalog.convert(catalog.convert(amount, "USD", "CNY"), "CNY", "USD") == pytest.approx(amount)


@pytest.mark.parametrize(
    ("per", "amount", "hourly"),
    [("hour", 40, 5), ("day", 960, 5), ("month", 29200, 5), ("year", 350400, 5), ("once", 80000, None)],
)
def test_per_accelerator_hour(catalog: Catalog, per: str, amount: float, hourly: float | None) -> None:
    offer = replace(catalog.offers["shop-a1-hour"], per=per, amount=amount)
    assert offer.per_accelerator_hour() == hourly


def test_per_accelerator_hour_takes_another_month(catalog: Catalog) -> None:
    offer = replace(catalog.offers["shop-a1-hour"], per="month", amount=5760)
    assert offer.per_accelerator_hour(hours_per_month=720) == 1


def test_peak_is_found_on_its_basis_only(catalog: Catalog) -> None:
    card = catalog.accelerators["card-a1"]
    dense, sparse = card.peak(), card.peak(sparse=True)
    assert dense is not None
    assert sparse is not None
    assert (dense.rate.value, sparse.rate.value) == (100, 200)
    assert card.peak("fp4") is None
    assert card.peak("bf16", accumulate="fp16") is None


def test_peak_takes_an_unstated_accumulator_last(catalog: Catalog) -> None:
    card = catalog.accelerators["card-a1"]
    stated = card.peaks[0]
    unstated = replace(stated, accumulate="unstated")
    assert replace(card, peaks=(unstated, stated)).peak() is stated
    assert replace(card, peaks=(unstated,)).peak() is unstated


@pytest.mark.parametrize(
    ("model", "attention", "kv_heads", "head_width"),
    [
        ("dense-7b", "GQA", 8, 128),
        ("experts-20b", "MLA", 16, 128),
        ("hybrid-8b", "hybrid", 2, 256),
        ("sliding-4b", "SWA", 4, 256),
    ],
)
def test_architecture_in_the_fields_words(catalog: Catalog, model: str, attention: str, kv_heads: int, head_width: int) -> None:
    a = catalog.models[model].architecture
    assert (a.attention, a.kv_heads, a.head_width) == (attention, kv_heads, head_width)


def test_attention_by_key_value_heads() -> None:
    a = Architecture(hidden_size=512, num_hidden_layers=2, vocab_size=100, num_attention_heads=8)
    assert [replace(a, num_key_value_heads=n).attention for n in (0, 8, 2, 1)] == ["MHA", "MHA", "GQA", "MQA"]


def test_every_record_survives_plain_data(catalog: Catalog) -> None:
    for model in catalog.models.values():
        assert record(type(model), plain(model)) == model


def test_real_catalog_survives_the_compiled_json() -> None:
    real = load(Path(__file__).parents[2] / "catalog")
    assert from_json(to_json(real)) == real


def test_a_compiled_record_is_made_when_it_is_read_and_lists_keep_the_files_order(catalog: Catalog) -> None:
    read = from_json(to_json(catalog)).accelerators
    last = list(read)[-1]
    assert read[last] is read[last]
    assert list(read) == [card.id for card in read.values()] == [id for id, _ in read.items()]
    assert read[last] is list(read.values())[-1]
    assert len(read) == len(catalog.accelerators)
    assert last in read
    with pytest.raises(KeyError):
        read["none"]
