"""Pages as Markdown, in both languages, from templates, hand-written text, the catalog and the calculators.

In: the catalog, a folder for the result, the day of the build. Out: `out/en/**` and `out/zh/**`, the same paths in both,
each page a folder with an `index.md`. A file is written only when its bytes differ, so that what follows can see what changed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from calculators.finance.energy import energy_kwh
from calculators.framework.text import LANGUAGES, Lang
from calculators.framework.view import linked, state_link
from calculators.memory.weights import WEIGHT_FORMATS
from calculators.reliability import checkpoints
from catalog.model import Catalog
from sitebuild import configs
from sitebuild.links import from_sources, relative, site_root
from sitebuild.pages import words
from sitebuild.pages.calculator import Charts, Draw, Runs, aligned, block, inputs_table, narrow, one_line, results_table
from sitebuild.pages.cells import FIT_COLUMNS, SHOWN_FORMATS, Cells
from sitebuild.pages.claims import sub_models
from sitebuild.pages.measured import cases, kind_name, mistakes, money, quantity, summaries
from sitebuild.pages.memo import Memo
from sitebuild.pages.show import Show

CHINESE_BREAK = re.compile(r"(?<=[\u3400-\u9fff，。；：！？、）》”])\n *(?=(?:\*\*|\[)?[\u3400-\u9fff“（《])")
"""A line's end inside a Chinese paragraph: browsers show it as a space, which Chinese has not."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the guide in both languages: its folder, its template, and what the template is about."""

    path: str
    template: str
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages of a build share."""

    catalog: Catalog
    root: Path
    today: str
    runs: Runs
    charts: Charts
    settings: Mapping[str, Any]
    memo: Memo
    cache: Path | None = None

    @property
    def calculators(self) -> tuple[str, ...]:
        """All calculators that the registry finds, in the navigation's order."""
        return configs.calculators()


def hand_written(root: Path, lang: Lang) -> Iterator[Page]:
    """The Markdown files of a language; `guide/x.md` is the page `guide/x`, `guide/index.md` the page `guide`."""
    docs = root / "docs" / lang
    for file in sorted(docs.rglob("*.md")):
        name = file.relative_to(docs).with_suffix("").as_posix()
        path = "" if name == "index" else name.removesuffix("/index")
        yield Page(path, f"{lang}/{file.relative_to(docs).as_posix()}")


class Renderer:
    """Renders pages of one language."""

    def __init__(self, site: Site, lang: Lang) -> None:
        self.site = site
        self.lang = lang
        self.show = Show(site.catalog, lang, site.today)
        self.environment = Environment(
            loader=FileSystemLoader([site.root / "docs" / "templates", site.root / "docs"]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            # Markdown is not HTML: what comes from the catalog is escaped where it enters HTML
            autoescape=False,  # noqa: S701
            # `{#name}` is how Markdown names a heading
            comment_start_string="<#--",
            comment_end_string="--#>",
            bytecode_cache=FileSystemBytecodeCache(str(site.cache)) if site.cache else None,
        )
        cells = Cells(self.show, site.memo)
        self.environment.filters["one_line"] = one_line
        self.environment.filters["aligned"] = aligned
        self.environment.globals.update(
            lang=lang,
            catalog=site.catalog,
            today=site.today,
            site=site,
            settings=site.settings,
            show=self.show,
            say=self.show.say,
            text=self.show.text,
            calculator=self.calculator,
            calculator_of=Runs.calculator,
            inputs_table=lambda id: inputs_table(Runs.calculator(id), site.catalog, lang),
            results_table=lambda id: results_table(Runs.calculator(id), lang),
            ask=lambda id, inputs: site.runs.ask(id, inputs, lang),
            answer=self.answer,
            fact=self.fact,
            price=self.price,
            here=self.here,
            state=self.state,
            sample=self.sample,
            headline=self.headline,
            headlines=self.headlines,
            evidence=self.evidence,
            checkpoints=checkpoints,
            energy_kwh=energy_kwh,
            weight_formats=WEIGHT_FORMATS,
            linked=linked,
            words=words,
            sub_models=sub_models,
            formats=[WEIGHT_FORMATS[f] for f in SHOWN_FORMATS],
            fit_columns=FIT_COLUMNS,
            **{
                name: getattr(cells, name) for name in dir(cells) if not name.startswith("_") and callable(getattr(cells, name))
            },
        )
        self.environment.globals["parts"] = self.environment.get_template("parts.j2").module

    def calculator(self, id: str) -> str:
        """`{{ calculator("vram-inference") }}`: the form and its answer."""
        return block(id, self.site.runs, self.site.charts, self.lang, self.site.settings["report_url"])

    def answer(self, id: str, inputs: Mapping[str, Any], output: str) -> str:
        """`{{ answer("vram-inference", {"batch": 32}, "weights_gib") }}`: an output of a run, with its unit."""
        shown: str = self.site.runs.ask(id, inputs, self.lang)["view"]["display"][output]
        return shown

    def fact(self, collection: str, id: str, name: str) -> str:
        """`{{ fact("accelerators", "h100-sxm", "memory_bandwidth") }}`: a value of the catalog, with its source."""
        return self.show.fact(getattr(getattr(self.site.catalog, collection)[id], name))

    def price(self, id: str) -> str:
        """`{{ price("autodl-rtx-4090-24g") }}`: an offer's price as its provider states it; the tooltip says who and when."""
        offer = self.site.catalog.offers[id]
        return (
            f'<span class="guide-fact" data-value="{offer.amount!r}" title="{escape(offer.provider)}, {offer.date}">'
            f"{self.show.offer_price(offer)}</span>{self.show.cite(offer.source, offer.read)}{self.show.doubt(offer.confirmed)}"
        )

    def here(self, id: str, change: Mapping[str, Any]) -> str:
        """The address of a calculator further down the same page, with some inputs set."""
        calculator = Runs.calculator(id)
        return state_link(calculator, calculator.inputs(), change)

    def state(self, id: str, change: Mapping[str, Any]) -> str:
        """The address of a calculator's page with some inputs set."""
        calculator = Runs.calculator(id)
        return f"~/calculators/{id}/{state_link(calculator, calculator.inputs(), change)}"

    def headlines(self, id: str, inputs: Mapping[str, Any]) -> dict[str, str]:
        """The outputs that a calculator puts first, of one run: label -> value with its unit."""
        shown = self.site.runs.printed(id, self.lang, inputs)["view"]["display"]
        specs = Runs.calculator(id).results().items()
        return {spec.label.get(self.lang): shown[name] for name, spec in specs if spec.headline}

    def headline(self, id: str, inputs: Mapping[str, Any]) -> str:
        """The same in one line of text."""
        colon = self.show.say(": ", "：")
        found = self.headlines(id, inputs).items()
        return self.show.say("; ", "；").join(f"{k}{' ' if k.endswith(('?', '？')) else colon}{v}" for k, v in found)

    def evidence(self) -> dict[str, Any]:
        """How many published cases are scored, how many of them come out within their tolerance; those of money by topic, and
        the published figures that are wrong."""
        rows = cases(self.site.root, self.site.catalog, self.site.memo)
        kinds = summaries(rows)
        counts = {"scored": sum(k.scored for k in kinds), "ok": sum(k.ok for k in kinds)}
        return {**counts, "money": money(rows), "mistakes": mistakes(rows), "name": lambda r: kind_name(quantity(r))}

    @staticmethod
    def sample(id: str) -> str:
        """A request for the command line: the inputs of the first example."""
        calculator = Runs.calculator(id)
        return json.dumps(dict(calculator.examples[0].inputs) if calculator.examples else {}, ensure_ascii=False)

    def markdown(self, page: Page) -> str:
        """The finished Markdown of a page."""
        text = self.environment.get_template(page.template).render(page=page, **page.about)
        language, _, file = page.template.partition("/")
        if language == self.lang:
            text = from_sources(text, file)
        if self.lang == "zh":
            text = CHINESE_BREAK.sub("", text)
        text = relative(text, page.path)
        return text.replace("@@site@@", site_root(page.path, self.lang))


def write(path: Path, text: str) -> bool:
    """Write a file unless it holds this already; True where it changed."""
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return True


def render_pages(site: Site, pages: list[Page], out: Path, draw: Draw | None) -> list[Path]:
    """Write all pages of both languages; gives every file that belongs to the site. Raises ValueError where a language lacks a page."""
    by_language = {lang: pages + list(hand_written(site.root, lang)) for lang in LANGUAGES}
    _same_paths({lang: [p.path for p in found] for lang, found in by_language.items()})
    if draw is not None:
        specs = [c for id in site.calculators for lang in LANGUAGES for c in site.runs.printed(id, lang)["charts"]]
        site.charts.draw(specs + [narrow(spec) for spec in specs], draw)
    written = []
    for lang in LANGUAGES:
        renderer = Renderer(site, lang)
        for page in by_language[lang]:
            path = out / lang / page.path / "index.md"
            write(path, renderer.markdown(page))
            written.append(path)
    return written


def _same_paths(paths: Mapping[Lang, list[str]]) -> None:
    for lang, found in paths.items():
        twice = sorted({p for p in found if found.count(p) > 1})
        if twice:
            raise ValueError(f"two sources for the same page in {lang}: {', '.join(twice)}")
    english, chinese = set(paths["en"]), set(paths["zh"])
    if english != chinese:
        listed = ", ".join(sorted(english ^ chinese))
        raise ValueError(f"these pages exist in one language only: {listed}")
