// Methods that are Python functions.
#include "own_methods.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rigidlimit/core/codegen/problem_source.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

using Clock = std::chrono::steady_clock;

/// A solve by a Python function, in one thread. All are used with the GIL.
struct RunningSolve {
  unsigned long thread;  ///< of Python
  Clock::time_point end;
  bool ended = false;
};

std::list<RunningSolve>& running_solves() {
  static std::list<RunningSolve> all;
  return all;
}

/// Lists a solve while it runs.
class Listed {
 public:
  explicit Listed(double time_limit)
      : place_(running_solves().insert(
            running_solves().end(),
            {PyThread_get_thread_ident(),
             Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(time_limit))})) {}
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;
  ~Listed() {
    // An exception that was raised after the last instruction must not meet other code.
    if (place_->ended) PyThreadState_SetAsyncExc(place_->thread, nullptr);
    running_solves().erase(place_);
  }

 private:
  std::list<RunningSolve>::iterator place_;
};

/// The problem of a solve, for its function. It ends with the solve.
class PosedProblem {
 public:
  PosedProblem(const OdeProblem& problem, double t1) : problem_(&problem), t1_(t1) {}

  void end() { problem_ = nullptr; }
  const OdeProblem& get() const {
    if (problem_ == nullptr) throw InputError("the solve of this problem has ended");
    return *problem_;
  }
  Index size() const { return get().y0.size(); }
  double t1() const { return t1_; }

  Eigen::Map<const VectorXd> state(const Array1& y) const {
    if (static_cast<Index>(y.shape(0)) != size())
      throw InputError("y has another number of components than y0");
    return vector_of(y);
  }

 private:
  const OdeProblem* problem_;
  double t1_;  ///< the last time of the solve
};

/// The result of the function, made uniform by own_method.py: states (N, K), counts (steps,
/// rejected steps, right-hand sides, Jacobians, factorisations), outcome, message.
using Returned = std::tuple<nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>,
                            std::array<long, 5>, std::string, std::string>;

Solution solution_of(const Returned& returned) {
  const auto& [states, counts, outcome, message] = returned;
  Solution solution;
  solution.states.resize(static_cast<Index>(states.shape(0)), static_cast<Index>(states.shape(1)));
  for (std::size_t i = 0; i < states.shape(0); ++i)
    for (std::size_t k = 0; k < states.shape(1); ++k)
      solution.states(static_cast<Index>(i), static_cast<Index>(k)) =
          states.data()[static_cast<std::int64_t>(i) * states.stride(0) +
                        static_cast<std::int64_t>(k) * states.stride(1)];
  Work& work = solution.work;
  work.steps = counts[0];
  work.rejected_steps = counts[1];
  work.rhs_evaluations = counts[2];
  work.jacobian_evaluations = counts[3];
  work.factorisations = counts[4];
  solution.outcome = outcome_named(outcome);
  solution.message = message;
  return solution;
}

/// A number, or an array (N,) if the components have different tolerances.
nb::object absolute_tolerance(const SolveOptions& options) {
  const std::vector<double>& of = options.atol_of;
  if (of.empty()) return nb::float_(options.atol);
  if (std::ranges::adjacent_find(of, std::not_equal_to{}) == of.end()) return nb::float_(of[0]);
  return nb::cast(array_of(of));
}

/// Calls the function with the GIL, from any thread.
Solution call(const nb::object& function, double time_limit, const OdeProblem& problem,
              const std::vector<double>& times, const SolveOptions& options) {
  const nb::gil_scoped_acquire acquired;
  const nb::object posed = nb::cast(PosedProblem(problem, times.back()));
  struct End {
    const nb::object& posed;
    ~End() { nb::cast<PosedProblem&>(posed).end(); }
  } const end{posed};
  const Listed listed(time_limit);
  try {
    const nb::object returned =
        function(posed, array_of(times), options.rtol, absolute_tolerance(options));
    return solution_of(nb::cast<Returned>(returned));
  } catch (nb::python_error& error) {
    // The exception of Python is released here, with the GIL.
    const std::string text = nb::cast<std::string>(nb::str(error.value()));
    const std::string type = nb::cast<std::string>(error.type().attr("__name__"));
    throw std::runtime_error(text.empty() ? type : type + ": " + text);
  }
}

void add(const std::string& name, const std::string& title, const std::string& source, int order,
         const std::string& stability, bool stiff, const std::string& content, bool in_thread,
         double time_limit, const nb::object& function) {
  // Methods outlive the interpreter, so that the function is never released.
  const auto* const kept = new nb::object(function);
  add_method(
      {.name = name,
       .title = title,
       .order = order,
       .stability = stability,
       .source = source,
       .stiff = stiff,
       .other_threads = !in_thread,
       .content = content,
       .time_limit = time_limit,
       .solve = [kept, time_limit](const OdeProblem& problem, const std::vector<double>& times,
                                   const SolveOptions& options) {
         return call(*kept, time_limit, problem, times, options);
       }});
}

}  // namespace

void end_late_methods(bool stopped) {
  for (RunningSolve& solve : running_solves())
    if (!solve.ended && (stopped || Clock::now() > solve.end)) {
      solve.ended = true;
      PyThreadState_SetAsyncExc(solve.thread, PyExc_TimeoutError);
    }
}

void bind_own_methods(nb::module_& module) {
  nb::class_<PosedProblem>(module, "PosedProblem",
                           "y' = f(t, y) for a method; only during its solve.")
      .def_prop_ro("name", [](const PosedProblem& p) { return p.get().name; })
      .def_prop_ro("t0", [](const PosedProblem& p) { return p.get().t0; })
      .def_prop_ro(
          "y0", [](const PosedProblem& p) { return array_of(VectorXd(p.get().y0)); }, own_numbers)
      .def_prop_ro(
          "fingerprint",
          [](const PosedProblem& p) {
            VectorXd near = p.get().y0, rate(p.size());
            for (Index i = 0; i < near.size(); ++i)
              near(i) += 1e-3 * std::cos(static_cast<double>(i));
            p.get().rhs(p.get().t0, near, rate);
            const VectorXd start = p.get().y0;
            const auto bytes = [](const VectorXd& x) {
              return nb::bytes(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
            };
            return nb::make_tuple(bytes(start), bytes(rate));
          },
          "The start, and f at a state near it: equal for equal problems.")
      .def_prop_ro(
          "mass",
          [](const PosedProblem& p) {
            return array_of(MatrixXd(MatrixXd::Identity(p.size(), p.size())));
          },
          own_numbers, "The identity (N, N).")
      .def(
          "rhs",
          [](const PosedProblem& p, double t, const Array1& y) {
            VectorXd rate(p.size());
            p.get().rhs(t, p.state(y), rate);
            return array_of(std::move(rate));
          },
          nb::arg("t"), nb::arg("y"))
      .def(
          "jacobian",
          [](const PosedProblem& p, double t, const Array1& y) {
            if (!p.get().jacobian) throw InputError("has no dense Jacobian", p.get().name);
            MatrixXd rates(p.size(), p.size());
            p.get().jacobian(t, p.state(y), rates);
            return array_of(std::move(rates));
          },
          nb::arg("t"), nb::arg("y"))
      .def(
          "source",
          [](const PosedProblem& p, const std::string& language) {
            return problem_source(written(p.get(), p.t1()), source_language(language),
                                  {"Written by rigidlimit for a method of a study."});
          },
          nb::arg("language"),
          "rhs and jacobian as source code (docs/export.md) in 'c', 'python', 'fortran', "
          "'javascript' or 'diffsl', of the equations with the coordinates of y0. InputError if "
          "they are not recorded, or if the language lacks one of their operations.");
  module.def("add_method", add, nb::arg("name"), nb::arg("title"), nb::arg("source"),
             nb::arg("order"), nb::arg("stability"), nb::arg("stiff"), nb::arg("content"),
             nb::arg("in_thread"), nb::arg("time_limit"), nb::arg("function"));
  module.def("methods", [] {
    std::vector<std::string> names;
    for (const OdeMethod& method : ode_methods()) names.emplace_back(method.name);
    return names;
  });
}

}  // namespace rigidlimit::python
