"""A folder of the library has at most 35 files. The three larger ones may only shrink."""

from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src/rigidlimit"
MOST = 35
LARGER = {"core": 65, "mechanics": 49, "certify": 39}


def crowded(files: dict[str, int]) -> list[str]:
    return [folder for folder, count in files.items() if count > LARGER.get(folder, MOST)]


def test_no_folder_is_crowded() -> None:
    folders = [path for path in SOURCE.rglob("*") if path.is_dir()]
    files = {str(path.relative_to(SOURCE)): sum(one.is_file() for one in path.iterdir()) for path in folders}
    assert files["cli"] > 20 and len(files) > 30
    assert crowded(files) == []
    assert crowded({"cli": MOST, "core": 66, "report": 36}) == ["core", "report"], "negative control"
