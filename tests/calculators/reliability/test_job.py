"""A job that is interrupted, against simulations of its own and the limits of the formulas."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.reliability import job
from calculators.reliability.checkpoints import daly_high, t_wall_expected

HOURS = st.floats(0.01, 1000)
SHORT = st.floats(0.001, 2)


def simulated(work: float, interval: float, checkpoint: float, restart: float, mtbi: float, runs: int) -> list[float]:
    """Segment by segment, attempt by attempt: nothing in common with the product's own simulation."""
    random, whole = Random(7), int(work / interval)  # noqa: S311 - a simulation, no secret
    lengths = [interval + checkpoint] * whole + [(work / interval - whole) * (interval + checkpoint)]
    found = []
    for _ in range(runs):
        now = 0.0
        for length in lengths:
            needed = length
            while (gap := random.expovariate(1 / mtbi)) < needed:
                now += gap
                needed = restart + length
            now += needed
        found.append(now)
    return found


def test_rates_of_reclaims_and_failures_add() -> None:
    assert job.job_mtbi(1, 24, 8, math.inf) == pytest.approx(24)
    assert job.job_mtbi(4, 24, 8, math.inf) == pytest.approx(6)
    assert job.job_mtbi(2048, math.inf, 16_384, job.GPU_HOURS_PER_FAILURE) == pytest.approx(54 * 24 / 419)
    with pytest.raises(ValueError, match="above 0"):
        job.job_mtbi(1, 0, 8, 1000)


@given(SHORT, HOURS)
def test_no_other_interval_takes_less(checkpoint: float, mtbi: float) -> None:
    best = job.best_interval(checkpoint, mtbi)
    least = t_wall_expected(1e3, best, checkpoint, 0.1, mtbi)
    if math.isfinite(least):
        for other in (0.9 * best, 0.999 * best, 1.001 * best, 1.1 * best):
            assert t_wall_expected(1e3, other, checkpoint, 0.1, mtbi) >= least * (1 - 1e-12)


@given(st.floats(1e-6, 0.1), HOURS)
def test_daly_is_within_five_percent_where_saving_is_short(share: float, mtbi: float) -> None:
    assert job.best_interval(share * mtbi, mtbi) == pytest.approx(daly_high(share * mtbi, mtbi), rel=0.05)


@pytest.mark.parametrize(("checkpoint", "mtbi"), [(0, 1), (-1, 1), (1, 0), (1, -1)])
def test_what_costs_nothing_has_no_best_interval(checkpoint: float, mtbi: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        job.best_interval(checkpoint, mtbi)


@pytest.mark.parametrize(
    ("work", "interval", "checkpoint", "restart", "mtbi"), [(100, 0.74, 0.05, 0.3, 6), (40, 3, 0.5, 0, 4), (20, 1, 0.1, 1, 2)]
)
def test_mean_and_spread_are_those_of_a_simulation(
    work: float, interval: float, checkpoint: float, restart: float, mtbi: float
) -> None:
    runs = simulated(work, interval, checkpoint, restart, mtbi, 4000)
    mean = sum(runs) / len(runs)
    spread = sum((x - mean) ** 2 for x in runs) / len(runs)
    assert job.wall(work, interval, checkpoint, restart, mtbi) == pytest.approx(mean, rel=0.02)
    assert work / interval * job._variance(interval + checkpoint, restart, mtbi) == pytest.approx(spread, rel=0.1)
    for deadline in (mean, mean + spread**0.5):
        chance, _ = job.late(deadline, work, interval, checkpoint, restart, mtbi, 0)
        assert chance == pytest.approx(sum(x > deadline for x in runs) / len(runs), abs=0.07)


def test_a_deadline_below_the_work_is_missed_and_a_far_one_is_not() -> None:
    assert job.late(9, 10, 1, 0.1, 0.1, 50, 0) == (1.0, False)
    assert job.late(1e4, 10, 1, 0.1, 0.1, 50, 0)[0] == 0
    assert job.late(1e9, 100, 50, 1, 1, 0.01, 0) == (1.0, False)  # never ends


@given(st.floats(1, 100), SHORT, SHORT, HOURS, st.floats(0, 3))
def test_a_later_deadline_is_missed_no_more_often(
    work: float, checkpoint: float, restart: float, mtbi: float, wait: float
) -> None:
    tau = min(work, job.best_interval(checkpoint, mtbi))
    chances = [job.late(work * k, work, tau, checkpoint, restart, mtbi, wait)[0] for k in (1, 1.2, 2, 5)]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= c <= 1 for c in chances)


@given(st.floats(1, 1000), SHORT, SHORT, HOURS)
def test_notice_never_takes_less_than_no_reclaims(running: float, checkpoint: float, restart: float, mtbi: float) -> None:
    assert job.wall_with_notice(running, checkpoint, restart, mtbi) >= running
