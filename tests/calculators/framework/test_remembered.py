"""What is remembered of a catalog is forgotten when another one comes."""

from dataclasses import replace

from calculators.framework.remembered import PerCatalog
from calculators.market.offers import best_quote
from catalog.model import Catalog


def test_findings_last_as_long_as_their_catalog(catalog: Catalog) -> None:
    known: PerCatalog[str, int] = PerCatalog()
    known.of(catalog)["a"] = 1
    assert known.of(catalog) == {"a": 1}
    other = replace(catalog)
    assert known.of(other) == {}
    assert known.of(catalog) == {}


def test_a_quote_is_of_the_catalog_that_is_asked(catalog: Catalog) -> None:
    asked = ("rtx-4090-24g", "USD")
    before = best_quote(catalog, *asked)
    assert before is not None
    assert best_quote(replace(catalog, offers={}), *asked) is None
    assert best_quote(catalog, *asked) == before
