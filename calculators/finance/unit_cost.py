"""What a cost is per unit of what it buys: hours, compute, tokens, a training run.

In: money and quantities on a stated basis. Out: money per unit. Every divisor must be above 0, else ValueError.
Source: definitions; per million tokens as DeepSeek's published node rates use it (US$16 an hour over 14,800 tokens/s).
"""


def _divided(cost: float, by: float, what: str) -> float:
    if by <= 0:
        raise ValueError(f"{what} must be above 0")
    return cost / by


def per_useful_hour(cost: float, paid_hours: float, paid_share: float = 1.0, goodput: float = 1.0) -> float:
    """cost / (hours paid x share of them that is used x share of those that makes progress)."""
    return _divided(cost, paid_hours * paid_share * goodput, "useful hours")


def per_tflops_month(cost_per_month: float, accelerators: float, tflops: float, achieved: float = 1.0) -> float:
    """cost a month / (accelerators x TFLOPS x share of the peak that is reached). `achieved` 1 = on the peak's own basis."""
    return _divided(cost_per_month, accelerators * tflops * achieved, "TFLOPS")


def per_million_tokens(cost_per_hour: float, tokens_per_second: float, occupancy: float = 1.0) -> float:
    """cost of an hour / (tokens/s x 3600 x share of the time in which they flow) x 10^6."""
    return _divided(cost_per_hour * 1e6, tokens_per_second * 3600 * occupancy, "tokens/s")


def per_run(cost_per_hour: float, gpu_hours: float, goodput: float = 1.0) -> float:
    """What so many useful GPU-hours cost at a price per paid GPU-hour."""
    return _divided(cost_per_hour * gpu_hours, goodput, "goodput")
