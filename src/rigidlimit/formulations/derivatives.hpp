// The derivatives of all formulations, in double whatever real number a problem is solved in.
#pragma once

#include <memory>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/adapted_frame.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// What a problem says about its right-hand side f(t, y) beside f itself.
struct OdeDerivatives {
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> jacobian;
  std::function<void(double t, VectorIn y, VectorOut dfdt)> time_derivative;
  std::shared_ptr<const FastBlock> fast;

  template <class T>
  void give_to(OdeProblemOf<T>& ode) && {
    ode.jacobian = std::move(jacobian);
    ode.time_derivative = std::move(time_derivative);
    ode.fast = std::move(fast);
  }
};

/// One function a formulation, defined beside it. They take most of the compiler's time: a
/// translation unit with other real numbers declares `extern template struct Derivatives<Sys>` and
/// takes over those of the unit that instantiates it.
template <MechanicalSystem Sys>
struct Derivatives {
  using Frame = std::shared_ptr<const AdaptedFrame<Sys>>;
  static OdeDerivatives compliant(const Sys& sys, const ViscoelasticLaw& law, double epsilon);
  static OdeDerivatives compliant_adapted(const Sys& sys, const ViscoelasticLaw& law,
                                          double epsilon, Frame frame);
  static OdeDerivatives rigid_eliminated(const Sys& sys);
  static OdeDerivatives rigid_reduced(const Sys& sys, Frame frame);
  static OdeDerivatives rigid_semi_explicit(const Sys& sys);
};

}  // namespace rigidlimit
