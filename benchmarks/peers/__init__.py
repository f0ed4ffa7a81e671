"""The contact problems in NumPy, solved by SciPy and solve_dae: error and cost in Python."""
