"""What a page is asked in a measurement: a calculator, a field, the values that it is given, the answers to expect.

In: a calculator's id; the calculators themselves, on this Python. Out: a task whose every value changes one output. The
expected numbers come from `calculators.bridge.call`, so a page counts as answered only when it shows the right answer.
"""

import json
from dataclasses import dataclass
from typing import Any

from calculators import bridge, registry
from catalog.model import Catalog


class NoTask(Exception):
    """The calculator has no numeric field that changes a numeric output."""


@dataclass(frozen=True, slots=True)
class Task:
    """One field of one calculator, the output to watch, and (value, expected answer) pairs."""

    id: str
    field: str
    output: str
    steps: tuple[tuple[str, float], ...]

    def request(self, step: int = 0) -> str:
        """The request that a page sends for a step: all that it needs to show the answer."""
        return json.dumps({"lang": "en", "view": True, self.field: self.steps[step][0]})

    def probe(self, steps: int = 1, ticks: bool = False) -> dict[str, Any]:
        """For probe.js: the first step is how the calculator is started, the others follow."""
        value, expect = self.steps[0]
        more = [{"value": v, "expect": e} for v, e in self.steps[1:steps]]
        told = {"want": "live", "id": self.id, "field": self.field, "value": value, "output": self.output, "expect": expect}
        return told | ({"ticks": True} if ticks else {}) | ({"more": more} if more else {})


def find(id: str, catalog: Catalog, steps: int) -> Task:
    """The first numeric field whose `steps` values give as many different answers. Raises NoTask."""
    bridge.use(catalog)
    calculator = registry.find(id)
    if calculator is None:
        raise NoTask(f"there is no calculator {id}")
    printed = _outputs(id, {})
    for name, standard in calculator.defaults().items():
        if isinstance(standard, bool) or not isinstance(standard, int | float) or not standard:
            continue
        values = [round(standard * (1 + (i + 1) / 16), 6) for i in range(steps)]
        texts = [str(int(v) if isinstance(standard, int) else v) for v in values]
        answers = [_outputs(id, {name: text}) for text in texts]
        for output, before in printed.items():
            numbers = [a.get(output) for a in answers]
            real = [float(n) for n in [before, *numbers] if isinstance(n, int | float) and not isinstance(n, bool)]
            if len(set(real)) == steps + 1:
                return Task(id, name, output, tuple(zip(texts, real[1:], strict=True)))
    raise NoTask(f"no number typed into {id} changes a number that it gives")


def _outputs(id: str, inputs: dict[str, str]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(bridge.call(id, json.dumps(inputs)))
    outputs: dict[str, Any] = answer.get("outputs", {})
    return outputs
