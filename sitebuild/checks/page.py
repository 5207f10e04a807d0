"""A built page, read once for all checks.

In: an HTML file. Out: its links, ids, headings, forms, outputs and inline scripts, and where its tags do not match.
"""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
ADDRESSES = {"a": "href", "link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}


@dataclass(frozen=True, slots=True)
class Link:
    """An address in a page: where it stands, in which element, and that element's `rel`."""

    line: int
    tag: str
    url: str
    rel: str = ""


@dataclass(slots=True)
class Page:
    """What the checks ask of a page."""

    path: str
    lang: str = ""
    links: list[Link] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int]] = field(default_factory=list)
    headings: list[tuple[str, str]] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    language_link: str = ""
    faults: list[tuple[int, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    """Reads with HTML's rules for void elements; every other element must be closed in order."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.open: list[tuple[str, int]] = []
        self.heading: list[str] | None = None
        self.quiet = 0

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        values = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.open.append((tag, line))
        self._note(tag, values, line)
        if tag in HEADINGS:
            self.heading = []
            self.page.headings.append((values.get("id", ""), tag))
        if values.get("class") == "headerlink":
            self.quiet += 1

    def _note(self, tag: str, values: dict[str, str], line: int) -> None:
        page = self.page
        if name := values.get("id"):
            if name in page.ids:
                page.twice.append((name, line))
            page.ids.setdefault(name, line)
        if tag == "html":
            page.lang = values.get("lang", "")
        if "data-calculator" in values:
            page.forms.append(values["data-calculator"])
        if "data-output" in values:
            page.outputs.append(values["data-output"])
        if tag in ADDRESSES and ADDRESSES[tag] in values:
            page.links.append(Link(line, tag, values[ADDRESSES[tag]], values.get("rel", "")))
        if "data-guide-language" in values:
            page.language_link = values.get("href", "")

    def handle_data(self, data: str) -> None:
        if self.heading is not None and not self.quiet:
            self.heading.append(data)

    def handle_endtag(self, tag: str) -> None:
        line = self.getpos()[0]
        if tag in HEADINGS and self.heading is not None:
            name, level = self.page.headings[-1]
            self.page.headings[-1] = (name, f"{level} {' '.join(''.join(self.heading).split())}")
            self.heading = None
            self.quiet = 0
        if tag in VOID:
            return
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
        elif any(name == tag for name, _ in self.open):
            while self.open[-1][0] != tag:
                name, opened = self.open.pop()
                self.page.faults.append((opened, f"<{name}> is not closed before </{tag}> in line {line}"))
            self.open.pop()
        else:
            self.page.faults.append((line, f"</{tag}> closes nothing"))


def read(file: Path, name: str) -> Page:
    """One page; `name` is what problems call it."""
    page = Page(name)
    reader = _Reader(page)
    reader.feed(file.read_text(encoding="utf-8"))
    reader.close()
    page.faults.extend((line, f"<{tag}> is never closed") for tag, line in reader.open)
    return page


def read_all(site: Path) -> dict[str, Page]:
    """Every page of a built site by its path from the site's root."""
    files = sorted(site.rglob("*.html"))
    return {name: read(file, name) for file in files if (name := file.relative_to(site).as_posix())}
