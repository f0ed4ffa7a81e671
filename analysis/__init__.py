"""What rigidlimit wrote, as tables and figures. Reads files under results/, computes no physics.

    >>> import analysis
    >>> analysis.load("results/knife_edge").groupby("verdict").size()
    >>> analysis.plot_convergence("results/knife_edge").savefig("convergence.pdf")
"""

from analysis.convergence import convergence_data, plot_convergence
from analysis.store import AnalysisError, Curve, Motion, StudyData, load, open_study

__all__ = ["AnalysisError", "Curve", "Motion", "StudyData", "convergence_data", "load", "open_study",
           "plot_convergence"]
