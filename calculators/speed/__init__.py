"""Serving speed: prefill, decode steps, batches under a latency target, cards and prices. Pure functions."""
