"""`power-cooling`: published cases, what must hold in any room, and what a reader may type."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import bridge
from calculators.facility.examples import EXAMPLES
from catalog.model import Catalog


@pytest.fixture(autouse=True)
def real(catalog: Catalog) -> None:
    """The real catalog is in the bridge; what hypothesis draws does not carry it along."""
    bridge.use(catalog)


def call(**inputs: Any) -> Any:
    """The answer through the one door."""
    return json.loads(bridge.call("power-cooling", json.dumps(inputs)))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_published_cases_come_back(example: Any, catalog: Catalog) -> None:
    bridge.use(catalog)
    found = call(**example.inputs)["outputs"]
    for name, wanted in example.expected.items():
        assert found[name] == pytest.approx(wanted, rel=example.rel)


ROOMS = st.fixed_dictionaries(
    {
        "accelerator_count": st.integers(1, 5000),
        "gpus_per_server": st.integers(1, 72),
        "server_kw": st.floats(0.1, 200),
        "utilisation_percent": st.floats(0, 100),
        "idle_power_percent": st.floats(0, 100),
        "pue": st.floats(1, 2.9),
        "tariff": st.floats(0.0001, 2),
        "demand_per_kw_month": st.floats(0, 50),
        "rack_kw": st.floats(1, 500),
    }
)


@given(ROOMS)
def test_what_holds_in_any_room(room: dict[str, Any]) -> None:
    answer = call(**room)
    found, ranges = answer["outputs"], answer["ranges"]
    assert sum(row["kwh"] for row in table(answer, "energy")) == pytest.approx(found["energy_kwh_per_year"], rel=1e-9, abs=1e-9)
    assert found["heat_btu_per_hour"] == pytest.approx(found["it_kw"] * 3412.14, rel=1e-12)
    assert found["it_kw"] == pytest.approx(found["servers"] * room["server_kw"])
    for name in ("energy_kwh_per_year", "cost_per_year"):
        low, high = ranges[name.replace("_kwh_per_year", "_range").replace("_per_year", "_range")]
        assert low <= found[name] * (1 + 1e-12)
        assert high >= found[name] * (1 - 1e-12)
    if found["racks"] is None:
        assert found["servers_per_rack"] == 0
    else:
        assert (found["racks"] - 1) * found["servers_per_rack"] < found["servers"] <= found["racks"] * found["servers_per_rack"]
    for field, more in (
        ("pue", 0.1),
        ("tariff", 0.1),
        ("server_kw", 1),
        ("demand_per_kw_month", 1),
        ("utilisation_percent", 0),
    ):
        dearer = call(**room | {field: room[field] + more})["outputs"]
        assert dearer["cost_per_year"] >= found["cost_per_year"] * (1 - 1e-12)


def table(answer: Any, id: str) -> list[dict[str, Any]]:
    """The rows of one table."""
    rows: list[dict[str, Any]] = next(t["rows"] for t in answer["tables"] if t["id"] == id)
    return rows


@pytest.mark.parametrize(
    ("rack", "server", "words"),
    [(10, 5, "air"), (40, 10, "rear-door"), (150, 50, "liquid"), (10, 10.2, "a rack of 12.8 kW is needed")],
)
def test_air_or_liquid(catalog: Catalog, rack: float, server: float, words: str) -> None:
    bridge.use(catalog)
    assert words in call(rack_kw=rack, server_kw=server)["outputs"]["cooling"]


def test_carbon_by_contract_and_of_making_are_told_apart(catalog: Catalog) -> None:
    bridge.use(catalog)
    plain = call()
    assert plain["outputs"]["market_t_per_year"] is None
    assert plain["outputs"]["embodied_t_per_year"] is None
    assert any("not counted" in n for n in plain["notes"])
    whole = call(market_factor=0, embodied_kg_per_server=3000, life_years=4)["outputs"]
    assert whole["market_t_per_year"] == 0
    assert whole["embodied_t_per_year"] == pytest.approx(0.75)
    assert whole["carbon_t_per_year"] == plain["outputs"]["carbon_t_per_year"]
    assert whole["carbon_kg_per_gpu_hour"] > plain["outputs"]["carbon_kg_per_gpu_hour"]


def test_a_place_changes_carbon_by_its_factor(catalog: Catalog) -> None:
    bridge.use(catalog)
    fixed = {"pue": 1.3, "tariff": 0.1}
    by_grid = {g.id: g.factor.value for r in catalog.regions.values() for g in r.grids}
    assert len(by_grid) >= 9
    per = {id: call(grid=id, **fixed)["outputs"]["carbon_t_per_year"] / factor for id, factor in by_grid.items()}
    assert max(per.values()) == pytest.approx(min(per.values()))


@pytest.mark.parametrize("changes", [{}, {"rack_kw": 5}, {"grid": "cn-north"}, {"grid": "eu-paris", "pue": 1.8}])
def test_suggestions_do_what_they_say(catalog: Catalog, changes: dict[str, Any]) -> None:
    bridge.use(catalog)
    before = call(**changes)
    assert before["suggestions"]
    for suggestion in before["suggestions"]:
        after = call(**changes | suggestion["change"])["outputs"]
        was = before["outputs"]
        assert (
            after["cost_per_year"] < was["cost_per_year"]
            or after["carbon_t_per_year"] < was["carbon_t_per_year"]
            or (was["racks"] is None and after["racks"])
        )


def test_a_machine_at_rest_has_no_cost_per_hour(catalog: Catalog) -> None:
    bridge.use(catalog)
    found = call(utilisation_percent=0)["outputs"]
    assert found["cost_per_gpu_hour"] is None
    assert found["carbon_kg_per_gpu_hour"] is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("pue", 0.9), ("server_kw", 0), ("grid", "mars"), ("accelerator_count", 0), ("utilisation_percent", 101)],
)
def test_bad_inputs_name_their_field(catalog: Catalog, field: str, value: Any) -> None:
    bridge.use(catalog)
    assert [e["field"] for e in call(**{field: value})["error"]["fields"]] == [field]
