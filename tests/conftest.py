"""Programs print in the width of files: pytest-xdist sets COLUMNS in its processes, which tables obey."""

import os

os.environ.pop("COLUMNS", None)
