"""Money over time: discounting, loans, depreciation, energy, break-even, and the options that a buyer compares."""
