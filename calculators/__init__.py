"""ROOM 2 - reasoning: pure standard-library Python.

One calculator = one module in this folder with a `CALCULATOR`; `calculators.bridge.call` is the only door.
"""
