"""Chinese text as the guide writes it: 中文 and Latin set apart, full-width punctuation, one word for one concept.

In: Markdown files and docs/terms.yaml. Out: problems. Code, addresses, templates' expressions, HTML tags and front
matter keys are passed over.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import yaml

from sitebuild.checks.problem import Problem

HAN = r"\u3400-\u9fff"
TIGHT = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9%][{HAN}]")
HALF = re.compile(rf"[{HAN}][,;:?!]|[{HAN}]\(|\)[{HAN}]")
PASSED = re.compile(
    r"`[^`]*`"  # code
    r"|\{\{.*?\}\}|\{%.*?%\}"  # a template's expressions
    r"|<[^>]*>"  # tags
    r"|(?<=\])\([^)\s]*\)"  # a link's address
    r"|\{[#.:][^}]*\}"  # attributes
    r"|https?://\S+"
)
QUOTED = re.compile(r"“[^”]*”")
"""What somebody else says keeps his words."""
GAP = "\u0000"
"""Stands where something was passed over: neither Chinese nor Latin."""


def check_text(name: str, text: str) -> list[Problem]:
    """Spacing and punctuation of one Markdown file."""
    found = []
    for number, line in _prose(text):
        plain = PASSED.sub(GAP, line)
        found += [
            Problem(name, number, f"no space between Chinese and Latin: {_near(plain, m)}") for m in TIGHT.finditer(plain)
        ]
        found += [Problem(name, number, f"half-width punctuation in Chinese: {_near(plain, m)}") for m in HALF.finditer(plain)]
    return found


def _near(line: str, match: re.Match[str]) -> str:
    return line[max(0, match.start() - 6) : match.end() + 6].replace(GAP, "…").strip()


def _prose(text: str) -> Iterable[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        elif not fence:
            yield number, line


def avoided(terms: Path) -> dict[str, str]:
    """Word to avoid -> the guide's word for it."""
    return {word: entry["zh"] for entry in yaml.safe_load(terms.read_text(encoding="utf-8")) for word in entry.get("not", ())}


def check_terms(name: str, text: str, words: dict[str, str]) -> list[Problem]:
    """Words for which the guide uses another, outside quotation marks."""
    return [
        Problem(name, number, f"the guide says {better}, not {word} (docs/terms.yaml)")
        for number, line in enumerate(text.splitlines(), 1)
        for word, better in words.items()
        if word in QUOTED.sub(GAP, line)
    ]


def check(docs: Path) -> list[Problem]:
    """Both rules over docs/zh, the terms over the templates too."""
    words = avoided(docs / "terms.yaml")
    found = []
    for file in sorted([*docs.glob("zh/**/*.md"), *docs.glob("templates/**/*.j2")]):
        name, text = file.relative_to(docs.parent).as_posix(), file.read_text(encoding="utf-8")
        found += check_terms(name, text, words)
        if file.suffix == ".md":
            found += check_text(name, text)
    return sorted(found)
