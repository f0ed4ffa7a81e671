// The equations of a system as tapes.
#pragma once

#include "rigidlimit/core/tape/tape.hpp"
#include "rigidlimit/mechanics/authored_system.hpp"

namespace rigidlimit {

/// One tape for each function of Equations and ContactGeometry, with the same order of arguments
/// and matrices column by column. Recorded once, evaluated in any type of number.
struct RecordedSystem {
  Index nq = 0, n = 0, m = 0, ne = 0, ni = 0, nc = 0, np = 0;  ///< the author's sizes

  /// e of E v = e (ne): 0, but 1 for the row of a clock (docs/theory.md, section 16).
  VectorXd exact_rates;
  Index clock = -1;          ///< the coordinate that is the time; -1: none
  bool lifted_mass = false;  ///< M has the zero block of a tangent lift, so that it is indefinite

  Tape coordinate_rate;       ///< (q, v)
  Tape restoring_rate;        ///< (q)
  Tape invariants;            ///< (q)
  Tape positions;             ///< (q)
  Tape mass_matrix;           ///< (q)
  Tape inertia_force;         ///< (q, a)
  Tape force;                 ///< (q, v, t)
  Tape potential;             ///< (q)
  Tape constraints;           ///< (q): [E; G]
  Tape constraint_drift;      ///< (q, q', v)
  Tape quasi_velocities;      ///< (q)
  Tape quasi_velocity_drift;  ///< (q, q', v)

  Tape gap;           ///< (q)
  Tape normal_rows;   ///< (q)
  Tape normal_drift;  ///< (q, v)
  Tape normal_force;  ///< (q, v, t)
};

/// N = (∂g/∂q) T (nc × n), g of the author, in the active Recording, which holds q.
ExpressionMatrix normal_rows(const AuthoredSystem& author, const ExpressionVector& q);

/// X v − [e; 0] for rows X that begin with E: zero where the exact rows hold.
ExpressionVector velocity_along(const RecordedSystem& system, const ExpressionMatrix& X,
                                const ExpressionVector& v);

/// Records the author's functions and the derived ones: M and F of a Lagrangian system
/// (docs/theory.md, section 7), the drifts and the restoring rate.
RecordedSystem recorded_system(const AuthoredSystem& author);

/// The same with the positions of joints among the invariants: q' also restores them.
RecordedSystem with_rigid_joints(const AuthoredSystem& author, RecordedSystem recorded);

}  // namespace rigidlimit
