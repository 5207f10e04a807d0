"""Heat, racks and carbon, step by step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.facility import room


@pytest.mark.parametrize(
    ("server", "rack", "fit"), [(10.2, 40, 3), (10.2, 12.75, 1), (10.2, 12.7, 0), (0.5, 8, 12), (132, 150, 0), (4, 20, 4)]
)
def test_a_rack_is_loaded_to_four_fifths(server: float, rack: float, fit: int) -> None:
    assert room.servers_per_rack(server, rack) == fit


@given(st.floats(0.1, 200), st.floats(1, 1000))
def test_what_fits_stays_below_the_limit_and_one_more_does_not(server: float, rack: float) -> None:
    fit = room.servers_per_rack(server, rack)
    assert fit * server <= rack * room.RACK_SHARE * (1 + 1e-9)
    assert (fit + 1) * server >= rack * room.RACK_SHARE * (1 - 1e-9)


def test_a_kilowatt_is_3412_btu_an_hour() -> None:
    assert room.heat_btu(1) == pytest.approx(3412, rel=1e-4)


def test_embodied_carbon_falls_on_the_years_of_use() -> None:
    assert room.embodied_kg(1000, 1, 5) == 200
    assert room.embodied_kg(1000, 9, 5) == 1000
    with pytest.raises(ValueError, match="above 0"):
        room.embodied_kg(1000, 1, 0)
