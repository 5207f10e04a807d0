"""Rooms 1 to 4 -> plain Markdown that any site engine reads.

In: the catalog, a folder, the day of the build; the drawing of charts and settings of the site where they exist.
Out: `out/en/**` and `out/zh/**`, and the list of files written. What an earlier build left there and this one does not make is removed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from catalog.model import Catalog
from sitebuild import configs
from sitebuild.pages.calculator import Charts, Draw, Runs
from sitebuild.pages.data import publish
from sitebuild.pages.families import pages
from sitebuild.pages.memo import Memo
from sitebuild.pages.site import Site, render_pages

__all__ = ["render"]

REPORT = "~/about/report/"
"""Where “report a wrong number” leads unless the site's configuration names another address."""


def render(
    catalog: Catalog,
    out: Path,
    today: str,
    *,
    root: Path | None = None,
    draw: Draw | None = None,
    settings: Mapping[str, Any] | None = None,
    cache: Path | None = None,
) -> list[Path]:
    """Write both languages; `cache` (default: beside `out`) keeps what is slow to compute. Gives the files, all of them, in no particular order."""
    root = root or Path(__file__).parents[2]
    given = {"report_url": configs.read(root / "mkdocs.yml")["extra"].get("report_url") or REPORT, **(settings or {})}
    cache = cache or out.parent / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    memo = Memo(cache / "pages.json", root)
    site = Site(catalog, root, today, Runs(catalog), Charts(), given, memo, cache)
    written = publish(site, out) + render_pages(site, list(pages(site)), out, draw)
    memo.save()
    _sweep(out, set(written))
    return written


def _sweep(out: Path, wanted: set[Path]) -> None:
    for lang in ("en", "zh"):
        ours = [
            *(out / lang).rglob("*.md"),
            *(out / lang / "assets" / "data").glob("*"),
            *(out / lang / "assets" / "schema").glob("*"),
        ]
        for path in ours:
            if path not in wanted:
                path.unlink()
