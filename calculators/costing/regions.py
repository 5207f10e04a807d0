"""The regions for which the catalog has defaults.

In: the catalog. Out: its regions by id.
"""

from collections.abc import Mapping
from typing import Any

from catalog.model import Catalog


def regions_of(catalog: Catalog) -> Mapping[str, Any]:
    """Region id -> record; empty where the catalog has none."""
    return getattr(catalog, "regions", {})
