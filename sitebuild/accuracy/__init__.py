"""Published cases recomputed through the functions that the calculators call: `python -m sitebuild.accuracy FILE`.

In: a YAML file of cases. Out: a line per case, a summary by kind, an exit code. A case's formula names a quantity (`adapter`) or
is an expression of money and reliability (`expressions`, in the `language` of its own).
"""
