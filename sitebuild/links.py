"""Links between pages of the guide, right in every place that a page can be opened from.

Authors, templates and calculators write `~/room/id/`, from the root of their language. Every page is a folder with an
`index.md`, so that a page is equally deep with and without directory URLs.

`relative`: one rendered page's Markdown in, the same with relative links out. Markdown links become `../room/id/index.md`,
which any engine checks and rewrites; links in HTML become `../room/id/`, which any web server answers.
`resolve`: a built site in, its HTML changed in place: without directory URLs (a folder opened by a double click) a link
to a folder needs its `index.html`.
"""

import posixpath
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

_MARKDOWN = re.compile(r"\]\(~/([^)\s#?]*)([^)\s]*)")
_SOURCE = re.compile(r"\]\((?![a-z]+:|[~/#])([^)\s#]+)\.md(#[^)\s]*)?\)")
_HTML = re.compile(r'(\s(?:href|src|action)=")~/([^"]*)"')
_BUILT = re.compile(r'(<a\b[^>]*?\shref=")([^"#?:]*/|\.{1,2}|)([#?][^"]*)?"')


def up(page: str) -> str:
    """The way from a page (its folder, "" for the home page) to the root of its language."""
    return "../" * len(PurePosixPath(page).parts) if page else ""


def site_root(page: str, lang: str) -> str:
    """The way from a page to the root of the site, which is the root of the English pages."""
    return (up(page) + ("" if lang == "en" else "../")) or "./"


def from_sources(markdown: str, file: str) -> str:
    """A hand-written file's links to other Markdown files (`../about/sources.md`) as `~/about/sources/`; `file` from its docs root."""
    folder = PurePosixPath(file).parent

    def as_page(found: re.Match[str]) -> str:
        target = posixpath.normpath((folder / found.group(1)).as_posix())
        page = "" if target == "index" else target.removesuffix("/index") + "/"
        return f"](~/{page}{found.group(2) or ''})"

    return _SOURCE.sub(as_page, markdown)


def relative(markdown: str, page: str) -> str:
    """A page's text with every `~/…` link made relative to the page."""
    root = up(page)

    def in_markdown(found: re.Match[str]) -> str:
        target, rest = found.groups()
        if target.endswith("/") or not target:
            target += "index.md"
        return f"]({root}{target}{rest}"

    def in_html(found: re.Match[str]) -> str:
        return f'{found.group(1)}{(root + found.group(2)) or "./"}"'

    return _HTML.sub(in_html, _MARKDOWN.sub(in_markdown, markdown))


def resolve(site_dir: Path, directory_urls: bool = False) -> int:
    """Append `index.html` to links to folders in a built site; gives the number of pages changed."""
    if directory_urls:
        return 0
    changed = 0
    for path in sorted(site_dir.rglob("*.html")):
        before = path.read_text(encoding="utf-8")
        after = with_index(before, path.parent)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed += 1
    return changed


def with_index(html: str, folder: Path) -> str:
    """One page's HTML; a link is changed only where the folder that it names has an `index.html`."""

    def complete(found: re.Match[str]) -> str:
        head, target, rest = found.group(1), found.group(2), found.group(3) or ""
        if target.startswith("/") or (not target and (rest or found.group(0).endswith('href=""'))):
            return found.group(0)
        if not (folder / unquote(target) / "index.html").is_file():
            return found.group(0)
        slash = "" if target.endswith("/") else "/"
        return f'{head}{target}{slash}index.html{rest}"'

    return _BUILT.sub(complete, html)
