"""Reports of results: one HTML page a study, one of all, and the figures as files.

A page is one file that fetches nothing: figures, data and style are in it. Every text that comes
from a study is escaped by the templates, and a page's policy forbids any script but its own.
"""

from analysis.report.write import results_under, write_report

__all__ = ["results_under", "write_report"]
