"""What every shipped experiment gave, as values, and whether it still does.

    records.py      the neutral form: an experiment's tables, column by column, in one file
    rules.py        columns.toml: of which kind each column is, and how far it may move
    comparison.py   two records, column by column
    program.py      how an experiment is run and where its tables lie: the one part that knows rigidlimit
    command.py      scripts/golden

Nothing of src/ or analysis/ is used: this guards them.
"""
