"""Random draws of a study's variables, and what each option costs in each of them.

In: a `Study` and a seed. Out: a `Sample`, that can go on growing: its first draws stay as they are, so that the answer given at
once is the beginning of a longer run with the same seed.

Each variable is triangular between its low, base (the mode) and high, by the inverse of its distribution function from one
uniform number: `random.triangular` of CPython, https://docs.python.org/3.13/library/random.html#random.triangular. The
generator is the Mersenne Twister of `random.Random`: the same numbers on every machine.

Rank correlation by a normal copula: normal scores with correlation r = 2 sin(pi rho / 6) have Spearman's rank correlation rho,
exactly (Kruskal 1958, "Ordinal Measures of Association", J. Am. Stat. Assoc. 53(284), p. 827,
https://doi.org/10.1080/01621459.1958.10501481); a Cholesky factor mixes independent scores into correlated ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, erfc, log, pi, sin, sqrt
from random import Random

from calculators.framework.spec import Working
from calculators.uncertainty.study import Study, Uncertain

_Drawer = Callable[[], Sequence[float]]


@dataclass(slots=True)
class Sample:
    """What the options cost, draw by draw: `costs[option][draw]`, in the order of `study.options`."""

    study: Study
    seed: int
    costs: list[list[float]] = field(default_factory=list)
    _draw: _Drawer | None = None

    def __post_init__(self) -> None:
        self.costs = [[] for _ in self.study.options]
        self._draw = variables(self.study, self.seed)

    @property
    def size(self) -> int:
        """Draws so far."""
        return len(self.costs[0]) if self.costs else 0

    def grow(self, count: int) -> None:
        """Add so many draws."""
        evaluate, draw = self.study.evaluate, self._draw
        if draw is None:
            raise RuntimeError("a sample draws from when it is made")
        rows = [evaluate(draw()) for _ in range(count)]
        for held, column in zip(self.costs, zip(*rows, strict=True), strict=True):
            held.extend(column)


def sample(study: Study, draws: int | None = None) -> Sample:
    """So many draws of a study, or as many as it gives at once."""
    made = Sample(study, study.seed)
    made.grow(study.draws if draws is None else draws)
    return made


def drawn(study: Study, working: Working) -> Sample:
    """The draws that an answer rests on: those of a long run where the reader asked for one, else a few hundred.

    What was run stays in `working`, so that the answer says how many draws it rests on.
    """
    if working.drawn is None:
        working.drawn = sample(study)
    return working.drawn


def variables(study: Study, seed: int) -> _Drawer:
    """A function that draws all variables, in their order. Raises ValueError for correlations that cannot hold together."""
    random = Random(seed).random  # noqa: S311 - a simulation, no secret: it must draw the same again
    shapes = [_triangle(v) for v in study.variables]
    tied = _tied(study)
    if not tied:
        return lambda: [
            low + left * sqrt(u) if (u := random()) < turn else high - right * sqrt(1.0 - u)
            for low, high, turn, left, right in shapes
        ]
    places = [i for i, _ in tied]
    rows = [row for _, row in tied]

    def correlated() -> list[float]:
        uniform = [random() for _ in shapes]
        # Box and Muller's cosine: one score from two uniform numbers, the second of them drawn here.
        scores = [sqrt(-2.0 * log(1.0 - uniform[i])) * cos(2.0 * pi * random()) for i in places]
        for i, row in zip(places, rows, strict=True):
            mixed = sum(share * score for share, score in zip(row, scores, strict=False))
            uniform[i] = 0.5 * erfc(-mixed / sqrt(2.0))
        return [
            low + left * sqrt(u) if u < turn else high - right * sqrt(1.0 - u)
            for u, (low, high, turn, left, right) in zip(uniform, shapes, strict=True)
        ]

    return correlated


def _triangle(v: Uncertain) -> tuple[float, float, float, float, float]:
    """Low, high, the share of draws below the mode, and the factors of both roots. A pinned variable stays where it is."""
    width = v.high - v.low
    if width <= 0:
        return v.base, v.base, 0.5, 0.0, 0.0
    return v.low, v.high, (v.base - v.low) / width, sqrt(width * (v.base - v.low)), sqrt(width * (v.high - v.base))


def _tied(study: Study) -> list[tuple[int, list[float]]]:
    """The variables that are correlated with another, each with its row of the Cholesky factor."""
    index = {v.name: i for i, v in enumerate(study.variables)}
    for first, second, rho in study.correlated:
        if first not in index or second not in index or first == second or not -1 < rho < 1:
            raise ValueError(f"correlation of {first} and {second}: two different variables and -1 < rho < 1, not {rho}")
    names = list(dict.fromkeys(n for first, second, _ in study.correlated for n in (first, second)))
    place = {n: i for i, n in enumerate(names)}
    matrix = [[float(i == j) for j in range(len(names))] for i in range(len(names))]
    for first, second, rho in study.correlated:
        i, j = place[first], place[second]
        matrix[i][j] = matrix[j][i] = 2.0 * sin(pi * rho / 6.0)
    rows: list[list[float]] = []
    for i, wanted in enumerate(matrix):
        row: list[float] = []
        for j in range(i):
            done = sum(a * b for a, b in zip(row, rows[j], strict=False))
            row.append((wanted[j] - done) / rows[j][j])
        rest = 1.0 - sum(a * a for a in row)
        if rest <= 0:
            raise ValueError(f"the correlations of {', '.join(names)} contradict each other")
        rows.append([*row, sqrt(rest)])
    return [(index[n], rows[i]) for i, n in enumerate(names)]
