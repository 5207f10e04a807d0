"""Runs in the reader's browser: reads the compiled catalog out of the runtime's own zip and offers `call`.

In: `catalog/compiled.json` beside the `catalog` package. Out: `call(id, request) -> response`.
"""

import gc
import zipimport

import catalog
from calculators import bridge

_loader = catalog.__spec__.loader
if not isinstance(_loader, zipimport.zipimporter):
    raise TypeError("the catalog must be imported from the runtime's zip")
bridge.use_json(_loader.get_data(f"{catalog.__path__[0]}/compiled.json").decode("utf-8"))
call = bridge.call

# What was built by now lives as long as the page: later collections need not walk through it.
gc.collect()
gc.freeze()
