"""How often to save a job that can be interrupted, and how long it takes then.

In: times in one unit (all hours, or all seconds): to write a checkpoint, to restart, between interruptions of the whole job.
Out: times in that unit. `interval` is the work between two checkpoints, without the writing of one.
Assumes what the sources assume: interruptions come at random and at a constant rate (exponential), also while saving.
"""

import math


def _check(checkpoint: float, mtbi: float, restart: float = 0.0) -> None:
    if not 0 <= checkpoint < math.inf or not 0 <= restart < math.inf:
        raise ValueError("the times to save and to restart are finite and not below 0")
    if not mtbi > 0:
        raise ValueError("the mean time between interruptions is above 0")


def young(checkpoint: float, mtbi: float) -> float:
    """sqrt(2 C M), for a C that is short beside M. Raises ValueError for C < 0 or M <= 0.

    Source: Young, A first order approximation to the optimum checkpoint interval, CACM 17 (9), 1974,
    https://doi.org/10.1145/361147.361115
    """
    _check(checkpoint, mtbi)
    return math.sqrt(2 * checkpoint * mtbi)


def daly_first(checkpoint: float, mtbi: float, restart: float) -> float:
    """sqrt(2 C (M + R)): Young's with the time to restart. Raises ValueError for C < 0, R < 0 or M <= 0.

    Source: Daly, as quoted with a worked example by https://changlan.org/posts/optimal-checkpointing/
    """
    _check(checkpoint, mtbi, restart)
    return math.sqrt(2 * checkpoint * (mtbi + restart))


def daly_high(checkpoint: float, mtbi: float) -> float:
    """sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C for C < 2M, else M. Raises ValueError for C < 0 or M <= 0.

    Source: Daly, A higher order estimate of the optimum checkpoint interval for restart dumps, Future Generation Computer
    Systems 22 (3), 2006, https://doi.org/10.1016/j.future.2004.11.016
    """
    _check(checkpoint, mtbi)
    if checkpoint >= 2 * mtbi:
        return mtbi
    share = checkpoint / (2 * mtbi)
    return young(checkpoint, mtbi) * (1 + math.sqrt(share) / 3 + share / 9) - checkpoint


def availability_opt(checkpoint: float, mtbi: float, restart: float) -> float:
    """C + sqrt(2 (M + R) C + C^2): from the start of one checkpoint to the next, where the share of useful time is greatest.

    Raises ValueError for C < 0, R < 0 or M <= 0. Source: NVIDIA, https://arxiv.org/abs/2410.18124 (there Ts, Tf, Tr).
    """
    _check(checkpoint, mtbi, restart)
    return checkpoint + math.sqrt(2 * (mtbi + restart) * checkpoint + checkpoint**2)


def t_wall_expected(work: float, interval: float, checkpoint: float, restart: float, mtbi: float) -> float:
    """M exp(R/M) (exp((tau + C)/M) - 1) W/tau: the expected time for W of work saved every tau; inf where no float holds it.

    Exact for whole segments and exponential interruptions, also where C is not short beside M. Raises ValueError for W < 0,
    tau <= 0, C < 0, R < 0 or M <= 0. Source: Daly 2006, the complete model (see `daly_high`).
    """
    _check(checkpoint, mtbi, restart)
    if not 0 <= work < math.inf:
        raise ValueError("the work is finite and not below 0")
    if not 0 < interval < math.inf:
        raise ValueError("the work between two checkpoints is above 0")
    if work == 0:
        return 0.0
    if math.isinf(mtbi):
        return work * (1 + checkpoint / interval)
    try:
        return mtbi * math.exp(restart / mtbi) * math.expm1((interval + checkpoint) / mtbi) * work / interval
    except OverflowError:
        return math.inf
