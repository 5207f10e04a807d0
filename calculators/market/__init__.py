"""The catalog's prices as calculators use them. Two rules stand side by side, because two questions are asked.

`offers`: what this card costs an hour to try now, beside a technical answer: one quote per card, confirmed before unconfirmed,
then the newest year, then the cheapest. `prices`: what a budget is built on, hourly, monthly, bare metal and bought: the middle
of the offers that are at most a year older than the newest, because the cheapest list price is seldom to be had.
"""
