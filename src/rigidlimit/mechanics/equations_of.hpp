// Makes a System from an author's struct: every function is called once with expressions, and
// recorded.
#pragma once

#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"

namespace rigidlimit {

template <class Sys>
concept FrictionalMechanicalSystem = MechanicalSystem<Sys> &&
    requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.contacts() } -> std::convertible_to<std::vector<ContactPoint>>;
  sys.gap(q);
};

namespace detail {

/// Compile-time number of entries that a function of q returns; 0 without contacts.
template <class Sys>
constexpr int count_contacts() {
  if constexpr (FrictionalMechanicalSystem<Sys>)
    return decltype(std::declval<const Sys&>().gap(
        std::declval<const Coordinates<Sys>&>()))::RowsAtCompileTime;
  else
    return 0;
}

}  // namespace detail

/// An author's struct as an AuthoredSystem. Missing functions are zero or have no rows.
template <MechanicalSystem Sys>
class AuthoredSystemOf final : public AuthoredSystem {
  using Q = Vector<Expression, Sys::nq>;
  using V = Vector<Expression, Sys::n>;

 public:
  explicit AuthoredSystemOf(const Sys& sys) : sys_(sys) {
    nq = Sys::nq;
    n = Sys::n;
    m = Sys::m;
    ne = exact_rows<Sys>;
    ni = invariant_count<Sys>;
    nc = detail::count_contacts<Sys>();
    lagrangian = !HasGivenMatrices<Sys>;
    lagrange_coordinates = !HasVelocityMap<Sys>;
    explicit_time = HasTimeDependentForce<Sys>;
    natural_velocities = HasQuasiVelocities<Sys>;
    has_potential = HasPotential<Sys>;
    has_dissipation = HasDissipation<Sys>;
    if constexpr (requires { sys.exact_rates(); }) {
      exact_rates = sys.exact_rates();
      clock = nq - 1;
    }
  }

  ExpressionMatrix mass_matrix([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (HasGivenMatrices<Sys>)
      return sys_.mass_matrix(Q(q));
    else
      return ExpressionMatrix::Zero(n, n);
  }
  ExpressionVector force([[maybe_unused]] const ExpressionVector& q,
                         [[maybe_unused]] const ExpressionVector& v,
                         [[maybe_unused]] const Expression& t) const override {
    if constexpr (requires { sys_.force(Q(q), V(v), t); })
      return sys_.force(Q(q), V(v), t);
    else if constexpr (requires { sys_.force(Q(q), V(v)); })
      return sys_.force(Q(q), V(v));
    else
      return nothing<!HasGivenMatrices<Sys>>(n);
  }
  Expression kinetic_coenergy([[maybe_unused]] const ExpressionVector& q,
                              [[maybe_unused]] const ExpressionVector& v) const override {
    if constexpr (HasLagrangian<Sys>)
      return sys_.kinetic_coenergy(Q(q), V(v));
    else
      return 0;
  }
  Expression dissipation([[maybe_unused]] const ExpressionVector& v) const override {
    if constexpr (requires { sys_.dissipation(V(v)); })
      return sys_.dissipation(V(v));
    else
      return nothing<!HasDissipation<Sys>>(1)(0);
  }
  ExpressionVector applied_force([[maybe_unused]] const ExpressionVector& q,
                                 [[maybe_unused]] const ExpressionVector& v,
                                 [[maybe_unused]] const Expression& t) const override {
    if constexpr (requires { sys_.applied_force(Q(q), V(v), t); })
      return sys_.applied_force(Q(q), V(v), t);
    else if constexpr (requires { sys_.applied_force(Q(q), V(v)); })
      return sys_.applied_force(Q(q), V(v));
    else
      return nothing<!HasAppliedForce<Sys>>(n);
  }
  Expression potential([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (HasPotential<Sys>)
      return sys_.potential(Q(q));
    else
      return 0;
  }
  ExpressionMatrix velocity_map([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (HasVelocityMap<Sys>)
      return sys_.velocity_map(Q(q));
    else
      return ExpressionMatrix::Identity(nq, n);
  }
  ExpressionMatrix constraints(const ExpressionVector& q) const override {
    ExpressionMatrix rows(ne + m, n);
    if constexpr (HasExactConstraint<Sys>) rows.topRows(ne) = sys_.exact_constraint(Q(q));
    rows.bottomRows(m) = sys_.constraint(Q(q));
    return rows;
  }
  ExpressionVector invariants([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (HasInvariants<Sys>)
      return sys_.invariants(Q(q));
    else
      return ExpressionVector(0);
  }
  ExpressionMatrix quasi_velocities([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (HasQuasiVelocities<Sys>)
      return sys_.quasi_velocities(Q(q));
    else
      return ExpressionMatrix(0, n);
  }
  ExpressionVector gap([[maybe_unused]] const ExpressionVector& q) const override {
    if constexpr (FrictionalMechanicalSystem<Sys>)
      return sys_.gap(Q(q));
    else
      return ExpressionVector(0);
  }
  ExpressionVector normal_force([[maybe_unused]] const ExpressionVector& q,
                                [[maybe_unused]] const ExpressionVector& v,
                                [[maybe_unused]] const Expression& t) const override {
    if constexpr (requires { sys_.normal_force(Q(q), V(v), t); })
      return sys_.normal_force(Q(q), V(v), t);
    else
      return nothing<!HasNormalForce<Sys>>(nc);
  }

  std::vector<double> switching_times() const override {
    if constexpr (requires { sys_.switching_times(); })
      return sys_.switching_times();
    else
      return {};
  }

 private:
  /// Zeros in place of a missing function.
  template <bool not_written>
  static ExpressionVector nothing(Index size) {
    static_assert(not_written, "this function must be a template on the scalar of q, v and t");
    return ExpressionVector::Zero(size);
  }

  Sys sys_;
};

/// The system of an author's struct; contacts from contacts() roll. Throws InputError if one of
/// them may open.
template <MechanicalSystem Sys>
System make_system(const Sys& sys) {
  const AuthoredSystemOf<Sys> author(sys);
  System system;
  if constexpr (FrictionalMechanicalSystem<Sys>)
    system = rolling_system_of(author, sys.contacts());
  else
    system = system_of(author);
  if constexpr (requires(const InitialState& start) { sys.closed_form(start, {}); })
    system.closed_form = [sys](const InitialState& start, const std::vector<double>& times) {
      return sys.closed_form(start, times);
    };
  return system;
}

}  // namespace rigidlimit
