// The two problems of a rolling study below its judgement: y' = f(t, y), its Jacobian, and its
// solution.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/rolling/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

using Array1 = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// One problem. Its callbacks own their workspace, so one thread at a time may use it.
struct Problem {
  std::shared_ptr<const Experiment::Spec> study;  ///< the problem refers to its system
  MotionProblem<OdeProblem> motion;
  std::vector<std::string> names;
  std::mutex use = {};

  const OdeProblem& ode() const { return motion.problem; }

  std::unique_lock<std::mutex> held() {
    std::unique_lock lock(use, std::try_to_lock);
    if (!lock) throw InputError("another thread is using this problem: make one for each thread");
    return lock;
  }
  Eigen::Map<const VectorXd> state(const Array1& y) const {
    const auto size = static_cast<Index>(y.shape(0));
    if (size != ode().y0.size())
      throw InputError(
          fmt::format("y has {} components; this problem has {}", size, ode().y0.size()));
    return {y.data(), size};
  }
};

const RollingStudy& rolling(const ReadExperiment& read) {
  const auto* study = std::get_if<RollingStudy>(read.experiment.spec.get());
  if (!study)
    throw InputError(
        "is a friction study, sweep or benchmark; only a rolling study has these problems",
        read.experiment.name);
  if (study->model.switches)
    throw InputError("has a force with switches, which no single ODE describes",
                     read.experiment.name);
  return *study;
}

std::vector<std::string> state_names(const RollingStudy& study, Index size) {
  std::vector<std::string> names;
  const SystemInfo& info = study.system->info;
  for (const auto* components : {&info.coordinates, &info.velocities})
    for (const Component& component : *components) names.emplace_back(component.name);
  for (Index k = 1; std::ssize(names) < size; ++k) names.push_back(fmt::format("eta{}", k));
  return names;
}

std::unique_ptr<Problem> problem_of(const ReadExperiment& read, MotionProblem<OdeProblem> motion) {
  std::vector<std::string> names = state_names(rolling(read), motion.problem.y0.size());
  return std::make_unique<Problem>(read.experiment.spec, std::move(motion), std::move(names));
}

std::unique_ptr<Problem> rigid(const ReadExperiment& read) {
  const RollingStudy& study = rolling(read);
  return problem_of(read, rigid_eliminated(study.model, rigid_start(study)));
}

std::unique_ptr<Problem> compliant(const ReadExperiment& read, double epsilon,
                                   const std::string& law) {
  const RollingStudy& study = rolling(read);
  if (!(epsilon > 0.0))
    throw InputError(fmt::format("epsilon = {}: must be > 0", epsilon), "epsilon");
  const LawInfo* info = find_law(law.empty() ? study.contact.laws.front() : law);
  if (!info || std::ranges::count(study.contact.laws, info->name) == 0)
    throw InputError(
        fmt::format("'{}' is not a law of this study{}", law, suggestion(law, study.contact.laws)),
        "law");
  return problem_of(read, compliant_problem(study, *info, Formulation::natural, epsilon));
}

/// A solution and its motion.
struct Solved {
  Solution solution;
  Motion motion;
};

Solved solve(Problem& problem, const std::string& method, const std::vector<double>& times,
             double rtol, double atol, long max_steps) {
  const OdeMethod* found = find_ode_method(method);
  if (!found) {
    std::vector<std::string> known;
    for (const OdeMethod& one : ode_methods()) known.emplace_back(one.name);
    throw InputError(fmt::format("'{}' is not known{}", method, suggestion(method, known)),
                     "method");
  }
  std::atomic<bool> stopped = false;
  const auto lock = problem.held();
  return without_gil(
      [&]() -> Solved {
        Solution solution = found->solve(
            problem.ode(), times,
            {.rtol = rtol, .atol = atol, .max_steps = max_steps, .stop_requested = [&] {
               return stopped.load();
             }});
        Motion motion = problem.motion.motion(solution);
        return {std::move(solution), std::move(motion)};
      },
      [] {}, [&] { stopped = true; });
}

}  // namespace

void bind_problems(nb::module_& module) {
  nb::class_<Problem>(module, "Problem",
                      "y' = f(t, y) of one side of a rolling study, in (q, v) or (q, v, eta).")
      .def_prop_ro("name", [](const Problem& p) { return p.ode().name; })
      .def_prop_ro("t0", [](const Problem& p) { return p.ode().t0; })
      .def_prop_ro("y0", [](const Problem& p) { return array_of(VectorXd(p.ode().y0)); })
      .def_prop_ro(
          "names", [](const Problem& p) { return p.names; }, "Of the components of y.")
      .def(
          "rhs",
          [](Problem& p, double t, const Array1& y) {
            const auto state = p.state(y);
            const auto lock = p.held();
            VectorXd rate(state.size());
            p.ode().rhs(t, state, rate);
            return array_of(std::move(rate));
          },
          nb::arg("t"), nb::arg("y"))
      .def(
          "jacobian",
          [](Problem& p, double t, const Array1& y) {
            if (!p.ode().jacobian) throw InputError("has no dense Jacobian", p.ode().name);
            const auto state = p.state(y);
            const auto lock = p.held();
            MatrixXd rates(state.size(), state.size());
            p.ode().jacobian(t, state, rates);
            return array_of(std::move(rates));
          },
          nb::arg("t"), nb::arg("y"))
      .def("solve", solve, nb::arg("method"), nb::arg("times"), nb::arg("rtol"), nb::arg("atol"),
           nb::arg("max_steps"));
  const auto count = [](long Work::*what) {
    return [what](const Solved& s) { return s.solution.work.*what; };
  };
  nb::class_<Solved>(module, "Solved", "The solution of a problem on a grid of times.")
      .def_prop_ro("t", [](const Solved& s) { return array_of(s.solution.times); })
      .def_prop_ro("y", [](const Solved& s) { return array_of(MatrixXd(s.solution.states)); })
      .def_prop_ro("q", [](const Solved& s) { return array_of(MatrixXd(s.motion.q)); })
      .def_prop_ro("v", [](const Solved& s) { return array_of(MatrixXd(s.motion.v)); })
      .def_prop_ro("multiplier",
                   [](const Solved& s) { return array_of(MatrixXd(s.motion.lambda)); })
      .def_prop_ro("success",
                   [](const Solved& s) { return s.solution.outcome == Outcome::success; })
      .def_prop_ro("status", [](const Solved& s) { return name_of(s.solution.outcome); })
      .def_prop_ro("message", [](const Solved& s) { return s.solution.message; })
      .def_prop_ro("t_reached", [](const Solved& s) { return s.solution.t_reached; })
      .def_prop_ro("steps", count(&Work::steps))
      .def_prop_ro("nfev", count(&Work::rhs_evaluations))
      .def_prop_ro("njev", count(&Work::jacobian_evaluations))
      .def_prop_ro("nlu", count(&Work::factorisations));
  module.def("rigid", rigid, nb::arg("experiment"));
  module.def("compliant", compliant, nb::arg("experiment"), nb::arg("epsilon"), nb::arg("law"));
}

}  // namespace rigidlimit::python
