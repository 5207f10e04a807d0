"""Memory, arithmetic and time of training: pure functions over `catalog.model.Architecture`, each with its source."""
