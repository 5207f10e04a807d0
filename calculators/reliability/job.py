"""A job that is interrupted: how often, what an interval between checkpoints costs, how long it takes and how surely.

In: numbers in hours. Out: the job's mean time between interruptions, the best interval, mean and spread of the time that it
runs, the chance to be late. Interruptions are exponential; a restart may be interrupted too. Nothing is rounded to whole
checkpoints: the last interval counts as far as it is used.
"""

import math
from random import Random

from calculators.reliability.checkpoints import t_wall_expected

GPU_HOURS_PER_FAILURE = 54 * 24 * 16_384 / 419
"""Llama 3's 419 unplanned interruptions in 54 days on 16,384 GPUs (arXiv 2407.21783, table 5): 50,677 GPU-hours each."""
FEW = 30
"""Expected interruptions up to which the chance to be late is simulated; above, the sum of so many is close to normal."""
DRAWS = 300
LONGEST = 100 * FEW
"""Interruptions at which a run counts as late."""
SEED = 1


def job_mtbi(instances: int, instance_hours: float, gpus: int, gpu_hours: float) -> float:
    """1 / (instances / m_reclaim + GPUs / m_failure): hours between interruptions of the whole job.

    Raises ValueError where a mean time is not above 0. Source: rates of independent exponential events add.
    """
    if not instance_hours > 0 or not gpu_hours > 0:
        raise ValueError("a mean time between interruptions is above 0")
    return 1 / (instances / instance_hours + gpus / gpu_hours)


def best_interval(checkpoint: float, mtbi: float) -> float:
    """The work between checkpoints at which Daly's complete model is least: x = tau/M solves (1 - x) e^x = e^(-C/M).

    Raises ValueError for C <= 0 or M <= 0: what costs nothing to save is saved all the time. Source: the derivative of
    `t_wall_expected` by tau is 0 there (Daly 2006); the restart time does not move it.
    """
    if not checkpoint > 0 or not mtbi > 0:
        raise ValueError("the time to save and the mean time between interruptions are above 0")
    c = checkpoint / mtbi
    if c > 30:
        return mtbi  # the root is 1 to the last digit
    # g(x) = x + ln(1 - x) + c is concave and falls: from the right of the root, Newton's steps stay there and close in
    x = min(math.sqrt(2 * c), -math.expm1(-1 - c))
    for _ in range(50):
        step = (x + math.log1p(-x) + c) * (1 - x) / x
        x += step
        if abs(step) <= 1e-15 * x:
            break
    return x * mtbi


def wall(work: float, interval: float, checkpoint: float, restart: float, mtbi: float) -> float:
    """`t_wall_expected` for an interval that is not longer than the work; inf where no float holds it."""
    return t_wall_expected(work, min(interval, work), checkpoint, restart, mtbi)


def wall_with_notice(running: float, checkpoint: float, restart: float, mtbi: float) -> float:
    """T / (1 - (C + R)/M): each reclaim costs one more checkpoint and a restart, and no work; T is the time without reclaims.

    inf where reclaims come faster than that. Source: derived here: of T' hours, T'/M reclaims take C + R each. For a notice that
    is long enough to save, and that always comes.
    """
    left = 1 - (checkpoint + restart) / mtbi
    return running / left if left > 0 else math.inf


def _variance(length: float, restart: float, mtbi: float) -> float:
    """Of the time for one segment of `length` (work and checkpoint), in h^2; inf where no float holds it.

    A first attempt of `length`; after an interruption, `restart + length` without one. The waiting time for a gap of length a
    between exponential events has mean M (e^(a/M) - 1) and variance M^2 (e^(2a/M) - 2 (a/M) e^(a/M) - 1).
    """
    a = (restart + length) / mtbi
    if a > 300:
        return math.inf
    alive = math.exp(-length / mtbi)
    again = mtbi * math.expm1(a)
    spread = mtbi**2 * (math.exp(2 * a) - 2 * a * math.exp(a) - 1)
    failed = 1 - alive
    cut = mtbi * failed - length * alive  # mean of the interrupted attempt, times its chance
    cut_squared = 2 * mtbi**2 * failed - (length**2 + 2 * mtbi * length) * alive
    second = alive * length**2 + cut_squared + 2 * cut * again + failed * (spread + again**2)
    return max(0.0, second - (alive * length + cut + failed * again) ** 2)


def late(
    deadline: float, work: float, interval: float, checkpoint: float, restart: float, mtbi: float, wait: float
) -> tuple[float, bool]:
    """The chance that work and waiting take longer than `deadline`, and whether it was simulated.

    Simulated with a fixed seed where interruptions are few, else from mean and variance (a sum of many is nearly normal).
    `wait`: hours that each interruption waits for capacity, on average; exponential. 1 where the job never ends.
    """
    interval = min(interval, work)
    least = work * (1 + checkpoint / interval)
    if deadline < least:
        return 1.0, False
    expected = wall(work, interval, checkpoint, restart, mtbi)
    if not math.isfinite(expected):
        return 1.0, False
    if expected / mtbi <= FEW:
        missed = _simulated(deadline, work / interval, interval + checkpoint, restart, mtbi, wait)
        return missed / DRAWS, True
    count = expected / mtbi
    variance = work / interval * _variance(interval + checkpoint, restart, mtbi) + 2 * count * wait**2
    if not math.isfinite(variance):
        return 1.0, False
    z = (deadline - expected - count * wait) / math.sqrt(variance)
    return 0.5 * math.erfc(z / math.sqrt(2)), False


def _simulated(deadline: float, segments: float, length: float, restart: float, mtbi: float, wait: float) -> int:
    """How many of `DRAWS` runs are late. Each interruption is one step: what was saved before it stays."""
    random = Random(SEED)  # noqa: S311 - a simulation, no secret: it must draw the same again
    missed = 0
    for _ in range(DRAWS):
        now, left, starting = 0.0, segments * length, 0.0
        # to its end, however late: the same draws serve every deadline
        for _ in range(LONGEST):
            gap = random.expovariate(1 / mtbi)
            if gap >= starting + left:
                missed += now + starting + left > deadline
                break
            if gap > starting:
                left -= (gap - starting) // length * length
            now += gap + (random.expovariate(1 / wait) if wait else 0.0)
            starting = restart
        else:
            missed += 1
    return missed
