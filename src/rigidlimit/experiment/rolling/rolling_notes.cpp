#include "rigidlimit/experiment/rolling/rolling_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"

namespace rigidlimit {

namespace {

bool same_measure(const Row& a, const Row& b) {
  return a.law == b.law && a.rigid_solver == b.rigid_solver && a.measure == b.measure;
}

/// Counts the numbers in which two compliant solvers differ by more than the sum of their solver
/// errors: a test of these estimates without a reference. Empty: none.
std::string disagreement(const std::vector<Series>& all) {
  int compared = 0, apart = 0;
  double worst = 0.0;
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = a + 1; b != all.end(); ++b) {
      if (a->rows.empty() || b->rows.empty() || !same_measure(a->rows[0], b->rows[0])) continue;
      for (const Row& x : a->rows)
        for (const Row& y : b->rows) {
          if (x.epsilon != y.epsilon || !x.is_evidence() || !y.is_evidence()) continue;
          ++compared;
          const double ratio =
              std::abs(x.model_error() - y.model_error()) / (x.solver_error() + y.solver_error());
          if (!(ratio > 1.0)) continue;
          ++apart;
          worst = std::max(worst, ratio);
        }
    }
  if (apart == 0) return {};
  return fmt::format(
      "in {} of {} numbers, two compliant solvers differ by more than the sum of their solver "
      "errors, up to {:.2g} times: these errors are estimates",
      apart, compared, worst);
}

/// Rank and null space of the contacts, and the selection of the internal forces.
std::string note_on_redundancy(const RollingStudy& study) {
  std::vector<std::string> internal;
  for (const auto& n : study.contacts.internal_forces.colwise()) {
    const VectorXd force = (n.array().abs() < 1e-15).select(0.0, n);
    internal.push_back(fmt::format("({:.4g})", fmt::join(force, ", ")));
  }
  return fmt::format(
      "the {} contact components have rank {}: rigid rolling does not determine the internal "
      "forces {}; the stiffness selects the Λ with minimal Λᵀ C⁻¹ Λ (docs/theory.md, section 6)",
      study.model.m, study.contacts.rank(), fmt::join(internal, ", "));
}

/// The switches of the force and their effect on the numbers. Empty: there are none.
std::string note_on_switches(const Solves& solves, const std::string& no_prediction) {
  if (solves.crossings.empty() && solves.no_crossings.empty()) return {};
  if (!no_prediction.empty())
    return fmt::format("order only, without a predicted constant: {}", no_prediction);
  std::vector<std::string> times;
  constexpr std::size_t most = 6;
  for (const auto& crossing : solves.crossings)
    if (times.size() < most) times.push_back(fmt::format("{:.10g}", crossing.t));
  if (solves.crossings.size() > most) times.emplace_back("…");
  return fmt::format(
      "the force switches at t = {} s ({}): solvers stop there, both sides are sampled, and a jump "
      "of Λ starts a layer, so λ has order 0 on a window with a jump (docs/theory.md, section 14)",
      fmt::join(times, ", "),
      solves.crossings.size() == 1 ? "one switch"
                                   : fmt::format("{} switches", solves.crossings.size()));
}

/// The projection in 113 bits of a start that rolls up to the rounding of its doubles; empty: none.
std::string note_on_start(const RollingStudy& study) {
  if (study.solvers.precision != Precision::binary128) return {};
  const QuadProjection projection = projection_in_quad(study);
  if (projection.change + projection.change_of_q == 0.0 ||
      !is_consistent(study.model, study.initial))
    return {};
  return fmt::format(
      "the start in double precision slides by {:.2g} m/s: in 113 bits both sides start from its "
      "projection onto rolling, which changes q by at most {:.2g} and v by at most {:.2g}",
      projection.before, projection.change_of_q, projection.change);
}

std::vector<std::string> notes_on_result(const RollingResult& result) {
  std::vector<std::string> notes;
  if (std::string note = note_on_start(result.study); !note.empty())
    notes.push_back(std::move(note));
  for (const RigidReport& rigid : result.rigid)
    if (!rigid.multiplier_tested)
      notes.push_back(fmt::format(
          "{}: Λ was not in the local error test (index 2); its error is measured against {}",
          rigid.solver, rigid.reference));
  if (result.study.contacts.redundant()) notes.push_back(note_on_redundancy(result.study));
  if (std::string note = disagreement(result.series); !note.empty())
    notes.push_back(std::move(note));
  const double force = result.multiplier_at_start.cwiseAbs().maxCoeff();
  constexpr double negligible = 1e-8;  // N: a smaller layer is of the size of solver errors
  const bool has_spring =
      std::ranges::any_of(result.study.contact.laws,
                          [](const std::string& law) { return find_law(law)->has_spring(); });
  if (has_spring && force < negligible &&
      result.study.contact.preparation == ContactSpec::Preparation::unloaded)
    notes.push_back(
        fmt::format("Λ(0) = {:.3g}: the unloaded spring is already prepared, so the orders are "
                    "those of the prepared regime (docs/theory.md, section 2)",
                    force));
  return notes;
}

/// Of a motion that stays at rest, for which errors are no evidence.
std::string note_on_rest(const RollingResult& result, const Solves& solves) {
  for (const auto& judged : solves.judged) {
    const MatrixXd& v = solves.rigid[judged.solve].result.motion.rounded.v;
    if (v.size() == 0 || !v.allFinite() || v.cwiseAbs().maxCoeff() > 0.0) return {};
  }
  const bool exact = std::ranges::all_of(result.series, [](const Series& series) {
    return std::ranges::all_of(series.rows,
                               [](const Row& row) { return row.model_error() == 0.0; });
  });
  return fmt::format(
      "nothing moves: v = 0 for all t of the rigid motion{}; start it elsewhere or "
      "with a speed",
      exact ? ", and all errors are 0" : "");
}

/// How often an estimate of an error is certainly smaller than the error. Empty: there are no
/// bounds.
std::string note_on_estimates(const std::vector<Series>& all) {
  int estimates = 0, small = 0;
  double worst = 0.0;
  const auto compare = [&](double estimate, double least, double rounding) {
    ++estimates;
    const double ratio = (least - rounding) / estimate;
    if (!(ratio > 1.0)) return;
    ++small;
    worst = std::max(worst, ratio);
  };
  for (const Series& series : all)
    for (const Row& row : series.rows) {
      const ProvedSizes* bounds = row.proved();
      if (bounds == nullptr) continue;
      compare(row.sizes.solver, bounds->least_solver, row.sizes.rounding);
      compare(row.sizes.reference, bounds->least_reference, row.sizes.rounding);
    }
  if (estimates == 0) return {};
  return fmt::format(
      "{} of {} estimates of solver and reference errors are too small{}", small, estimates,
      small > 0 ? fmt::format(": the error is up to {:.2g} times its estimate", worst) : "");
}

}  // namespace

std::vector<std::string> rolling_notes(const RollingResult& result, const Solves& solves) {
  std::vector<std::string> notes = notes_on_result(result);
  for (const std::string& note : {note_on_estimates(result.series), note_on_rest(result, solves),
                                  note_on_switches(solves, result.no_prediction)})
    if (!note.empty()) notes.push_back(note);
  return notes;
}

}  // namespace rigidlimit
