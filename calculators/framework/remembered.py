"""What was found for the catalog that was asked last: every answer asks the same of all its cards.

In: a catalog. Out: a dictionary that lives as long as that catalog is asked. Records of another catalog are never mixed in.
"""

from collections.abc import Hashable

from catalog.model import Catalog


class PerCatalog[K: Hashable, V]:
    """Findings of one catalog, by what was asked; forgotten when another catalog comes."""

    def __init__(self) -> None:
        """Knows nothing yet."""
        self._held: tuple[Catalog, dict[K, V]] | None = None

    def of(self, catalog: Catalog) -> dict[K, V]:
        """What is known of this catalog, to read and to fill."""
        if self._held is None or self._held[0] is not catalog:
            self._held = (catalog, {})
        return self._held[1]
