"""The package `analysis` under a unique name.

    >>> from rigidlimit_analysis import open_result

Python searches the script's folder first, so `import analysis` in a script analysis.py imports that script.
This module finds the package in the folder from which it was installed.
"""

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path


def _load() -> object:
    folder = str(Path(__file__).resolve().parents[2])  # this file is analysis/alias/rigidlimit_analysis.py
    spec = PathFinder.find_spec("analysis", [folder])
    if spec is None or spec.origin is None or spec.loader is None:
        raise ImportError(f"no package 'analysis' in {folder}: pip install -e analysis")
    loaded = sys.modules.get("analysis")
    if loaded is not None:
        found = getattr(loaded, "__file__", None) or "an unknown file"
        if found != spec.origin:
            raise ImportError(f"another module named 'analysis' is loaded, {found}, instead of "
                              f"{spec.origin}: rename that file, or import rigidlimit_analysis first")
        return loaded
    module = module_from_spec(spec)
    sys.modules["analysis"] = module
    spec.loader.exec_module(module)
    return module


sys.modules[__name__] = _load()  # type: ignore[assignment]
