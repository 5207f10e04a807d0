"""Published cases recomputed through the functions that the calculators call: `python -m sitebuild.accuracy FILE`.

In: a YAML file of cases. Out: a line per case, a summary by kind, an exit code.
"""
