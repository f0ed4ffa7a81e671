// The two problems of a rolling study below its judgement, their solutions and references.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "problem.hpp"
#include "references.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/plan/parallel.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

std::unique_ptr<Problem> rigid(const ReadExperiment& read, bool semi_explicit) {
  std::shared_ptr<const RollingStudy> study = rolling_study(read);
  InitialState start = rigid_start(*study);
  return std::make_unique<Problem>(
      ProblemData{.study = std::move(study),
                  .start = std::move(start),
                  .form = semi_explicit ? RigidOde::semi_explicit : RigidOde::eliminated});
}

std::unique_ptr<Problem> compliant(const ReadExperiment& read, double epsilon,
                                   const std::string& law) {
  std::shared_ptr<const RollingStudy> study = rolling_study(read);
  if (!(epsilon > 0.0) || !std::isfinite(epsilon))
    throw InputError(fmt::format("epsilon = {}: must be > 0 and finite", epsilon), "epsilon");
  const std::vector<std::string>& laws = study->contact.laws;
  const LawInfo* info = find_law(law.empty() ? laws.front() : law);
  if (!info || std::ranges::count(laws, info->name) == 0)
    throw InputError(fmt::format("'{}' is not a law of this study{}", law, suggestion(law, laws)),
                     "law");
  InitialState start = study->initial;
  return std::make_unique<Problem>(ProblemData{
      .study = std::move(study), .start = std::move(start), .law = info, .epsilon = epsilon});
}

Eigen::Map<const VectorXd> state_of(const Problem& problem, const Array1& y) {
  if (static_cast<Index>(y.shape(0)) != problem.ode().y0.size())
    throw InputError(fmt::format("y has {} components; this problem has {}", y.shape(0),
                                 problem.ode().y0.size()));
  return vector_of(y);
}

/// Runs action(options) without the GIL; Ctrl-C stops its solves.
template <class Action>
auto interruptible(double rtol, double atol, long max_steps, const Action& action) {
  return python::interruptible([&](const std::function<bool()>& stop_requested) {
    return action(SolveOptions{
        .rtol = rtol, .atol = atol, .max_steps = max_steps, .stop_requested = stop_requested});
  });
}

Solved solve(const Problem& problem, const std::string& method, const Array1& times, double rtol,
             double atol, long max_steps) {
  problem.require(method);
  const std::vector<double> grid = numbers_of(times);
  const auto lock = problem.held();
  return interruptible(rtol, atol, max_steps, [&](const SolveOptions& options) {
    return problem.solve(method, grid, options);
  });
}

/// Each on its own copy of the problem, so that a list may hold a problem twice.
std::vector<Solved> solve_all(const std::vector<const Problem*>& problems,
                              const std::string& method, const Array1& times, double rtol,
                              double atol, long max_steps, int jobs) {
  std::vector<ProblemData> all;
  for (const Problem* problem : problems) {
    problem->require(method);
    all.push_back(problem->data());
  }
  const std::vector<double> grid = numbers_of(times);
  return interruptible(rtol, atol, max_steps, [&](const SolveOptions& options) {
    std::vector<Solved> found(all.size());
    run_tasks(static_cast<int>(all.size()), jobs, [&](int k) {
      const auto at = static_cast<std::size_t>(k);
      if (!options.stop_requested()) found[at] = Problem(all[at]).solve(method, grid, options);
    });
    return found;
  });
}

Solved reference_of(const Problem& problem, const Array1& times) {
  const std::vector<double> grid = numbers_of(times);
  return python::interruptible([&](const std::function<bool()>& stop_requested) {
    return reference(problem, grid, stop_requested);
  });
}

}  // namespace

void bind_problems(nb::module_& module) {
  bind_solved(module);
  nb::class_<Problem>(module, "Problem",
                      "M y' = f(t, y) of one side of a rolling study from one start.")
      .def_prop_ro("name", [](const Problem& p) { return p.ode().name; })
      .def_prop_ro("t0", [](const Problem& p) { return p.ode().t0; })
      .def_prop_ro(
          "y0", [](const Problem& p) { return array_of(VectorXd(p.ode().y0)); }, own_numbers)
      .def_prop_ro(
          "names", [](const Problem& p) { return p.components().names; }, "Of y.")
      .def_prop_ro(
          "units", [](const Problem& p) { return p.components().units; }, "Of y.")
      .def_prop_ro(
          "mass",
          [](const Problem& p) {
            const Index size = p.ode().y0.size();
            return array_of(p.mass().size() > 0 ? p.mass() : MatrixXd::Identity(size, size));
          },
          own_numbers)
      .def_prop_ro("index",
                   [](const Problem& p) {
                     const auto size = static_cast<std::size_t>(p.ode().y0.size());
                     return p.mass().size() > 0 ? p.index() : std::vector<int>(size, 0);
                   })
      .def(
          "with_start",
          [](const Problem& p, const Array1& y0) { return p.with_start(vector_of(y0)); },
          nb::arg("y0"))
      .def(
          "rhs",
          [](const Problem& p, double t, const Array1& y) {
            const auto state = state_of(p, y);
            const auto lock = p.held();
            return array_of(p.rhs(t, state));
          },
          nb::arg("t"), nb::arg("y"))
      .def(
          "jacobian",
          [](const Problem& p, double t, const Array1& y) {
            const auto state = state_of(p, y);
            const auto lock = p.held();
            return array_of(p.jacobian(t, state));
          },
          nb::arg("t"), nb::arg("y"))
      .def("solve", solve, nb::arg("method"), nb::arg("times"), nb::arg("rtol"), nb::arg("atol"),
           nb::arg("max_steps"))
      .def("reference", reference_of, nb::arg("times"));
  module.def("rigid", rigid, nb::arg("experiment"), nb::arg("semi_explicit"));
  module.def("compliant", compliant, nb::arg("experiment"), nb::arg("epsilon"), nb::arg("law"));
  module.def("solve_all", solve_all, nb::arg("problems"), nb::arg("method"), nb::arg("times"),
             nb::arg("rtol"), nb::arg("atol"), nb::arg("max_steps"), nb::arg("jobs"));
}

}  // namespace rigidlimit::python
