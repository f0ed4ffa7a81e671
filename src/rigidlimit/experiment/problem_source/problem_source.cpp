#include "rigidlimit/experiment/problem_source/problem_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/core/codegen/tape_statements.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/recorded_rates.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

namespace {

void add_reference(WrittenProblem& written, const ClassicalProblem& problem,
                   const ClassicalSourceOptions& options) {
  const CertifiedReference found = certified_reference(
      problem, {.in_quad = options.in_quad, .stop_requested = options.stop_requested});
  if (!found.certified) {
    written.reference_text = "none, since too few solves agree to certify one";
    return;
  }
  const VectorXd y = found.y.cast<double>();
  written.reference =
      ReferenceEnd{.y = y,
                   .error = found.discretisation_bar +
                            0.5 * std::numeric_limits<double>::epsilon() * y.cwiseAbs()};
  const char* numbers = options.in_quad ? "113 bits" : "double";
  written.reference_text = fmt::format(
      "Radau IIA in {0}, certified by {1} further solves; error: the distance "
      "to {2} stages in {0}, and the rounding to double",
      numbers, found.solves.size() - 1, options.in_quad ? 7 : 5);
}

}  // namespace

WrittenProblem classical_source(const ClassicalEntry& entry, const std::vector<double>& parameters,
                                const ClassicalSourceOptions& options) {
  const ClassicalProblem problem = entry.make(parameters);
  const OdeProblem& equations = problem.is_dae() ? *problem.real.dae : problem.real.ode;
  WrittenProblem written{.name = entry.name,
                         .title = entry.title,
                         .facts = {"Source: " + entry.source},
                         .names = problem.unknowns,
                         .units = std::vector<std::string>(problem.unknowns.size()),
                         .equations = equations.recorded(),
                         .parameter_names = {},
                         .parameters = {},
                         .t0 = problem.t0,
                         .t1 = problem.end,
                         .y0 = equations.y0,
                         .mass = problem.is_dae() ? problem.real.dae->mass : MatrixXd(),
                         .index = problem.is_dae() ? problem.real.dae->index : std::vector<int>(),
                         .check = check_values(equations, problem.end),
                         .reference_text = "not computed",
                         .reference = {}};
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    written.facts.push_back(fmt::format("Parameter: {} = {} ({})", entry.parameters[i].name,
                                        parameters.at(i), entry.parameters[i].text));
  if (options.with_reference) add_reference(written, problem, options);
  return written;
}

namespace {

/// The recorded equations in 113 bits, with the constants of the written file: doubles.
OdeProblemOf<Quad> in_quad(const WrittenProblem& written) {
  const auto rounded = [](const Tape& tape) {
    const TapeForm form = form_of(tape);
    return tape_of(form, constants_of(tape, form));
  };
  OdeProblemOf<Quad> problem;
  problem.name = written.name;
  problem.t0 = written.t0;
  problem.y0 = written.y0.cast<Quad>();
  problem.rhs = [rate = std::make_shared<const Evaluator<Quad>>(rounded(written.equations.rate)),
                 p = VectorX<Quad>(written.parameters.cast<Quad>())](
                    const Quad& t, VectorInOf<Quad> y, VectorOutOf<Quad> f) {
    (*rate)(into(f), y, std::span(&t, 1), p);
  };
  problem.jacobian = [jacobian =
                          std::make_shared<const Evaluator<double>>(written.equations.jacobian),
                      p = written.parameters](double t, VectorIn y, MatrixOut J) {
    (*jacobian)(into(J), y, std::span(&t, 1), p);
  };
  return problem;
}

class ContactSource {
 public:
  ContactSource(const RollingStudy& study, const ContactSourceOptions& options)
      : study_(study),
        options_(options),
        law_(options.law ? *options.law : *find_law(study.contact.laws.front())),
        start_(options.rigid ? rigid_start(study)
                             : compliant_start(study, options.epsilon, study.initial)),
        frame_(study.model, start_.q, {}) {
    if (study.model.switches)
      throw InputError("has a force with switches, which no single right-hand side describes",
                       study.name);
    if (!options.rigid && !law_.has_spring())
      throw InputError(
          fmt::format("the equations of the law {} are not recorded: choose a law with a spring, "
                      "viscoelastic or elastic",
                      law_.name),
          study.name);
    if (!options.rigid && !(options.epsilon > 0.0 && std::isfinite(options.epsilon)))
      throw InputError(fmt::format("epsilon = {}: must be > 0 and finite", options.epsilon),
                       "--epsilon");
    if (options.free_law && (options.rigid || adapted()))
      throw InputError("is for the compliant side in natural variables", "--free-law");
  }

  WrittenProblem written() const {
    const OdeProblem problem = own_problem();
    WrittenProblem result{.name = study_.name,
                          .title = fmt::format("{}: {}", study_.system->info.title, problem.name),
                          .facts = facts(),
                          .names = {},
                          .units = {},
                          .equations = options_.free_law
                                           ? recorded_natural_for_any_law(study_.model)
                                           : problem.recorded(),
                          .parameter_names = {},
                          .parameters = {},
                          .t0 = problem.t0,
                          .t1 = problem.t0 + duration(),
                          .y0 = problem.y0,
                          .mass = {},
                          .index = {},
                          .check = check_values(problem, problem.t0 + duration()),
                          .reference_text = "not computed",
                          .reference = {}};
    name_components(result);
    if (options_.free_law) name_law(result);
    if (options_.with_reference) add_reference(result);
    return result;
  }

 private:
  bool adapted() const { return options_.variables == Formulation::adapted; }
  double duration() const {
    return options_.rigid ? study_.time.end : study_.time.end_at(options_.epsilon);
  }

  /// The same problem by the callbacks of the library.
  OdeProblem own_problem() const {
    if (!options_.rigid)
      return compliant_problem(study_, law_, options_.variables, options_.epsilon).problem;
    return adapted() ? rigid_reduced<double>(study_.model, start_).problem
                     : rigid_eliminated<double>(study_.model, start_).problem;
  }

  std::vector<std::string> facts() const {
    const SystemInfo& info = study_.system->info;
    std::vector<std::string> lines;
    if (!study_.question.empty()) lines.push_back("Study: " + study_.question);
    lines.push_back("System: " + info.name + ", " + info.equations);
    lines.push_back("Source: " + info.source);
    for (std::size_t i = 0; i < study_.system->parameters.size(); ++i) {
      const ParameterInfo& p = study_.system->parameters[i];
      lines.push_back(fmt::format("Parameter: {} = {} {} ({})", p.name, study_.parameters.at(i),
                                  p.unit, p.text));
    }
    if (options_.rigid) {
      lines.emplace_back("Side: ideal rolling, G v = 0, multipliers eliminated");
      return lines;
    }
    const ViscoelasticLaw law = law_of(study_, law_);
    const auto numbers = [](const MatrixXd& A) {
      return fmt::format("{}", fmt::join(A.reshaped(), ", "));
    };
    lines.push_back(fmt::format("Side: compliant contact, law {}, {} (source: {})", law_.name,
                                law_.equations, law_.source));
    lines.push_back(fmt::format("Law: eps = {}, beta = {}, eta = y/eps^2, C = [{}], D = [{}]",
                                options_.epsilon, law.damping_exponent, numbers(law.stiffness),
                                numbers(law.damping)));
    return lines;
  }

  /// With the clock of surfaces that move: the right-hand side needs it as a state.
  void name_components(WrittenProblem& written) const {
    const SystemInfo& info = study_.system->info;
    const auto add = [&written](const std::string& name, const std::string& unit) {
      written.names.push_back(name);
      written.units.push_back(unit);
    };
    const auto contact_unit = [&](Index k) {
      return info.contacts.at(static_cast<std::size_t>(k)).unit;
    };
    const auto length = [](const std::string& rate) {
      return rate.ends_with("/s") ? rate.substr(0, rate.size() - 2) : std::string();
    };
    for (const Component& c : info.coordinates) add(c.name, c.unit);
    if (!adapted())
      for (const Component& c : info.velocities) add(c.name, c.unit);
    else
      for (Index k = 0; k < frame_.free(); ++k) add(fmt::format("u{}", k + 1), "");
    if (options_.rigid) return;
    if (!adapted()) {
      for (Index k = 0; k < study_.model.m; ++k)
        add(fmt::format("eta{}", k + 1), length(contact_unit(k)));
      return;
    }
    for (const char* name : {"w", "eta"})
      for (const Index k : frame_.contacts().rows)
        add(fmt::format("{}{}", name, k + 1),
            *name == 'w' ? contact_unit(k) : length(contact_unit(k)));
  }

  /// The parameters of recorded_natural_for_any_law().
  void name_law(WrittenProblem& written) const {
    const ViscoelasticLaw law = law_of(study_, law_);
    const Index m = study_.model.m;
    written.parameters.resize(2 + 2 * m * m);
    written.parameters << options_.epsilon, law.damping_exponent, law.stiffness.reshaped(),
        law.damping.reshaped();
    written.parameter_names = {"epsilon", "beta"};
    for (const char* matrix : {"C", "D"})
      for (Index k = 0; k < m; ++k)
        for (Index i = 0; i < m; ++i)
          written.parameter_names.push_back(fmt::format("{}{}{}", matrix, i + 1, k + 1));
  }

  /// The start of `written` in 113 bits: exactly its doubles.
  InitialStateOf<Quad> quad_start(const WrittenProblem& written) const {
    const VectorX<Quad> y = written.y0.cast<Quad>();
    const Index nq = study_.model.nq, n = study_.model.n;
    InitialStateOf<Quad> start{y.head(nq), y.segment(nq, std::min(n, y.size() - nq)), written.t0};
    if (!adapted()) return start;
    VectorX<Quad> velocities = VectorX<Quad>::Zero(frame_.free() + frame_.rank());
    const Index given = options_.rigid ? frame_.free() : velocities.size();
    velocities.head(given) = y.segment(nq, given);
    start.v = frame_.velocity<Quad>(start.q, velocities);
    return start;
  }

  /// The other formulation; the columns of its solutions begin with (q, v), compliant (q, v, η).
  OdeProblemOf<Quad> other_problem(const WrittenProblem& written) const {
    const InitialStateOf<Quad> start = quad_start(written);
    if (options_.rigid)
      return adapted() ? rigid_eliminated<Quad>(study_.model, start).problem
                       : rigid_reduced<Quad>(study_.model, start).problem;
    const ViscoelasticLaw law = law_of(study_, law_);
    const VectorXd eta0 = initial_deflection(study_);
    return adapted()
               ? compliant_ode<Quad>(study_.model, start, law, options_.epsilon, eta0).problem
               : compliant_adapted<Quad>(study_.model, start, law, options_.epsilon, eta0).problem;
  }

  /// The variables of `written` at a column of the other formulation.
  VectorX<Quad> in_variables(const WrittenProblem& written, const VectorX<Quad>& column) const {
    const Index nq = study_.model.nq, n = study_.model.n;
    if (!adapted()) return column.head(written.size());
    VectorX<Quad> y(written.size());
    const VectorX<Quad> q = column.head(nq), v = column.segment(nq, n);
    const VectorX<Quad> velocities = frame_.adapted<Quad>(q, v);
    const Index given = options_.rigid ? frame_.free() : velocities.size();
    y.head(nq) = q;
    y.segment(nq, given) = velocities.head(given);
    if (options_.rigid) return y;
    const ContactBasis& contacts = frame_.contacts();
    const VectorXd offset = initial_deflection(study_);
    for (Index i = 0; i < contacts.rank(); ++i) {
      const Index row = contacts.rows[static_cast<std::size_t>(i)];
      y(nq + given + i) = column(nq + n + row);
      if (contacts.redundant()) y(nq + given + i) -= Quad(offset(row));
    }
    return y;
  }

  void add_reference(WrittenProblem& written) const {
    SolveOptions options;
    options.rtol = options.atol = 1e-20;
    options.max_steps = study_.solvers.max_steps;
    options.stop_requested = options_.stop_requested;
    const std::vector<double> end{written.t1};
    const SolutionOf<Quad> best = solve_radau_iia<Quad>(in_quad(written), end, options, {});
    if (best.outcome != Outcome::success) {
      written.reference_text =
          fmt::format("none, since its solve ended with: {}", name_of(best.outcome));
      return;
    }
    const SolutionOf<Quad> other =
        solve_radau_iia<Quad>(other_problem(written), end, options, {.stages = 9});
    if (other.outcome != Outcome::success) {
      written.reference_text = fmt::format(
          "none, since the second solve, for its error, ended with: {}", name_of(other.outcome));
      return;
    }
    const VectorX<Quad> y = best.states.col(0);
    const VectorXd rounded = y.cast<double>();
    const VectorXd distance =
        (in_variables(written, other.states.col(0)) - y).cast<double>().cwiseAbs();
    written.reference = ReferenceEnd{
        .y = rounded,
        .error = distance + 0.5 * std::numeric_limits<double>::epsilon() * rounded.cwiseAbs()};
    written.reference_text =
        "Radau IIA on these equations in 113 bits, rtol 1e-20; error: the "
        "distance to another formulation by 9 stages in 113 bits, and the rounding to double";
  }

  const RollingStudy& study_;
  const ContactSourceOptions& options_;
  const LawInfo& law_;
  InitialState start_;
  AdaptedFrame frame_;  ///< of the start
};

}  // namespace

WrittenProblem contact_source(const RollingStudy& study, const ContactSourceOptions& options) {
  return ContactSource(study, options).written();
}

namespace {

/// Sets a parameter of a classical problem from "stiffness=1e11".
void set_parameter(const ClassicalEntry& entry, const std::string& text,
                   std::vector<double>& values) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals),
                    number = text.substr(std::min(equals + 1, text.size()));
  const auto at = std::ranges::find(entry.parameters, name, &ClassicalParameter::name);
  if (at == entry.parameters.end()) {
    std::vector<std::string> known;
    for (const ClassicalParameter& p : entry.parameters) known.push_back(p.name);
    throw InputError(
        fmt::format("{} has no parameter '{}'{}", entry.name, name, suggestion(name, known)),
        "--set " + text);
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !at->range.contains(value))
    throw InputError(fmt::format("{} must be {}, not '{}'", name, at->range.text(), number),
                     "--set " + text);
  values[static_cast<std::size_t>(at - entry.parameters.begin())] = value;
}

WrittenProblem classical_problem(const ClassicalEntry& entry, const ProblemChoice& choice) {
  if (!choice.side.empty() || !choice.variables.empty() || !choice.law.empty() || choice.epsilon ||
      choice.free_law)
    throw InputError(
        "is a classical problem: --side, --variables, --law, --free-law and --epsilon are for "
        "study files",
        entry.name);
  std::vector<double> values = entry.default_values();
  for (const std::string& text : choice.overrides) set_parameter(entry, text, values);
  return classical_source(entry, values,
                          {.with_reference = choice.reference != "none",
                           .in_quad = choice.reference != "double",
                           .stop_requested = choice.stop_requested});
}

WrittenProblem contact_problem(const std::string& file, const ProblemChoice& choice,
                               const SystemCatalogue& systems) {
  const Experiment experiment = read_experiment(file, choice.overrides, systems);
  const std::shared_ptr<const RollingStudy> study = rolling_study(experiment);
  if (study == nullptr)
    throw InputError(
        "is a sweep, friction study or benchmark; only a rolling study has one right-hand side",
        choice.name);
  const std::vector<std::string>& laws = study->contact.laws;
  if (!choice.law.empty() && std::ranges::find(laws, choice.law) == laws.end())
    throw InputError(
        fmt::format("'{}' is not a law of this study{}", choice.law, suggestion(choice.law, laws)),
        "--law");
  if (choice.reference == "double")
    throw InputError("double is for classical problems; that of a study is quad", "--reference");
  const bool rigid = choice.side == "rigid";
  if (rigid && (choice.epsilon || !choice.law.empty()))
    throw InputError("is for the compliant side", choice.epsilon ? "--epsilon" : "--law");
  return contact_source(*study, {.rigid = rigid,
                                 .variables = choice.variables == "adapted" ? Formulation::adapted
                                                                            : Formulation::natural,
                                 .law = choice.law.empty() ? nullptr : find_law(choice.law),
                                 .epsilon = choice.epsilon.value_or(1e-3),
                                 .free_law = choice.free_law,
                                 .with_reference = choice.reference != "none",
                                 .stop_requested = choice.stop_requested});
}

}  // namespace

WrittenProblem problem_to_write(const ProblemChoice& choice, const SystemCatalogue& systems) {
  if (const ClassicalEntry* entry = find_classical_problem(choice.name))
    return classical_problem(*entry, choice);
  if (const auto written = problem_if_in_file(choice.name))
    return classical_problem(*written, choice);
  try {
    return contact_problem(named_study(choice.name).path, choice, systems);
  } catch (const UnknownStudy&) {
    std::vector<std::string> known = names_of(shipped_studies());
    for (const ClassicalEntry& entry : classical_problems()) known.push_back(entry.name);
    throw InputError(fmt::format("'{}' is not a classical problem or a study{}", choice.name,
                                 suggestion(choice.name, known, "rigidlimit list")));
  }
}

}  // namespace rigidlimit
