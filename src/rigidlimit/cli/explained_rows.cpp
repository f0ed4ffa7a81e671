// Explanations of the statuses of a row of a study and of a trial of a benchmark.
#include <fmt/format.h>

#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "rigidlimit/experiment/benchmark/step_orders.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

namespace {

constexpr const char* row = "status of a row";
constexpr const char* trial = "status of a benchmark's trial";

std::string tenfold(const std::string& other) {
  return fmt::format("model error < {:g} x {}, or that value is unknown.", evidence_factor, other);
}

std::vector<Explanation> limited_rows() {
  return {
      {"equal", row,
       "The two motions agree to rounding. The row has no order and is not used in fits.",
       tenfold("rounding of the compared values, four units in the last place of the largest"),
       "Use larger eps, or data for which the two motions differ: forces, curvature, slip.",
       "rigidlimit run FILE.toml --set epsilon.from=0.1 --set epsilon.to=1e-3"},
      {"solver_limited", row,
       "The error is that of the compliant solve, not of the contact. Not used in fits.",
       tenfold(fmt::format("solver error. The solver error is the distance to a second solve at "
                           "tolerances {:g} times as large, over 1 - {:g}",
                           SolverSpec{}.tighten, SolverSpec{}.tighten)),
       "Tighten rtol and atol, drop the smallest eps, or use a method of higher order.",
       "rigidlimit run FILE.toml --set solvers.rtol=1e-13 --set solvers.atol=1e-15"},
      {"reference_limited", row,
       "The rigid motion is not accurate enough for this row. Not used in fits. In a benchmark: "
       "the error is close to that of the reference.",
       tenfold("reference error. The reference error is the distance of the rigid motion from an "
               "independent one: a closed form, or another formulation and another method"),
       "Tighten rigid_rtol and rigid_atol, or use closed_form if there is one, or 113 bits.",
       "rigidlimit run FILE.toml --set solvers.rigid_rtol=1e-14 --set solvers.rigid_atol=1e-16"},
      {"sampling_limited", row,
       "The samples miss part of the difference: its maximum lies between two of them.",
       tenfold("the change of the error without every other sample"),
       "Use more samples; if the layer is missed, more layer_samples.",
       "rigidlimit run FILE.toml --set time.samples=4001 --set time.layer_samples=961"},
  };
}

}  // namespace

std::vector<Explanation> explained_rows() {
  std::vector<Explanation> all{
      {"ok", row, "The row is evidence. In a benchmark: the error of the trial is valid.",
       fmt::format("model error >= {:g} x each of solver, reference and sampling error.",
                   evidence_factor),
       "Nothing.", "rigidlimit help errors"}};
  for (Explanation& limited : limited_rows()) all.push_back(std::move(limited));
  all.push_back({name_of(TrialStatus::failed), row,
                 "The solve of the named side failed: \"failed: max_steps\", \"failed: rigid "
                 "not_finite\". In a benchmark also: there is no reference.",
                 "The outcome of the solve is not success. The row is listed without numbers.",
                 "Read the list of failures under the table and explain the named outcome.",
                 "rigidlimit explain max_steps"});
  all.push_back({"no composite", row,
                 "The study compares with the composite expansion, and it could not be computed.",
                 "\"failed: no composite\": against = \"composite\", and there is no prediction.",
                 "Read the notes under the table; compare with the rigid motion instead.",
                 "rigidlimit run FILE.toml --set 'study.against=\"rigid\"'"});
  all.push_back({name_of(TrialStatus::plateau), trial,
                 "With equal steps, the error hardly depends on the step size: order reduction, or "
                 "steps that do not resolve the layer.",
                 fmt::format("|order between this h and the next larger one| < {:g}, and both "
                             "errors are evidence.",
                             plateau_order),
                 fmt::format("Compare the orders on both sides: steps h >= {:g} eps do not resolve "
                             "the contact, steps h <= {:g} eps do.",
                             stiff_from, resolved_to),
                 "rigidlimit run experiments/benchmarks/order_reduction.toml --quick"});
  all.push_back(
      {"refused", trial, "The method does not accept the problem.",
       "It has no equal steps or no splitting, or there are too many unknowns. The reason is "
       "listed.",
       "Nothing, or omit the method.",
       "rigidlimit run FILE.toml --set 'benchmark.without=[\"dopri5\"]'"});
  return all;
}

}  // namespace rigidlimit
