"""The configurations of all builds: English and 中文, online and from a folder.

In: mkdocs.yml, with the words of its `extra.translations`, and the calculators that the registry finds. Out:
build/mkdocs.{en,zh}.yml, build/mkdocs.offline.{en,zh}.yml and, for comparisons, build/mkdocs.bare.{en,zh}.yml and
build/mkdocs.zensical.{en,zh}.yml. Each is complete by inheritance, so that `mkdocs build -f build/mkdocs.zh.yml` works
alone. mkdocs.yml works alone too; only its navigation then stops at the list of calculators.
"""

from pathlib import Path
from typing import Any, cast

import yaml

from calculators import registry
from sitebuild import files
from sitebuild.layout import Layout

HEAD = "# Written by sitebuild/configs.py from mkdocs.yml; change that file.\n"
Node = dict[str, Any]
INDEX = "calculators/index.md"
"""The page after which the navigation lists the calculators."""
ORDER = ("vram-inference", "vram-training", "vram-diffusion", "throughput", "training-time", "rent-or-buy")
"""As a reader asks: does it fit, how fast is it, what does it cost. A calculator that is not named here follows by name."""


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


def calculators() -> tuple[str, ...]:
    """All calculators in the order in which pages and navigation list them."""
    found = registry.ids()
    return (*(id for id in ORDER if id in found), *(id for id in found if id not in ORDER))


def complete(base: Node) -> Node:
    """mkdocs.yml with each calculator in the navigation, under its own title, and that title's translation."""
    found = [(id, calculator) for id in calculators() if (calculator := registry.find(id))]
    titles = {calculator.title.en: calculator.title.get("zh") for _, calculator in found}
    entries = [{calculator.title.en: f"calculators/{id}/index.md"} for id, calculator in found]

    def walk(node: Any) -> Any:
        match node:
            case list():
                grown = [walk(item) for item in node]
                return grown + entries if any(INDEX in item.values() for item in node if isinstance(item, dict)) else grown
            case dict():
                return {title: walk(value) for title, value in node.items()}
            case _:
                return node

    words = {"zh": {**titles, **base["extra"]["translations"]["zh"]}}
    return {**base, "nav": walk(base["nav"]), "extra": {**base["extra"], "translations": words}}


def english(base: Node) -> Node:
    """mkdocs.yml itself with the whole navigation."""
    return {
        "INHERIT": "../mkdocs.yml",
        "docs_dir": "pages/en",
        "site_dir": "../site",
        "theme": {"custom_dir": "theme"},
        "nav": base["nav"],
    }


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
    own: Node = {
        "INHERIT": f"mkdocs.{lang}.yml",
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
    return {
        "INHERIT": f"mkdocs.{lang}.yml",
        "docs_dir": f"pages/{lang}",
        "site_dir": f"html/bare-{lang}",
        "theme": {"custom_dir": "theme"},
        "plugins": {"search": None},
    }


def zensical(lang: str) -> Node:
    """The same pages for the second engine, in the variant that keeps Material's HTML."""
    return {**bare(lang), "site_dir": f"html/zensical-{lang}", "theme": {"custom_dir": "theme", "variant": "classic"}}


def write(layout: Layout) -> dict[str, Path]:
    """Write every configuration; gives their paths by target."""
    base = complete(read(layout.config))
    written: dict[str, Path] = {}
    targets: dict[str, Node] = {"en": english(base), "zh": chinese(base)}
    for lang in ("en", "zh"):
        targets[f"offline-{lang}"] = offline(lang)
        targets[f"bare-{lang}"] = bare(lang)
        targets[f"zensical-{lang}"] = zensical(lang)
    for name, node in targets.items():
        path = layout.build / f"mkdocs.{name.replace('-', '.')}.yml"
        files.write(path, HEAD + yaml.safe_dump(node, allow_unicode=True, sort_keys=False))
        written[name] = path
    return written
