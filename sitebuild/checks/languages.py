"""Both languages are one guide: the same pages, sections, calculators and outputs, each linked to its counterpart.

In: a built site's pages. Out: problems.
"""

from posixpath import dirname, normpath

from sitebuild.checks.page import Page
from sitebuild.checks.problem import Problem

PREFIX = "zh/"
SECTION = ("h1", "h2", "h3")


def check(pages: dict[str, Page]) -> list[Problem]:
    """All problems, in order."""
    chinese = {path.removeprefix(PREFIX): page for path, page in pages.items() if path.startswith(PREFIX)}
    english = {path: page for path, page in pages.items() if not path.startswith(PREFIX) and path != "404.html"}
    found = [Problem(path, 1, "has no Chinese page") for path in english if path not in chinese]
    found += [Problem(PREFIX + path, 1, "has no English page") for path in chinese if path not in english]
    for path in sorted(english.keys() & chinese.keys()):
        found += _pair(english[path], chinese[path])
    return sorted(found)


def _pair(english: Page, chinese: Page) -> list[Problem]:
    found = []
    for page, lang, other in ((english, "en", chinese), (chinese, "zh", english)):
        if page.lang != lang:
            found.append(Problem(page.path, 1, f'<html lang="{page.lang}"> should be "{lang}"'))
        if _target(page) != other.path:
            found.append(Problem(page.path, 1, f"its language link {page.language_link!r} does not lead to {other.path}"))
    if sections(english) != sections(chinese):
        ours, theirs = sections(english), sections(chinese)
        differ = ", ".join(sorted(set(ours) ^ set(theirs))) or "their order"
        found.append(
            Problem(chinese.path, 1, f"its sections' ids are not those of the English page ({differ}): give both {{#id}}")
        )
    for name, left, right in (("forms", english.forms, chinese.forms), ("outputs", english.outputs, chinese.outputs)):
        if left != right:
            found.append(Problem(chinese.path, 1, f"its {name} are not those of the English page: {right} instead of {left}"))
    return found


def sections(page: Page) -> list[str]:
    """Ids of the headings that a link can name, without the title's: it differs by language and leads to the top."""
    return [name for name, text in page.headings if name and text.startswith(("h2 ", "h3 "))]


def _target(page: Page) -> str:
    path = normpath(f"{dirname(page.path)}/{page.language_link}".lstrip("/"))
    if path.endswith(".html"):
        return path
    return "index.html" if path == "." else f"{path}/index.html"
