"""The catalog as it ships: no problem, enough contents, and nothing without an origin."""

from collections import Counter
from datetime import date
from functools import cache

from catalog.entry import walk
from catalog.load import CATALOG, check, load
from catalog.model import COLLECTIONS, Catalog, Fact


@cache
def _catalog() -> Catalog:
    return load()


def test_no_problems() -> None:
    assert [str(p) for p in check()] == []


def test_enough_contents() -> None:
    catalog = _catalog()
    assert len(catalog.accelerators) >= 24
    assert len(catalog.models) >= 20
    assert len(catalog.servers) >= 8
    assert len(catalog.offers) >= 40
    assert {offer.currency for offer in catalog.offers.values()} == {"CNY", "USD"}
    assert catalog.claims


def test_every_kind_of_attention_is_there() -> None:
    kinds = {model.architecture.attention for model in _catalog().models.values()}
    assert {"GQA", "MHA", "MLA", "SWA", "hybrid"} <= kinds
    assert any(model.architecture.num_experts for model in _catalog().models.values())


def test_every_source_exists_and_is_used() -> None:
    catalog = _catalog()
    cited: Counter[str] = Counter()
    for collection in COLLECTIONS:
        for record in getattr(catalog, collection).values():
            cited.update(value for _, rule, value in walk(record) if rule.refers_to == "sources")
    assert set(cited) == set(catalog.sources)


def test_no_fact_is_zero_or_undated() -> None:
    catalog = _catalog()
    for collection in COLLECTIONS:
        for record in getattr(catalog, collection).values():
            for keys, _, fact in walk(record):
                if isinstance(fact, Fact):
                    assert fact.value > 0, (record.id, keys)
                    assert date.fromisoformat(fact.read) <= date.fromisoformat(catalog.date), (record.id, keys)


def test_every_price_can_be_read_in_both_currencies() -> None:
    catalog = _catalog()
    for offer in catalog.offers.values():
        for currency in ("CNY", "USD"):
            assert catalog.convert(offer.amount, offer.currency, currency) > 0


def test_what_has_no_public_page_is_marked() -> None:
    catalog = _catalog()
    unlocated = {source.id for source in catalog.sources.values() if source.unlocated}
    for collection in COLLECTIONS:
        for record in getattr(catalog, collection).values():
            facts = [value for _, _, value in walk(record) if isinstance(value, Fact)]
            assert all(not fact.confirmed for fact in facts if fact.source in unlocated), record.id


def test_the_same_files_give_the_same_version() -> None:
    assert load(CATALOG).version == _catalog().version
