// The pair: one mechanical system, its rigid and its compliant problem, behind one door.
#pragma once

#include <memory>
#include <optional>

#include "rigidlimit/formulations/adapted_options.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// A system with its type erased: everything physical that a study asks for. Implemented once, by
/// PairOf (formulations/pair_of.hpp), for every system. Sizes: q nq, v n, Λ m.
class Pair {
 public:
  Pair() = default;
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  virtual ~Pair() = default;

  virtual Index coordinates() const = 0;  ///< nq
  virtual Index velocities() const = 0;   ///< n
  virtual Index contacts() const = 0;     ///< m

  virtual VectorXd sliding_velocity(const InitialState& state) const = 0;    ///< G v
  virtual VectorXd projected_velocity(const InitialState& state) const = 0;  ///< onto ker G, in M
  virtual VectorXd multiplier(const InitialState& state) const = 0;          ///< Λ at t = 0
  virtual MatrixXd delassus(const VectorXd& q) const = 0;                    ///< A = G M⁻¹ Gᵀ
  virtual double energy(const VectorXd& q, const VectorXd& v) const = 0;     ///< K* + P, J

  /// Index 2 in (q, v, Λ). `start` must be consistent.
  virtual MotionProblem<DaeProblem> rigid_index2(const InitialState& start) const = 0;
  /// Index 1 in (q, v, Π), Λ = Π'.
  virtual MotionProblem<DaeProblem> rigid_impulse(const InitialState& start) const = 0;
  /// The ODE with the multiplier eliminated.
  virtual MotionProblem<OdeProblem> rigid_eliminated(const InitialState& start) const = 0;
  /// The ODE in (q, u) with w = 0; one solve at a time unless S is natural.
  virtual MotionProblem<OdeProblem> rigid_reduced(const InitialState& start,
                                                  const AdaptedOptions& options) const = 0;
  /// Index 2 in (q, v, Λ) with a constant mass matrix. `start` must be consistent.
  virtual MotionProblem<MassProblemOf<double>> rigid_semi_explicit(
      const InitialState& start) const = 0;
  /// The stiff ODE at ε > 0 with spring deflection η(0) = eta0.
  virtual MotionProblem<OdeProblem> compliant(const InitialState& start, const ViscoelasticLaw& law,
                                              double epsilon, const VectorXd& eta0) const = 0;
  /// The same in (q, u, w, η); one solve at a time unless S is natural.
  virtual MotionProblem<OdeProblem> compliant_adapted(const InitialState& start,
                                                      const ViscoelasticLaw& law, double epsilon,
                                                      const VectorXd& eta0,
                                                      const AdaptedOptions& options) const = 0;

  /// The rigid motion by formula, where the system has one for this start.
  virtual std::optional<Motion> closed_form(const InitialState& start,
                                            const std::vector<double>& times) const = 0;
};

}  // namespace rigidlimit
