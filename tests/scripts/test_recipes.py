"""The recipes of scripts/recipes have the facts of the repository, and Debian's tools read their source package."""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from script_module import script

ROOT = Path(__file__).resolve().parents[2]
URL = "proto://forge.invalid/us/rigidlimit"


@pytest.fixture
def recipes(tmp_path: Path) -> ModuleType:
    module = script("recipes")
    module.OUTPUT = tmp_path
    return module


def spack_needs(text: str) -> set[str]:
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)
             and isinstance(node.func, ast.Name) and node.func.id == "depends_on"]
    return {str(ast.literal_eval(call.args[0])) for call in calls}


def relations(control: str, field: str) -> set[str]:
    """Names of the packages in the last field of that name, without versions and alternatives."""
    found = re.findall(rf"^{field}: ((?:.*\n)(?: .*\n)*)", control, re.MULTILINE)
    return {word.split()[0] for word in found[-1].replace("\n", " ").split(",")}


def test_recipes_have_version_licence_and_hash_of_the_source(recipes: ModuleType, tmp_path: Path) -> None:
    facts = recipes.collect(URL)
    citation: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    archive = tmp_path / f"rigidlimit-{citation['version']}.tar.gz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    with tarfile.open(archive) as made:
        assert f"rigidlimit-{citation['version']}/CMakeLists.txt" in made.getnames()
    address = f"{URL}/releases/download/v{citation['version']}/{archive.name}"
    recipe = yaml.safe_load(recipes.conda(facts))
    assert recipe["context"]["version"] == citation["version"] and recipe["about"]["license"] == citation["license"]
    assert recipe["source"] == {"url": address, "sha256": digest}
    assert recipe["about"]["description"].split() == citation["abstract"].split()
    package = recipes.spack(facts)
    assert f'version("{citation["version"]}", sha256="{digest}")' in package and f'url = "{address}"' in package
    compile(package, "package.py", "exec")
    assert recipes.debian(facts)["changelog"].startswith(f"rigidlimit ({citation['version']}-1) ")
    beside = recipes.collect("")
    assert yaml.safe_load(recipes.conda(beside))["source"] == {"path": f"../{archive.name}", "sha256": digest}


def test_each_recipe_needs_the_libraries_of_the_table(recipes: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = recipes.collect("")
    host = yaml.safe_load(recipes.conda(facts))["requirements"]["host"]
    assert {"sundials >=6.4,<8", "eigen >=3.4", "fmt", "libflint", "udunits2"} <= set(host)
    assert not {"gtest", "cmake", "python", "git"} & set(host)
    assert {"sundials@6.4:7+klu", "eigen@3.4:", "flint", "cmake@3.25:"} <= spack_needs(recipes.spack(facts))
    assert len(spack_needs(recipes.spack(facts))) == len(host) + len(("c", "cxx", "cmake", "ninja"))
    control = recipes.debian(facts)["control"]
    linked = relations(control, "Depends") - {"${misc:Depends}"}
    assert len(linked) > 10 and linked <= relations(control, "Build-Depends"), "cmake/debian.cmake lists them apart"
    table = recipes.table()
    del table["fmt"]
    monkeypatch.setattr(recipes, "table", lambda: table)
    assert "fmt" not in yaml.safe_load(recipes.conda(facts))["requirements"]["host"], "negative controls"
    assert "fmt" not in spack_needs(recipes.spack(facts))
    assert linked - relations(recipes.debian(facts)["control"], "Build-Depends") == {"libfmt-dev"}


def test_a_missing_fact_is_an_error(recipes: ModuleType) -> None:
    with pytest.raises(recipes.MissingFact, match=r"CITATION.cff"):
        recipes.found(r"^no such key: (\S+)$", "CITATION.cff")


@pytest.mark.skipif(not shutil.which("dpkg-source"), reason="the Debian package dpkg-dev is not installed")
def test_dpkg_source_unpacks_the_sources_and_their_packaging(recipes: ModuleType, tmp_path: Path) -> None:
    facts = recipes.collect("")
    made = recipes.write_debian(facts, tmp_path / "debian")
    subprocess.run(["dpkg-source", "-x", made, tmp_path / "tree"], check=True, capture_output=True)
    tracked = set(subprocess.check_output(["git", "ls-tree", "-r", "--name-only", "-z", "HEAD"], cwd=ROOT,
                                          text=True).split("\0"))
    unpacked = {str(file.relative_to(tmp_path / "tree")) for file in (tmp_path / "tree").rglob("*")
                if not file.is_dir() and ".pc" not in file.parts}  # of quilt
    assert unpacked - (tracked - {""}) == {f"debian/{name}" for name in recipes.debian(facts)}
    assert (tracked - {""}) - unpacked == set()
    assert (tmp_path / "tree/debian/rules").stat().st_mode & 0o111
    parsed = subprocess.run(["dpkg-parsechangelog", "-S", "Version"], cwd=tmp_path / "tree", text=True,
                            capture_output=True, check=True).stdout
    assert parsed.strip() == f"{facts.version}-1"
    source = tmp_path / f"debian/rigidlimit_{facts.version}.orig.tar.gz"
    source.write_bytes(source.read_bytes() + b"\0")
    done = subprocess.run(["dpkg-source", "-x", made, tmp_path / "again"], capture_output=True, check=False)
    assert done.returncode != 0, "negative control: another archive is refused"
