// From what an author wrote to the frictional system that everybody reads. Include it in one
// translation unit a system only: it instantiates the author's functions for three kinds of number.
#pragma once

#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

template <class Sys>
concept FrictionalMechanicalSystem = MechanicalSystem<Sys> &&
    requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.contacts() } -> std::convertible_to<std::vector<ContactPoint>>;
  sys.gap(q);
};

namespace detail {

/// Entries of what a function of q returns, known to the compiler.
template <class Sys>
inline constexpr int contact_count = decltype(std::declval<const Sys&>().gap(
    std::declval<const Coordinates<Sys>&>()))::RowsAtCompileTime;

/// g' = (∂g/∂q) T v, nc.
template <class Sys, class S>
Vector<S, contact_count<Sys>> gap_rate(const Sys& sys, const Vector<S, Sys::nq>& q,
                                       const Vector<S, Sys::n>& v) {
  const Vector<Dual<S, 1>, Sys::nq> moving = along(q, coordinate_rate(sys, q, v));
  return derivatives(Vector<Dual<S, 1>, contact_count<Sys>>(sys.gap(moving))).col(0);
}

}  // namespace detail

/// The one implementation of ContactGeometry.
template <FrictionalMechanicalSystem Sys, class S>
class ContactGeometryOf final : public ContactGeometry<S> {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;

  explicit ContactGeometryOf(const Sys& sys) : sys_(sys) {}

  void gap(In q, Out g) const override { g = sys_.gap(Q(q)); }
  void normal_rows(In q, MatrixOutOf<S> N) const override {
    for (int k = 0; k < Sys::n; ++k) N.col(k) = detail::gap_rate(sys_, Q(q), V(V::Unit(k)));
  }
  void normal_drift(In q, In v, Out drift) const override {
    using D = Dual<S, 1>;
    const Vector<D, Sys::nq> moving = along(Q(q), coordinate_rate(sys_, Q(q), V(v)));
    const Vector<D, Sys::n> v_fixed = as_constants<D>(V(v));
    drift = derivatives(detail::gap_rate(sys_, moving, v_fixed)).col(0);
  }
  void normal_force([[maybe_unused]] In q, [[maybe_unused]] In v, [[maybe_unused]] const S& t,
                    Out p) const override {
    if constexpr (requires { sys_.normal_force(Q(q), V(v), t); })
      p = sys_.normal_force(Q(q), V(v), t);
    else
      p.setZero();
  }

 private:
  using Q = Vector<S, Sys::nq>;
  using V = Vector<S, Sys::n>;
  Sys sys_;
};

/// The frictional system behind an author's struct. Throws InputError naming a contact whose rows
/// do not follow those of the one before, or whose friction or restitution cannot be.
template <FrictionalMechanicalSystem Sys>
FrictionalSystem make_frictional_system(const Sys& sys) {
  using Q = Vector<double, Sys::nq>;
  // What has kinks is solved in double precision with first derivatives: `geometry` has no more.
  FrictionalSystem system{.smooth = make_system_in<double, Along, Directions>(sys),
                          .contacts = sys.contacts(),
                          .kink_count = 0,
                          .normal_drift = {},
                          .kinks = {},
                          .closed_history = {},
                          .geometry = {std::make_shared<ContactGeometryOf<Sys, double>>(sys),
                                       std::make_shared<ContactGeometryOf<Sys, Along>>(sys),
                                       std::make_shared<ContactGeometryOf<Sys, Directions>>(sys)}};
  check_contacts(system.contacts, Sys::m, detail::contact_count<Sys>);
  const auto geometry = std::get<0>(system.geometry);
  system.normal_drift = [geometry](VectorIn q, VectorIn v, VectorOut drift) {
    geometry->normal_drift(q, v, drift);
  };
  if constexpr (requires(const Q& q) { sys.kinks(q); }) {
    system.kink_count = decltype(sys.kinks(std::declval<const Q&>()))::RowsAtCompileTime;
    system.kinks = [sys](VectorIn q, VectorOut k) { k = sys.kinks(Q(q)); };
  }
  if constexpr (requires(const InitialState& start) { sys.closed_history(start, {}); })
    system.closed_history = [sys](const InitialState& start, const std::vector<double>& times) {
      return sys.closed_history(start, times);
    };
  return system;
}

}  // namespace rigidlimit
