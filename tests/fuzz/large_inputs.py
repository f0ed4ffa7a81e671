"""large_inputs.py archive|store FOLDER: inputs that are too large for a corpus."""
import io
import sys
import zipfile
from pathlib import Path

HEAD = '{"name": "tiny", "provenance": {}, '
RESOLVED = '[study]\nname = "sample"\n'


def bomb():
    """A zip file of 1 MB with a result of 1 GB."""
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("resolved.toml", RESOLVED)
        with file.open("result.json", "w", force_zip64=True) as out:
            out.write((HEAD + '"a": [0').encode())
            for _ in range(1000):
                out.write(b",0" * (1 << 19))
            out.write(b"]}")
    return to.getvalue()


def many_entries():
    """A zip file with more entries than an archive may have."""
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w") as file:
        file.writestr("resolved.toml", RESOLVED)
        file.writestr("result.json", HEAD + '"claims": []}')
        file.writestr("ro-crate-metadata.json", '{"@graph": []}')
        for k in range(10_001):
            file.writestr(str(k), "")
    return to.getvalue()


def archives():
    yield "deep_lists", "r" + HEAD + '"a": ' + "[" * 200_000 + "]" * 200_000 + "}"
    yield "deep_objects", "r" + HEAD + '"a": ' + '{"": ' * 30_000 + "1" + "}" * 30_000 + "}"
    yield "keys", "r" + HEAD + ", ".join(f'"k{i}": 0' for i in range(200_000)) + "}"
    yield "values", "r" + HEAD + '"a": [0' + ",0" * 3_900_000 + "]}"
    yield "claims", "r" + HEAD + '"claims": [' + ",".join(['{"name": "x", "held": true}'] * 400_000) + "]}"
    yield "rows", "r" + HEAD + '"errors": [' + ",".join(['{"law": "x", "order": 1}'] * 400_000) + "]}"
    yield "deep_crate", "c" + "[" * 200_000 + "]" * 200_000
    yield "long_text", "r" + HEAD + '"errors": [{"law": "' + "x" * 10_000_000 + '", "order": "y"}]}'
    yield "bomb", b"z" + bomb()
    yield "many_entries", b"z" + many_entries()


def stores():
    provenance = "\ns UPDATE runs SET provenance = replace(hex(zeroblob(150000)), '0', '%s')"
    yield "provenance_lists", "\n" + (provenance % "[")[1:]
    yield "provenance_objects", "\n" + (provenance % '{"":')[1:]
    yield "grid_big", "f\ns UPDATE grids SET times = zeroblob(900000), count = 112500"
    yield "samples_big", 'f\ns UPDATE samples SET "rows" = 1, columns = 100000, data = zeroblob(800000)'


def main():
    kind, folder = sys.argv[1], Path(sys.argv[2])
    for name, content in archives() if kind == "archive" else stores():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


main()
