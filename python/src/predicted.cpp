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
#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

struct Predicted {
  std::shared_ptr<const RollingStudy> study;
  double epsilon;
  ActingContacts<double> contacts;
  std::shared_ptr<const LeadingTerms> leading;

  SeriesExpansion<double> expansion(int order, double end) const {
    if (order < 0 || order > highest_order)
      throw InputError(fmt::format("must be 0 to {}, not {}", highest_order, order), "order");
    return {study->model, rigid_start(*study), law_of(*study), initial_deflection(*study), order,
            end};
  }
};

Predicted predicted(const Problem& problem) {
  const ProblemData& data = problem.data();
  if (!data.law) throw InputError("ideal rolling is the limit: nothing is predicted of it");
  const RollingStudy& study = *data.study;
  if (!data.law->is_viscoelastic() || study.contact.damping_exponent != 1.0)
    throw InputError("the expansion exists only for the viscoelastic law with beta = 1");
  if (moves_start(study))
    throw InputError("the start of a prepared spring of constraint_position depends on epsilon");
  if (!is_consistent(study.model, study.initial)) throw InputError("the start slides");
  const PredictedTerms terms = predicted_terms(study, *data.law, {});
  if (!terms.terms) throw InputError(terms.reason);
  return {data.study, data.epsilon,
          ActingContacts<double>(contact_basis(study.model, study.initial.q), law_of(study)),
          terms.terms};
}

/// C_r⁻¹ μ(0) − η_I(0), r; exactly 0 if the spring is prepared but for rounding.
VectorXd missing_load(const Predicted& p) {
  const SeriesExpansion<double> expansion = p.expansion(0, p.study->time.end);
  const VectorXd outer = expansion.outer(p.study->initial.t, 0);
  const VectorXd load =
      outer.tail(p.contacts.rank()) - p.contacts.acting_deflection(initial_deflection(*p.study));
  const System& system = p.study->model;
  const double size = outer.segment(system.nq + system.n, system.m).norm();
  return (p.contacts.stiffness * load).norm() <= 1e-10 * (1.0 + size)
             ? VectorXd(VectorXd::Zero(load.size()))
             : load;
}

/// q, v, lambda.
using Terms = std::tuple<NumpyArray<double, 2>, NumpyArray<double, 2>, NumpyArray<double, 2>>;

enum class Part { outer, layer, both };

/// Terms of compliant minus rigid motion up to an order: (q, v, λ).
Terms terms_of(const Predicted& p, const std::vector<double>& times, int order, Part part) {
  bool increasing = !times.empty() && times.front() >= p.study->initial.t;
  for (std::size_t i = 1; i < times.size(); ++i) increasing = increasing && times[i] > times[i - 1];
  if (!increasing || !std::isfinite(times.back()))
    throw InputError("the times must increase from the start of the motion on", "times");
  const SeriesExpansion<double> expansion =
      p.expansion(order, std::max(times.back(), p.study->time.end));
  const System& system = p.study->model;
  const Index size = system.nq + system.n + system.m;
  MatrixXd all = MatrixXd::Zero(size, std::ssize(times));
  for (Index i = 0; i < all.cols(); ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    for (int k = 0; k <= order; ++k) {
      const double power = std::pow(p.epsilon, k);
      if (part != Part::layer && k > 0) all.col(i) += power * expansion.outer(t, k).head(size);
      if (part != Part::outer)
        all.col(i) += power * expansion.layer((t - p.study->initial.t) / p.epsilon, k);
    }
  }
  return {array_of(MatrixXd(all.topRows(system.nq))),
          array_of(MatrixXd(all.middleRows(system.nq, system.n))),
          array_of(MatrixXd(all.bottomRows(system.m)))};
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
  const double from = measure.window == Window::after ? study.after : 0.0;
  const double epsilon = predicted.epsilon;
  const std::vector<double> times =
      grid_for(study.time, epsilon, {.after = study.after, .ringing = ringing_of(study, epsilon)});
  const DifferenceCurve leading(predicted.leading->at(epsilon, times, from),
                                {.after = study.after});
  const LeadingOrders orders = measure.norm == Norm::sup ? predicted.leading->sup_orders(from)
                                                         : predicted.leading->l2_orders(from);
  nb::dict found;
  for (const Quantity quantity : quantities_of(study.system->info)) {
    measure.quantity = quantity;
    const double order = order_of(quantity, orders);
    const double size = leading.size(measure).value;
    found[name_of(quantity)] = nb::make_tuple(size / std::pow(epsilon, order), order);
  }
  return found;
}

}  // namespace

void bind_predicted(nb::module_& module) {
  const auto terms = [](Part part) {
    return [part](const Predicted& p, const Array1& at, int order) {
      return terms_of(p, numbers_of(at), order, part);
    };
  };
  nb::class_<Predicted>(module, "Predicted", "The expansion of a compliant motion.")
      .def_ro("epsilon", &Predicted::epsilon)
      .def_prop_ro(
          "delassus",
          [](const Predicted& p) {
            return array_of(MatrixXd(
                delassus(p.study->model, p.study->initial.q)(p.contacts.rows, p.contacts.rows)));
          },
          own_numbers)
      .def_prop_ro(
          "stiffness", [](const Predicted& p) { return array_of(MatrixXd(p.contacts.stiffness)); },
          own_numbers)
      .def_prop_ro(
          "damping", [](const Predicted& p) { return array_of(MatrixXd(p.contacts.damping)); },
          own_numbers)
      .def_prop_ro(
          "missing_load", [](const Predicted& p) { return array_of(missing_load(p)); }, own_numbers)
      .def("outer", terms(Part::outer), nb::arg("times"), nb::arg("order"))
      .def("layer", terms(Part::layer), nb::arg("times"), nb::arg("order"))
      .def("composite", terms(Part::both), nb::arg("times"), nb::arg("order"))
      .def("coefficients", coefficients, nb::arg("norm"), nb::arg("window"),
           nb::sig("def coefficients(self, norm: str, window: str) -> "
                   "dict[str, tuple[float, float]]"),
           "Coefficient and order of the leading term of q, v and lambda.");
  module.def("predicted", predicted, nb::arg("problem"));
}

}  // namespace rigidlimit::python
