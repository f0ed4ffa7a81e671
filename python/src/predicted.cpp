// The expansion of a compliant motion: what theory predicts of its difference from the rigid one.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "problem.hpp"
#include "rigidlimit/asymptotics/prediction.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/viscoelastic_expansion.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

struct Predicted {
  std::shared_ptr<const RollingStudy> study;
  double epsilon;
  Expansion expansion;

  Prediction at(const std::vector<double>& times) const {
    return interruptible([&](const std::function<bool()>& stop_requested) {
      SolveOptions limits;
      limits.max_steps = study->solvers.max_steps;
      limits.stop_requested = stop_requested;
      Prediction found(expansion, times, {}, limits);
      if (found.outcome() != Outcome::success)
        throw InputError("the outer expansion is not solved: " + found.message());
      return found;
    });
  }
};

Predicted predicted(const Problem& problem) {
  const ProblemData& data = problem.data();
  if (!data.law) throw InputError("ideal rolling is the limit: nothing is predicted of it");
  if (!data.law->is_viscoelastic())
    throw InputError("the expansion exists only for the viscoelastic law");
  require_expandable(*data.study);
  return {data.study, data.epsilon, viscoelastic_expansion(*data.study, rigid_start(*data.study))};
}

/// q, v, lambda.
using Terms = std::tuple<NumpyArray<double, 2>, NumpyArray<double, 2>, NumpyArray<double, 2>>;

Terms terms_of(Motion motion) {
  return {array_of(std::move(motion.q)), array_of(std::move(motion.v)),
          array_of(std::move(motion.lambda))};
}

/// Of these names in the tables.
template <class Kind, std::size_t n>
Kind named(const std::string& name, const std::array<Kind, n>& kinds, const char* what) {
  std::vector<std::string> known;
  for (const Kind kind : kinds) {
    if (name == name_of(kind)) return kind;
    known.emplace_back(name_of(kind));
  }
  throw InputError(fmt::format("'{}' is not known{}", name, suggestion(name, known)), what);
}

/// {quantity: (K, p)} of the leading terms K ε^p, measured as in the tables of the study.
nb::dict coefficients(const Predicted& predicted, const std::string& norm,
                      const std::string& window) {
  Measure measure{.norm = named(norm, rolling_norms, "norm"),
                  .window = named(window, rolling_windows, "window")};
  const RollingStudy& study = *predicted.study;
  const Prediction prediction = predicted.at(grid_for(study.time, predicted.epsilon));
  const double from = measure.window == Window::after ? study.after : 0.0;
  const Motion leading = prediction.leading(predicted.epsilon, prediction.times(), from);
  const LeadingOrders orders =
      measure.norm == Norm::sup ? prediction.sup_orders(from) : prediction.l2_orders(from);
  const Windows windows{.after = study.after, .locate_peaks = true};
  nb::dict found;
  for (const auto& [quantity, order] : {std::pair{Quantity::q, orders.q},
                                        {Quantity::v, orders.v},
                                        {Quantity::lambda, orders.lambda}}) {
    measure.quantity = quantity;
    const double size = size_of(leading, measure, windows);
    found[name_of(quantity)] = nb::make_tuple(size / std::pow(predicted.epsilon, order), order);
  }
  return found;
}

}  // namespace

void bind_predicted(nb::module_& module) {
  const auto matrix = [](MatrixXd Expansion::*what) {
    return [what](const Predicted& p) { return array_of(MatrixXd(p.expansion.*what)); };
  };
  const auto vector = [](VectorXd Expansion::*what) {
    return [what](const Predicted& p) { return array_of(VectorXd(p.expansion.*what)); };
  };
  const auto terms = [](Motion (Prediction::*of)(double, const std::vector<double>&) const) {
    return [of](const Predicted& p, const Array1& at) {
      const std::vector<double> times = numbers_of(at);
      return terms_of((p.at(times).*of)(p.epsilon, times));
    };
  };
  nb::class_<Predicted>(module, "Predicted", "The expansion of a compliant motion.")
      .def_ro("epsilon", &Predicted::epsilon)
      .def_prop_ro("delassus", matrix(&Expansion::delassus), own_numbers)
      .def_prop_ro("stiffness", matrix(&Expansion::stiffness), own_numbers)
      .def_prop_ro("damping", matrix(&Expansion::damping), own_numbers)
      .def_prop_ro("missing_load", vector(&Expansion::missing_load), own_numbers)
      .def("outer", terms(&Prediction::outer), nb::arg("times"))
      .def("layer", terms(&Prediction::layer), nb::arg("times"))
      .def("composite", terms(&Prediction::composite), nb::arg("times"))
      .def("coefficients", coefficients, nb::arg("norm"), nb::arg("window"),
           nb::sig("def coefficients(self, norm: str, window: str) -> "
                   "dict[str, tuple[float, float]]"),
           "Coefficient and order of the leading term of q, v and lambda.");
  module.def("predicted", predicted, nb::arg("problem"));
}

}  // namespace rigidlimit::python
