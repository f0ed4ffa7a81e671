"""Which figures a study's page has, and what a reader is told beside each."""

from __future__ import annotations

from analysis.report.drawings import Drawing

DRAWINGS = (
    Drawing("convergence", "Convergence",
            "Distance of the compliant from the rigid motion against ε. Points carry the larger of "
            "solver and reference error and are hollow where they are no evidence. Shaded: what "
            "those errors cover, and ten times that. Thin lines: fits; thick pale lines: the "
            "predicted leading term; ×: a solve that failed.",
            "Log-log plot of the errors of q, v and λ against ε, with fitted and predicted lines; "
            "the numbers are in the error tables below"),
    Drawing("layer", "The layer",
            "The layer in its own time τ = t/ε, for several ε, with the predicted leading layer "
            "terms on top.",
            "Contact force and velocity, compliant less rigid, against τ = t/ε for several ε, with "
            "the predicted layer"),
    Drawing("pair", "The pair", "Rigid and compliant motion, overlaid.",
            "Coordinates, velocities and contact forces of the rigid and the compliant motion "
            "against time"),
    Drawing("energy", "Energy",
            "Where the energy of the compliant motion goes, and what the account leaves open.",
            "Energy accounts against time: mechanical, spring, work, damper, and the defect"),
    Drawing("drift", "Constraint drift",
            "The sliding velocity ‖G v‖: of the rigid motion what its solver leaves, of the "
            "compliant motion what the contact lets through.",
            "Sliding velocity against time on a logarithmic scale, rigid and compliant"),
    Drawing("work", "Work", "What the compliant solves cost, against ε.",
            "Counts of steps, evaluations and factorisations of every compliant solver against ε"),
)
