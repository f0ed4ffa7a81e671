#include "solved.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

void bind_solved(nb::module_& module) {
  const auto count = [](long Work::*what) {
    return [what](const Solved& s) { return s.solution.work.*what; };
  };
  // The arrays are the numbers of the solution, which they keep alive.
  const auto matrix = [](auto of) {
    return [of](nb::handle self) { return array_within(self, of(nb::cast<Solved&>(self))); };
  };
  nb::class_<Solved>(module, "Solved", "The solution of a problem on a grid of times.")
      .def_prop_ro(
          "t", [](const Solved& s) { return array_of(s.solution.times); }, own_numbers)
      .def_prop_ro("y", matrix([](Solved& s) -> MatrixXd& { return s.solution.states; }))
      .def_prop_ro("q", matrix([](Solved& s) -> MatrixXd& { return s.motion.q; }))
      .def_prop_ro("v", matrix([](Solved& s) -> MatrixXd& { return s.motion.v; }))
      .def_prop_ro("multiplier", matrix([](Solved& s) -> MatrixXd& { return s.motion.lambda; }))
      .def_prop_ro("error", matrix([](Solved& s) -> MatrixXd& { return s.error; }),
                   "Error bars of y, of a reference.")
      .def_prop_ro("multiplier_error",
                   matrix([](Solved& s) -> MatrixXd& { return s.multiplier_error; }))
      .def_prop_ro("success",
                   [](const Solved& s) { return s.solution.outcome == Outcome::success; })
      .def_prop_ro("status", [](const Solved& s) { return name_of(s.solution.outcome); })
      .def_prop_ro("message", [](const Solved& s) { return s.solution.message; })
      .def_prop_ro("t_reached", [](const Solved& s) { return s.solution.t_reached; })
      .def_prop_ro("steps", count(&Work::steps))
      .def_prop_ro("nfev", count(&Work::rhs_evaluations))
      .def_prop_ro("njev", count(&Work::jacobian_evaluations))
      .def_prop_ro("nlu", count(&Work::factorisations));
}

}  // namespace rigidlimit::python
