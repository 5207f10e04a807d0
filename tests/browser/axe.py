"""What axe-core finds in a page: each finding as one line that says the rule, the element and what to do.

In: an open page. Out: lines, none where the page is sound. Colours are looked at apart, so that a page can be asked
again in its dark dress without asking everything twice. It may fetch nothing: a page from a folder must not.
"""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
COLOURS = ("color-contrast", "link-in-text-block")
RUN = """async only => {
  const options = { resultTypes: ['violations'], iframes: false, preload: false };
  if (only.length) options.runOnly = { type: 'rule', values: only };
  return (await axe.run(document, options)).violations;
}"""


@cache
def source() -> str:
    """The library's own file."""
    return SCRIPT.read_text("utf-8")


def find(page: Page, only: tuple[str, ...] = ()) -> list[str]:
    """Findings of every impact, or of the rules named alone."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    violations: list[dict[str, Any]] = page.evaluate(RUN, list(only))
    return [
        f"{rule['id']} ({rule['impact']}) {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in violations
        for node in rule["nodes"]
    ]
