"""Where everything stands, seen from the repository's root.

In: the root. Out: the paths of sources and of what is generated. Tests give another root.
"""

from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths under one root."""

    root: Path = Path(__file__).resolve().parent.parent

    @property
    def config(self) -> Path:
        """The English site's configuration, which every other build inherits."""
        return self.root / "mkdocs.yml"

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def browser(self) -> Path:
        return self.root / "browser"

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def rendered(self) -> Path:
        """Pages as the templates gave them, before they are compared with the last ones."""
        return self.build / "rendered"

    @property
    def pages(self) -> Path:
        """Pages that the engine reads; a file here is touched only when its content changed."""
        return self.build / "pages"

    @property
    def theme(self) -> Path:
        return self.build / "theme"

    @property
    def html(self) -> Path:
        """What the engine wrote, one folder a target, before our own steps."""
        return self.build / "html"

    @property
    def site(self) -> Path:
        return self.root / "site"

    @property
    def dist(self) -> Path:
        return self.root / "dist"

    @property
    def packages(self) -> Path:
        """Browser packages as npm laid them."""
        return self.root / "node_modules"

    @property
    def terms(self) -> Path:
        """jieba's user dictionary."""
        return self.build / "search-terms.txt"
