// The pair in 113-bit numbers: for references and for ε down to 1e-8.
#pragma once

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/adapted_options.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// The problems of Pair in Quad: right-hand sides in Quad, derivatives in double. Implemented by
/// QuadPairOf (formulations/quad_pair_of.hpp).
///
/// A start is given in double. Its velocity is first projected onto ker G in Quad, for the 1e-17 of
/// sliding that rounding leaves would be larger than the effects measured; a compliant problem
/// whose start `slides` takes it as it is. Parameters of the system are doubles: both sides of the
/// pair round them alike.
class QuadPair {
 public:
  using Ode = MotionProblem<OdeProblemOf<Quad>, Quad>;
  using Dae = MotionProblem<MassProblemOf<Quad>, Quad>;

  QuadPair() = default;
  QuadPair(const QuadPair&) = delete;
  QuadPair& operator=(const QuadPair&) = delete;
  virtual ~QuadPair() = default;

  virtual Ode compliant(const InitialState& start, const ViscoelasticLaw& law, double epsilon,
                        const VectorXd& eta0, bool slides) const = 0;
  virtual Ode compliant_adapted(const InitialState& start, const ViscoelasticLaw& law,
                                double epsilon, const VectorXd& eta0, bool slides,
                                const AdaptedOptions& options) const = 0;
  virtual Ode rigid_eliminated(const InitialState& start) const = 0;
  virtual Ode rigid_reduced(const InitialState& start, const AdaptedOptions& options) const = 0;
  virtual Dae rigid_semi_explicit(const InitialState& start) const = 0;
};

}  // namespace rigidlimit
