"""scripts/image writes an OCI image whose digests are those of its contents and which runs a study by itself."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
IMAGE = Path(os.environ.get("RIGIDLIMIT_IMAGE", "missing")).absolute()
needs_image = pytest.mark.skipif(
    "RIGIDLIMIT_IMAGE" not in os.environ, reason="RIGIDLIMIT_IMAGE names no image; scripts/image builds one")
absent = [name for name in ("umoci", "dpkg-deb", "git") if not shutil.which(name)]
# Debian's packages in the layer: one file of the root and the words with which mmdebstrap was called.
MMDEBSTRAP = """#!/bin/sh
printf '%s\\n' "$@" >called
cat >archives
mkdir -p root/usr/bin && echo program >root/usr/bin/rigidlimit
for word in "$@"; do case $word in *.tar) tar --create --mtime=@0 --sort=name --file "$word" -C root . ;; esac; done
"""
APT = """#!/bin/sh
case "$*" in
  *--no-release-info*) [ -e no_lists ] && echo 'proto://mirror.invalid/debian SUITE main $(ORIGIN)' | sed "s/SUITE/$(
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)/" ;;
  *) [ -e no_lists ] || printf 'proto://%s.invalid/x %s %s %s\\n' ours "$(
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" main Debian other stable main Other ;;
esac
exit 0
"""


class Image:
    """The layout in an archive: its contents are named by their hash."""

    def __init__(self, archive: Path, folder: Path) -> None:
        subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
        self.blobs = folder / "blobs/sha256"
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        self.names = [one["annotations"]["org.opencontainers.image.ref.name"] for one in index["manifests"]]
        self.manifest = json.loads(self.blob(index["manifests"][0]))
        self.config = json.loads(self.blob(self.manifest["config"]))

    def path(self, descriptor: dict[str, Any]) -> Path:
        return self.blobs / str(descriptor["digest"]).removeprefix("sha256:")

    def blob(self, descriptor: dict[str, Any]) -> bytes:
        return self.path(descriptor).read_bytes()

    def faults(self) -> list[str]:
        """Blobs whose name is not their hash, and layers that are not those of the configuration."""
        found = [file.name for file in self.blobs.iterdir() if hashlib.sha256(file.read_bytes()).hexdigest() != file.name]
        if found:
            return found
        layers = [gzip.decompress(self.blob(one)) for one in self.manifest["layers"]]
        unpacked = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
        return [] if unpacked == self.config["rootfs"]["diff_ids"] else unpacked


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with one package, whose apt and mmdebstrap are stubs."""
    root = tmp_path / "clone"
    for name in ("scripts/image", "scripts/setup.sh", "CITATION.cff"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for name, text in (("mmdebstrap", MMDEBSTRAP), ("apt-get", APT)):
        (root / "tools").mkdir(exist_ok=True)
        (root / "tools" / name).write_text(text, encoding="utf-8")
        (root / "tools" / name).chmod(0o755)
    control = root / "package/DEBIAN/control"
    control.parent.mkdir(parents=True)
    control.write_text("Package: rigidlimit\nVersion: 9.8.7\nArchitecture: amd64\nMaintainer: A <a@example.org>\n"
                       "Description: motions\n", encoding="utf-8")
    (root / "build/package").mkdir(parents=True)
    subprocess.run(["dpkg-deb", "--build", root / "package", root / "build/package/rigidlimit_9.8.7_amd64.deb"],
                   check=True, capture_output=True)
    git = ["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "one"], check=True)
    return root


def build(clone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([clone / "scripts/image", "--no-install", *words], cwd=clone, text=True, capture_output=True,
                          check=False, env={"PATH": f"{clone / 'tools'}:/usr/bin:/bin", "HOME": str(clone)})


@pytest.mark.skipif(bool(absent), reason=f"Debian packages are missing: {', '.join(absent)}")
def test_the_image_has_the_facts_of_the_package_and_its_digests(clone: Path, tmp_path: Path) -> None:
    done = build(clone, "--with", "gcc")
    assert done.returncode == 0, done.stderr
    archive = clone / "build/image/rigidlimit.oci.tar"
    first = archive.read_bytes()
    (tmp_path / "image").mkdir()
    image = Image(archive, tmp_path / "image")
    assert image.names == ["rigidlimit"] and image.faults() == []
    config = image.config["config"]
    assert config["Entrypoint"] == ["rigidlimit"] and config["Cmd"] == ["--help"] and config["WorkingDir"] == "/work"
    assert image.config["os"] == "linux" and image.config["architecture"] == "amd64"
    assert config["Labels"]["org.opencontainers.image.version"] == "9.8.7"
    assert config["Labels"]["org.opencontainers.image.licenses"] == "BSD-3-Clause"
    with tarfile.open(fileobj=io.BytesIO(image.blob(image.manifest["layers"][0]))) as layer:
        assert "./usr/bin/rigidlimit" in layer.getnames()
    called = (clone / "called").read_text(encoding="utf-8").split("\n")
    asked = [word.removeprefix("--include=") for word in called if word.startswith("--include=")]
    assert [Path(word).name for word in asked] == ["rigidlimit_9.8.7_amd64.deb", "gcc"]
    assert not Path(asked[0]).exists(), "the copy of the package is removed"
    image.path(image.manifest["config"]).write_text("{}", encoding="utf-8")
    assert image.faults() == [image.path(image.manifest["config"]).name], "negative control"
    assert build(clone, "--with", "gcc").returncode == 0 and archive.read_bytes() == first, "the same bytes again"


@pytest.mark.skipif(bool(absent), reason=f"Debian packages are missing: {', '.join(absent)}")
def test_the_archive_is_that_of_apt_with_and_without_its_lists(clone: Path) -> None:
    codename = next(line.split("=")[1].strip() for line in Path("/etc/os-release").read_text(encoding="utf-8").split("\n")
                    if line.startswith("VERSION_CODENAME="))
    for archives, words in ((f"deb proto://ours.invalid/x {codename} main\n", []),
                            (f"deb proto://given.invalid {codename} main\n", ["--mirror", "proto://given.invalid"])):
        assert build(clone, *words).returncode == 0
        assert (clone / "archives").read_text(encoding="utf-8") == archives
    (clone / "no_lists").touch()
    assert build(clone).returncode == 0
    assert (clone / "archives").read_text(encoding="utf-8") == f"deb proto://mirror.invalid/debian {codename} main\n"
    (clone / "tools/apt-get").write_text("#!/bin/sh\n", encoding="utf-8")
    assert build(clone).returncode == 2, "negative control: apt knows no archive"


# --- The built image, in a root of its own, without a network and without a compiler

STUDY = """base = "/usr/share/rigidlimit/experiments/bases/default_regime.toml"
[study]
name = "mine"
[system]
name = "knife_edge"
mass = 1.0
inertia = 0.5
slope = 0.3
gravity = 9.81
[initial]
q = [0.0, 0.0, 0.0]
v = [0.7, 0.0, 1.3]
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of the image, with a study in its working directory."""
    folder = tmp_path_factory.mktemp("image")
    image = Image(IMAGE, folder)
    assert image.faults() == []
    made = folder / "root"
    made.mkdir()
    for layer in image.manifest["layers"]:
        subprocess.run(["tar", "-xzf", image.path(layer), "-C", made, "--exclude=./dev/*"], check=True)
    made.chmod(0o755)
    (made / "work/mine.toml").write_text(STUDY, encoding="utf-8")
    return made


def inside(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in the root, with the machine's devices and its own network, which has no interface that is up."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    start = ('mount --bind /dev "$1/dev" && exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/root '
             '/bin/sh -c \'cd /work && exec "$@"\' sh "${@:2}"')
    return subprocess.run(["unshare", *user, "--net", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc",
                           "bash", "-c", start, "bash", root, *words], text=True, capture_output=True, check=False)


@needs_image
def test_the_image_has_no_network_compiler_or_trace_of_its_machine(root: Path) -> None:
    assert inside(root, "readlink", "/proc/self/ns/net").stdout.strip() != os.readlink("/proc/self/ns/net")
    assert inside(root, "cat", "/proc/net/route").stdout.splitlines()[1:] == [], "no route leads out of it"
    compilers = [name for folder in ("usr/bin", "usr/local/bin") for pattern in ("*gcc*", "cc", "c99", "clang*", "tcc")
                 for name in (root / folder).glob(pattern)]
    assert compilers == []
    assert list((root / "usr/bin").glob("rigid*")), "negative control: the program is found that way"
    for name in ("etc/apt/sources.list", "etc/resolv.conf", "etc/hostname"):
        assert not (root / name).exists(), name
    assert list((root / "tmp").iterdir()) == [] and [one.name for one in (root / "work").iterdir()] == ["mine.toml"]


@needs_image
def test_the_image_has_the_version_of_the_project(root: Path) -> None:
    said = inside(root, "rigidlimit", "--version")
    assert said.returncode == 0, said.stderr
    version = [line.split()[1] for line in (ROOT / "CITATION.cff").read_text(encoding="utf-8").split("\n")
               if line.startswith("version:")]
    assert said.stdout.split()[:2] == ["rigidlimit", *version]


@needs_image
def test_the_image_judges_studies(root: Path) -> None:
    for name in ("mine.toml", "/usr/share/rigidlimit/experiments/convergence/knife_edge.toml"):
        said = inside(root, "rigidlimit", "check", name)
        assert said.returncode == 0, said.stdout + said.stderr
    (root / "work/mine.toml").write_text(STUDY + '[[expect]]\nquantity = "q"\norder = 3.0\n', encoding="utf-8")
    said = inside(root, "rigidlimit", "check", "mine.toml")
    assert said.returncode == 1, "negative control: " + said.stdout + said.stderr
