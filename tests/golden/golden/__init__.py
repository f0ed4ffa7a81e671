"""The results of all experiments as stored values, and their comparison with the current program.

    records.py      the neutral format: the tables of an experiment, column by column, in one file
    rules.py        columns.toml: the kind of each column and its bounds
    comparison.py   comparison of two records, column by column
    program.py      runs experiments and reads their tables; the only part that depends on rigidlimit
    command.py      scripts/golden

This package uses nothing of src/ or analysis/, because it checks them.
"""
