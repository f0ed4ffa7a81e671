#include "exported_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rigidlimit/core/codegen/tape_source.hpp"
#include "rigidlimit/core/codegen/tape_statements.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/operation_name.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/core/tape/tape_form.hpp"
#include "rigidlimit/experiment/problem_source/recorded_contact.hpp"
#include "rigidlimit/experiment/rolling/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"

namespace rigidlimit {
namespace {

/// y = (q, u, …) -> (q, v), with the coordinates of q0.
Tape end_of_adapted(const System& system, const VectorXd& q0, Index size) {
  const AdaptedFrame frame(system, q0, {});
  const Tape& velocity = frame.usual_tapes().velocity<double>().tape();
  const VectorXd R =
      Eigen::Map<const VectorXd>(frame.parameters().data(), std::ssize(frame.parameters()));
  return tape_of(
      [&](const ExpressionVector& y) -> ExpressionMatrix {
        ExpressionVector state = ExpressionVector::Zero(system.nq + frame.free() + frame.rank());
        const Index known = std::min(state.size(), y.size());
        state.head(known) = y.head(known);
        const ExpressionVector constants = R.unaryExpr([](double x) { return Expression(x); });
        return joined(ExpressionVector(y.head(system.nq)),
                      ExpressionVector(inlined(velocity, joined(state, constants)).head(system.n)));
      },
      size);
}

/// max |a − b| / max |b| of a tape's results a and our own b; 0 if they are equal.
double difference(const Tape& tape, const OdeProblem& ode, MatrixXd own) {
  const Evaluator<double> evaluate(tape, Machine::interpreter);
  const std::array<double, 1> t{ode.t0};
  const double scale = own.cwiseAbs().maxCoeff();
  evaluate([&](std::size_t i, double x) { own.reshaped()(static_cast<Index>(i)) -= x; },
           std::span(ode.y0.data(), static_cast<std::size_t>(ode.y0.size())), t);
  if (!own.allFinite()) return std::numeric_limits<double>::infinity();
  return own.isZero(0.0) ? 0.0 : own.cwiseAbs().maxCoeff() / scale;
}

std::string c_function(const Tape& tape, const std::string& name, const std::string& arguments,
                       bool with_time) {
  const TapeForm form = form_of(tape);
  const std::vector<double> constants = constants_of(tape, form);
  std::string numbers;
  for (const double x : constants) numbers += fmt::format("{:.17g}, ", x);
  const std::string of_time = with_time ? fmt::format(
                                              "  double x[{}];\n"
                                              "  __builtin_memcpy(x, y, {} * sizeof(double));\n"
                                              "  x[{}] = t;\n",
                                              tape.inputs, tape.inputs - 1, tape.inputs - 1)
                                        : "";
  return fmt::format(
      "{}static const double {}_constants[] = {{{}0.0}};\n"
      "void {}({}) {{\n{}  {}_tape({}_constants, {}, out, 0);\n}}\n",
      code_function(form, name + "_tape"), name, numbers, name, arguments, of_time, name, name,
      with_time ? "x" : "y");
}

/// Calls of the functions of core/tape/operation.hpp without a table: one_(number, a), two_.
std::string direct_calls() {
  std::string calls;
  int number = 0;
#define RIGIDLIMIT_DIRECT(name, ...)                                   \
  calls += fmt::format("  if (which == {}) return {}(a);\n", number++, \
                       std::string_view(#name) == "abs" ? "fabs" : #name);
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_DIRECT)
#undef RIGIDLIMIT_DIRECT
  return fmt::format(
      "#include <math.h>\n{}"
      "#undef TARGET\n#define TARGET static inline\n"
      "#undef ONE\n#define ONE(to, which, a) const V to = one_(which, a)\n"
      "#undef TWO\n#define TWO(to, which, a, b) const V to = (which) == 0 ? atan2(a, b) : pow(a, "
      "b)\n"
      "#undef BOTH\n#define BOTH(sine, cosine, a) const V sine = sin(a), cosine = cos(a)\n"
      "static inline double one_(int which, double a) {{\n{}  return 0.0 / 0.0;\n}}\n",
      code_preamble(1), calls);
}

}  // namespace

ExportedVariables exported_variables(const std::string& name) {
  if (name == "adapted") return ExportedVariables::adapted;
  if (name == "natural") return ExportedVariables::natural;
  if (name == "reduced") return ExportedVariables::reduced;
  throw InputError(fmt::format("no variables '{}'; there are: adapted, natural, reduced", name));
}

void check_tapes(const ExportedTapes& tapes, const OdeProblem& ode) {
  const Index size = ode.y0.size();
  VectorXd f(size);
  MatrixXd J(size, size);
  if (ode.coordinates) ode.coordinates->reset();
  ode.rhs(ode.t0, ode.y0, f);
  ode.jacobian(ode.t0, ode.y0, J);
  const double of_rate = difference(tapes.rate, ode, f),
               of_jacobian = difference(tapes.jacobian, ode, J);
  if (!(of_rate <= 1e-9 && of_jacobian <= 1e-9))
    throw std::runtime_error(
        fmt::format("the exported right-hand side deviates by {:.1e}, its Jacobian by {:.1e}",
                    of_rate, of_jacobian));
}

ExportedProblem exported_problem(const RollingStudy& study, ExportedVariables variables,
                                 double epsilon) {
  ExportedProblem exported;
  RateTapes& equations = exported.tapes;
  if (variables == ExportedVariables::reduced) {
    const InitialState start = rigid_start(study);
    exported.problem = rigid_reduced<double>(study.model, start);
    equations = recorded_rigid(study, Formulation::adapted, start.q);
    exported.tapes.end = end_of_adapted(study.model, start.q, exported.problem.problem.y0.size());
  } else if (variables == ExportedVariables::adapted) {
    exported.problem = compliant_problem(study, laws().front(), Formulation::adapted, epsilon);
    equations = recorded_compliant(study, laws().front(), Formulation::adapted, epsilon);
    exported.tapes.end =
        end_of_adapted(study.model, study.initial.q, exported.problem.problem.y0.size());
  } else {
    exported.problem = compliant_problem(study, laws().front(), Formulation::natural, epsilon);
    equations = recorded_compliant(study, laws().front(), Formulation::natural, epsilon);
    const Index size = study.model.nq + study.model.n;
    exported.tapes.end =
        tape_of([size](const ExpressionVector& y) -> ExpressionMatrix { return y.head(size); },
                exported.problem.problem.y0.size());
  }
  check_tapes(exported.tapes, exported.problem.problem);
  return exported;
}

std::string c_source(const ExportedTapes& tapes) {
  return direct_calls() +
         c_function(tapes.rate, "rate", "double t, const double* y, double* out", true) +
         c_function(tapes.jacobian, "jacobian", "double t, const double* y, double* out", true) +
         c_function(tapes.end, "end_state", "const double* y, double* out", false);
}

std::string json_of(const Tape& tape) {
  const TapeForm form = form_of(tape);
  const auto number = [](std::uint32_t value) {
    return TapeForm::is_constant(value) ? -1 - static_cast<long>(value - TapeForm::first_constant)
                                        : static_cast<long>(value);
  };
  nlohmann::json steps = nlohmann::json::array(), outputs = nlohmann::json::array();
  for (const TapeForm::Step& step : form.steps) {
    nlohmann::json entry{name_of(step.operation)};
    const std::array operands{step.a, step.b, step.c};
    const auto count = static_cast<std::size_t>(operands_of(step.operation));
    const std::span used = std::span(operands).first(count);
    for (const std::uint32_t value : used) entry.push_back(number(value));
    steps.push_back(std::move(entry));
  }
  for (const std::uint32_t value : form.outputs) outputs.push_back(number(value));
  return nlohmann::json{{"inputs", form.inputs},
                        {"constants", constants_of(tape, form)},
                        {"steps", std::move(steps)},
                        {"outputs", std::move(outputs)}}
      .dump();
}

}  // namespace rigidlimit
