"""The guide's data as files: the whole catalog, and a JSON Schema for each kind of record and each calculator.

In: the `Site`. Out: `en/assets/data/catalog.json` (one copy; it has no language) and `<lang>/assets/schema/*.json`.
"""

import json
from pathlib import Path

from calculators.framework.schema import schema
from calculators.framework.text import LANGUAGES
from catalog.model import COLLECTIONS, to_json
from catalog.schema import schema as record_schema
from sitebuild.pages.calculator import Runs
from sitebuild.pages.site import Site, write


def publish(site: Site, out: Path) -> list[Path]:
    """Write the data files; gives their paths."""
    files = {out / "en" / "assets" / "data" / "catalog.json": to_json(site.catalog)}
    for collection in COLLECTIONS:
        files[out / "en" / "assets" / "schema" / f"catalog.{collection}.json"] = _pretty(record_schema(collection))
    for lang in LANGUAGES:
        for id in site.calculators:
            files[out / lang / "assets" / "schema" / f"{id}.json"] = _pretty(schema(Runs.calculator(id), site.catalog, lang))
    for path, text in files.items():
        write(path, text)
    return list(files)


def _pretty(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
