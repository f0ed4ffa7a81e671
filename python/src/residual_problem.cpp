// Ideal rolling as 0 = r(t, y, y').
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "arrays.hpp"
#include "problem.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

/// The callbacks of `motion` own their workspace, so that one thread at a time may use them.
struct ResidualProblem {
  std::shared_ptr<const RollingStudy> study;
  MotionProblem<DaeProblem> motion;
  Components components;
  std::mutex use = {};

  const DaeProblem& dae() const { return motion.problem; }

  std::unique_lock<std::mutex> held() {
    std::unique_lock lock(use, std::try_to_lock);
    if (!lock) throw InputError("another thread is using this problem: make one for each thread");
    return lock;
  }
  void require_size(const char* name, const Array1& y) const {
    if (static_cast<Index>(y.shape(0)) != dae().y0.size())
      throw InputError(fmt::format("{} has {} components; this problem has {}", name, y.shape(0),
                                   dae().y0.size()));
  }
};

std::unique_ptr<ResidualProblem> rigid_residual(const ReadExperiment& read, bool impulse) {
  std::shared_ptr<const RollingStudy> study = rolling_study(read);
  auto motion = rigid_dae(study->model, rigid_start(*study),
                          impulse ? MultiplierForm::impulse : MultiplierForm::index2);
  Components components = components_of(study->system->info);
  if (impulse)
    add_multipliers(
        *study, "exact_impulse", "impulse",
        [](const std::string& unit) {
          const std::string force = force_unit(unit);
          return force.empty() ? "" : force + " s";
        },
        components);
  else
    add_multipliers(*study, "kappa", "lambda", force_unit, components);
  return std::make_unique<ResidualProblem>(std::move(study), std::move(motion),
                                           std::move(components));
}

Solved solve(ResidualProblem& problem, const Array1& times, double rtol, double atol,
             long max_steps) {
  const std::vector<double> grid = numbers_of(times);
  const auto lock = problem.held();
  return interruptible([&](const std::function<bool()>& stop_requested) -> Solved {
    Solution solution = find_dae_method("ida")->solve(
        problem.dae(), grid,
        {.rtol = rtol, .atol = atol, .max_steps = max_steps, .stop_requested = stop_requested});
    Motion motion = problem.motion.motion(solution);
    return {std::move(solution), std::move(motion)};
  });
}

}  // namespace

void bind_residual_problem(nb::module_& module) {
  nb::class_<ResidualProblem>(module, "ResidualProblem", "0 = r(t, y, y').")
      .def_prop_ro("name", [](const ResidualProblem& p) { return p.dae().name; })
      .def_prop_ro("t0", [](const ResidualProblem& p) { return p.dae().t0; })
      .def_prop_ro(
          "y0", [](const ResidualProblem& p) { return array_of(VectorXd(p.dae().y0)); },
          own_numbers)
      .def_prop_ro(
          "yp0", [](const ResidualProblem& p) { return array_of(VectorXd(p.dae().yp0)); },
          own_numbers)
      .def_prop_ro("names", [](const ResidualProblem& p) { return p.components.names; })
      .def_prop_ro("units", [](const ResidualProblem& p) { return p.components.units; })
      .def_prop_ro("differential", [](const ResidualProblem& p) { return p.dae().differential; })
      .def(
          "residual",
          [](ResidualProblem& p, double t, const Array1& y, const Array1& yp) {
            p.require_size("y", y);
            p.require_size("y'", yp);
            const auto lock = p.held();
            VectorXd r(p.dae().y0.size());
            p.dae().residual(t, vector_of(y), vector_of(yp), r);
            return array_of(std::move(r));
          },
          nb::arg("t"), nb::arg("y"), nb::arg("yp"))
      .def(
          "jacobian",
          [](ResidualProblem& p, double t, const Array1& y, const Array1& yp, double alpha) {
            p.require_size("y", y);
            p.require_size("y'", yp);
            const auto lock = p.held();
            MatrixXd J(p.dae().y0.size(), p.dae().y0.size());
            p.dae().jacobian(t, vector_of(y), vector_of(yp), alpha, J);
            return array_of(std::move(J));
          },
          nb::arg("t"), nb::arg("y"), nb::arg("yp"), nb::arg("alpha"))
      .def("solve", solve, nb::arg("times"), nb::arg("rtol"), nb::arg("atol"),
           nb::arg("max_steps"));
  module.def("rigid_residual", rigid_residual, nb::arg("experiment"), nb::arg("impulse"));
}

}  // namespace rigidlimit::python
