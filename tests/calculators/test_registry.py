"""Calculators are found because their module is there."""

from calculators import registry


def test_ids_are_found_and_each_has_its_calculator() -> None:
    assert {"vram-inference", "rent-or-buy"} <= set(registry.ids())
    for id in registry.ids():
        calculator = registry.find(id)
        assert calculator is not None, f"calculators/{id.replace('-', '_')}.py has no CALCULATOR"
        assert calculator.id == id


def test_no_other_module_is_reached() -> None:
    for id in ("bridge", "registry", "framework", "os", "a.b", "A", "--", "vram-inference-"):
        assert registry.find(id) is None
