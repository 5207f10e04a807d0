"""Runs in the reader's browser: reads the compiled catalog out of the runtime's own zip and offers `call`.

In: `catalog/compiled.json` beside the `catalog` package. Out: `call(id, request) -> response`.
"""

import gc
import zipimport

# What is built from here on lives as long as the page: collections would walk through it again and again for nothing.
gc.disable()

import catalog  # noqa: E402 - after the collector is off
from calculators import bridge  # noqa: E402 - the same

_loader = catalog.__spec__.loader
if not isinstance(_loader, zipimport.zipimporter):
    raise TypeError("the catalog must be imported from the runtime's zip")
bridge.use_json(_loader.get_data(f"{catalog.__path__[0]}/compiled.json").decode("utf-8"))
call = bridge.call

gc.freeze()
gc.enable()
