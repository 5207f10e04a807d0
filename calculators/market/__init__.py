"""What the catalog's offers say about prices: pure functions over `catalog.model.Catalog`."""
