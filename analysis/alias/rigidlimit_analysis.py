"""The package `analysis` by a name of its own, which no script of yours has.

    >>> from rigidlimit_analysis import open_study

Python looks for `import analysis` beside the script first, so a script analysis.py finds itself there.
This name finds the package in the folder that it was installed from.
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
        found = getattr(loaded, "__file__", None) or "a file that is not known"
        if found != spec.origin:
            raise ImportError(f"another module named 'analysis' is in use, {found}, in place of "
                              f"{spec.origin}: rename that file, or import rigidlimit_analysis first")
        return loaded
    module = module_from_spec(spec)
    sys.modules["analysis"] = module
    spec.loader.exec_module(module)
    return module


sys.modules[__name__] = _load()  # type: ignore[assignment]
