// The one implementation of QuadPair: instantiate it once a system, in a translation unit of its
// own that takes over the derivatives of another (formulations/derivatives.hpp).
#pragma once

#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/formulations/quad_pair.hpp"
#include "rigidlimit/formulations/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid_semi_explicit.hpp"

namespace rigidlimit {

template <MechanicalSystem Sys>
class QuadPairOf final : public QuadPair {
 public:
  explicit QuadPairOf(const Sys& sys) : sys_(sys) {}

  Ode compliant(const InitialState& start, const ViscoelasticLaw& law, double epsilon,
                const VectorXd& eta0, bool slides) const override {
    return compliant_ode(sys_, in_quad(start, slides), law, epsilon, eta0);
  }
  Ode compliant_adapted(const InitialState& start, const ViscoelasticLaw& law, double epsilon,
                        const VectorXd& eta0, bool slides,
                        const AdaptedOptions& options) const override {
    return rigidlimit::compliant_adapted(sys_, in_quad(start, slides), law, epsilon, eta0, options);
  }
  Ode rigid_eliminated(const InitialState& start) const override {
    return rigidlimit::rigid_eliminated(sys_, in_quad(start, false));
  }
  Ode rigid_reduced(const InitialState& start, const AdaptedOptions& options) const override {
    return rigidlimit::rigid_reduced(sys_, in_quad(start, false), options);
  }
  Dae rigid_semi_explicit(const InitialState& start) const override {
    return rigidlimit::rigid_semi_explicit(sys_, in_quad(start, false));
  }

 private:
  InitialStateOf<Quad> in_quad(const InitialState& start, bool slides) const {
    const Vector<Quad, Sys::nq> q = start.q.template cast<Quad>();
    Vector<Quad, Sys::n> v = start.v.template cast<Quad>();
    if (!slides) v = projected_velocity(sys_, q, v);
    return {q, v};
  }

  Sys sys_;
};

}  // namespace rigidlimit
