"""Reports of results: one HTML page per study, an index, and the figures as files.

A page is one self-contained file with its figures, data and style. The templates escape all text from
studies, and the content security policy of a page forbids other scripts.
"""

from .write import results_under, without_pages, write_report

__all__ = ["results_under", "without_pages", "write_report"]
