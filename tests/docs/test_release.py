"""The files that describe a release agree with each other and with the rules of those who read them."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import rigidlimit

ROOT = Path(__file__).resolve().parents[2]


def text(name: str) -> str:
    return (ROOT / name).read_text()


def cff() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text("CITATION.cff"))
    return found


def test_every_file_has_the_version_and_date_of_the_changelog() -> None:
    release = re.search(r"^## (\d+\.\d+\.\d+) — (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE)
    assert release is not None, "CHANGELOG.md has no line '## VERSION — DATE'"
    version, date = release.groups()
    codemeta = json.loads(text("codemeta.json"))
    cmake = re.search(r"project\(rigidlimit VERSION (\S+)", text("CMakeLists.txt"))
    assert cmake is not None
    gates = re.search(r'^__version__ = "(.*?)"', text("python/gates/rigidlimit_gates/__init__.py"), re.MULTILINE)
    assert gates
    versions = [tomllib.loads(text("pyproject.toml"))["project"]["version"],
                tomllib.loads(text("python/gates/pyproject.toml"))["project"]["version"], gates.group(1),
                cmake.group(1), cff()["version"], rigidlimit.__version__, codemeta["version"], codemeta["softwareVersion"],
                json.loads(text(".zenodo.json"))["version"]]
    assert versions == [version] * len(versions)
    assert str(cff()["date-released"]) == codemeta["datePublished"] == date
    assert f"VERSION: v{version}" in text("examples/gate/order.yml")


def test_the_citation_has_the_keys_of_its_format() -> None:
    citation = cff()
    assert {"cff-version", "message", "title", "authors", "type", "license"} <= set(citation)
    names = [author["name"] for author in citation["authors"]]
    assert names == [creator["name"] for creator in json.loads(text(".zenodo.json"))["creators"]]
    assert names == [author["name"] for author in json.loads(text("codemeta.json"))["author"]]
    for licence in (json.loads(text(".zenodo.json"))["license"], json.loads(text("codemeta.json"))["license"]):
        assert licence.endswith(citation["license"])
    assert text("LICENSE").startswith("BSD 3-Clause License") and citation["license"] == "BSD-3-Clause"


def test_the_paper_has_the_sections_and_the_length_of_its_journal() -> None:
    paper = text("paper/paper.md")
    body = paper.split("# Summary", 1)[1].split("# References")[0]
    assert 750 <= len(body.split()) <= 1750
    assert re.findall(r"^# (.*)$", paper, re.MULTILINE) == [
        "Summary", "Statement of need", "State of the field", "Software design", "Research impact statement",
        "AI usage disclosure", "References"]


def test_the_paper_cites_every_entry_of_its_bibliography_and_no_other() -> None:
    cited = set(re.findall(r"@([a-z]+\d{4})", text("paper/paper.md")))
    assert cited == set(re.findall(r"^@[a-z]+\{([a-z]+\d{4}),", text("paper/paper.bib"), re.MULTILINE))


def commands(workflow: dict[str, Any]) -> list[str]:
    """Each line of the shell in the steps of a workflow."""
    return [line for job in workflow["jobs"].values() for step in job["steps"]
            for line in step.get("run", "").splitlines()]


def unknown_scripts(lines: list[str]) -> list[str]:
    """Scripts that are not in the repository, and options that their help does not name."""
    found = []
    for words in (line.split() for line in lines if line.startswith("scripts/")):
        script = ROOT / words[0]
        options = [word for word in words[1:] if word.startswith("--")]
        if not script.exists() or not set(options) <= set(re.findall(r"--[a-z-]+", script.read_text())):
            found.append(" ".join(words))
    return found


def test_forms_and_workflows_are_valid_yaml() -> None:
    files = [*ROOT.glob(".github/**/*.yml"), *ROOT.glob("examples/**/*.yml")]
    assert len(files) >= 5
    for file in files:
        content = yaml.safe_load(file.read_text())
        if file.parent.name == "workflows":
            assert {"name", "jobs", "permissions"} <= set(content) and unknown_scripts(commands(content)) == [], file.name
        elif file.name not in ("config.yml", "order.yml"):
            assert {"name", "description", "body"} <= set(content), file.name
    assert unknown_scripts(["scripts/none", "scripts/image --none", "scripts/image --python"]) == [
        "scripts/none", "scripts/image --none"], "negative control"


def test_the_workflow_of_tests_has_the_commands_of_the_readme() -> None:
    lines = commands(yaml.safe_load(text(".github/workflows/ci.yml")))
    assert "scripts/test" in lines and any(line.startswith("scripts/reproduce") for line in lines)


def test_a_release_is_made_from_a_tag_of_its_version_and_attaches_each_product() -> None:
    workflow = yaml.safe_load(text(".github/workflows/release.yml"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}, "YAML 1.1 reads the key `on` as true"
    lines = commands(workflow)
    made = [" ".join(line.split()[:2]) for line in lines if line.startswith("scripts/")]
    assert made == ["scripts/wheel", "scripts/wheel --gates", "scripts/package", "scripts/image",
                    "scripts/recipes --repository", "scripts/wheel --python"]
    attached = " ".join(lines)
    for product in ("build/wheel*/*.whl", "build/package/*.deb", "build/image/*.oci.tar", "build/recipes"):
        assert product in attached, product
    assert workflow["permissions"] == {"contents": "read"}
    assert [job for job, rights in ((name, job.get("permissions")) for name, job in workflow["jobs"].items())
            if rights == {"contents": "write"}] == ["attach"], "one job may write, and it runs no script of the build"
    assert not [line for step in workflow["jobs"]["attach"]["steps"] for line in step.get("run", "").splitlines()
                if line.startswith("scripts/")]


@pytest.mark.parametrize(("tag", "status"), [("v{}", 0), ("v{}.1", 1), ("{}", 1), ("v0.0.0", 1)])
def test_a_release_refuses_a_tag_of_another_version(tag: str, status: int) -> None:
    workflow = yaml.safe_load(text(".github/workflows/release.yml"))
    step = next(step for job in workflow["jobs"].values() for step in job["steps"] if step.get("name") == "version")
    said = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=ROOT, check=False, capture_output=True,
                          env={"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": tag.format(cff()["version"])})
    assert said.returncode == status


def test_the_examples_ask_for_this_version() -> None:
    version = ".".join(cff()["version"].split(".")[:2])
    asked = {file: re.findall(r"find_package\(rigidlimit (\S+)", file.read_text())
             for file in [*ROOT.glob("examples/*/CMakeLists.txt"), *ROOT.glob("tests/consumer/*/CMakeLists.txt")]}
    assert len(asked) >= 4
    for file, versions in asked.items():
        assert all(v == version for v in versions if v[0].isdigit()), file
