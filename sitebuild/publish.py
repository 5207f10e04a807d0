"""The last step from the engine's HTML to what is served: one site, two languages, one copy of each asset.

In: build/html/<target> of both languages. Out: site/ (or the offline folder), English at the top, Chinese in zh/.
Chinese pages point at the English site's copy of the theme's and the guide's assets; each page gets a content security
policy with the hashes of the theme's own inline scripts. Files that stayed the same keep their time.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from sitebuild import files

INLINE = re.compile(r"<script(?P<attributes>(?:\s(?!src=)[^>]*)?)>(?P<code>.*?)</script>", re.DOTALL)
ASSET = re.compile(r"""(?P<quote>["'])(?P<up>(?:\.\./)*|\./)(?P<path>assets/[^"'#?]+)(?P=quote)""")
CHARSET = '<meta charset="utf-8">'
RUNTIME = "assets/python/"
SHARED = ("assets/javascripts/", "assets/stylesheets/", "assets/images/", "assets/favicon.svg", "assets/logo.svg")
"""What the engine puts into every site, the same bytes: the Chinese pages take the English site's."""
ROOTED = ("assets/guide/", RUNTIME, "assets/search/")
"""What pages of both languages ask the root for from the start."""
UNUSED = ("assets/javascripts/lunr/",)
"""Search languages that no index of ours names."""
DROPPED = ("404.html", "sitemap.xml.gz")
"""Of the Chinese site: a host serves only the root's 404, and its addresses would be wrong below it."""


def policy(html: str, offline: bool) -> str:
    """What a page may load: its own files, and the inline scripts that it was built with."""
    hashes = []
    for found in INLINE.finditer(html):
        if "application/" in found["attributes"] or "src=" in found["attributes"]:
            continue
        value = base64.b64encode(hashlib.sha256(found["code"].encode()).digest()).decode()
        hashes.append(f"'sha256-{value}'")
    own = "'self' file:" if offline else "'self'"
    rules = {
        "default-src": own,
        "script-src": " ".join([own, "'wasm-unsafe-eval'", *(["blob:", "data:"] if offline else []), *dict.fromkeys(hashes)]),
        "worker-src": f"{own} blob:",
        "connect-src": f"{own} data:" + (" blob:" if offline else ""),
        "img-src": f"{own} data:",
        "style-src": f"{own} 'unsafe-inline'",
        "object-src": "'none'",
        "base-uri": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def with_policy(html: str, offline: bool) -> str:
    """The page with its policy as the first thing after the charset; a page without a head stays as it is."""
    meta = f'{CHARSET}\n      <meta http-equiv="Content-Security-Policy" content="{policy(html, offline)}">'
    return html.replace(CHARSET, meta, 1)


def share(html: str, shared: set[str]) -> str:
    """A Chinese page whose assets are the English site's, one folder up."""

    def up(found: re.Match[str]) -> str:
        if found["path"] not in shared:
            return found[0]
        prefix = "" if found["up"] == "./" else found["up"]
        return f"{found['quote']}../{prefix}{found['path']}{found['quote']}"

    return ASSET.sub(up, html)


def _used(folder: Path) -> list[str]:
    return [name for name in files.listing(folder) if not name.startswith(UNUSED) and not name.endswith(".map")]


def _as_is(html: str, _folder: Path) -> str:
    return html


def publish(
    english: Path,
    chinese: Path,
    site: Path,
    *,
    offline: bool = False,
    runtime: Path | None = None,
    finish: Callable[[str, Path], str] = _as_is,
) -> files.Changes:
    """Make `site` hold both languages; gives what changed in it.

    `runtime` holds another Python runtime than the English site's own; `finish` is a last change to a page, told the
    folder that the engine wrote it to.
    """
    main, other = (_used(folder) for folder in (english, chinese))
    shared = {name for name in main if name.startswith(SHARED)}
    sources = {name: english / name for name in main if runtime is None or not name.startswith(RUNTIME)}
    sources |= {f"zh/{name}": chinese / name for name in other if not name.startswith(SHARED + ROOTED + DROPPED)}
    if runtime is not None:
        sources |= {name: runtime / name for name in files.listing(runtime)}
    before = set(files.listing(site)) if site.is_dir() else set()
    added: list[str] = []
    changed: list[str] = []
    for name, source in sorted(sources.items()):
        target = site / name
        if name.endswith(".html"):
            html = finish(source.read_text(encoding="utf-8"), source.parent)
            html = share(html, shared) if name.startswith("zh/") else html
            new = files.write(target, with_policy(html, offline))
        else:
            new = name not in before or source.stat().st_mtime_ns != target.stat().st_mtime_ns
            files.link(source, target)
        if new:
            (changed if name in before else added).append(name)
    removed = sorted(before - set(sources))
    for name in removed:
        (site / name).unlink()
    files.prune(site)
    return files.Changes(tuple(added), tuple(changed), tuple(removed))
