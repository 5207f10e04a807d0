"""Value added tax, and income tax on costs.

In: amounts, rates as shares (0.13 = 13 %). Out: amounts or factors. Off by default wherever a calculator uses them.
Source: a recoverable input tax is no cost (for China the law on value added tax, general taxpayers; for the EU Directive
2006/112/EC, art. 168); a deductible cost saves rate x cost of income tax (Gitman, Principles of Managerial Finance).
"""


def vat_factor(rate: float, *, included: bool, recoverable: bool) -> float:
    """What one unit of a price costs: 1 unless the tax is included and can be recovered, or excluded and cannot."""
    if rate < 0:
        raise ValueError("a tax rate is at least 0")
    if included and recoverable:
        return 1 / (1 + rate)
    return 1.0 if included or recoverable else 1 + rate


def tax_shield(rate: float, deductible: float) -> float:
    """The income tax that a deductible cost or a depreciation saves, rate x amount. Raises ValueError for a rate outside 0..1."""
    if not 0 <= rate <= 1:
        raise ValueError("a tax rate is between 0 and 1")
    return rate * deductible


def duty(value: float, rate: float) -> float:
    """Import duty on the value of the goods. Raises ValueError for a rate below 0."""
    if rate < 0:
        raise ValueError("a duty is at least 0")
    return value * rate
