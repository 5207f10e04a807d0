"""What the calculators are asked when a runtime is measured and checked: everything a reader can bring about.

In: the calculators of `calculators/`. Out: (calculator id, request JSON) pairs: defaults, every example and preset, in
both languages, and every field left empty, filled with words and filled with a number out of range; each file, a comparison, a run of draws.
"""

import json
from typing import Any

from calculators import registry
from calculators.framework.text import LANGUAGES

Request = tuple[str, str]


def requests() -> list[Request]:
    """All requests, in a fixed order."""
    made: list[Request] = []
    for id in registry.ids():
        calculator = registry.find(id)
        if calculator is None:
            continue
        good: list[dict[str, Any]] = [{}]
        good += [dict(e.inputs) for e in calculator.examples]
        good += [dict(p.change) for p in calculator.presets]
        for inputs in good:
            made += [(id, _json(inputs | {"lang": lang, "view": True})) for lang in LANGUAGES]
        for field in calculator.fields():
            made += [(id, _json({field: bad, "lang": lang})) for bad in ("", "much", "-1e300", [1]) for lang in LANGUAGES]
        # What is loaded when it is asked: files, scenarios side by side, and a whole run of a study's draws.
        simulated = {"simulate": True} if calculator.study is not None else {}
        made += [
            (id, _json({"lang": lang, "export": kind} | simulated)) for kind in ("csv", "json", "md") for lang in LANGUAGES
        ]
        made += [(id, _json({"lang": lang, "compare": [dict(good[-1])]})) for lang in LANGUAGES]
        made.append((id, _json({"no such field": 1})))
        made.append((id, _json({"lang": "xx"})))
    made += [("no-such-calculator", "{}"), (registry.ids()[0] if registry.ids() else "none", "{"), ("none", "[]")]
    return made


def first_requests() -> list[Request]:
    """One good and one bad request of each calculator: what shows in a moment that a runtime is whole."""
    return [(id, _json(r)) for id in registry.ids() for r in ({"lang": "zh", "view": True}, {"no such field": 1})]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
