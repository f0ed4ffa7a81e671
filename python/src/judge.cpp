// Judgements of plain series: rows as classes, results as tuples. rigidlimit.judge names their
// parts.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/further_terms.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/tables.hpp"
#include "rigidlimit/convergence/text.hpp"
#include "rigidlimit/convergence/without_order.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

using Rows = std::vector<SeriesPoint>;
using Ratios = std::vector<RatioPoint>;

/// The words of rigidlimit.judge.FloorSource, in the order of the enumerators.
constexpr std::array sources{"unnamed", "rounding", "solver", "reference", "sampling"};

FloorSource source_named(const std::string& word) {
  const auto found = std::ranges::find(sources, word);
  if (found == sources.end()) throw InputError(fmt::format("'{}' is not a source", word), "source");
  return static_cast<FloorSource>(found - sources.begin());
}

nb::object source_of(const SeriesPoint& p) {
  const nb::object type = nb::module_::import_("rigidlimit.judge").attr("FloorSource");
  return type(sources.at(static_cast<std::size_t>(p.source)));
}

/// Adds the repr, equality, hash and pickling of a dataclass with these fields. NaN equals NaN.
template <class Record>
void add_dataclass_methods(nb::class_<Record>& type, const std::vector<const char*>& fields) {
  const auto text = [fields](nb::handle record) {
    std::string all;
    for (const char* const field : fields)
      all += fmt::format("{}{}={}", all.empty() ? "" : ", ", field,
                         nb::repr(record.attr(field)).c_str());
    return fmt::format("{}({})", nb::cast<std::string>(record.type().attr("__name__")), all);
  };
  const auto equal = [text](nb::handle a, nb::handle b) {
    return a.type().is(b.type()) && text(a) == text(b);
  };
  type.def("__repr__", text, nb::sig("def __repr__(self) -> str"))
      .def("__eq__", equal, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "__hash__", [text](nb::handle record) { return nb::hash(nb::cast(text(record))); },
          nb::sig("def __hash__(self) -> int"))
      .def(
          "__reduce__",
          [fields](nb::handle record) {
            nb::list values;
            for (const char* const field : fields) values.append(record.attr(field));
            return nb::make_tuple(record.type(), nb::tuple(values));
          },
          nb::sig("def __reduce__(self) -> tuple[type, tuple[object, ...]]"));
}

using FitParts =
    std::tuple<double, double, double, double, double, std::size_t, std::size_t, std::size_t, bool>;

FitParts parts_of(const OrderFit& fit) {
  return {fit.order, fit.standard_error, fit.floor_error, fit.coefficient, fit.spread,
          fit.first, fit.last,           fit.count,       fit.settled};
}

using LimitParts = std::pair<double, double>;

LimitParts parts_of(const Limit& limit) {
  return {limit.value, limit.error};
}

using HiddenParts = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;

/// verdict, fit, limit, reason, hidden, advice
using JudgementParts =
    std::tuple<std::string, FitParts, LimitParts, std::string, HiddenParts, std::string>;

JudgementParts parts_of(const Judgement& found) {
  const HiddenRows& h = found.hidden;
  return {name_of(found.verdict),
          parts_of(found.fit),
          parts_of(found.limit),
          found.reason,
          HiddenParts{h.unnamed, h.rounding, h.solver, h.reference, h.sampling},
          advice(found)};
}

/// state, rows, worst, limit, factor, reason; states as numbers
using BoundParts =
    std::tuple<int, std::vector<int>, std::optional<std::size_t>, double, double, std::string>;

BoundParts parts_of(const BoundJudgement& found) {
  std::vector<int> rows;
  for (const BoundState state : found.rows) rows.push_back(static_cast<int>(state));
  return {
      static_cast<int>(found.state), rows, found.worst, found.limit, found.factor, found.reason};
}

/// verdict, last, ratio, limit, approach, reason
using RatioParts = std::tuple<std::string, std::size_t, double, LimitParts, FitParts, std::string>;

RatioParts parts_of(const RatioJudgement& found) {
  return {name_of(found.verdict),   found.last,  found.ratio, {found.limit, found.limit_error},
          parts_of(found.approach), found.reason};
}

/// error / predicted; without a prediction a row is not usable.
Ratios ratios_of(const Rows& rows) {
  Ratios ratios;
  for (const SeriesPoint& p : rows)
    ratios.push_back({.epsilon = p.epsilon,
                      .ratio = p.error / p.predicted,
                      .floor = p.floor / p.predicted,
                      .usable = p.usable && !std::isnan(p.predicted)});
  return ratios;
}

void require_ratios(const Ratios& ratios) {
  Rows sizes;
  for (const RatioPoint& p : ratios)
    sizes.push_back({.epsilon = p.epsilon, .error = std::abs(p.ratio), .floor = p.floor});
  require_series(sizes);
}

void bind_rows(nb::module_& module) {
  constexpr double none = OrderFit::none;
  nb::class_<SeriesPoint> row(module, "SeriesPoint", "One measurement of a convergence series.");
  row.def(
         "__init__",
         [](SeriesPoint* p, double epsilon, double error, double floor, bool usable,
            const std::string& source, double predicted) {
           new (p) SeriesPoint{epsilon, error, floor, usable, source_named(source), predicted};
         },
         nb::arg("epsilon"), nb::arg("error"), nb::arg("floor") = 0.0, nb::arg("usable") = true,
         nb::arg("source") = sources[0], nb::arg("predicted") = none)
      .def_ro("epsilon", &SeriesPoint::epsilon,
              "The refined parameter, > 0: a stiffness parameter, a step size.")
      .def_ro("error", &SeriesPoint::error,
              "Model error ≥ 0; NaN or infinite where the solve failed.")
      .def_ro("floor", &SeriesPoint::floor,
              "Largest of the other errors that `error` contains, ≥ 0; NaN: unknown.")
      .def_ro("usable", &SeriesPoint::usable, "False: ignore the row.")
      .def_prop_ro("source", source_of, nb::sig("def source(self) -> str"),
                   "Origin of the floor, a FloorSource.")
      .def_ro("predicted", &SeriesPoint::predicted,
              "Error that a theory predicts, K ε^p > 0; NaN: none. A fit does not use it.")
      .def_prop_ro(
          "is_failed", [](const SeriesPoint& p) { return is_failed(p); },
          "Usable, but without a finite error. Fits skip the row, but a series with it confirms "
          "nothing.")
      .def_prop_ro(
          "is_evidence", [](const SeriesPoint& p) { return is_evidence(p); },
          "Usable, finite, > 0 and ≥ evidence_factor × floor; an unknown floor (NaN) is not "
          "evidence.");
  add_dataclass_methods(row, {"epsilon", "error", "floor", "usable", "source", "predicted"});

  nb::class_<RatioPoint> ratio(module, "RatioPoint", "One measured value over the predicted one.");
  ratio
      .def(
          "__init__",
          [](RatioPoint* p, double epsilon, double value, double floor, bool usable) {
            new (p) RatioPoint{epsilon, value, floor, usable};
          },
          nb::arg("epsilon"), nb::arg("ratio"), nb::arg("floor") = 0.0, nb::arg("usable") = true)
      .def_ro("epsilon", &RatioPoint::epsilon, "The refined parameter, > 0.")
      .def_ro("ratio", &RatioPoint::ratio, "Of any sign; not finite where the solve failed.")
      .def_ro("floor", &RatioPoint::floor, "Uncertainty of the ratio, ≥ 0; NaN: unknown.")
      .def_ro("usable", &RatioPoint::usable, "False: ignore the row.")
      .def(
          "is_evidence",
          [](const RatioPoint& p, double within) { return is_evidence(p, {.within = within}); },
          nb::arg("within"), "Usable, finite, and known to within the tolerance: floor ≤ within.");
  add_dataclass_methods(ratio, {"epsilon", "ratio", "floor", "usable"});
}

void bind_bound(nb::module_& module) {
  nb::class_<Bound>(module, "Bound", "The claim e(ε) ≤ K ε^p for every ε of an interval.")
      .def(
          "__init__",
          [](Bound* bound, double constant, double power, double from, double to) {
            new (bound) Bound{constant, power, from, to};
          },
          nb::arg("constant"), nb::arg("power"), nb::arg("from_"), nb::arg("to"))
      .def("limit", &Bound::limit, nb::arg("epsilon"), "K ε^p.")
      .def("covers", &Bound::covers, nb::arg("epsilon"), "Whether ε lies within the interval.")
      .def("__str__", [](const Bound& bound) { return text_of(bound); });
  module.def(
      "judge_bound",
      [](const Rows& points, const Bound& bound, const std::string& measured) {
        return parts_of(judge_bound(points, bound, measured));
      },
      nb::arg("points"), nb::arg("bound"), nb::arg("measured"),
      "(state, rows, worst, limit, factor, reason).");
}

void bind_orders(nb::module_& module) {
  nb::class_<OrderTrend> trend(
      module, "OrderTrend",
      "Monotone neighbour orders and their extrapolation p(x) = p∞ + a e^{s x}, x = log ε.");
  trend.def_ro("orders", &OrderTrend::orders, "The neighbour orders of the trend, by decreasing ε.")
      .def_ro("shrinking", &OrderTrend::shrinking,
              "Each step, per log ε, is smaller than the one before.")
      .def_ro("above_floor", &OrderTrend::above_floor,
              "Each step exceeds twice the effect of the floors.")
      .def_ro("limit", &OrderTrend::limit,
              "p∞ for ε → 0; ±∞ where the last step is not smaller than the one before.")
      .def_ro("slow_limit", &OrderTrend::slow_limit,
              "p∞ of the slower trend p∞ − m/(c − log ε); ±∞ if a triple has no such limit.")
      .def_ro("next", &OrderTrend::next, "p after one more refinement by the last ratio.")
      .def_ro("horizon", &OrderTrend::horizon, "p once the evidence spans twice as many decades.");
  add_dataclass_methods(
      trend, {"orders", "shrinking", "above_floor", "limit", "slow_limit", "next", "horizon"});
  module.def(
      "order_trend",
      [](const Rows& points, long steps) {
        return order_trend(points, static_cast<std::size_t>(std::max(steps, 0L)));
      },
      nb::arg("points"), nb::arg("steps") = 3,
      "The trend in the last `steps` (2 or more) differences of the neighbour orders of the "
      "evidence.\n\nNone unless they have the same sign and either shrink or all exceed twice the "
      "effect of the floors. Raises InputError for fewer steps.");
  module.def(
      "fit_order",
      [](const Rows& points, double max_spread, long min_points) {
        const auto needed = static_cast<std::size_t>(std::max(min_points, 0L));
        return parts_of(fit_order(points, {.max_spread = max_spread, .min_points = needed}));
      },
      nb::arg("points"), nb::arg("max_spread"), nb::arg("min_points"),
      "(order, standard_error, floor_error, coefficient, spread, first, last, count, settled).");
  module.def(
      "neighbour_orders", [](const Rows& points) { return neighbour_orders(points); },
      nb::arg("points"));
  module.def(
      "order_limit", [](const Rows& points) { return parts_of(order_limit(points)); },
      nb::arg("points"), "(value, error).");
  module.def(
      "without_terms",
      [](const Rows& points, const std::vector<double>& orders) {
        return without_terms(points, orders);
      },
      nb::arg("points"), nb::arg("orders"));
}

void bind_verdicts(nb::module_& module) {
  module.def(
      "judge",
      [](const Rows& points, std::optional<double> order, double within, bool at_least) {
        return parts_of(judge(points, {.order = order, .within = within, .at_least = at_least}));
      },
      nb::arg("points"), nb::arg("order").none(), nb::arg("within"), nb::arg("at_least"),
      "(verdict, fit, limit, reason, hidden, advice), as of the other judgements of errors.");
  module.def(
      "judge_no_convergence",
      [](const Rows& points, double within) {
        return parts_of(judge_no_convergence(points, within));
      },
      nb::arg("points"), nb::arg("within"));
  module.def(
      "judge_equality",
      [](const Rows& points, double limit) { return parts_of(judge_equality(points, limit)); },
      nb::arg("points"), nb::arg("limit"));
  module.def(
      "judge_limit",
      [](const Rows& points, double limit) { return parts_of(judge_limit(points, limit)); },
      nb::arg("points"), nb::arg("limit"));
  module.def(
      "judge_ratio",
      [](const Ratios& points, double target, double within) {
        return parts_of(judge_ratio(points, {.target = target, .within = within}));
      },
      nb::arg("points"), nb::arg("target"), nb::arg("within"),
      "(verdict, last, ratio, limit, approach, reason).");
}

void bind_tables(nb::module_& module) {
  module.def(
      "table_of_errors", [](const Rows& points) { return table_of(points); }, nb::arg("points"));
  module.def(
      "table_of_orders",
      [](const Rows& points, std::optional<double> order, double within, bool at_least,
         bool confirmed) {
        return table_of(points, {.order = order, .within = within, .at_least = at_least},
                        confirmed);
      },
      nb::arg("points"), nb::arg("order").none(), nb::arg("within"), nb::arg("at_least"),
      nb::arg("confirmed"));
  module.def(
      "table_of_limits",
      [](const Rows& points, const Bound& bound, const std::string& measured) {
        return table_of(points, bound, judge_bound(points, bound), measured);
      },
      nb::arg("points"), nb::arg("bound"), nb::arg("measured"));
  module.def(
      "table_of_ratios", [](const Ratios& points) { return table_of(points); }, nb::arg("points"));
  module.def(
      "table_of_distances",
      [](const Ratios& points, double target, double within, bool confirmed) {
        return table_of(points, {.target = target, .within = within}, confirmed);
      },
      nb::arg("points"), nb::arg("target"), nb::arg("within"), nb::arg("confirmed"));
  module.def("with_bar", with_bar, nb::arg("value"), nb::arg("bar"),
             "Value ± bar, in the digits of the bar.");
}

}  // namespace

void bind_judge(nb::module_& module) {
  module.attr("evidence_factor") = evidence_factor;
  bind_rows(module);
  module.def(
      "require_series", [](const Rows& points) { require_series(points); }, nb::arg("points"),
      "Raises InputError unless ε is > 0 and strictly decreases, and no error or floor is "
      "negative.");
  module.def("require_ratios", require_ratios, nb::arg("points"),
             "The same, for ratios of any sign.");
  module.def("ratios_of", ratios_of, nb::arg("points"),
             "error / predicted with the floor / predicted; not usable without a prediction.");
  bind_bound(module);
  bind_orders(module);
  bind_verdicts(module);
  bind_tables(module);
}

}  // namespace rigidlimit::python
