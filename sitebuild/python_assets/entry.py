"""Runs in the reader's browser: reads the compiled catalog out of the runtime's own zip and offers `call`.

In: `catalog/compiled.json` beside the `catalog` package, `generated.marshal` beside this module. Out:
`call(id, request) -> response`.

`dataclass` writes each record's methods as source and compiles it when the class is made: for the records of the catalog
and the calculators that is half of the time that importing them takes. The build has compiled the same texts already; a
text that it does not know is compiled here as ever.
"""

import builtins
import dataclasses
import gc
import marshal
import zipimport
from typing import Any

gc.disable()  # nothing that is built before the first answer is garbage

_loader = globals()["__loader__"]
if not isinstance(_loader, zipimport.zipimporter):
    raise TypeError("the calculators must be imported from the runtime's zip")
_generated = marshal.loads(_loader.get_data(f"{_loader.archive}/generated.marshal"))  # noqa: S302 - written by our own build


def _exec(source: str, names: dict[str, Any], local: dict[str, Any]) -> None:
    builtins.exec(_generated.get(source, source), names, local)  # noqa: S102 - what `dataclasses` does, with its own text


vars(dataclasses)["exec"] = _exec  # the module finds this name before the builtin one

from calculators import bridge  # noqa: E402 - its records are made from what was compiled

bridge.use_json(_loader.get_data(f"{_loader.archive}/catalog/compiled.json").decode("utf-8"))
call = bridge.call

# What was built by now lives as long as the page: later collections need not walk through it.
gc.freeze()
gc.enable()
