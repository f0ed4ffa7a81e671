"""The numbers of the pages equal those of the golden files; a changed number is detected."""

import pytest
from golden import command, figures, records
from golden.records import CorpusError, Record, Table

CORPUS = figures.Corpus(command.CORPUS)
PAGE = """before
<!-- scripts/golden figures: composite -->

| system | note | q | v | λ |
| --- | --- | --- | --- | --- |
| knife edge | by hand | 1 | 2 | 3 |

| knife edge | 1 |
"""


def made(place, orders: dict[str, float]) -> figures.Corpus:
    series = Table({"norm": ["sup"] * 3, "window": ["all"] * 3, "quantity": list(orders),
                    "order": list(orders.values()), "standard_error": [0.002] * 3})
    record = Record("knife_edge_composite", "smooth", "x.toml", [], {}, {"series": series})
    records.write(record, place / f"knife_edge_composite{records.ENDING}")
    return figures.Corpus(place)


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_the_numbers_of_a_page_equal_the_golden_files(page) -> None:
    text = page.read_text(encoding="utf-8")
    assert figures.MARK.search(text), "the page has such a table"
    assert figures.page_text(text, CORPUS) == text, "scripts/golden figures writes them anew"


def test_every_table_is_on_a_page() -> None:
    used = [name for page in figures.PAGES for name in figures.MARK.findall(page.read_text(encoding="utf-8"))]
    assert sorted(used) == sorted(figures.TABLES)


def test_only_numbers_are_replaced(tmp_path) -> None:
    text = figures.page_text(PAGE, made(tmp_path, {"q": 2.9876, "v": -0.0001, "lambda": 1.0}))
    assert "| knife edge | by hand | 2.988 ± 2e-03 | 0 ± 2e-03 | 1.000 ± 2e-03 |" in text
    assert text.endswith("\n| knife edge | 1 |\n") and text.startswith("before\n"), "the next table is another"
    again = figures.Corpus(tmp_path)
    assert figures.page_text(text, again) == text
    assert figures.page_text(text.replace("2.988", "2.993"), again) == text, "drift is seen, and mended"


def test_unknown_marks_rows_and_columns_are_errors_with_their_line(tmp_path) -> None:
    corpus = made(tmp_path, {"q": 2.0, "v": 1.0, "lambda": 0.0})
    for page, said in ((PAGE.replace("composite", "composit"), "line 2: no table 'composit'"),
                       (PAGE.replace("| λ |", "| force |"), "line 6: no column 'λ'"),
                       (PAGE.replace("| knife edge | by", "| spoon | by"), "line 6: no numbers for the row 'spoon'"),
                       (PAGE.replace("| knife edge | by", "| rolling disc | by"), "is missing")):
        with pytest.raises(CorpusError, match=said):
            figures.page_text(page, corpus)


def test_a_page_with_outdated_numbers_fails_the_check(tmp_path, monkeypatch, capsys) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(figures, "PAGES", (page,))
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.main(["figures", "--check"]) == 1 and page.read_text(encoding="utf-8") == PAGE
    assert command.main(["figures"]) == 0 and page.read_text(encoding="utf-8") != PAGE
    assert command.main(["figures", "--check"]) == 0


def test_numbers_have_the_digits_of_their_error_bars() -> None:
    assert figures.with_bar(0.999924, 6.0e-5) == "0.99992 ± 6e-05"
    assert figures.with_bar(1.0, 9.7e-5) == "1.0000 ± 1e-04", "rounded up, the bar has a digit less"
    assert figures.with_bar(-1e-20, 4e-18) == "0 ± 4e-18", "no bar of zeros"
    assert figures.with_bar(1.0, 0.0) == "1"
    assert figures.short(-8.64e-4) == "−8.6e-4" and figures.fixed(-0.0001, 3) == "0.000"
