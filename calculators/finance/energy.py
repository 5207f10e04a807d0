"""Electricity: from power at load to energy.

In: kW of IT load, hours, shares between 0 and 1, PUE. Out: kWh at the meter.
Source: kWh = kW x hours x (idle + (1 - idle) x utilisation) x PUE; PUE as The Green Grid defines it (facility / IT energy).
"""


def energy_kwh(kw: float, hours: float, util: float = 1.0, pue: float = 1.0, idle: float = 0.0) -> float:
    """Energy over `hours`, of which the share `util` runs at `kw` and the rest at `idle` x `kw`.

    Raises ValueError for a utilisation or an idle share outside 0..1, or a PUE below 1.
    """
    if not 0 <= util <= 1 or not 0 <= idle <= 1:
        raise ValueError("utilisation and idle share are between 0 and 1")
    if pue < 1:
        raise ValueError("a PUE is at least 1")
    return kw * hours * (idle + (1 - idle) * util) * pue


def demand_charge(kw: float, rate_per_kw_month: float, months: float = 1.0, pue: float = 1.0) -> float:
    """What the grid operator asks for the highest load, whatever was used: kW at the meter x rate x months (two-part tariff)."""
    return kw * pue * rate_per_kw_month * months
