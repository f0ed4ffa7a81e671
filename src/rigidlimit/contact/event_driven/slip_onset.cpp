#include "rigidlimit/contact/event_driven/slip_onset.hpp"

#include <cmath>

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

/// The onset at one state.
class Onset {
 public:
  Onset(const FrictionalSystem& system, ContactStates states, const ContactTerms& terms,
        const VectorXd& compliance)
      : system_(system), states_(std::move(states)), terms_(terms), compliance_(compliance) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const ContactPoint& contact = system.contacts[i];
      if (!states_[i].begins || states_[i].direction.size() < 2) continue;
      const auto w = terms.rate.segment(contact.first, contact.components);
      if (w.norm() < least_directed_speed) open_.push_back(i);
    }
  }

  /// Newton's method on the angles from those of `states`. Its slope by finite differences affects
  /// only the convergence.
  ContactStates solved() {
    const auto k = static_cast<Index>(open_.size());
    if (k == 0) return states_;
    VectorXd value = across();
    const double round_off = 1e-15 * terms_.free.cwiseAbs().maxCoeff();
    for (int iteration = 0; iteration < 12; ++iteration) {
      if (!(value.cwiseAbs().maxCoeff() > round_off)) break;
      const ContactStates here = states_;
      MatrixXd slope(k, k);
      constexpr double increment = 1e-7;
      for (Index j = 0; j < k; ++j) {
        turn(increment * VectorXd::Unit(k, j));
        slope.col(j) = (across() - value) / increment;
        states_ = here;
      }
      const VectorXd step = -LuFactors<double>(slope).solve(value);
      if (!step.allFinite() || step.cwiseAbs().maxCoeff() > 0.5) return states_;
      turn(step);
      const VectorXd next = across();
      if (!(next.norm() < value.norm())) return here;  // at the limit of round-off
      value = next;
    }
    return states_;
  }

 private:
  void turn(const VectorXd& angles) {
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const double angle = angles(static_cast<Index>(k));
      states_[open_[k]].direction = Eigen::Rotation2Dd(angle) * states_[open_[k]].direction;
      states_[open_[k]].direction.normalize();
    }
  }

  /// d × u_t of each.
  VectorXd across() const {
    const VectorXd r = reaction_of_modes(system_, terms_.delassus, terms_.free,
                                         -exact_constraint_recovery * terms_.rate,
                                         terms_.normal_force, states_, compliance_)
                           .reaction;
    const VectorXd u = terms_.delassus * r + terms_.free;
    VectorXd across(static_cast<Index>(open_.size()));
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const Eigen::Vector2d u_t = u.segment<2>(system_.contacts[open_[k]].first);
      const VectorXd& d = states_[open_[k]].direction;
      across(static_cast<Index>(k)) = d(0) * u_t(1) - d(1) * u_t(0);
    }
    return across;
  }

  const FrictionalSystem& system_;
  ContactStates states_;
  const ContactTerms& terms_;
  const VectorXd& compliance_;
  std::vector<std::size_t> open_;
};

}  // namespace

ContactStates directions_at(const FrictionalSystem& system, ContactStates states,
                            const ContactTerms& terms, const VectorXd& compliance) {
  return Onset(system, with_directions(system, std::move(states), terms.rate), terms, compliance)
      .solved();
}

}  // namespace rigidlimit
