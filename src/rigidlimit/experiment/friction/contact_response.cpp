#include "rigidlimit/experiment/friction/contact_response.hpp"

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

ContactResponse contact_response(const FrictionalSystem& system, const ContactStates& states,
                                 const std::vector<bool>& elastic, const VectorXd& q,
                                 const VectorXd& v, double t) {
  const ContactTerms terms = contact_terms(system, q, v, t);
  ContactResponse made;
  ContactStates others = with_directions(system, states, terms.rate);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!elastic[i]) continue;
    const ContactPoint& contact = system.contacts[i];
    others[i].mode = ContactMode::slip;
    others[i].direction = VectorXd();  // closed, without friction
    for (Index k = 0; k < contact.components; ++k) made.rows.push_back(contact.first + k);
  }
  const auto count = static_cast<Index>(made.rows.size());
  const ModeUnknowns unknowns = unknowns_of(system, terms.normal_force, others);
  VectorXd reaction = unknowns.r0;
  MatrixXd change = MatrixXd::Zero(system.forces(), count);  // of the reaction (−λ, p) with λ
  for (Index k = 0; k < count; ++k) change(made.rows[static_cast<std::size_t>(k)], k) = -1.0;
  if (!unknowns.held.empty()) {
    const LeastSolution solution((terms.delassus * unknowns.R)(unknowns.held, Eigen::all),
                                 rank_of_modes);
    const VectorXd off =
        -exact_constraint_recovery * terms.rate - terms.free - terms.delassus * reaction;
    const MatrixXd off_change = -terms.delassus * change;
    reaction += unknowns.R * VectorXd(solution.of(MatrixXd(off(unknowns.held))));
    change += unknowns.R * solution.of(MatrixXd(off_change(unknowns.held, Eigen::all)));
  }
  made.sliding = terms.rows(made.rows, Eigen::all);
  made.acceleration = terms.acceleration + terms.response * reaction;
  made.response = -terms.response * change;
  made.sliding_rate = VectorXd(terms.delassus * reaction + terms.free)(made.rows);
  made.delassus = -MatrixXd(terms.delassus * change)(made.rows, Eigen::all);
  made.normal = reaction.tail(system.nc());
  made.normal_slope = change.bottomRows(system.nc());
  return made;
}

}  // namespace rigidlimit
