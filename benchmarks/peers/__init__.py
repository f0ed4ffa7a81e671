"""The contact problems in NumPy, solved by SciPy and solve_dae: what a Python user gets and pays."""
