"""The package: its names, its import time, and its summaries at a prompt."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import made_friction
import made_store
import pytest

import rigidlimit
from rigidlimit import analysis

ROOT = Path(__file__).resolve().parents[2]


def test_importing_the_package_imports_no_library() -> None:
    """Importing matplotlib and pandas takes seconds on a slow disk; reading a table needs no matplotlib."""
    text = ("import sys; from rigidlimit import analysis; print(sorted({'pandas', 'matplotlib'} & set(sys.modules)));"
            "analysis.load; print('matplotlib' in sys.modules, 'pandas' in sys.modules)")
    said = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True,
                          check=True)
    assert said.stdout.split("\n")[:2] == ["[]", "False False"]


def test_every_public_name_exists_and_is_in_the_stub() -> None:
    stub = ast.parse((ROOT / "analysis" / "__init__.pyi").read_text(encoding="utf-8"))
    given = {alias.name: f"rigidlimit.analysis.{node.module}" for node in stub.body if isinstance(node, ast.ImportFrom)
             for alias in node.names}
    assert sorted(given) == analysis.__all__
    for name, module in given.items():
        assert getattr(analysis, name) is getattr(sys.modules[module], name), name
    assert set(analysis.__all__) <= set(dir(analysis)) and not hasattr(analysis, "nonsense")
    assert analysis.Result is rigidlimit.Result


def test_a_study_prints_as_one_line(tmp_path: Path) -> None:
    study = analysis.open_result(made_store.tiny(tmp_path / "tiny"))
    text = repr(study)
    assert text.startswith("<Result tiny: held, ") and text.endswith(" expectations>")
    assert "5, 0.1 to 0.001" in study._repr_html_() and "viscoelastic" in study._repr_html_()
    friction = analysis.open_result(made_friction.made(tmp_path / "falls"))
    assert "\n" not in repr(friction) and ": held, " in repr(friction)


def test_a_study_displays_as_a_table_in_notebooks(tmp_path: Path) -> None:
    maker = made_store.Maker(tmp_path / "x")
    study = analysis.open_result(maker.finish("<script>alert(1)</script>", None, ""))
    html = study._repr_html_()
    assert html.startswith("<table>") and "<script>" not in html and "&lt;script&gt;" in html
    assert "not judged" in html and "none solved" in html
    assert "<td" in analysis.open_result(made_friction.made(tmp_path / "falls"))._repr_html_()


def imports_in(folder: Path) -> dict[str, set[str]]:
    """The relative imports of each module, also those in functions, but not those for types alone."""
    files = {".".join(file.relative_to(folder).with_suffix("").parts): file for file in folder.rglob("*.py")}
    imports: dict[str, set[str]] = {}
    for name, file in files.items():
        found: set[str] = set()
        waiting: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                waiting += node.orelse
                continue
            waiting += ast.iter_child_nodes(node)
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*name.split(".")[:-node.level], *(node.module or "").split(".")]
                found |= {".".join(filter(None, [*base, *more])) for more in ([], *([one.name] for one in node.names))}
        imports[name] = (found & set(files)) - {name}
    return imports


@pytest.mark.parametrize(("package", "importing", "imported"), [
    ("analysis", "opening", "result"), ("python/rigidlimit", "scalar", "formulas")])
def test_modules_import_each_other_in_one_direction(package: str, importing: str, imported: str) -> None:
    imports = imports_in(ROOT / package)
    assert imported in imports[importing] and len(list(TopologicalSorter(imports).static_order())) == len(imports)
    imports[imported] |= {importing}  # negative control: as it was
    with pytest.raises(CycleError):
        TopologicalSorter(imports).prepare()
