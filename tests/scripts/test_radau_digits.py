"""The coefficients of the Radau IIA methods equal those computed by the script."""

import re

import pytest

from script_module import script

pytest.importorskip("mpmath")
radau_digits = script("radau_digits")


def test_the_file_equals_the_output_of_the_script():
    assert radau_digits.FILE.read_text(encoding="utf-8") == radau_digits.text()


def test_nodes_and_eigenvalues_of_three_stages_equal_their_closed_forms():
    """Hairer & Wanner II, table IV.5.6 and (IV.8.15): c = (4 -+ sqrt 6)/10, 1 and
    gamma = 30/(6 + 81^(1/3) - 9^(1/3)). Negative control: other roots are detected."""
    mp = radau_digits.mp
    mp.dps = 60
    bound = mp.mpf(10) ** -55
    first, second, last = radau_digits.nodes(3)
    assert abs(first - (4 - mp.sqrt(6)) / 10) < bound and abs(second - (4 + mp.sqrt(6)) / 10) < bound
    assert last == 1
    gamma = radau_digits.eigenvalues(3)[0]
    assert abs(gamma - 30 / (6 + mp.cbrt(81) - mp.cbrt(9))) < bound
    assert abs(gamma - 30 / (6 + mp.cbrt(82) - mp.cbrt(9))) > 1e-3


def test_every_number_has_forty_digits_except_trailing_zeros():
    digits = re.findall(r'"([0-9.]+)"', radau_digits.FILE.read_text(encoding="utf-8"))
    assert len(digits) == 2 * 20 * 21 // 2
    significant = [len(d.replace(".", "").lstrip("0")) for d in digits if d != "1.0"]
    assert max(significant) == 40 and sum(n < 38 for n in significant) <= 5
