"""From the power of a server to heat, racks and carbon.

In: kW, hours, shares, factors. Out: the same quantities one step on. Energy itself: `calculators/finance/energy.py`.
"""

import math

BTU_PER_KWH = 3412.14
"""1 kW of heat in BTU/h."""
RACK_SHARE = 0.8
"""Of a rack's rating that may be loaded for long: the 80 % rule for continuous loads of US practice (NEC 210.20)."""
AIR_KW, LIQUID_KW = 20.0, 40.0
"""kW a rack up to which plain air does, and above which liquid is the rule; between them air takes rear-door coolers. Rules of thumb."""


def heat_btu(kw: float) -> float:
    """BTU/h: all the power that goes into a server leaves it as heat."""
    return kw * BTU_PER_KWH


def servers_per_rack(server_kw: float, rack_kw: float) -> int:
    """Whole servers whose greatest power fits 80 % of the rack's rating; 0 where not one does."""
    return math.floor(rack_kw * RACK_SHARE / server_kw * (1 + 1e-12))


def operational_kg(energy_kwh: float, factor: float) -> float:
    """kg CO2e: energy at the meter x the grid's factor (SCI: E x I). Source: https://sci.greensoftware.foundation/"""
    return energy_kwh * factor


def embodied_kg(total_kg: float, years: float, life_years: float) -> float:
    """kg CO2e of making the machine that fall on these years (SCI: M = TE x TS, the share of the life that is used).

    Raises ValueError for a life that is not above 0. Source: https://sci.greensoftware.foundation/
    """
    if not life_years > 0:
        raise ValueError("the life of a machine is above 0 years")
    return total_kg * min(1.0, years / life_years)
