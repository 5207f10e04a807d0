"""Checkpoint intervals and expected wall time: published cases, limits, the optimum, a simulation, refusals."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.finance.break_even import root
from calculators.reliability.checkpoints import availability_opt, daly_first, daly_high, t_wall_expected, young

MTBI = st.floats(1, 1e5)
SHARE = st.floats(1e-4, 1)


def test_the_worked_example_of_a_step_count() -> None:
    """changlan.org: 10 s to save, 6,000 s between interruptions, 600 s to restart, steps of 15 s: every 24 steps."""
    assert daly_first(10, 6000, 600) / 15 == pytest.approx(24, rel=0.02)


def test_all_tend_to_youngs_where_saving_is_short() -> None:
    assert availability_opt(1, 1e5, 100) / young(1, 1e5) == pytest.approx(1, rel=0.01)
    assert daly_high(1, 1e6) / young(1, 1e6) == pytest.approx(1, rel=0.002)
    assert daly_first(1, 1e6, 0) == young(1, 1e6)


def test_daly_saves_once_per_interruption_where_saving_is_long() -> None:
    assert daly_high(13, 6) == daly_high(12, 6) == 6


@given(MTBI, st.floats(1e-4, 0.1))
def test_the_higher_order_interval_is_close_to_the_best_one(mtbi: float, share: float) -> None:
    """The expected wall time at Daly's interval is within 0.5 % of its least; the least is where its slope is 0."""
    checkpoint = share * mtbi

    def slope(interval: float) -> float:
        return math.exp((interval + checkpoint) / mtbi) * (interval / mtbi - 1) + 1

    best = root(slope, 1e-9 * mtbi, mtbi)
    assert best is not None
    least = t_wall_expected(1000, best, checkpoint, 0, mtbi)
    assert t_wall_expected(1000, daly_high(checkpoint, mtbi), checkpoint, 0, mtbi) == pytest.approx(least, rel=0.005)
    assert daly_high(checkpoint, mtbi) == pytest.approx(best, rel=0.05)


@given(MTBI, SHARE, SHARE, SHARE, st.floats(1.01, 3))
def test_it_takes_at_least_the_work_and_more_of_anything_bad_is_never_quicker(
    mtbi: float, tau: float, save: float, restart: float, more: float
) -> None:
    interval, checkpoint, back = tau * mtbi, save * mtbi, restart * mtbi
    here = t_wall_expected(100, interval, checkpoint, back, mtbi)
    assert here >= 100 * (1 + checkpoint / interval)
    assert t_wall_expected(100, interval, checkpoint * more, back, mtbi) >= here
    assert t_wall_expected(100, interval, checkpoint, back * more, mtbi) >= here
    assert t_wall_expected(100, interval, checkpoint, back, mtbi / more) >= here


def simulated(work: float, interval: float, checkpoint: float, restart: float, mtbi: float, runs: int) -> tuple[float, float]:
    """Mean wall time of a job that is interrupted at random, also while it saves or restarts; and its standard error."""
    draw = random.Random(7)  # noqa: S311  a simulation wants the same draws each time, not secret ones
    times = []
    for _ in range(runs):
        passed, done = 0.0, 0.0
        while done < work:
            until = draw.expovariate(1 / mtbi)
            while until < interval + checkpoint:
                passed += until
                until = draw.expovariate(1 / mtbi)
                while until < restart:
                    passed += until
                    until = draw.expovariate(1 / mtbi)
                passed += restart
                until = draw.expovariate(1 / mtbi)
            passed, done = passed + interval + checkpoint, done + interval
        times.append(passed)
    mean = math.fsum(times) / runs
    return mean, math.sqrt(math.fsum((t - mean) ** 2 for t in times) / runs / runs)


@pytest.mark.parametrize(("checkpoint", "restart", "mtbi"), [(0.1, 0.2, 6), (0.5, 0.5, 3), (0.02, 0.0, 24)])
def test_the_expected_time_is_the_mean_of_a_simulation(checkpoint: float, restart: float, mtbi: float) -> None:
    mean, error = simulated(20, 1, checkpoint, restart, mtbi, 4000)
    assert t_wall_expected(20, 1, checkpoint, restart, mtbi) == pytest.approx(mean, abs=4 * error)


def test_limits() -> None:
    assert t_wall_expected(0, 1, 0.1, 0.1, 5) == 0
    assert t_wall_expected(100, 1, 0, 0, 1e12) == pytest.approx(100)
    assert t_wall_expected(100, 2, 0.5, 1, math.inf) == 125
    assert t_wall_expected(100, 5000, 1, 1, 1) == math.inf


REFUSED: dict[str, Callable[[], float]] = {
    "a time to save below 0": lambda: young(-1, 5),
    "no time between interruptions": lambda: young(1, 0),
    "a time to restart below 0": lambda: daly_first(1, 5, -1),
    "a time between interruptions below 0": lambda: daly_high(1, -1),
    "saving that never ends": lambda: availability_opt(math.inf, 5, 1),
    "work below 0": lambda: t_wall_expected(-1, 1, 1, 1, 1),
    "no interval": lambda: t_wall_expected(1, 0, 1, 1, 1),
    "not a number": lambda: t_wall_expected(1, 1, 1, 1, math.nan),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    with pytest.raises(ValueError, match=r"above 0|below 0"):
        REFUSED[name]()
