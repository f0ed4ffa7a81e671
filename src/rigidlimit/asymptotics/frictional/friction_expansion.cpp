#include "rigidlimit/asymptotics/frictional/friction_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

ContactMode mode_named(const std::string& word) {
  for (const ContactMode mode : {ContactMode::free, ContactMode::stick, ContactMode::slip})
    if (word == name_of(mode)) return mode;
  throw InputError(fmt::format("'{}' is not a mode", word));
}

/// Forces of the sample at the last time ≤ t − (distance of the neighbours)/2, or the first after.
VectorXd force_beside(const FrictionalLimit& limit, double t, bool after) {
  const std::vector<double>& times = limit.samples.times;
  const double half = 0.5 * limit.neighbours;
  const auto next = std::ranges::lower_bound(times, after && t > 0.0 ? t + half : t - half);
  const auto at = after ? next : next - (next == times.begin() ? 0 : 1);
  if (at == times.end()) throw InputError(fmt::format("no sample beside t = {:.9g} s", t));
  return limit.samples.lambda.col(at - times.begin());
}

ModePiece piece_at(const FrictionalLimit& limit, double t, const VectorXd& q, const VectorXd& v,
                   const std::string& modes) {
  const FrictionalSystem& system = limit.system;
  ModePiece piece{.begin = t,
                  .q = q,
                  .v = v,
                  .force_before = VectorXd::Zero(system.forces()),
                  .force_after = force_beside(limit, t, true)};
  if (t > 0.0) piece.force_before = force_beside(limit, t, false);
  const VectorXd w = contact_rows(system, q).rows * v;
  std::istringstream words(modes);
  for (const ContactPoint& contact : system.contacts) {
    std::string word;
    std::getline(words, word, ',');
    ContactState state{.mode = mode_named(word)};
    const auto i = static_cast<Index>(piece.states.size());
    state.push = piece.force_after(system.smooth.m + i) < 0.0 ? -1.0 : 1.0;
    const VectorXd speed = w.segment(contact.first, contact.components);
    const bool moves = speed.size() > 0 && speed.norm() > 1e3 * least_directed_speed;
    const bool slips = state.mode == ContactMode::slip && has_friction(contact);
    if (slips)
      state.direction =
          moves
              ? VectorXd(speed / speed.norm())
              : VectorXd(piece.force_after.segment(contact.first, contact.components).normalized());
    piece.from_rest.push_back(slips && !moves && t == 0.0);
    piece.states.push_back(std::move(state));
  }
  return piece;
}

/// A contact that begins to slip in space turns its friction within O(ε).
bool has_formula(const ContactEvent& event, const FrictionalSystem& system) {
  return event.kind == EventKind::stick ||
         (event.kind == EventKind::slip && std::ranges::all_of(event.contacts, [&](Index c) {
            return system.contacts[static_cast<std::size_t>(c)].components == 1;
          }));
}

void require_known_modes(const FrictionalLimit& limit) {
  for (const ContactPoint& contact : limit.system.contacts)
    if (contact.normal == Normal::unilateral)
      throw InputError("no formula for the springs of unilateral contacts");
  for (const ContactEvent& event : limit.rigid.events)
    if (event.t <= limit.end && !has_formula(event, limit.system))
      throw InputError(fmt::format("no formula for the event '{}' at t = {:.6g} s",
                                   name_of(event.kind), event.t));
}

}  // namespace

std::vector<ModePiece> mode_pieces(const FrictionalLimit& limit) {
  require_known_modes(limit);
  const NonsmoothMotion& motion = limit.rigid;
  std::vector<ModePiece> pieces{
      piece_at(limit, 0.0, limit.start.q, limit.start.v, motion.initial_modes)};
  for (std::size_t k = 0; k < motion.events.size() && motion.events[k].t <= limit.end; ++k) {
    const ContactEvent& event = motion.events[k];
    if (event.t - pieces.back().begin > limit.neighbours) {
      pieces.back().end = event.t;
      pieces.push_back(piece_at(limit, event.t, event.q, event.v_after, event.modes));
    } else if (pieces.size() == 1) {
      throw InputError("no formula for an event at the start");
    }
    pieces.back().events.push_back(k);
    ModePiece& piece = pieces.back();
    std::ranges::copy(
        event.contacts,
        std::back_inserter(event.kind == EventKind::stick ? piece.stopped : piece.released));
    if (!piece.stopped.empty() && !piece.released.empty())
      throw InputError("no formula for contacts of which one sticks as another slips");
  }
  pieces.back().end = limit.end;
  return pieces;
}

namespace {

/// A contact stops on a straight line if w' is along w up to this part. Its difference quotient is
/// exact to 1e-8, and the constants are wrong by about this part.
constexpr double straight_to = 1e-5;

/// Step of difference quotients in a piece, s.
double step_of(const ModePiece& piece) {
  return 1e-3 * (piece.end - piece.begin);
}

/// The first variation of w = W(q) v in the direction (dq, dv), m.
VectorXd sliding_variation(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v,
                           const VectorXd& dq, const VectorXd& dv) {
  const double size = std::max(dq.cwiseAbs().maxCoeff(), dv.cwiseAbs().maxCoeff());
  if (!(size > 0.0)) return VectorXd::Zero(system.smooth.m);
  const double h = 1e-4 / size;
  const auto w = [&](double s) {
    const MatrixXd W = contact_rows(system, q + s * dq).rows.topRows(system.smooth.m);
    return VectorXd(W * (v + s * dv));
  };
  return (w(h) - w(-h)) / (2.0 * h);
}

bool is_elastic(const ModePiece& piece, std::size_t i, const ContactPoint& contact) {
  return contact.components > 0 &&
         (piece.states[i].mode == ContactMode::stick || piece.from_rest[i]);
}

std::vector<bool> elastic_of(const FrictionalSystem& system, const ModePiece& piece) {
  std::vector<bool> elastic;
  for (std::size_t i = 0; i < piece.states.size(); ++i)
    elastic.push_back(is_elastic(piece, i, system.contacts[i]));
  return elastic;
}

}  // namespace

FrictionExpansion::FrictionExpansion(const FrictionalLimit& limit)
    : system_(limit.system), compliance_(limit.compliance) {
  const FrictionalSystem& system = limit.system;
  const FrictionalLaw& law = limit.law;
  if (law.friction != FrictionalLaw::Friction::projected || law.tangential_power != 1.0)
    throw InputError("no formula for this law of friction");
  stiffness_ = damping_ = VectorXd::Zero(system.smooth.m);
  const std::vector<CompliantContact> contacts = compliant_contacts(system, limit.start, law, 1.0);
  for (const CompliantContact& c : contacts) {
    stiffness_.segment(c.first, c.components).setConstant(c.stiffness);
    damping_.segment(c.first, c.components).setConstant(c.damping);
  }
  q_start_ = VectorXd::Zero(system.smooth.nq);
  v_start_ = VectorXd::Zero(system.smooth.n);
  for (ModePiece& rigid : mode_pieces(limit)) {
    if (order_ == 1) throw InputError("no formula for an event after a start that slips from rest");
    Piece piece{.rigid = std::move(rigid)};
    begin(piece, pieces_.empty() ? nullptr : &pieces_.back());
    solve(piece);
    pieces_.push_back(std::move(piece));
  }
}

std::shared_ptr<const FrictionLayer> FrictionExpansion::layer_of(const ModePiece& piece) const {
  const std::vector<bool> elastic = elastic_of(system_, piece);
  FrictionLayerData data{
      .at = contact_response(system_, piece.states, elastic, piece.q, piece.v, piece.begin)};
  if (data.at.rows.empty()) return nullptr;
  data.stiffness = stiffness_(data.at.rows);
  data.damping = damping_(data.at.rows);
  data.before = piece.force_before(data.at.rows);
  data.rigid = piece.force_after(data.at.rows);
  data.sliding_drift = data.at.sliding_rate - data.at.delassus * data.rigid;
  Index first = 0;
  for (std::size_t i = 0; i < elastic.size(); ++i) {
    if (!elastic[i]) continue;
    const ContactPoint& contact = system_.contacts[i];
    data.contacts.push_back({.which = static_cast<Index>(i),
                             .first = first,
                             .components = contact.components,
                             .friction = contact.friction});
    if (!piece.from_rest[i]) data.sliding_drift.segment(first, contact.components).setZero();
    first += contact.components;
  }
  return std::make_shared<const FrictionLayer>(std::move(data));
}

/// The contacts that stop slipping stick at t* + ε² t₂, t₂ = (C⁻¹ λ_s' − w₂)/w', along their common
/// direction of slipping. In space w' must be along that direction: otherwise it turns without
/// bound as w tends to 0.
std::vector<double> FrictionExpansion::shifts_of_stops(const Piece& before,
                                                       const ModePiece& rigid) const {
  const VectorXd &q = rigid.q, &v = rigid.v, y = q_and_v(q, v);
  const PieceFlow slip(system_, before.rigid.states, compliance_, step_of(before.rigid));
  const VectorXd f = slip.rate(rigid.begin, y);
  const VectorXd slope =
      slip.force_rates(rigid.begin, y, slip.jacobian(rigid.begin, y)).first.head(system_.smooth.m);
  const VectorXd w2 = sliding_variation(system_, q, v, q_start_, v_start_);
  const VectorXd w_rate = sliding_variation(system_, q, v, f.head(q.size()), f.tail(v.size()));
  std::vector<double> shifts;
  for (const Index c : rigid.stopped) {
    const ContactPoint& contact = system_.contacts[static_cast<std::size_t>(c)];
    const VectorXd& direction = before.rigid.states[static_cast<std::size_t>(c)].direction;
    const auto along = [&](const VectorXd& x) {
      return x.segment(contact.first, contact.components).dot(direction);
    };
    const VectorXd deceleration = w_rate.segment(contact.first, contact.components);
    if ((deceleration - along(w_rate) * direction).norm() > straight_to * deceleration.norm())
      throw InputError(fmt::format(
          "no formula for a contact in space that stops while its direction of sliding turns, at "
          "t = {:.6g} s",
          rigid.begin));
    shifts.push_back(along(slope.cwiseQuotient(stiffness_) - w2) / along(w_rate));
  }
  return shifts;
}

/// A planar contact slips at t* + ε² t₂, where the margin μ|p| − |λ| of the sticking motion, with
/// the outer terms, falls to zero: t₂ = −(margin)₂/(margin)'.
std::vector<double> FrictionExpansion::shifts_of_slips(const Piece& before,
                                                       const ModePiece& rigid) const {
  const double t = rigid.begin;
  const VectorXd y = q_and_v(rigid.q, rigid.v), delta = q_and_v(q_start_, v_start_);
  const PieceFlow stick(system_, before.rigid.states, compliance_, step_of(before.rigid));
  const MatrixXd J = stick.jacobian(t, y);
  const VectorXd rate = stick.force_rates(t, y, J).first;
  VectorXd second = stick.response_to(t, y, sliding_acceleration(before, stick, t, y, J)).forces;
  if (const double size = delta.cwiseAbs().maxCoeff(); size > 0.0) {
    const double h = 1e-4 / size;
    second += (stick.forces(t, y + h * delta) - stick.forces(t, y - h * delta)) / (2.0 * h);
  }
  std::vector<double> shifts;
  for (const Index c : rigid.released) {
    const ContactPoint& contact = system_.contacts[static_cast<std::size_t>(c)];
    const ContactState& state = rigid.states[static_cast<std::size_t>(c)];
    const auto margin = [&](const VectorXd& forces) {
      return contact.friction * state.push * forces(system_.smooth.m + c) -
             state.direction(0) * forces(contact.first);
    };
    shifts.push_back(-margin(second) / margin(rate));
  }
  return shifts;
}

void FrictionExpansion::find_shift(const Piece& before, const Piece& piece) {
  const ModePiece& rigid = piece.rigid;
  const std::vector<double> shifts =
      rigid.released.empty() ? shifts_of_stops(before, rigid) : shifts_of_slips(before, rigid);
  shift_ = shifts.front();
  for (const double time : shifts)
    if (!(std::abs(time - shift_) <= 1e-6 * std::abs(time) + 1e-9))
      throw InputError(
          "no formula for contacts that change their modes at slightly different times");
  for (const std::size_t event : rigid.events) shifts_.push_back({event, shift_});
}

/// w₂' + γ w₂ (m) of the sticking contacts, w₂ = C⁻¹ Λ': the sliding acceleration that the outer
/// terms need beside the recovery γ of the constraints.
VectorXd FrictionExpansion::sliding_acceleration(const Piece& piece, const PieceFlow& flow,
                                                 double t, const VectorXd& y,
                                                 const MatrixXd& J) const {
  VectorXd acceleration = VectorXd::Zero(system_.smooth.m);
  if (order_ != 2 || !piece.layer) return acceleration;
  const auto [slope, bend] = flow.force_rates(t, y, J);
  for (const Index row : piece.layer->data().at.rows)
    acceleration(row) = (bend(row) + exact_constraint_recovery * slope(row)) / stiffness_(row);
  return acceleration;
}

VectorXd FrictionExpansion::velocity_after(const Piece& piece, const VectorXd& kept) const {
  const ModePiece& rigid = piece.rigid;
  const FrictionLayer& layer = *piece.layer;
  const double t = rigid.begin, step = step_of(rigid);
  const VectorXd y = q_and_v(rigid.q, rigid.v), &Q = layer.displacement();
  const std::vector<bool> elastic = elastic_of(system_, rigid);
  const auto response = [&](double at, const VectorXd& q, const VectorXd& v) {
    return contact_response(system_, rigid.states, elastic, q, v, at);
  };
  const PieceFlow flow(system_, rigid.states, compliance_, step);
  const VectorXd f = flow.rate(t, y);
  VectorXd v2 = kept;
  if (const double size = Q.cwiseAbs().maxCoeff(); size > 0.0) {
    const auto acceleration = [&](double s) {
      const ContactResponse at = response(t, rigid.q, rigid.v + s * Q);
      return VectorXd(at.acceleration - at.response * layer.data().rigid);
    };
    const double h = 1e-4 / size;
    v2 += (acceleration(h) - acceleration(-h)) / (2.0 * h);
    const auto turned = [&](double s) {
      return response(t + s, rigid.q + s * f.head(rigid.q.size()), rigid.v).response;
    };
    v2 -= (turned(step) - turned(-step)) * layer.force_moment() / (2.0 * step);
  }
  const VectorXd slope = flow.force_rates(t, y, flow.jacobian(t, y)).first;
  const std::vector<Index>& rows = layer.data().at.rows;
  const VectorXd missing = slope(rows).cwiseQuotient(layer.data().stiffness) -
                           sliding_variation(system_, rigid.q, rigid.v, q_start_, v2)(rows);
  const LeastSolution solution(layer.data().at.delassus, rank_of_modes);
  return v2 + layer.data().at.response * VectorXd(solution.of(MatrixXd(missing)));
}

void FrictionExpansion::begin(Piece& piece, const Piece* before) {
  const ModePiece& rigid = piece.rigid;
  if (before != nullptr) {
    find_shift(*before, piece);
    const VectorXd y = q_and_v(rigid.q, rigid.v);
    const auto acceleration = [&](const ModePiece& of) {
      const PieceFlow flow(system_, of.states, compliance_, step_of(of));
      return VectorXd(flow.rate(rigid.begin, y).tail(rigid.v.size()));
    };
    piece.shift = shift_;
    v_start_ += shift_ * (acceleration(before->rigid) - acceleration(rigid));
  }
  piece.layer = layer_of(rigid);
  if (!piece.layer) return;
  if (piece.layer->leaves_velocity()) {
    order_ = 1;
    q_start_.setZero();
    v_start_ = piece.layer->velocity();
    return;
  }
  if (std::ranges::find(rigid.from_rest, true) != rigid.from_rest.end())
    throw InputError("no formula for a start that slips from rest without missing impulse");
  VectorXd jump(system_.smooth.nq);
  system_.smooth.in<double>().coordinate_rate(rigid.q, piece.layer->displacement(), jump);
  q_start_ += jump;
  v_start_ = velocity_after(piece, v_start_);
}

/// (q, v) and the outer terms (q_k, v_k), k = order_, from q_start_ and v_start_ on:
/// δ' = ∂f/∂y δ + (0, b), b the acceleration for w_2 = C⁻¹ Λ' of the sticking contacts.
void FrictionExpansion::solve(Piece& piece) {
  const ModePiece& rigid = piece.rigid;
  const Index nq = system_.smooth.nq, n = system_.smooth.n, size = nq + n;
  const PieceFlow flow(system_, rigid.states, compliance_, step_of(rigid));
  OdeProblem problem;
  problem.name = "outer terms";
  problem.t0 = rigid.begin;
  problem.y0 = q_and_v(q_and_v(rigid.q, rigid.v), q_and_v(q_start_, v_start_));
  problem.rhs = [&](double t, VectorIn in, VectorOut out) {
    const VectorXd y = in.head(size), delta = in.tail(size);
    const MatrixXd J = flow.jacobian(t, y);
    VectorXd change = J * delta;
    if (order_ == 2 && piece.layer)
      change.tail(n) +=
          flow.response_to(t, y, sliding_acceleration(piece, flow, t, y, J)).acceleration;
    out << flow.rate(t, y), change;
  };
  constexpr int intervals = 128;
  for (int k = 1; k <= intervals; ++k)
    piece.nodes.push_back(rigid.begin + (rigid.end - rigid.begin) * k / intervals);
  SolveOptions options;
  options.rtol = 1e-9;
  options.atol = 1e-11 * std::max(1.0, problem.y0.cwiseAbs().maxCoeff());
  options.max_steps = 20000;
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(problem, piece.nodes, options);
  if (solution.outcome != Outcome::success)
    throw InputError(fmt::format("the outer terms end with {} at t = {:.6g} s",
                                 name_of(solution.outcome), solution.t_reached));
  piece.nodes.insert(piece.nodes.begin(), rigid.begin);
  MatrixXd outer(size, intervals + 1);
  outer << problem.y0.tail(size), solution.states.bottomRows(size);
  piece.q = outer.topRows(nq);
  piece.v = outer.bottomRows(n);
  q_start_ = piece.q.rightCols(1);
  v_start_ = piece.v.rightCols(1);
}

LeadingOrders FrictionExpansion::sup_orders(Part part) const {
  const bool loaded = std::ranges::any_of(pieces_, [](const Piece& p) { return !!p.layer; });
  const double none = std::nan(""), outer = order_;
  if (!loaded) return {.q = none, .v = none, .lambda = none};
  return part == Part::all ? LeadingOrders{.q = outer, .v = 1.0, .lambda = 0.0}
                           : LeadingOrders{.q = outer, .v = outer, .lambda = none};
}

Motion FrictionExpansion::leading(double epsilon, const std::vector<double>& times,
                                  Part part) const {
  const System& smooth = system_.smooth;
  const auto count = static_cast<Index>(times.size());
  Motion motion{.times = times,
                .q = MatrixXd::Zero(smooth.nq, count),
                .v = MatrixXd::Zero(smooth.n, count),
                .lambda = MatrixXd::Zero(system_.forces(), count)};
  for (const Piece& piece : pieces_) {
    // A time at an event belongs to the piece after it.
    const bool last = &piece == &pieces_.back();
    const auto from = std::ranges::lower_bound(times, piece.rigid.begin);
    const auto to = last ? times.end() : std::ranges::lower_bound(times, piece.rigid.end);
    if (from >= to) continue;
    add(piece, epsilon, {from, to}, part, from - times.begin(), motion);
  }
  return motion;
}

void FrictionExpansion::add(const Piece& piece, double epsilon, const std::vector<double>& times,
                            Part part, Index first, Motion& motion) const {
  const auto count = static_cast<Index>(times.size());
  const Interpolation between(piece.nodes, times);
  const double power = std::pow(epsilon, order_);
  motion.q.middleCols(first, count) = power * between(piece.q);
  if (part != Part::all || order_ == 1)
    motion.v.middleCols(first, count) = power * between(piece.v);
  if (!piece.layer || part != Part::all) return;
  const FrictionLayer& layer = *piece.layer;
  std::vector<double> taus;
  // The layer begins with the compliant event: until then the force is that before it.
  for (const double t : times)
    taus.push_back(std::max(0.0, (t - piece.rigid.begin) / epsilon - epsilon * piece.shift));
  const FrictionLayer::States states = layer.at(taus);
  motion.v.middleCols(first, count) += epsilon * (states.velocity.colwise() - layer.velocity());
  const std::vector<Index>& rows = layer.data().at.rows;
  for (Index k = 0; k < count; ++k) {
    motion.lambda.col(first + k)(rows) = states.force.col(k);
    motion.lambda.col(first + k).tail(system_.nc()) = states.normal.col(k);
  }
  if (order_ == 1) return;
  VectorXd change(system_.smooth.nq);
  for (Index k = 0; k < count; ++k) {
    system_.smooth.in<double>().coordinate_rate(
        piece.rigid.q, states.displacement.col(k) - layer.displacement(), change);
    motion.q.col(first + k) += power * change;
  }
}

}  // namespace rigidlimit
