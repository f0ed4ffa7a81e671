#include "rigidlimit/nonsmooth/piece_jacobian.hpp"

#include <algorithm>
#include <optional>

#include "rigidlimit/core/derivative.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/nonsmooth/mode_equations.hpp"
#include "rigidlimit/nonsmooth/slip_onset.hpp"

namespace rigidlimit {
namespace {

constexpr double recovery = exact_constraint_recovery;

/// The width of Directions: columns at a time.
constexpr Index width = 8;

using Varied = VectorX<Directions>;
using Columns = Matrix<double, Eigen::Dynamic, width>;

/// What stays fixed while the rest is differentiated.
struct Point {
  const FrictionalSystem& system;
  ContactStates states;  ///< with the directions at this point
  double t;
  PieceRate rate;
  Inertia<double> inertia{};
  VectorXd multiplier{};  ///< κ, ne
  ModeUnknowns unknowns{};
  std::optional<LeastSolution> solution{};  ///< of (A R)_held; empty: nothing is held
};

/// Derivatives of what the equations leave unbalanced, and of T v with its restoring rate.
struct Unbalanced {
  Columns q_rate, gap;
  Columns forces;   ///< ∂(c; E part), n + ne
  Columns contact;  ///< ∂h, m + nc
};

Point point_at(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
               const VectorXd& v, double t, const VectorXd& compliance) {
  PieceRate rate = piece_rate(system, states, q, v, t, compliance);
  const ContactTerms& terms = rate.terms;
  ContactStates directed = directions_at(system, states, terms, compliance);
  ModeUnknowns unknowns = unknowns_of(system, terms.normal_force, directed);
  std::optional<LeastSolution> solution;
  if (!unknowns.held.empty())
    solution.emplace((terms.delassus * unknowns.R)(unknowns.held, Eigen::all), rank_of_modes);
  Point point{.system = system,
              .states = std::move(directed),
              .t = t,
              .rate = std::move(rate),
              .unknowns = std::move(unknowns),
              .solution = std::move(solution)};
  const System& smooth = system.smooth;
  point.inertia.compute(smooth, q);
  // The E rows of the right side do not matter: κ is what balances the forces at the known a.
  VectorXd right(smooth.n + smooth.ne), pull(smooth.n), drift(smooth.ne + smooth.m);
  smooth.in<double>().force(q, v, t, pull);
  VectorXd q_rate(smooth.nq);
  smooth.in<double>().coordinate_rate(q, v, q_rate);
  smooth.in<double>().constraint_drift(q, q_rate, v, drift);
  right.head(smooth.n) = pull + point.rate.terms.rows.transpose() * point.rate.reaction;
  if (smooth.ne > 0) {
    MatrixXd rows(smooth.ne + smooth.m, smooth.n);
    smooth.in<double>().constraints(q, rows);
    right.tail(smooth.ne) = rows.topRows(smooth.ne) * point.rate.acceleration;
  }
  point.multiplier = point.inertia.solve_whole(right).bottomRows(smooth.ne);
  return point;
}

/// The direction of slip of contact i at its sliding velocity, as slip_direction() has it.
Varied direction_of(const ContactState& state, const Varied& w) {
  const Varied forward = as_constants<Directions>(state.direction);
  if (state.direction.size() < 2) return forward;
  const Directions length = sqrt(w.squaredNorm());
  if (length < Directions(least_directed_speed)) return forward;
  const double sense = w.dot(forward) < Directions(0.0) ? -1.0 : 1.0;
  return (Directions(sense) / length) * w;
}

/// r of all contacts with x fixed, m + nc.
Varied reaction_of(const Point& point, const Varied& w, const Varied& given) {
  const Index m = point.system.smooth.m;
  Varied r = as_constants<Directions>(point.rate.reaction);
  for (Index i = 0; i < point.system.nc(); ++i) {
    const ContactPoint& contact = point.system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = point.states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    if (contact.normal == Normal::given) r(m + i) = given(i);
    if (state.mode != ContactMode::slip || state.direction.size() == 0) continue;
    const Directions friction = Directions(-contact.friction * state.push) * r(m + i);
    r.segment(contact.first, contact.components) =
        friction * direction_of(state, w.segment(contact.first, contact.components));
  }
  return r;
}

Unbalanced unbalanced(const Point& point, const Varied& q, const Varied& v) {
  const System& smooth = point.system.smooth;
  const Equations<Directions>& equations = smooth.in<Directions>();
  const ContactGeometry<Directions>& geometry = point.system.in<Directions>();
  const Index n = smooth.n, ne = smooth.ne, m = smooth.m, nc = point.system.nc();
  const Directions t(point.t);
  Varied q_rate(smooth.nq), restoring(smooth.nq), gap(nc), given(nc);
  Varied drift(ne + m), contact_drift(m + nc), forces(n + ne), inertia(n);
  MatrixX<Directions> rows(ne + m, n), H(m + nc, n), normal(nc, n);
  equations.coordinate_rate(q, v, q_rate);
  equations.constraints(q, rows);
  equations.constraint_drift(q, q_rate, v, drift);
  geometry.normal_rows(q, normal);
  geometry.normal_drift(q, v, contact_drift.tail(nc));
  geometry.gap(q, gap);
  geometry.normal_force(q, v, t, given);
  H << rows.bottomRows(m), normal;
  contact_drift.head(m) = drift.tail(m);

  const Varied a = as_constants<Directions>(point.rate.acceleration);
  const Varied kappa = as_constants<Directions>(point.multiplier);
  const Varied w = rows.bottomRows(m).lazyProduct(v);
  equations.force(q, v, t, forces.head(n));
  equations.inertia_force(q, a, inertia);
  forces.head(n) -= inertia;
  forces.head(n) -= rows.topRows(ne).transpose().lazyProduct(kappa);
  forces.head(n) += H.transpose().lazyProduct(reaction_of(point, w, given));
  const auto E = rows.topRows(ne);
  const Directions rate(recovery);
  forces.tail(ne) = -E.lazyProduct(a) - drift.head(ne) - rate * Varied(E.lazyProduct(v));
  const Varied contact = -H.lazyProduct(a) - contact_drift - rate * Varied(H.lazyProduct(v));
  equations.restoring_rate(q, restoring);
  q_rate += restoring;
  return {.q_rate = derivatives(q_rate),
          .gap = derivatives(gap),
          .forces = derivatives(forces),
          .contact = derivatives(contact)};
}

/// ∂q' and ∂v', nq + n rows.
Columns columns_of(const Point& point, const VectorXd& q_value, const Varied& q, const Varied& v) {
  const System& smooth = point.system.smooth;
  const ContactTerms& terms = point.rate.terms;
  const Unbalanced off = unbalanced(point, q, v);
  MatrixXd a = point.inertia.solve_whole(off.forces).topRows(smooth.n);
  if (point.solution) {
    const MatrixXd left = off.contact - terms.rows * a;
    a += terms.response * point.unknowns.R *
         point.solution->of(left(point.unknowns.held, Eigen::all));
  }
  Columns columns(smooth.nq + smooth.n, width);
  columns.topRows(smooth.nq) = off.q_rate;
  columns.bottomRows(smooth.n) = a;
  const MatrixXd back = recovery * way_out(point.system, point.states, terms, off.gap);
  VectorXd change(smooth.nq);
  for (Index k = 0; k < width; ++k) {
    smooth.in<double>().coordinate_rate(q_value, back.col(k), change);
    columns.col(k).head(smooth.nq) -= change;
  }
  return columns;
}

}  // namespace

void piece_jacobian(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                    const VectorXd& v, double t, const VectorXd& compliance, MatrixOut J) {
  const Point point = point_at(system, states, q, v, t, compliance);
  const Index nq = system.smooth.nq, size = nq + system.smooth.n;
  VectorXd y(size);
  y << q, v;
  Varied varied = as_constants<Directions>(y);
  for (Index first = 0; first < size; first += width) {
    const Index count = std::min(width, size - first);
    const auto seed = [&](double value) {
      for (Index k = 0; k < count; ++k)
        varied(first + k).derivative[static_cast<std::size_t>(k)] = value;
    };
    seed(1.0);
    J.middleCols(first, count) =
        columns_of(point, q, varied.head(nq), varied.tail(size - nq)).leftCols(count);
    seed(0.0);
  }
}

}  // namespace rigidlimit
