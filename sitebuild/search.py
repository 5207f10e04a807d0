"""Words that Chinese search must keep whole, and the search files that a folder needs.

In: docs/terms.yaml and the catalog's names. Out: build/search-terms.txt, jieba's user dictionary; for the offline
build, the index and the search worker as script files, since a page from a folder may fetch neither.

Only a term that jieba would cut wrongly (into pieces of one character) goes into the dictionary: 张量并行 stays two
words, so that a reader who types 并行 finds it too.
"""

import json
import logging
import re
from collections.abc import Iterable
from pathlib import Path

import jieba
import yaml

from sitebuild import files
from sitebuild.layout import Layout

HAN = re.compile(r"[\u3400-\u9fff]+")


def terms(path: Path) -> list[str]:
    """The Chinese words of docs/terms.yaml."""
    return [str(entry["zh"]) for entry in yaml.safe_load(path.read_text(encoding="utf-8"))]


def candidates(words: Iterable[str]) -> list[str]:
    """Runs of Chinese in names and terms, two characters or more, sorted."""
    return sorted({run for word in words for run in HAN.findall(word) if len(run) > 1})


def miscut(words: Iterable[str]) -> list[str]:
    """Those that jieba's own dictionary would cut into single characters. Longer words count with what shorter ones mend."""
    jieba.setLogLevel(logging.WARNING)
    cutter = jieba.Tokenizer()
    kept = []
    for word in sorted(candidates(words), key=lambda w: (len(w), w)):
        if any(
            len(piece) == 1 for piece in cutter.cut(word, HMM=False)
        ):  # what it guesses alone it may guess otherwise in a sentence
            cutter.add_word(word)
            kept.append(word)
    return kept


def write_dictionary(layout: Layout, names: Iterable[str]) -> bool:
    """Write jieba's user dictionary; says whether it changed. The question is remembered: loading jieba takes a second."""
    words = candidates([*terms(layout.docs / "terms.yaml"), *names])
    question = layout.build / "search-terms.asked.txt"
    if layout.terms.is_file() and not files.write(question, "\n".join(words)):
        return False
    files.write(question, "\n".join(words))
    return files.write(layout.terms, "".join(f"{word}\n" for word in miscut(words)))


def write_offline(folder: Path) -> None:
    """The index and the theme's search worker of one offline site, as scripts."""
    index = (folder / "search" / "search_index.json").read_text(encoding="utf-8")
    files.write(folder / "search" / "search_index.js", f"var __index = {index};\n")
    (worker,) = (folder / "assets" / "javascripts" / "workers").glob("search.*.min.js")
    (fix,) = (folder / "assets" / "guide").glob("*/search-fix.js")
    source = worker.read_text(encoding="utf-8").split("//# sourceMappingURL=")[0] + "\n" + fix.read_text(encoding="utf-8")
    files.write(folder / "assets" / "search" / "worker.js", f"self.guideSearchWorker = {json.dumps(source)};\n")


def merge(before: str, now: str) -> str:
    """The index after a build of some pages: their new entries stand where their old ones stood."""
    old, new = json.loads(before), json.loads(now)
    fresh: dict[str, list[object]] = {}
    for entry in new["docs"]:
        fresh.setdefault(entry["location"].split("#")[0], []).append(entry)
    docs: list[object] = []
    placed: set[str] = set()
    for entry in old["docs"]:
        page = entry["location"].split("#")[0]
        if page not in fresh:
            docs.append(entry)
        elif page not in placed:
            placed.add(page)
            docs.extend(fresh[page])
    for page, entries in fresh.items():
        if page not in placed:
            docs.extend(entries)
    return json.dumps({"config": new["config"], "docs": docs}, separators=(",", ":"))
