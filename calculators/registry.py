"""Finds calculators by name: the module `calculators/vram_inference.py` holds the calculator `vram-inference`.

No list is kept: a new module is found because it is there. Looking one up imports that one only, which keeps the start
in a browser short.
"""

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import calculators
from calculators.framework.spec import Calculator

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z", re.ASCII)
_NOT_CALCULATORS = {"bridge", "registry"}


@cache
def ids() -> tuple[str, ...]:
    """All calculators, in alphabetical order."""
    names = (m.name for m in iter_modules(calculators.__path__) if not m.ispkg and m.name not in _NOT_CALCULATORS)
    return tuple(sorted(name.replace("_", "-") for name in names))


def find(id: str) -> Calculator | None:
    """The calculator, or None if there is none of that name."""
    if not _ID.match(id) or id.replace("-", "_") in _NOT_CALCULATORS:
        return None
    module = f"calculators.{id.replace('-', '_')}"
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name == module:
            return None
        raise
    calculator: Calculator | None = getattr(found, "CALCULATOR", None)
    return calculator
