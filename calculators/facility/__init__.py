"""The room around the machines: power, heat, racks, and what the energy emits."""
