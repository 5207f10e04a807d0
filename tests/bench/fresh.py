"""Calls on this Python in a process of its own, so that nothing is remembered from an earlier run: `python -m tests.bench.fresh`.

In: the catalog. Out: on standard output a JSON object, calculator -> ms of each call. Every call asks for the catalog's largest
model (and, as `<id>, default model`, for the model that its form starts with) and a value of one field that was not asked
before; a calculator without a numeric field is asked for one model after another. The first call of a model, which also reads
it, is among them.
"""

import json
import sys
import time
from typing import Any

from calculators import bridge, registry
from calculators.framework.spec import Calculator
from calculators.memory.params import parameter_groups
from catalog.load import load
from catalog.model import Catalog
from tests.bench.place import STEPS
from tests.bench.task import NoTask, find


def size(catalog: Catalog, id: str) -> float:
    """Parameters of a model of either kind."""
    if id in catalog.models:
        return parameter_groups(catalog.models[id].architecture).total
    parts = catalog.diffusion_models[id].parts
    return sum(catalog.diffusion_components[p.component].parameters.value * p.copies for p in parts)


def models(calculator: Calculator, catalog: Catalog) -> list[str]:
    """What its field `model` offers, the largest first; empty without that field."""
    spec = calculator.fields().get("model")
    offered = [c.value for c in spec.options(catalog)] if spec else []
    return sorted(offered, key=lambda id: -size(catalog, id))


def requests(calculator: Calculator, catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """As a page sends them, each with something new, by what is asked."""
    known, page = models(calculator, catalog), {"lang": "en", "view": True}
    try:
        task = find(calculator.id, catalog, STEPS)
    except NoTask:
        return {calculator.id: [{"model": id, **page} for id in known[:STEPS]]}
    values = [value for value, _ in task.steps]
    if not known:
        return {calculator.id: [{task.field: value, **page} for value in values]}
    return {
        calculator.id: [{"model": known[0], task.field: value, **page} for value in values],
        f"{calculator.id}, default model": [{task.field: f"{float(value) + 1:g}", **page} for value in values],
    }


def _timed(id: str, request: str) -> float:
    begun = time.perf_counter()
    answer = bridge.call(id, request)
    taken = (time.perf_counter() - begun) * 1e3
    if '"error"' in answer[:10]:
        sys.exit(f"{id} refuses {request}: {answer}")
    return taken


def main() -> None:
    """Prints the times."""
    catalog = load()
    found = {}
    for id in registry.ids():
        calculator = registry.find(id)
        assert calculator is not None
        for name, asked in requests(calculator, catalog).items():
            found[name] = [_timed(id, json.dumps(request)) for request in asked]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
