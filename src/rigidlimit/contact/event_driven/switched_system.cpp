#include "rigidlimit/contact/event_driven/switched_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigidlimit {

void SwitchedSystem::set_sides(Sides sides) {
  sides_ = std::move(sides);
  if (sides_.empty()) return;
  const auto known = pieces_.find(sides_);
  now_ = known != pieces_.end()
             ? &known->second
             : &pieces_.emplace(sides_, with_sides(whole_, sides_)).first->second;
}

void SwitchedSystem::flip(Index which) {
  Sides sides = sides_;
  sides[static_cast<std::size_t>(which)] *= -1;
  set_sides(std::move(sides));
}

VectorXd SwitchedSystem::values(double t, VectorIn q, VectorIn v) const {
  if (count() == 0) return {};
  return whole_.smooth.switches->values(t, q, v).cwiseProduct(
      Eigen::Map<const Vector<int, Eigen::Dynamic>>(sides_.data(), count()).cast<double>());
}

VectorXd SwitchedSystem::rates(double t, VectorIn q, VectorIn v, VectorIn q_rate,
                               VectorIn v_rate) const {
  if (count() == 0) return {};
  return whole_.smooth.switches->rates(t, q, v, 1.0, q_rate, v_rate)
      .cwiseProduct(
          Eigen::Map<const Vector<int, Eigen::Dynamic>>(sides_.data(), count()).cast<double>());
}

VectorXd SwitchedSystem::change(double t, VectorIn q, VectorIn v, const VectorXd& d) const {
  VectorXd sum = VectorXd::Zero(count());
  if (count() == 0) return sum;
  const Switches& switches = *whole_.smooth.switches;
  for (Index k = 0; k < d.size(); ++k) {
    const VectorXd along = VectorXd::Unit(d.size(), k);
    sum +=
        d(k) * switches.rates(t, q, v, along(0), along.segment(1, q.size()), along.tail(v.size()))
                   .cwiseAbs();
  }
  return sum;
}

VectorXd SwitchedSystem::roundings(double t, VectorIn q, VectorIn v) const {
  constexpr double roundings = 1e2 * std::numeric_limits<double>::epsilon(), least = 1e-14;
  VectorXd x(1 + q.size() + v.size());
  x << t, q, v;
  return change(t, q, v, (roundings * x.cwiseAbs()).cwiseMax(least));
}

std::vector<Index> SwitchedSystem::left_at_once(double t, VectorIn q, VectorIn v, VectorIn q_rate,
                                                VectorIn v_rate, double size) const {
  std::vector<Index> left;
  if (count() == 0) return left;
  constexpr double relative = 1e-9;
  const VectorXd sigma = values(t, q, v), rate = rates(t, q, v, q_rate, v_rate);
  const VectorXd zero = 2.0 * roundings(t, q, v);
  const VectorXd least =
      change(t, q, v, VectorXd::Constant(1 + q.size() + v.size(), relative * size));
  for (Index k = 0; k < count(); ++k)
    if (!depends_on_time_alone(k) && std::abs(sigma(k)) <= zero(k) && rate(k) < -least(k))
      left.push_back(k);
  return left;
}

std::optional<Switches::Instant> SwitchedSystem::next_instant(double t, double end) const {
  if (!whole_.smooth.switches) return std::nullopt;
  const std::vector<Switches::Instant>& all = whole_.smooth.switches->instants(end);
  const auto next = std::ranges::upper_bound(all, t, {}, &Switches::Instant::t);
  if (next == all.end()) return std::nullopt;
  return *next;
}

}  // namespace rigidlimit
