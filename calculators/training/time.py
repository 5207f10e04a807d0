"""Training time: GPU-hours and days from arithmetic or from a measured rate. In: FLOPs or tokens. Out: hours, days."""

SECONDS_PER_HOUR = 3600.0
HOURS_PER_DAY = 24.0


def gpu_hours(flops: float, peak: float, utilisation: float) -> float:
    """C / (peak x MFU): one GPU's hours. Raises ValueError unless peak and utilisation are positive."""
    if peak <= 0 or utilisation <= 0:
        raise ValueError("peak and utilisation are positive")
    return flops / (peak * utilisation) / SECONDS_PER_HOUR


def gpu_hours_from_rate(tokens: float, tokens_per_second: float) -> float:
    """Tokens / measured tokens per second and GPU. Raises ValueError unless the rate is positive."""
    if tokens_per_second <= 0:
        raise ValueError("the rate is positive")
    return tokens / tokens_per_second / SECONDS_PER_HOUR


def scaled_hours(hours_per_trillion: float, tokens: float) -> float:
    """Hours of one trillion tokens, scaled."""
    return hours_per_trillion * tokens / 1e12


def days(hours: float, gpus: int) -> float:
    """GPU-hours over so many GPUs, in days. Raises ValueError without a GPU."""
    if gpus < 1:
        raise ValueError("at least one GPU")
    return hours / gpus / HOURS_PER_DAY
