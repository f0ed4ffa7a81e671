#include "rigidlimit/asymptotics/crossing_series.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/asymptotics/power_series.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"

namespace rigidlimit {
namespace {

/// The switching function of the state that is zero at the crossing; −1: none.
Index state_switch(const Switches& switches, const SwitchCrossing& crossing) {
  Index found = -1;
  for (const Index k : crossing.which) {
    if (switches.depends_on_time_alone(k)) continue;
    if (found >= 0)
      throw InputError(fmt::format(
          "the expansion ends at t = {:.6g}: two switches of the force that depend on the motion "
          "are crossed at once",
          crossing.t));
    found = k;
  }
  return found;
}

template <class T>
class Crossing {
 public:
  Crossing(const Switches& switches, const OuterPath<T>& path, Index nq, Index n,
           const ActingContacts<T>& contacts)
      : path_(path),
        nq_(nq),
        n_(n),
        r_(contacts.rank()),
        slide_(contacts.slow_deflection ? 1 : 2),
        sigma_(std::make_shared<const SeriesForm>(series_form(switches.tape()))) {}

  /// σ_which(q_0, v_0, t) and its rate at t.
  std::pair<T, T> along(Index which, const T& t) const {
    JetSeries<T> sigma(sigma_, 0, 1);
    const MatrixX<T> x = path_.expanded(t, 0, 1);
    for (int i = 0; i <= 1; ++i) {
      sigma.input(0, 0, i) = i == 0 ? t : T(1);
      for (Index j = 0; j < nq_ + n_; ++j) sigma.input(1 + j, 0, i) = x(j, i);
      sigma.advance(0, i);
    }
    return {sigma.output(which, 0, 0), sigma.output(which, 0, 1)};
  }

  /// The motion at t_0 + Σ t_k μ^k; `which` ≥ 0: finds t_1, t_2, ….
  StartSeries<T> series(Index which, const T& t0, const T& slope) const {
    const int order = path_.order();
    std::vector<MatrixX<T>> x;  // Taylor coefficients of each order at t_0
    for (int k = 0; k <= order; ++k) x.push_back(path_.expanded(t0, k, order - k + 1));
    JetSeries<T> sigma(sigma_, order, 0);
    StartSeries<T> at{.t = {t0}, .q = {}, .v = {}, .eta = {}};
    for (int k = 0; k <= order; ++k) {
      if (k > 0) at.t.push_back(T(0));
      VectorX<T> state = shifted_coefficient(x, powers_of(at.t, k), k, k);
      if (which >= 0) {
        set(sigma, k, at.t.back(), state);
        if (k > 0) {
          at.t.back() = -sigma.output(which, k, 0) / slope;
          state = shifted_coefficient(x, powers_of(at.t, k), k, k);
          set(sigma, k, at.t.back(), state);
        }
      }
      at.q.push_back(state.head(nq_));
      at.v.push_back(state.segment(nq_, n_));
      at.eta.push_back(state.tail(r_));
    }
    // w = μ^p η': of the order K + 1 it is η' of the order K + 1 − p.
    const int back = order + 1 - slide_;
    at.next_sliding = VectorX<T>::Zero(r_);
    if (back >= 0) {
      for (MatrixX<T>& c : x)
        for (Index i = 1; i < c.cols(); ++i) c.col(i - 1) = T(i) * c.col(i);  // the rates
      at.next_sliding = shifted_coefficient(x, powers_of(at.t, back), back, back).tail(r_);
    }
    return at;
  }

 private:
  void set(JetSeries<T>& sigma, int k, const T& t, const VectorX<T>& state) const {
    sigma.input(0, k, 0) = t;
    for (Index j = 0; j < nq_ + n_; ++j) sigma.input(1 + j, k, 0) = state(j);
    sigma.advance(k, 0);
  }

  const OuterPath<T>& path_;
  Index nq_, n_, r_;
  int slide_;  ///< w = μ^p η'
  std::shared_ptr<const SeriesForm> sigma_;
};

}  // namespace

template <class T>
StartSeries<T> crossing_series(const Switches& switches, const SwitchCrossing& crossing,
                               const OuterPath<T>& before, Index nq, Index n,
                               const ActingContacts<T>& contacts) {
  using std::abs;
  const Index which = state_switch(switches, crossing);
  const Crossing<T> found(switches, before, nq, n, contacts);
  T t0(crossing.t), slope(0);
  if (which >= 0)
    for (int i = 0; i < 4; ++i) {  // Newton, from a root in double
      const auto [value, rate] = found.along(which, t0);
      slope = rate;
      t0 -= value / slope;
    }
  StartSeries<T> at = found.series(which, t0, slope);
  constexpr double longest = 1e6;  // s: the rate vanishes but for rounding
  for (const T& t : at.t)
    if (!(abs(t) < longest))
      throw InputError(
          fmt::format("the expansion ends at t = {:.6g}: the motion reaches a switch "
                      "of the force at zero speed",
                      crossing.t));
  return at;
}

template StartSeries<double> crossing_series(const Switches&, const SwitchCrossing&,
                                             const OuterPath<double>&, Index, Index,
                                             const ActingContacts<double>&);
template StartSeries<Quad> crossing_series(const Switches&, const SwitchCrossing&,
                                           const OuterPath<Quad>&, Index, Index,
                                           const ActingContacts<Quad>&);

}  // namespace rigidlimit
