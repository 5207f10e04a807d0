"""Cases of a whole answer -> one output of a shipped calculator at the published run's inputs, with this catalog.

In: `calculator`, `output` and the calculator's own inputs; the catalog that `use` was given, else the repository's. Out: that
output's number (a range's middle).
"""

from calculators import registry
from calculators.framework.spec import InputError as CannotRun
from calculators.framework.spec import Range, Working
from calculators.framework.validate import BadInput, check
from catalog import load
from catalog.model import Catalog
from sitebuild.accuracy.fields import InputError, Inputs

FORMULA = "calculator_output"
_held: list[Catalog] = []  # at most one: what every case is computed with


def use(catalog: Catalog) -> None:
    """A build's own catalog, already read."""
    _held[:] = [catalog]


def _catalog() -> Catalog:
    if not _held:
        use(load.load())
    return _held[0]


def calculator_output(i: Inputs) -> float:
    """The number. Raises `InputError` for an unknown calculator or output, and for inputs that it refuses."""
    calculator = registry.find(str(i.take("calculator")))
    name = str(i.take("output"))
    if calculator is None or name not in calculator.results():
        raise InputError(f"no calculator with an output `{name}`; `gpuguide list` names them")
    try:
        catalog = _catalog()
        inputs = check(calculator, i.rest(), catalog, "en")
        value = getattr(calculator.compute(inputs, catalog, Working()).outputs, name)
    except BadInput as bad:
        raise InputError("; ".join(f"{e.field}: {e.message}" for e in bad.errors)) from bad
    except CannotRun as refused:
        raise InputError(f"{refused.field}: {refused.message.en}") from refused
    if isinstance(value, Range):
        return value.mid
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"the output `{name}` of {calculator.id} is no number here")
    return value
