// The one implementation of Pair: instantiate it once a system, in a translation unit of its own.
#pragma once

#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/formulations/rigid.hpp"
#include "rigidlimit/formulations/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid_semi_explicit.hpp"

namespace rigidlimit {

template <MechanicalSystem Sys>
class PairOf final : public Pair {
 public:
  explicit PairOf(const Sys& sys) : sys_(sys) {}

  Index coordinates() const override { return Sys::nq; }
  Index velocities() const override { return Sys::n; }
  Index contacts() const override { return Sys::m; }

  VectorXd sliding_velocity(const InitialState& s) const override {
    return constraint(sys_, q_of(s)) * v_of(s);
  }
  VectorXd projected_velocity(const InitialState& s) const override {
    return rigidlimit::projected_velocity(sys_, q_of(s), v_of(s));
  }
  VectorXd multiplier(const InitialState& s) const override {
    return solve_kkt(sys_, q_of(s), v_of(s), 0.0).multiplier;
  }
  MatrixXd delassus(const VectorXd& q) const override {
    return rigidlimit::delassus(sys_, Coordinates<Sys>(q));
  }
  double energy(const VectorXd& q, const VectorXd& v) const override {
    return mechanical_energy(sys_, Coordinates<Sys>(q), Velocities<Sys>(v));
  }

  MotionProblem<DaeProblem> rigid_index2(const InitialState& start) const override {
    return rigid_dae(sys_, start, MultiplierForm::index2);
  }
  MotionProblem<DaeProblem> rigid_impulse(const InitialState& start) const override {
    return rigid_dae(sys_, start, MultiplierForm::impulse);
  }
  MotionProblem<OdeProblem> rigid_eliminated(const InitialState& start) const override {
    return rigidlimit::rigid_eliminated(sys_, start);
  }
  MotionProblem<OdeProblem> compliant(const InitialState& start, const ViscoelasticLaw& law,
                                      double epsilon, const VectorXd& eta0) const override {
    return compliant_ode(sys_, start, law, epsilon, eta0);
  }
  MotionProblem<OdeProblem> rigid_reduced(const InitialState& start,
                                          const AdaptedOptions& options) const override {
    return rigidlimit::rigid_reduced(sys_, start, options);
  }
  MotionProblem<MassProblemOf<double>> rigid_semi_explicit(
      const InitialState& start) const override {
    return rigidlimit::rigid_semi_explicit(sys_, start);
  }
  MotionProblem<OdeProblem> compliant_adapted(const InitialState& start, const ViscoelasticLaw& law,
                                              double epsilon, const VectorXd& eta0,
                                              const AdaptedOptions& options) const override {
    return rigidlimit::compliant_adapted(sys_, start, law, epsilon, eta0, options);
  }

  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const override {
    if constexpr (requires { sys_.closed_form(start, times); })
      return sys_.closed_form(start, times);
    else
      return std::nullopt;
  }

 private:
  static Coordinates<Sys> q_of(const InitialState& s) { return s.q; }
  static Velocities<Sys> v_of(const InitialState& s) { return s.v; }

  Sys sys_;
};

}  // namespace rigidlimit
