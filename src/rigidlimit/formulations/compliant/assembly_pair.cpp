#include "rigidlimit/formulations/compliant/assembly_pair.hpp"

#include <fmt/format.h>

#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/compliant/assembly_rate.hpp"

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
Motion motion_of(AssemblyRate rate, const Solution& solution) {
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
                                     const std::optional<LawAt<double>>& law, const VectorXd& eta0) {
  const auto assembly = std::make_shared<const Assembly>(given);
  const AssemblyRate rate(assembly, law);
  OdeProblem ode;
  ode.y0 = start_in_layout(given, rate.layout(), start, eta0);
  ode.rhs = [rate = rate](double t, VectorIn y, VectorOut f) mutable { rate(t, y, f); };
  AssemblyJacobian jacobian(rate);
  SparsePattern pattern = jacobian.pattern();
  ode.sparse_jacobian = std::make_shared<const SparseJacobian>(
      SparseJacobian{.pattern = std::move(pattern), .values = std::move(jacobian)});
  return {std::move(ode), [rate](const Solution& solution) { return motion_of(rate, solution); }};
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

}  // namespace rigidlimit
