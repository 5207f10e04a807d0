"""The configurations of the further builds: 中文, and both languages from a folder.

In: mkdocs.yml, with the words of its `extra.translations`. Out: build/mkdocs.zh.yml, build/mkdocs.offline.en.yml,
build/mkdocs.offline.zh.yml and, for comparisons, build/mkdocs.bare.{en,zh}.yml and build/mkdocs.zensical.{en,zh}.yml. Each is complete by inheritance, so that
`mkdocs build -f build/mkdocs.zh.yml` works alone.
"""

from pathlib import Path
from typing import Any, cast

import yaml

from sitebuild import files
from sitebuild.layout import Layout

HEAD = "# Written by sitebuild/configs.py from mkdocs.yml; change that file.\n"
Node = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """Reads mkdocs.yml as plain data; the Python objects it names are left to the engine."""


def _opaque(_loader: yaml.SafeLoader, suffix: str, _node: yaml.Node) -> str:
    return suffix


_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _opaque)
_Loader.add_multi_constructor("!", _opaque)


class TranslationMissing(Exception):
    """A title of mkdocs.yml that has no word in the other language."""


def read(path: Path) -> Node:
    """mkdocs.yml as plain data."""
    return cast(Node, yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader))  # noqa: S506 - a SafeLoader


def translate(node: Any, words: dict[str, str]) -> Any:
    """A navigation or palette with its titles translated; paths and settings stay."""
    match node:
        case list():
            return [translate(item, words) for item in node]
        case dict():
            return {_word(title, words): translate(value, words) for title, value in node.items()}
        case _:
            return node


def _word(title: str, words: dict[str, str]) -> str:
    if title not in words:
        raise TranslationMissing(f"mkdocs.yml: {title!r} has no translation; add it under extra.translations")
    return words[title]


def _palette(entries: list[Node], words: dict[str, str]) -> list[Node]:
    return [{**entry, "toggle": {**entry["toggle"], "name": _word(entry["toggle"]["name"], words)}} for entry in entries]


def chinese(base: Node) -> Node:
    """What the Chinese site says otherwise than the English one."""
    words: dict[str, str] = base["extra"]["translations"]["zh"]
    own: Node = {
        "INHERIT": "../mkdocs.yml",
        "site_name": _word(base["site_name"], words),
        "site_description": _word(base["site_description"], words),
        "docs_dir": "pages/zh",
        "site_dir": "../site/zh",
        "theme": {"language": "zh", "custom_dir": "theme", "palette": _palette(base["theme"]["palette"], words)},
        "nav": translate(base["nav"], words),
        # The path is read from the folder that the build runs in: the root.
        "plugins": {"search": {"jieba_dict_user": "build/search-terms.txt"}},
        "extra": {"guide": {"root": "../", "other": {"lang": "en", "name": "English", "path": "../"}}},
    }
    if base.get("site_url"):
        own["site_url"] = base["site_url"].rstrip("/") + "/zh/"
    return own


def offline(lang: str) -> Node:
    """The same pages for a folder: links end in .html, scripts know that they may not fetch."""
    inherits = {"en": "../mkdocs.yml", "zh": "mkdocs.zh.yml"}[lang]
    own: Node = {
        "INHERIT": inherits,
        "docs_dir": f"pages/{lang}",
        "site_dir": f"html/offline-{lang}",
        "site_url": "",
        "use_directory_urls": False,
        "theme": {"custom_dir": "theme"},
        "extra": {"guide": {"offline": True}},
    }
    if lang == "zh":
        own["extra"]["guide"]["other"] = {"path": "../"}
    return own


def bare(lang: str) -> Node:
    """The same pages and theme with search as it comes: what `make bench` compares a build with."""
    inherits = {"en": "../mkdocs.yml", "zh": "mkdocs.zh.yml"}[lang]
    return {
        "INHERIT": inherits,
        "docs_dir": f"pages/{lang}",
        "site_dir": f"html/bare-{lang}",
        "theme": {"custom_dir": "theme"},
        "plugins": {"search": None},
    }


def zensical(lang: str) -> Node:
    """The same pages for the second engine, in the variant that keeps Material's HTML."""
    return {**bare(lang), "site_dir": f"html/zensical-{lang}", "theme": {"custom_dir": "theme", "variant": "classic"}}


def write(layout: Layout) -> dict[str, Path]:
    """Write every configuration; gives their paths by target, mkdocs.yml itself as `en`."""
    base = read(layout.config)
    written = {"en": layout.config}
    targets: dict[str, Node] = {"zh": chinese(base)}
    for lang in ("en", "zh"):
        targets[f"offline-{lang}"] = offline(lang)
        targets[f"bare-{lang}"] = bare(lang)
        targets[f"zensical-{lang}"] = zensical(lang)
    for name, node in targets.items():
        path = layout.build / f"mkdocs.{name.replace('-', '.')}.yml"
        files.write(path, HEAD + yaml.safe_dump(node, allow_unicode=True, sort_keys=False))
        written[name] = path
    return written
