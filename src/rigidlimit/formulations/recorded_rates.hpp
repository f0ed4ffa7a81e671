// The right-hand sides of the compliant problem and of ideal rolling as tapes.
#pragma once

#include "rigidlimit/core/tape/rate_tapes.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// f of compliant_ode() in y = (q, v, η).
RateTapes recorded_natural(const System& system, const ViscoelasticLaw& law, double epsilon);

/// The same for any viscoelastic law: tapes of (y, t, p) with p = (ε, β, C, D), C and D column by
/// column.
RateTapes recorded_natural_for_any_law(const System& system);

/// f of compliant_adapted() in y = (q, u, w, ζ), with the coordinates at q0, which stay fixed. η =
/// offset + H ζ.
RateTapes recorded_adapted(const System& system, const VectorXd& q0, const ViscoelasticLaw& law,
                           double epsilon, const VectorXd& offset);

/// f of rigid_eliminated() in y = (q, v), with the contacts that are independent at q0.
RateTapes recorded_eliminated(const System& system, const VectorXd& q0);

/// f of rigid_reduced() in y = (q, u), with the coordinates at q0, which stay fixed.
RateTapes recorded_reduced(const System& system, const VectorXd& q0);

}  // namespace rigidlimit
