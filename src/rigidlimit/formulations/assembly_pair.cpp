#include "rigidlimit/formulations/assembly_pair.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/assembly_rate.hpp"
#include "rigidlimit/formulations/coloured_jacobian.hpp"

namespace rigidlimit {

AssemblyLaw::AssemblyLaw(const ViscoelasticLaw& law, double epsilon)
    : stiffness(law.stiffness),
      damping(std::pow(epsilon, -law.damping_exponent) * law.damping),
      per_deflection_scale(1.0 / (epsilon * epsilon)) {}

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

namespace {

using Part = AssemblyLayout::Part;

void check(const Assembly& assembly, const InitialState& start) {
  require_valid(assembly);
  const AssemblyOffsets at(assembly);
  if (start.q.size() != at.q.back() || start.v.size() != at.v.back())
    throw InputError(
        fmt::format("the assembly has {} coordinates and {} velocities, the start {} and {}",
                    at.q.back(), at.v.back(), start.q.size(), start.v.size()));
  for (std::size_t i = 0; i < assembly.parts.size(); ++i)
    if (!assembly.parts[i].natural_velocities)
      throw InputError(fmt::format("part {} of the assembly has no quasi_velocities", i));
}

/// q' depends on the part's (q, u, w); (u, w)' on all of the part and on (q, u, w) of those that it
/// is linked to; η' on w.
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
    const Part& a = layout.parts[static_cast<std::size_t>(link.first)];
    const Part& b = layout.parts[static_cast<std::size_t>(link.second)];
    add(a.u, a.eta, b.q, b.eta);
    add(b.u, b.eta, a.q, a.eta);
  }
  return pattern_with_diagonal(std::move(rows));
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

/// (q, v, λ) of the columns y. Columns that were not reached stay NaN.
Motion motion_of(AssemblyRate<double> rate, const Solution& solution) {
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
                                     const std::optional<AssemblyLaw>& law, const VectorXd& eta0) {
  const auto assembly = std::make_shared<const Assembly>(given);
  const AssemblyRate<double> rate(assembly, law);
  const AssemblyLayout& layout = rate.layout();
  OdeProblem ode;
  ode.y0 = start_in_layout(given, layout, start, eta0);
  ode.rhs = [rate = rate](double t, VectorIn y, VectorOut f) mutable { rate(t, y, f); };
  SparseJacobian jacobian{.pattern = pattern_of(given, layout), .values = {}};
  jacobian.values = [columns = ColouredJacobian(jacobian.pattern),
                     rate_in_directions = AssemblyRate<Directions>(assembly, law)](
                        double t, VectorIn y, VectorOut values) mutable {
    columns.write(
        y,
        [&](const VectorX<Directions>& y_var, VectorX<Directions>& f) {
          rate_in_directions(Directions(t), y_var, f);
        },
        values);
  };
  ode.sparse_jacobian = std::make_shared<const SparseJacobian>(std::move(jacobian));
  return {std::move(ode), [rate](const Solution& solution) { return motion_of(rate, solution); }};
}

}  // namespace

MotionProblem<OdeProblem> compliant_assembly(const Assembly& assembly, const InitialState& start,
                                             const ViscoelasticLaw& law, double epsilon,
                                             const VectorXd& eta0) {
  check(assembly, start);
  for (const System& part : assembly.parts)
    if (part.m != law.stiffness.rows() || part.m != law.damping.rows())
      throw InputError(fmt::format("a part has {} contact components, the law {}", part.m,
                                   law.stiffness.rows()));
  if (eta0.size() != AssemblyOffsets(assembly).w.back())
    throw InputError(fmt::format("eta0 has {} entries, the assembly {} contact components",
                                 eta0.size(), AssemblyOffsets(assembly).w.back()));
  auto pair = problem_of(assembly, start, AssemblyLaw(law, epsilon), eta0);
  pair.problem.name = "viscoelastic rolling of an assembly";
  return pair;
}

MotionProblem<OdeProblem> rigid_assembly(const Assembly& assembly, const InitialState& start) {
  check(assembly, start);
  auto pair = problem_of(assembly, start, std::nullopt, {});
  pair.problem.name = "rigid rolling of an assembly";
  return pair;
}

}  // namespace rigidlimit
