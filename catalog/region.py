"""Records of places: what power, cooling, room and capital cost there, and what a kWh emits.

In: nothing. Out: `Region`, its `Span`s and `Grid`s. Standard library only.
"""

from dataclasses import dataclass

from catalog.fact import Fact, known

CURRENCIES = ("CNY", "USD", "EUR")
PUE, PERCENT = "ratio", "%"


@dataclass(frozen=True, slots=True)
class Span:
    """How low and how high a number may be, and what is taken where nobody says more."""

    low: Fact = known("a low value that somebody states", units=(PUE, PERCENT, *CURRENCIES), low=0.001, high=10_000)
    base: Fact = known("the value that is used", units=(PUE, PERCENT, *CURRENCIES), low=0.001, high=10_000)
    high: Fact = known("a high value that somebody states", units=(PUE, PERCENT, *CURRENCIES), low=0.001, high=10_000)


@dataclass(frozen=True, slots=True)
class Grid:
    """A power grid in one year."""

    id: str = known("short name, unique in the region")
    name: str = known("what it is called")
    name_zh: str = known("what it is called in Chinese")
    year: int = known("the year that the factor describes", low=2000, high=2100)
    factor: Fact = known("carbon per kWh, location-based", units=("kg/kWh",), low=0.0001, high=2)


@dataclass(frozen=True, slots=True)
class Region:
    """Defaults of one region; money in its currency."""

    id: str = known("file name without .yaml")
    name: str = known("what it is called")
    name_zh: str = known("what it is called in Chinese")
    currency: str = known("ISO code of its prices here", choices=CURRENCIES)
    pue: Span = known("power usage effectiveness: energy of the building over energy of the machines")
    tariff_per_kwh: Span = known("price of a kWh to an industrial customer")
    cost_of_capital: Span = known("cost of capital a year, percent")
    colo_per_kw_month: Span | None = known("rent of a contracted kW for a month in a shared data centre", None)
    grids: tuple[Grid, ...] = known("power grids with their emission factors; the first is the default", ())
