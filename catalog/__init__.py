"""ROOM 1 - facts: what is true, since when, and who says so."""
