"""Links and assets of a built site: each leads to a file and a place in it, and nothing is fetched from another host.

In: a site's folder and its pages. Out: problems. A calculator's state (`#id?field=value/other?…`) leads to the forms it
names. The 404 page is served at any depth, so that its links are absolute.
"""

import re
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

from sitebuild.checks.page import Link, Page
from sitebuild.checks.problem import Problem

ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//|^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
ASSETS = ("script", "img", "iframe", "source", "object")
REFERENCES = ("alternate", "canonical", "prev", "next", "license")
"""`link`s that a browser does not fetch."""
IN_STYLE = re.compile(r"url\(\s*['\"]?(?!data:|#)([^'\")]+)|@import\s+['\"]([^'\"]+)")


def check(site: Path, pages: dict[str, Page]) -> list[Problem]:
    """All problems of all pages and style sheets, in order."""
    found = [problem for page in pages.values() for problem in _page(site, page, pages)]
    for sheet in sorted(site.rglob("*.css")):
        for match in IN_STYLE.finditer(sheet.read_text(encoding="utf-8")):
            address = match[1] or match[2]
            if ELSEWHERE.match(address):
                found.append(Problem(sheet.relative_to(site).as_posix(), 1, f"fetches {address} from another host: ship it"))
    return sorted(set(found))


def _page(site: Path, page: Page, pages: dict[str, Page]) -> list[Problem]:
    found = []
    for link in page.links:
        if ELSEWHERE.match(link.url):
            if _fetched(link) and not link.url.startswith("data:"):
                found.append(Problem(page.path, link.line, f"fetches {link.url} from another host: ship it with the site"))
        elif message := _wrong(site, page, link, pages):
            found.append(Problem(page.path, link.line, message))
    return found


def _fetched(link: Link) -> bool:
    return link.tag in ASSETS or (link.tag == "link" and not any(word in REFERENCES for word in link.rel.split()))


def _wrong(site: Path, page: Page, link: Link, pages: dict[str, Page]) -> str:
    parts = urlsplit(link.url)
    target = page.path
    if parts.path:
        base = "" if parts.path.startswith("/") else dirname(page.path)
        target = normpath(f"{base}/{unquote(parts.path)}".lstrip("/") or ".")
        if target.startswith(".."):
            return f"{link.url} leads out of the site"
        if (site / target).is_dir():
            target = "index.html" if target == "." else f"{target}/index.html"
        if not (site / target).is_file():
            return f"{link.url} leads to {target}, which does not exist"
    if not parts.fragment or target not in pages:
        return ""
    missing = [name for name in anchors(parts.fragment) if name not in pages[target].ids]
    return f"{link.url}: {target} has no id {', '.join(missing)}" if missing else ""


def anchors(fragment: str) -> list[str]:
    """The ids that a fragment needs: one of a heading, or one for each calculator whose state it carries."""
    if "?" not in fragment:
        return [unquote(fragment)]
    return [unquote(part.split("?")[0]) for part in fragment.split("/")]
