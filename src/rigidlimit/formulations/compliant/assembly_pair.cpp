#include "rigidlimit/formulations/compliant/assembly_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

namespace {

using Part = AssemblyLayout::Part;

void check(const Assembly& assembly, const InitialState& start) {
  require_valid(assembly);
  const AssemblyOffsets at(assembly);
  if (start.q.size() != at.q.back() || start.v.size() != at.v.back())
    throw InputError(fmt::format(
        "the assembly has {} coordinates and {} velocities, but the start has {} and {}",
        at.q.back(), at.v.back(), start.q.size(), start.v.size()));
  for (std::size_t i = 0; i < assembly.parts.size(); ++i)
    if (!assembly.parts[i].natural_velocities)
      throw InputError(fmt::format("part {} of the assembly has no quasi_velocities", i));
}

VectorXd start_in_layout(const Assembly& assembly, const AssemblyLayout& layout,
                         const InitialState& start, const VectorXd& eta0) {
  VectorXd y(layout.size());
  Index q_at = 0;
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    const Part& p = layout.parts[i];
    const VectorXd q = start.q.segment(q_at, p.nq);
    q_at += p.nq;
    MatrixXd B(p.n, p.n);
    assembly.parts[i].in<double>().quasi_velocities(q, B.topRows(p.free));
    assembly.parts[i].in<double>().constraints(q, B.bottomRows(p.m));
    const VectorXd uw = B * start.v.segment(p.v, p.n);
    y.segment(p.q, p.nq) = q;
    y.segment(p.u, p.free) = uw.head(p.free);
    if (!layout.compliant) continue;
    y.segment(p.w, p.m) = uw.tail(p.m);
    y.segment(p.eta, p.m) = eta0.segment(p.lambda, p.m);
  }
  return y;
}

/// (q, v, λ) of the columns y. Unreached columns stay NaN.
Motion assembly_motion(AssemblyRate rate, const Solution& solution) {
  const AssemblyLayout& layout = rate.layout();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Index count = solution.states.cols();
  Motion motion{.times = solution.times,
                .q = MatrixXd::Constant(layout.nq, count, nan),
                .v = MatrixXd::Constant(layout.n, count, nan),
                .lambda = MatrixXd::Constant(layout.m, count, nan)};
  VectorXd f(layout.size());
  for (Index k = 0; k < count; ++k) {
    const VectorXd y = solution.states.col(k);
    if (!y.allFinite()) continue;
    rate(solution.times[static_cast<std::size_t>(k)], y, f);
    Index q_at = 0;
    for (const Part& p : layout.parts) {
      motion.q.col(k).segment(q_at, p.nq) = y.segment(p.q, p.nq);
      q_at += p.nq;
    }
    motion.v.col(k) = rate.velocity();
    motion.lambda.col(k) = rate.multiplier();
  }
  return motion;
}

MotionProblem<OdeProblem> problem_of(const Assembly& given, const InitialState& start,
                                     const std::optional<LawAt<double>>& law,
                                     const VectorXd& eta0) {
  const auto assembly = std::make_shared<const Assembly>(given);
  const AssemblyRate rate(assembly, law);
  OdeProblem ode;
  ode.y0 = start_in_layout(given, rate.layout(), start, eta0);
  ode.rhs = [rate = rate](double t, VectorIn y, VectorOut f) mutable { rate(t, y, f); };
  AssemblyJacobian jacobian(rate);
  SparsePattern pattern = jacobian.pattern();
  ode.sparse_jacobian = std::make_shared<const SparseJacobian>(
      SparseJacobian{.pattern = std::move(pattern), .values = std::move(jacobian)});
  return {std::move(ode),
          [rate](const Solution& solution) { return assembly_motion(rate, solution); }};
}

}  // namespace

MotionProblem<OdeProblem> compliant_assembly(const Assembly& assembly, const InitialState& start,
                                             const ViscoelasticLaw& law, double epsilon,
                                             const VectorXd& eta0) {
  check(assembly, start);
  for (const System& part : assembly.parts)
    if (part.m != law.stiffness.rows() || part.m != law.damping.rows())
      throw InputError(fmt::format("a part has {} contact components, but the law has {}", part.m,
                                   law.stiffness.rows()));
  if (eta0.size() != AssemblyOffsets(assembly).w.back())
    throw InputError(fmt::format("eta0 has {} entries, but the assembly has {} contact components",
                                 eta0.size(), AssemblyOffsets(assembly).w.back()));
  auto pair = problem_of(assembly, start, LawAt<double>(law, epsilon), eta0);
  pair.problem.name = "viscoelastic rolling of an assembly";
  return pair;
}

MotionProblem<OdeProblem> rigid_assembly(const Assembly& assembly, const InitialState& start) {
  check(assembly, start);
  auto pair = problem_of(assembly, start, std::nullopt, {});
  pair.problem.name = "rigid rolling of an assembly";
  return pair;
}

AssemblyLayout::AssemblyLayout(const Assembly& assembly, bool compliant_side)
    : compliant(compliant_side) {
  Index at = 0;
  for (const System& part : assembly.parts) {
    Part p{};
    p.nq = part.nq;
    p.n = part.n;
    p.m = part.m;
    p.free = part.n - part.m;
    p.q = at;
    p.u = p.q + p.nq;
    p.w = p.u + p.free;
    p.eta = p.w + (compliant ? p.m : 0);
    p.end = at = p.eta + (compliant ? p.m : 0);
    p.v = n;
    p.lambda = m;
    nq += part.nq;
    n += part.n;
    m += part.m;
    parts.push_back(p);
  }
}

using V = const ExpressionVector&;

/// The equations of one part, during a Recording:
///
///   B v = (u, w),   X x = b,   (u, w)' = B a + (∂q B[q']) v,   ε² η' = w,
///
/// compliant X = M, x = a, b = F − Gᵀλ with λ = C η + D ε^(−β) w; rigid w = 0, X = [M Gᵀ; G 0],
/// x = (a, Λ), b = (F, −(∂q G[q']) v).
class PartTapes::Recorder {
 public:
  Recorder(const RecordedSystem& system, const std::optional<LawAt<double>>& law, V y)
      : system_(system),
        law_(law),
        free_(system.n - system.m),
        q_(y.head(system.nq)),
        uw_(joined(y.segment(system.nq, free_),
                   law ? ExpressionVector(y.segment(system.nq + free_, system.m))
                       : ExpressionVector::Zero(system.m))),
        B_(system.n, system.n),
        eta_(law ? y.tail(system.m) : ExpressionVector(0)) {
    B_ << inlined(system.quasi_velocities, q_).reshaped(free_, system.n),
        inlined(system.constraints, q_).reshaped(system.m, system.n);
  }

  static Index state_size(const RecordedSystem& system, bool compliant) {
    return system.nq + system.n + (compliant ? system.m : -system.m);
  }

  ExpressionVector velocity() const { return solved_by_pivoting(B_, uw_); }
  ExpressionMatrix velocity_derivative(V y) const { return jacobian_of_solution(B_, uw_, y); }
  ExpressionVector force(V v, V t) const { return inlined(system_.force, joined(q_, v, t)); }

  ExpressionMatrix X() const {
    ExpressionMatrix M = inlined(system_.mass_matrix, q_).reshaped(system_.n, system_.n);
    if (law_) return M;
    const ExpressionMatrix G = B_.bottomRows(system_.m);
    ExpressionMatrix K(system_.n + system_.m, system_.n + system_.m);
    K << M, G.transpose(), G, ExpressionMatrix::Zero(system_.m, system_.m);
    return K;
  }
  ExpressionVector b(V v, V F) const {
    if (!law_) return joined(F, -drift(v).tail(system_.m));
    return F - product(B_.bottomRows(system_.m).transpose(), multiplier({}));
  }
  ExpressionVector multiplier(V x) const {
    if (!law_) return x.tail(system_.m);
    return product(law_->stiffness.cast<Expression>(), eta_) +
           product(law_->damping.cast<Expression>(), uw_.tail(system_.m));
  }
  /// y'.
  ExpressionVector rates(V v, V x) const {
    const ExpressionVector all = drift(v) + product(B_, x.head(system_.n));
    if (!law_) return joined(q_rate(v), all.head(free_));
    return joined(q_rate(v), all, law_->deflection_rate() * uw_.tail(system_.m));
  }

 private:
  ExpressionVector q_rate(V v) const { return inlined(system_.coordinate_rate, joined(q_, v)); }
  /// (∂q B[q']) v.
  ExpressionVector drift(V v) const {
    const ExpressionVector along = joined(q_, q_rate(v), v);
    return joined(inlined(system_.quasi_velocity_drift, along),
                  inlined(system_.constraint_drift, along));
  }

  const RecordedSystem& system_;
  const std::optional<LawAt<double>>& law_;
  Index free_;
  ExpressionVector q_, uw_;
  ExpressionMatrix B_;
  ExpressionVector eta_;
};

PartTapes::PartTapes(std::shared_ptr<const RecordedSystem> system, std::optional<LawAt<double>> law)
    : system_(std::move(system)),
      law_(std::move(law)),
      velocity_and_force_(tape_of(
          [&](V t, V y) {
            const Recorder part(*system_, law_, y);
            const ExpressionVector v = part.velocity();
            return joined(v, part.force(v, t));
          },
          1, Recorder::state_size(*system_, law_.has_value()))),
      rates_(tape_of(
          [&](V y, V v, V F) {
            const Recorder part(*system_, law_, y);
            const ExpressionVector x = solved_by_pivoting(part.X(), part.b(v, F));
            return joined(part.rates(v, x), part.multiplier(x));
          },
          Recorder::state_size(*system_, law_.has_value()), system_->n, system_->n)) {}

/// Uses the chain rule through v and x, the solutions of linear systems: unknowns replace them
/// until all derivatives are recorded.
const Evaluator<double>& PartTapes::derivatives() const {
  const auto recorded = [this](V t, V y, V F) {
    const Recorder part(*system_, law_, y);
    const ExpressionMatrix X = part.X();
    const ExpressionVector v = Recording::current().unknowns(system_->n);
    const ExpressionVector x = Recording::current().unknowns(X.rows());
    const ExpressionVector rates = part.rates(v, x);
    const ExpressionVector terms = joined(part.b(v, F) - product(X, x), part.force(v, t), rates);
    const ExpressionMatrix D = jacobian_of(terms, joined(y, v, x));
    const ExpressionMatrix dv = part.velocity_derivative(y);
    const ExpressionMatrix along_y =
        D.leftCols(y.size()) + product_of_matrices(D.middleCols(y.size(), v.size()), dv);
    ExpressionMatrix change = ExpressionMatrix::Zero(X.rows(), y.size() + F.size());  // of b − X x
    change.leftCols(y.size()) = along_y.topRows(X.rows());
    change.topLeftCorner(F.size(), y.size()) += along_y.middleRows(X.rows(), F.size());
    change.topRightCorner(F.size(), F.size()).setIdentity();
    ExpressionMatrix all = product_of_matrices(D.bottomRightCorner(rates.size(), x.size()),
                                               solved_by_pivoting(X, change));
    all.leftCols(y.size()) += along_y.bottomRows(rates.size());
    const ExpressionVector actual_v = part.velocity();
    const ExpressionVector actual_x = solved_by_pivoting(X, part.b(actual_v, F));
    const Index moving = system_->nq + system_->n - (law_ ? 0 : system_->m);
    return substituted(joined(all.reshaped(), dv.leftCols(moving).reshaped()), joined(v, x),
                       joined(actual_v, actual_x));
  };
  return derivatives_.made([&] {
    return tape_of(recorded, 1, Recorder::state_size(*system_, law_.has_value()), system_->n);
  });
}

namespace {

using Part = AssemblyLayout::Part;

const Part& part_of(const AssemblyLayout& layout, Index i) {
  return layout.parts[static_cast<std::size_t>(i)];
}

/// q' depends on the part's (q, u, w); (u, w)' on all of the part and on (q, u, w) of linked parts;
/// η' on w.
SparsePattern pattern_of(const Assembly& assembly, const AssemblyLayout& layout) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(layout.size()));
  const auto add = [&](Index row, Index row_end, Index column, Index column_end) {
    for (Index c = column; c < column_end; ++c)
      for (Index r = row; r < row_end; ++r) rows[static_cast<std::size_t>(c)].push_back(r);
  };
  for (const Part& p : layout.parts) {
    add(p.q, p.u, p.q, p.eta);
    add(p.u, p.eta, p.q, p.end);
    for (Index k = 0; k < p.end - p.eta; ++k) add(p.eta + k, p.eta + k + 1, p.w + k, p.w + k + 1);
  }
  for (const Link& link : assembly.links) {
    const Part &a = part_of(layout, link.first), &b = part_of(layout, link.second);
    add(a.u, a.eta, b.q, b.eta);
    add(b.u, b.eta, a.q, a.eta);
  }
  return pattern_with_diagonal(std::move(rows));
}

/// Places of the entries of this block in the pattern, column by column; −1: not in the pattern.
std::vector<Index> places_of(const SparsePattern& pattern, Index row, Index row_end, Index column,
                             Index column_end) {
  std::vector<Index> places;
  for (Index c = column; c < column_end; ++c) {
    const auto begin = pattern.rows.begin() + pattern.start(c);
    const auto end = pattern.rows.begin() + pattern.start(c + 1);
    for (Index r = row; r < row_end; ++r) {
      const auto found = std::lower_bound(begin, end, r);
      places.push_back(found != end && *found == r ? found - pattern.rows.begin() : -1);
    }
  }
  return places;
}

void add_to(VectorOut& values, const std::vector<Index>& places, const MatrixXd& block) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0) values(places[i]) += block.data()[i];
}

}  // namespace

AssemblyRate::AssemblyRate(std::shared_ptr<const Assembly> assembly,
                           const std::optional<LawAt<double>>& law)
    : assembly_(std::move(assembly)),
      layout_(*assembly_, law.has_value()),
      velocity_(layout_.n),
      force_(layout_.n),
      lambda_(layout_.m) {
  std::map<const RecordedSystem*, std::shared_ptr<const PartTapes>> known;  // shared by equal parts
  for (const System& part : assembly_->parts) {
    auto& tapes = known[part.recorded.get()];
    if (!tapes) tapes = std::make_shared<const PartTapes>(part.recorded, law);
    tapes_.push_back(tapes);
  }
}

void AssemblyRate::move(double t, VectorIn y) {
  for (std::size_t i = 0; i < tapes_.size(); ++i) {
    const Part& p = layout_.parts[i];
    const auto take = [&](std::size_t k, double x) {
      const auto at = static_cast<Index>(k);
      at < p.n ? velocity_(p.v + at) = x : force_(p.v + at - p.n) = x;
    };
    tapes_[i]->velocity_and_force()(take, std::span(&t, 1), y.segment(p.q, p.size()));
  }
  for (const Link& link : assembly_->links) {
    const Part &a = part_of(layout_, link.first), &b = part_of(layout_, link.second);
    const auto take = [&](std::size_t k, double x) {
      const auto at = static_cast<Index>(k);
      force_(at < a.n ? a.v + at : b.v + at - a.n) += x;
    };
    link.tapes->forces()(take, y.segment(a.q, a.nq), velocity_.segment(a.v, a.n),
                         y.segment(b.q, b.nq), velocity_.segment(b.v, b.n));
  }
}

void AssemblyRate::operator()(double t, VectorIn y, VectorOut f) {
  move(t, y);
  for (std::size_t i = 0; i < tapes_.size(); ++i) {
    const Part& p = layout_.parts[i];
    const auto take = [&](std::size_t k, double x) {
      const auto at = static_cast<Index>(k);
      at < p.size() ? f(p.q + at) = x : lambda_(p.lambda + at - p.size()) = x;
    };
    tapes_[i]->rates()(take, y.segment(p.q, p.size()), velocity_.segment(p.v, p.n),
                       force_.segment(p.v, p.n));
  }
}

AssemblyJacobian::AssemblyJacobian(AssemblyRate rate)
    : rate_(std::move(rate)), pattern_(pattern_of(rate_.assembly(), rate_.layout())) {
  for (const Part& p : rate_.layout().parts) {
    part_places_.push_back(places_of(pattern_, p.q, p.end, p.q, p.end));
    blocks_.push_back(
        {MatrixXd(p.size(), p.size()), MatrixXd(p.size(), p.n), MatrixXd(p.n, p.moving())});
  }
  for (const Link& link : rate_.assembly().links) {
    const Part &a = part_of(rate_.layout(), link.first), &b = part_of(rate_.layout(), link.second);
    link_places_.push_back(
        {places_of(pattern_, a.u, a.eta, b.q, b.eta), places_of(pattern_, b.u, b.eta, a.q, a.eta)});
  }
}

void AssemblyJacobian::operator()(double t, VectorIn y, VectorOut values) {
  rate_.move(t, y);
  for (std::size_t i = 0; i < blocks_.size(); ++i) evaluate_part(i, t, y);
  values.setZero();
  for (std::size_t i = 0; i < link_places_.size(); ++i) add_link(i, y, values);
  for (std::size_t i = 0; i < blocks_.size(); ++i) add_to(values, part_places_[i], blocks_[i].own);
}

void AssemblyJacobian::evaluate_part(std::size_t i, double t, const VectorIn& y) {
  const Part& p = rate_.layout().parts[i];
  Block& block = blocks_[i];
  const auto take = [&, own = block.own.size(), force = block.force.size()](std::size_t k,
                                                                            double x) {
    const auto at = static_cast<Index>(k);
    if (at < own)
      block.own.data()[at] = x;
    else if (at < own + force)
      block.force.data()[at - own] = x;
    else
      block.velocity.data()[at - own - force] = x;
  };
  rate_.tapes(i).derivatives()(take, std::span(&t, 1), y.segment(p.q, p.size()),
                               rate_.force().segment(p.v, p.n));
}

/// ∂(u, w)'/∂F of one part times the change of the link's force on it.
void AssemblyJacobian::add_link(std::size_t i, const VectorIn& y, VectorOut& values) {
  const Link& link = rate_.assembly().links[i];
  const Part &a = part_of(rate_.layout(), link.first), &b = part_of(rate_.layout(), link.second);
  Block& first = blocks_[static_cast<std::size_t>(link.first)];
  Block& second = blocks_[static_cast<std::size_t>(link.second)];
  MatrixXd L(a.n + b.n, a.nq + a.n + b.nq + b.n);  // of both forces in (q, v) of both
  link.tapes->force_derivatives()(into(L), y.segment(a.q, a.nq), rate_.velocity().segment(a.v, a.n),
                                  y.segment(b.q, b.nq), rate_.velocity().segment(b.v, b.n));
  const auto along_state = [&](Index column, const Part& p, const Block& block) {
    MatrixXd change = L.middleCols(column + p.nq, p.n).lazyProduct(block.velocity);
    change.leftCols(p.nq) += L.middleCols(column, p.nq);
    return change;
  };
  const MatrixXd by_first = along_state(0, a, first),
                 by_second = along_state(a.nq + a.n, b, second);
  const auto felt = [](const Part& p, const Block& block, const auto& change) -> MatrixXd {
    return block.force.middleRows(p.nq, p.velocities()).lazyProduct(change);
  };
  first.own.block(a.nq, 0, a.velocities(), a.moving()) += felt(a, first, by_first.topRows(a.n));
  second.own.block(b.nq, 0, b.velocities(), b.moving()) +=
      felt(b, second, by_second.bottomRows(b.n));
  add_to(values, link_places_[i].of_second_on_first, felt(a, first, by_second.topRows(a.n)));
  add_to(values, link_places_[i].of_first_on_second, felt(b, second, by_first.bottomRows(b.n)));
}

}  // namespace rigidlimit
