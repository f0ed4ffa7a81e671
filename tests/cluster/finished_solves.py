"""Prints the number of finished solves in a store that no process writes."""

import sqlite3
import sys

with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True) as store:
    print(store.execute("SELECT count(*) FROM solves WHERE status = 'finished'").fetchone()[0])
