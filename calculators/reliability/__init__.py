"""Interruptions: how often a job stops, how often it should save, and how long it then takes."""
