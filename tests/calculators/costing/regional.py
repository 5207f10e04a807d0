"""Inputs of `tco` that take nothing from the catalog, and strategies that draw them: what its property tests share."""

import dataclasses
from typing import Any

from hypothesis import strategies as st

from calculators.costing.fields_money import Inputs
from calculators.costing.plan import make_plan
from calculators.costing.results import Results
from calculators.framework.spec import Answer, Working
from calculators.tco import compute
from catalog.model import Catalog
from tests.calculators.finance.small_catalog import SMALL

ENTERED = Inputs(
    accelerator="unpriced",
    accelerator_count=8,
    hours_per_month=400,
    horizon_months=36,
    hourly_price=2.0,
    monthly_price=900.0,
    bare_metal_price=7000.0,
    reserved_discount_percent=30.0,
    spot_percent=45.0,
    capex_per_accelerator=20_000.0,
    used_price_per_accelerator=12_000.0,
    kw_per_accelerator=0.6,
    tariff=0.7,
    pue=1.3,
    colo_per_kw_month=500.0,
    discount_rate_percent=8.0,
    salary_per_year=200_000.0,
    vat_percent=13.0,
)
"""All seven ways, each price the reader's."""

MONEY = (
    "hourly_price",
    "monthly_price",
    "bare_metal_price",
    "capex_per_accelerator",
    "used_price_per_accelerator",
    "storage_capex",
    "install_cost",
    "used_test_cost",
    "tariff",
    "demand_charge",
    "colo_per_kw_month",
    "colo_extra_per_month",
    "salary_per_year",
    "licence_per_year",
    "own_network_per_month",
    "rent_network_per_month",
    "setup_cost",
)
"""Every input that is an amount of money."""


def change(inputs: Inputs, **fields: Any) -> Inputs:
    """The same inputs with some fields changed."""
    return dataclasses.replace(inputs, **fields)


def results(inputs: Inputs, catalog: Catalog = SMALL) -> Results:
    """What is computed, without words."""
    return Results(make_plan(inputs, catalog))


def solve(inputs: Inputs, catalog: Catalog = SMALL) -> Answer:
    """The whole answer."""
    return compute(inputs, catalog, Working())


def profiles() -> st.SearchStrategy[str | None]:
    """No profile, or a few stretches of months, some without work."""
    stretch = st.tuples(st.integers(1, 30), st.just(0.0) | st.floats(1, 700).map(lambda h: round(h, 2)))
    listed = st.lists(stretch, min_size=1, max_size=5).filter(lambda parts: parts[0][1] > 0)
    return st.none() | listed.map(lambda parts: ",".join(f"{months}x{hours:g}" for months, hours in parts))


def entered_inputs(**fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[Inputs]:
    """Every price entered, over wide but ordinary ranges; `fixed` narrows some of them."""
    fields: dict[str, st.SearchStrategy[Any]] = {
        "accelerator": st.just("unpriced"),
        "accelerator_count": st.integers(1, 64),
        "hours_per_month": st.floats(1, 730),
        "profile": profiles(),
        "horizon_months": st.integers(1, 120),
        "hourly_price": st.floats(0.1, 20),
        "billing_step": st.sampled_from(["second", "hour", "day"]),
        "session_hours": st.none() | st.floats(0.5, 100),
        "monthly_price": st.floats(50, 10_000),
        "bare_metal_price": st.floats(500, 100_000),
        "reserved_discount_percent": st.floats(0, 80),
        "reserved_term_months": st.integers(1, 36),
        "reserved_upfront_percent": st.floats(0, 100),
        "spot_percent": st.floats(10, 120),
        "spot_interrupted_every": st.floats(2, 200),
        "goodput_percent": st.floats(50, 100),
        "rent_decline_percent": st.floats(-30, 60),
        "support_percent": st.floats(0, 20),
        "rent_network_per_month": st.floats(0, 5000),
        "setup_cost": st.floats(0, 50_000),
        "capex_per_accelerator": st.floats(500, 60_000),
        "used_price_per_accelerator": st.floats(200, 40_000),
        "used_test_cost": st.floats(0, 500),
        "network_percent": st.floats(0, 30),
        "storage_capex": st.floats(0, 100_000),
        "install_cost": st.floats(0, 100_000),
        "duty_percent": st.floats(0, 20),
        "failure_percent": st.floats(0, 30),
        "spare_level_percent": st.floats(0, 99.9),
        "residual_percent": st.floats(0, 60),
        "maintenance_percent": st.floats(0, 20),
        "warranty_months": st.integers(0, 60),
        "hosting": st.sampled_from(["own-room", "colo"]),
        "kw_per_accelerator": st.floats(0.1, 2),
        "load_power_percent": st.floats(50, 100),
        "idle_power_percent": st.floats(0, 60),
        "tariff": st.floats(0.01, 2),
        "pue": st.floats(1, 2),
        "demand_charge": st.floats(0, 60),
        "colo_per_kw_month": st.floats(10, 1000),
        "colo_kw": st.none() | st.floats(1, 100),
        "colo_energy_included": st.booleans(),
        "salary_per_year": st.none() | st.floats(0, 500_000),
        "insurance_percent": st.floats(0, 3),
        "licence_per_year": st.floats(0, 5000),
        "cost_growth_percent": st.floats(-5, 15),
        "discount_rate_percent": st.floats(0, 30),
        "basis": st.sampled_from(["nominal", "real"]),
        "inflation_percent": st.floats(0, 10),
        "vat_percent": st.floats(0, 25),
        "prices_include_vat": st.booleans(),
        "vat_recoverable": st.booleans(),
        "tax_percent": st.just(0.0) | st.floats(1, 40),
        "depreciation": st.sampled_from(["straight-line", "declining", "units"]),
        "book_life_years": st.integers(1, 10),
        "book_salvage_percent": st.floats(0, 20),
        "life_hours": st.floats(500, 60_000),
    }
    return st.builds(Inputs, **(fields | fixed))
