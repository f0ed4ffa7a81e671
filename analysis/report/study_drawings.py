"""The figures of a study's page, with captions."""

from __future__ import annotations

from .drawings import Drawing

DRAWINGS = (
    Drawing("convergence", "Convergence",
            "Distance of the compliant from the rigid motion against ε. Error bars are the larger of "
            "solver and reference error; hollow points are not evidence. Dark band: the largest "
            "error bar; pale band: ten times that. Thin lines: fits; thick pale lines: the "
            "predicted leading term; ×: a failed solve.",
            "Log-log plot of the errors of q, v and λ against ε, with fitted and predicted lines; "
            "the numbers are in the error tables below"),
    Drawing("layer", "The layer",
            "The layer in its own time τ = t/ε, for several ε, with the predicted leading layer "
            "terms on top.",
            "Contact force and velocity, compliant - rigid, against τ = t/ε for several ε, with "
            "the predicted layer"),
    Drawing("pair", "The pair", "Rigid and compliant motion, overlaid.",
            "Coordinates, velocities and contact forces of the rigid and the compliant motion "
            "against time"),
    Drawing("energy", "Energy",
            "Energy balance of the compliant motion, and its defect.",
            "Energy accounts against time: mechanical, spring, work, damper, and the defect"),
    Drawing("drift", "Constraint drift",
            "The sliding velocity ‖G v‖: for the rigid motion the solver's error, for the "
            "compliant motion the compliance of the contact.",
            "Sliding velocity against time on a logarithmic scale, rigid and compliant"),
    Drawing("work", "Work", "Cost of the compliant solves against ε.",
            "Counts of steps, evaluations and factorisations of every compliant solver against ε"),
)
