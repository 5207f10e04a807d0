"""How a calculator is declared: everything else (form, CLI, schema, URL keys, docs, tests) derives from these records.

In: nothing. Out: field makers for a calculator's frozen `Inputs` and `Outputs`, and the records `Calculator`, `Table`,
`Chart`, `Suggestion`, `Preset`, `Example`, `Working` that its pure functions fill.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from calculators.framework.bands import BANDS, Band
from calculators.framework.text import Text
from calculators.uncertainty.study import Study
from catalog.model import Catalog

if TYPE_CHECKING:  # who has nothing to draw loads no generator of random numbers
    from calculators.uncertainty.draws import Sample

Scalar = int | float | str | bool | None
Kind = Literal["exact", "modelled", "assumed"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a closed list."""

    value: str
    label: Text
    group: Text | None = None


ChoiceMaker = Callable[[Catalog], tuple[Choice, ...]]


@dataclass(frozen=True, slots=True)
class Field:
    """What one input is: the label, unit, range and help that the form, the CLI, the schema and the errors share."""

    label: Text
    type: Literal["int", "float", "choice", "choices", "bool", "text"]
    group: Text
    help: Text
    unit: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[Choice, ...] | ChoiceMaker = ()
    optional: bool = False
    advanced: bool = False
    longest: int = 0
    read: Callable[[str], str] | None = None

    def options(self, catalog: Catalog) -> tuple[Choice, ...]:
        """The closed list, made from the catalog where it depends on it."""
        return self.choices(catalog) if callable(self.choices) else self.choices


def _field(spec: Field, default: Any) -> Any:
    return dataclasses.field(default=default, metadata={"field": spec})


def whole(
    label: Text, default: int | None, *, low: int, high: int, group: Text, help: Text, unit: str = "", **more: Any
) -> Any:
    """A whole number; `default=None` makes it optional."""
    return _field(Field(label, "int", group, help, unit, low, high, optional=default is None, **more), default)


def real(
    label: Text, default: float | None, *, low: float, high: float, group: Text, help: Text, unit: str = "", **more: Any
) -> Any:
    """A real number; `default=None` makes it optional."""
    return _field(Field(label, "float", group, help, unit, low, high, optional=default is None, **more), default)


def choice(
    label: Text, default: str | None, choices: tuple[Choice, ...] | ChoiceMaker, *, group: Text, help: Text, **more: Any
) -> Any:
    """One of a closed list; `default=None` makes it optional."""
    return _field(Field(label, "choice", group, help, choices=choices, optional=default is None, **more), default)


def several(
    label: Text, default: tuple[str, ...], choices: tuple[Choice, ...] | ChoiceMaker, *, group: Text, help: Text, **more: Any
) -> Any:
    """Any number of a closed list; in a URL separated by commas."""
    return _field(Field(label, "choices", group, help, choices=choices, **more), default)


def switch(label: Text, default: bool, *, group: Text, help: Text, **more: Any) -> Any:
    """Yes or no."""
    return _field(Field(label, "bool", group, help, **more), default)


def text(label: Text, *, longest: int, read: Callable[[str], str], group: Text, help: Text, **more: Any) -> Any:
    """A text of the reader's, or a file's bytes; optional. `read` gives its short form or raises `numbers.Refused`."""
    return _field(Field(label, "text", group, help, optional=True, longest=longest, read=read, **more), None)


@dataclass(frozen=True, slots=True)
class Result:
    """What one output is: label, unit, decimals, and how sure it is.

    `cases`: the kinds of published cases that measure a `modelled` one. Its error is theirs, and stands nowhere else.
    """

    label: Text
    unit: str
    kind: Kind
    help: Text
    digits: int | None = None
    cases: tuple[str, ...] = ()
    headline: bool = False

    @property
    def band(self) -> Band | None:
        """The worst error and the worst median among its kinds, in whole percent rounded up, and all their scored cases."""
        if not self.cases:
            return None
        found = [BANDS[kind] for kind in self.cases]
        return Band(ceil(max(b.worst for b in found)), ceil(max(b.median for b in found)), sum(b.cases for b in found))


def result(label: Text, unit: str = "", *, kind: Kind, help: Text = Text(""), **more: Any) -> Any:
    """A field of `Outputs`. A `modelled` one names the published `cases` that measure it.

    An `assumed` one is a `Range` where a source gives both ends; else its help says what is assumed.
    """
    return dataclasses.field(metadata={"result": Result(label, unit, kind, help, **more)})


@dataclass(frozen=True, slots=True)
class Range:
    """An assumed quantity: what is shown is the range; `mid` is the number that sums use."""

    low: float
    high: float

    @property
    def mid(self) -> float:
        """Halfway between the ends."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the working: what, the formula in words, the numbers put in, the result, and who says so."""

    label: Text
    formula: Text
    numbers: Text
    value: float
    unit: str
    source: Text
    digits: int | None = None


class Working:
    """Collects the steps of one calculation, in order. The only thing a compute function may change.

    `drawn` is what a long run has drawn of the calculator's study: `calculators.uncertainty.draws.drawn` gives it, or the few
    hundred draws of the answer at once.
    """

    def __init__(self, drawn: "Sample | None" = None) -> None:
        self.steps: list[Step] = []
        self.drawn = drawn

    def show(
        self,
        label: Text,
        formula: Text | str,
        numbers: Text | str,
        value: float,
        unit: str,
        source: Text | str,
        digits: int | None = None,
    ) -> float:
        """Record a step and give its value back, so that a formula is written once. Plain strings serve both languages."""
        self.steps.append(Step(label, _text(formula), _text(numbers), value, unit, _text(source), digits))
        return value


def _text(words: Text | str) -> Text:
    return words if isinstance(words, Text) else Text(words)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a result table. `kind` text is left-aligned and sorts as text; `link` cells are catalog pages."""

    key: str
    label: Text
    unit: str = ""
    digits: int | None = None
    kind: Literal["number", "text", "link", "mark"] = "number"


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that leads to a page of the guide: `room` is a page family, `id` a record."""

    room: Literal["accelerators", "models", "servers"]
    id: str
    name: Text


Cell = Scalar | Text | Link | Range


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for a reader. Unknown cells are None and print as a dash."""

    id: str
    title: Text
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]
    note: Text = Text("")


@dataclass(frozen=True, slots=True)
class Series:
    """One line, one layer of a stack, one band, or the cells that one thing wins.

    `low` and `high`, one for each point, are the ends of a `fan`'s band, its P10 and P90, where the point is the P50; other kinds have none.
    """

    name: Text
    points: tuple[tuple[float | str | Text, float], ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled line across a chart; with both `x` and `y`, a labelled point."""

    label: Text
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as plain data: a library draws it, at build and in the page. `text` says in a sentence what it shows.

    stack     layers that add up, one lying bar per name.
    bar       one lying bar per name and series.
    line      curves over x.
    tornado   two series, a value at the low and at the high of each name; a mark's `y` is the base that bars start from.
    fan       a middle with its band (`low`, `high`): over a numeric x a curve and an area, over names a point and an interval.
    map       cells of a grid, even in x and y: each series has the cells (x, y) that it wins. `lines` are drawn over them,
              such as where two options cost the same; a mark with `x` and `y` is where the reader stands.
    """

    id: str
    kind: Literal["stack", "line", "bar", "tornado", "fan", "map"]
    title: Text
    x: tuple[Text, str]
    y: tuple[Text, str]
    series: tuple[Series, ...]
    text: Text
    marks: tuple[Mark, ...] = ()
    lines: tuple[Series, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A change of inputs that was run again and does what `effect` says."""

    title: Text
    change: Mapping[str, Any]
    effect: Text


@dataclass(frozen=True, slots=True)
class Preset:
    """A situation in a reader's words, and the inputs it means."""

    id: str
    title: Text
    change: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A named, sourced case: some inputs, and outputs that must come back within a relative tolerance."""

    name: str
    inputs: Mapping[str, Any]
    expected: Mapping[str, float | str | bool]
    rel: float
    source: str


class InputError(Exception):
    """Inputs that each are in range but together make no sense. Names the field to mend."""

    def __init__(self, field: str, message: Text) -> None:
        super().__init__(message.en)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Answer:
    """What a calculator gives back."""

    outputs: Any
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Calculator:
    """One calculator: its words, its inputs and outputs, and its pure function."""

    id: str
    version: int
    title: Text
    summary: Text
    inputs: type
    outputs: type
    compute: Callable[[Any, Catalog, Working], Answer]
    answer: Callable[[Any, Any, Catalog], Text]
    examples: tuple[Example, ...]
    presets: tuple[Preset, ...] = ()
    sweep: Callable[[Any, Catalog, str, Sequence[Any]], dict[str, list[float | None]] | None] | None = None
    study: Callable[[Any, Catalog], Study] | None = None
    """What is uncertain in the answer: where given, a reader can run thousands of draws of it."""

    def fields(self) -> dict[str, Field]:
        """Input name -> its `Field`, in order."""
        return {f.name: f.metadata["field"] for f in dataclasses.fields(self.inputs)}

    def defaults(self) -> dict[str, Any]:
        """Input name -> its default."""
        return {f.name: f.default for f in dataclasses.fields(self.inputs)}

    def results(self) -> dict[str, Result]:
        """Output name -> its `Result`, in order."""
        return {f.name: f.metadata["result"] for f in dataclasses.fields(self.outputs)}
