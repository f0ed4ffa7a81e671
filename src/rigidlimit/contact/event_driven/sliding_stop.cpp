#include "rigidlimit/contact/event_driven/sliding_stop.hpp"

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

using State = std::vector<double>;

/// The rates of a state (d, ln ρ, t, v) in τ.
class RatesAtRest {
 public:
  RatesAtRest(const FrictionalSystem& system, ContactStates states, const Instant& at, Index i,
              const VectorXd& compliance)
      : system_(system),
        states_(std::move(states)),
        at_(at),
        contact_(system.contacts[static_cast<std::size_t>(i)]),
        state_(states_[static_cast<std::size_t>(i)]),
        compliance_(compliance) {
    state_.begins = false;
    ContactStates stopped = states_;
    stopped[static_cast<std::size_t>(i)] = {
        .mode = ContactMode::stick, .direction = {}, .push = state_.push};
    at_.v = velocity_within(system, stopped, at.q, at.v, compliance);
  }

  void operator()(const State& y, State& rates, double /*tau*/) {
    const Index k = contact_.components;
    const VectorXd d = direction(y), r = follow(d), turning = r - r.dot(d) * d;
    const double speed = std::exp(y[static_cast<std::size_t>(k)]);
    rates.assign(turning.begin(), turning.end());
    rates.push_back(r.dot(d));
    rates.push_back(speed);
    for (const double a : rate_.acceleration) rates.push_back(speed * a);
  }

  VectorXd direction(const State& y) const {
    return VectorXd::Map(y.data(), contact_.components).normalized();
  }

  /// r with friction against d.
  VectorXd follow(const VectorXd& d) {
    state_.direction = d;
    rate_ = piece_rate(system_, states_, at_.q, at_.v, at_.t, compliance_);
    return (rate_.terms.free + rate_.terms.delassus * rate_.reaction)
        .segment(contact_.first, contact_.components);
  }

 private:
  const FrictionalSystem& system_;
  ContactStates states_;
  Instant at_;  ///< with w = 0
  const ContactPoint& contact_;
  ContactState& state_;  ///< of this contact, in states_
  const VectorXd& compliance_;
  PieceRate rate_;
};

bool another_slides_slowly(const FrictionalSystem& system, const ContactStates& states,
                           const VectorXd& rate, Index i) {
  constexpr double slow = 1e3 * stopping_speed;
  for (Index j = 0; j < system.nc(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const ContactPoint& contact = system.contacts[k];
    if (j != i && states[k].mode == ContactMode::slip && states[k].direction.size() > 0 &&
        rate.segment(contact.first, contact.components).norm() < slow)
      return true;
  }
  return false;
}

}  // namespace

std::optional<Instant> sliding_stop(const FrictionalSystem& system, const ContactStates& states,
                                    const Instant& at, Index i, const VectorXd& compliance) {
  const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
  const VectorXd rate = contact_rows(system, at.q).rows * at.v;
  const VectorXd w = rate.segment(contact.first, contact.components);
  if (another_slides_slowly(system, states, rate, i)) return std::nullopt;

  RatesAtRest rates(system, states, at, i, compliance);
  State y(w.begin(), w.end());
  for (double& entry : y) entry /= w.norm();
  const std::size_t log_speed = y.size(), time = log_speed + 1;
  const double begin = std::log(w.norm());
  y.push_back(begin);
  y.push_back(0.0);
  y.insert(y.end(), at.v.begin(), at.v.end());

  constexpr double turn = 0.5, growth = 1.0,
                   decay = -16.0;  // rad a step, by friction; changes of ln ρ
  constexpr int most_steps = 2'000;
  boost::numeric::odeint::runge_kutta_fehlberg78<State> stepper;
  for (int step = 0; step < most_steps; ++step) {
    const VectorXd d = rates.direction(y), r = rates.follow(d);
    if (!(r.norm() > 0.0) || y[log_speed] > begin + growth) return std::nullopt;
    if (y[log_speed] < begin + decay) {
      if (r.dot(d) >= 0.0) return std::nullopt;
      Instant stopped = at;
      stopped.t += y[time] - std::exp(y[log_speed]) / r.dot(d);
      stopped.v = VectorXd::Map(y.data() + time + 1, at.v.size());  // NOLINT(*-pointer-arithmetic)
      VectorXd q_rate(system.smooth.nq);
      system.smooth.in<double>().coordinate_rate(at.q, 0.5 * (at.v + stopped.v), q_rate);
      stopped.q += (stopped.t - at.t) * q_rate;
      return stopped;
    }
    stepper.do_step(std::ref(rates), y, 0.0, 2.0 * turn / (r.norm() + rates.follow(-d).norm()));
  }
  return std::nullopt;
}

}  // namespace rigidlimit
