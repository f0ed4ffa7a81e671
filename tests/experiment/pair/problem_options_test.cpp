// Every key that changes the problem of a rolling study changes the answer of each part of the
// program that answers a question about it, or is refused by it.
#include "rigidlimit/experiment/pair/problem_options.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/proof/certified_pair.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* base_text = R"toml(
study.name = "base"
epsilon.values = [1e-2]
[system]
name = "blade"
coordinates = [{name = "x", unit = "m", start = 0.0, start_rate = 0.8},
               {name = "y", unit = "m", start = 0.0, start_rate = 0.0},
               {name = "h", unit = "rad", start = 0.0, start_rate = 1.0}]
kinetic_coenergy = "(x'^2 + y'^2)/2 + 0.2*h'^2"
potential = "k*x"
applied_force = ["0", "0.4*cos(x)", "0.1"]
constraint = ["-sin(h)*x' + cos(h)*y'"]
parameters.k = {default = 0.3, unit = "1"}
[time]
end = 1.0
samples = 101
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
rtol = 1e-9
atol = 1e-11
)toml";

/// Other values of the keys that belong to the problem, by table and key.
const std::map<std::string, std::vector<Texts>>& problem_keys() {
  static const std::map<std::string, std::vector<Texts>> all{
      {"study against", {{R"toml(study.against="composite")toml"}}},
      {"composite order", {{R"toml(study.against="composite")toml", "composite.order=1"}}},
      {"initial q",
       {{"initial.q=[0.0, 0.0, 1.5707963267948966]", "initial.v=[0.0, 0.8, 1.0]",
         "initial.project=true"}}},
      {"initial v", {{"initial.v=[0.5, 0.0, 1.0]"}, {"initial.v=[0.8, 0.0, -0.7]"}}},
      {"initial project", {{"initial.project=true", "initial.v=[0.8, 0.3, 1.0]"}}},
      {"initial project_position",
       {{"initial.project_position=true", "initial.project=true", "initial.q=[0.1, 0.0, 0.0]",
         R"toml(system.constraint_position=[{unit="m", value="h - 1.25*x"}])toml"}}},
      {"tangent parameter", {{R"toml(tangent={parameter="k"})toml"}}},
      {"tangent q", {{"tangent={q=[0.0, 0.0, 1.0], v=[0.0, 0.8, 0.0]}"}}},
      {"tangent v", {{"tangent={v=[1.0, 0.0, 0.0]}"}}},
      {"contact law",
       {{R"toml(contact.law="viscous")toml"},
        {R"toml(contact.law="elastic")toml"},
        {R"toml(contact.law=["viscoelastic", "viscous"])toml"},
        {R"toml(contact.law=["viscous", "viscoelastic"])toml"}}},
      {"contact stiffness", {{"contact.stiffness=2.5"}}},
      {"contact damping", {{"contact.damping=1.1"}}},
      {"contact damping_ratio", {{"contact.damping_ratio=0.6"}}},
      {"contact damping_exponent", {{"contact.damping_exponent=1.5"}}},
      {"contact deflection", {{"contact.deflection=[0.3]"}}},
      {"contact preparation",
       {{R"toml(contact.preparation="prepared")toml"},
        {R"toml(contact.preparation="prepared")toml",
         R"toml(system.constraint_position=[{unit="m", value="h - 1.25*x"}])toml"}}},
      {"ensemble members",
       {{R"toml(ensemble={members=2, vary=[{key="system.k", uniform=[0.2, 0.4]}]})toml"}}},
      {"ensemble seed",
       {{R"toml(ensemble={members=2, seed=2, vary=[{key="system.k", uniform=[0.2, 0.4]}]})toml"}}},
      {"time end", {{"time.end=1.5", "time.after=0.25"}}},
      {"time stretch", {{"time.stretch=0.25"}}},
      {"time after", {{"time.after=0.6"}}},
      // Keys of the system, and equations of every kind.
      {"system name",
       {{R"toml(system.potential="0.9*x")toml"},
        {"system.k=0.7"},
        {R"toml(system.applied_force=["0", "0.4*cos(x) + 0.3*t", "0.1"])toml"},
        {R"toml(system.applied_force=["0", "0.4*cos(x) + if(x < 0.3, 0, 0.5)", "0.1"])toml"},
        {R"toml(system.kinetic_coenergy="(x'^2 + y'^2)/2 + 0.3*h'^2")toml"},
        {R"toml(system.constraint=["-sin(h)*x' + cos(h)*y' - 0.2*t"])toml"},
        {R"toml(system.constraint=["-sin(h)*x' + cos(h)*y' + 0.3*h'"])toml",
         "initial.v=[0.8, -0.3, 1.0]"},
        {R"toml(system.constraint=["-sin(h)*x' + cos(h)*y'", "-2*sin(h)*x' + 2*cos(h)*y'"])toml"}}}};
  return all;
}

/// Keys that change how the problem is solved, sampled, claimed or stored.
const std::set<std::string>& other_keys() {
  static const std::set<std::string> all{
      "study name",       "study question", "study source",  "system file",  "epsilon values",
      "epsilon from",     "epsilon to",     "epsilon count", "time samples", "time layer_samples",
      "time layer_width", "time grid",      "output samples"};
  return all;
}

RollingStudy study_with(const Texts& overrides) {
  return read_rolling_study(
      TomlDocument::from_text(base_text, "base.toml", overrides, alternative_keys()));
}

/// Numbers with their bars, by name.
using Numbers = std::map<std::string, std::pair<double, double>>;

/// Whether two answers are about different problems: other names, or numbers apart by more than
/// their bars and 1e-6 of their size.
bool differ(const Numbers& a, const Numbers& b) {
  if (!std::ranges::equal(a, b, {}, &Numbers::value_type::first, &Numbers::value_type::first))
    return true;
  return std::ranges::any_of(a, [&](const auto& one) {
    const auto [x, bar_of_x] = one.second;
    const auto [y, bar_of_y] = b.at(one.first);
    return std::isnan(x) != std::isnan(y) ||
           std::abs(x - y) > 3.0 * (bar_of_x + bar_of_y) + 1e-6 * std::abs(x);
  });
}

/// The errors of the rows of `run`, with (all t) or without the window behind the layer.
Numbers rows_of(const RollingStudy& study, bool with_after) {
  Numbers numbers;
  for (const Series& series : run_rolling_study(study, {}).series)
    for (const Row& row : series.rows)
      if (with_after || row.measure.window == Window::all)
        numbers[fmt::format("{} {} {}", row.law.name, text_of(row.measure), row.epsilon)] = {
            row.model_error(), row.failed() ? 0.0 : row.floor()};
  return numbers;
}

/// A part of the program that answers a question about the problem of a study.
struct Consumer {
  const char* name;
  bool has_window;  ///< it answers for t ≥ after as well
  /// Empty, or InputError: refused.
  std::function<std::optional<Numbers>(const RollingStudy&)> answer;
  /// Keys on which the answer rightly does not depend.
  std::set<std::string> apart = {};
};

Consumer proof_of(const ProblemConsumer& covered) {
  return {"prove", true, [&covered](const RollingStudy& study) -> std::optional<Numbers> {
            Numbers numbers;
            const StudyProof proof = study_proof(covered, study, 1e-2);
            for (const ProvedConstant& constant : proof.constants) {
              const std::string name = text_of(constant.measure);
              const auto& theorem = constant.result.theorem;
              numbers[name + " K"] = {theorem ? theorem->lower : std::nan(""), 0.0};
              numbers[name + " K3"] = {theorem ? theorem->remainder : std::nan(""), 0.0};
            }
            if (!proof.proves_something()) return std::nullopt;
            return numbers;
          }};
}

Consumer enclosures() {
  return {"certified rows",
          true,
          [](const RollingStudy& study) -> std::optional<Numbers> {
            if (!obstacle_to_enclosure(study).empty()) return std::nullopt;
            const EnclosedPair pair = certified_pair(study, study.epsilons.front(), {});
            using Quantity = EnclosedPair::Quantity;
            Numbers numbers;
            for (const Quantity quantity : {Quantity::q, Quantity::v, Quantity::lambda})
              for (const double from : {0.0, study.after}) {
                const std::string name =
                    fmt::format("{} {}", static_cast<int>(quantity), from > 0.0);
                for (const auto& [norm, found] :
                     {std::pair(" sup", pair.largest(quantity, -1, from)),
                      std::pair(" l2", pair.mean_square(quantity, -1, from))})
                  numbers[name + norm] = {found.upper, found.upper - found.lower};
              }
            return numbers;
          },
          {"contact law"}};  // the rows of a list have their laws, and one of them is enclosed
}

Consumer expansion() {
  return {"expand",
          false,
          [](const RollingStudy& study) -> std::optional<Numbers> {
            if (!refusal_of(consumers::expansion, study).empty()) return std::nullopt;
            const SeriesExpansion<double> series =
                series_of<double>(study, 3, switch_crossings(study));
            Numbers numbers;
            for (int k = 0; k <= series.order(); ++k) {
              const TermSizes outer = series.outer_size(k), layer = series.layer_size(k);
              numbers[fmt::format("q {}", k)] = {outer.q + layer.q, 0.0};
              numbers[fmt::format("v {}", k)] = {outer.v + layer.v, 0.0};
              numbers[fmt::format("lambda {}", k)] = {outer.lambda + layer.lambda, 0.0};
            }
            return numbers;
          },
          {"study against", "composite order"}};  // it is about the compliant motion
}

Consumer predictions() {
  return {"predicted constants",
          false,
          [](const RollingStudy& study) -> std::optional<Numbers> {
            Numbers numbers;
            for (const std::string& law : study.contact.laws) {
              const PredictedTerms found =
                  predicted_terms(study, *find_law(law), switch_crossings(study));
              if (!found.terms) return std::nullopt;
              const double epsilon = study.epsilons.front();
              std::vector<double> times;
              for (int k = 0; k <= 40; ++k)
                times.push_back(study.initial.t + study.time.end_at(epsilon) * k / 40.0);
              const Motion motion = found.terms->known(epsilon, times);
              numbers[law + " q"] = {motion.q.cwiseAbs().sum(), 0.0};
              numbers[law + " v"] = {motion.v.cwiseAbs().sum(), 0.0};
              numbers[law + " lambda"] = {motion.lambda.cwiseAbs().sum(), 0.0};
            }
            return numbers;
          },
          {"study against", "composite order"}};
}

Consumer search() {
  return {
      "stiffness", false, [](const RollingStudy& study) -> std::optional<Numbers> {
        const PairStudy pair = study;
        StiffnessQuestion question{.wanted = {wanted_error_of("q=1e-3", pair)}};
        const StiffnessResult found = find_stiffness(pair, question, {});
        if (!found.found) return std::nullopt;
        const MeasuredError& error = found.trials[*found.found].errors.front();
        return Numbers{{"epsilon", {found.epsilon(), 0.0}}, {"error", {error.error, error.bar}}};
      }};
}

/// The keys that change the rows of `run`, and neither change the answer nor are refused.
std::vector<std::string> missed_keys(const Consumer& consumer) {
  const RollingStudy base = study_with({});
  const Numbers rows = rows_of(base, consumer.has_window);
  const std::optional<Numbers> answer = consumer.answer(base);
  EXPECT_TRUE(answer) << consumer.name;
  std::vector<std::string> missed;
  for (const auto& [key, variants] : problem_keys())
    for (const Texts& overrides : variants) {
      SCOPED_TRACE(overrides.front());
      const RollingStudy study = study_with(overrides);
      if (consumer.apart.contains(key) || !differ(rows, rows_of(study, consumer.has_window)))
        continue;
      std::optional<Numbers> other;
      try {
        other = consumer.answer(study);
      } catch (const InputError&) {
      }
      if (other && !differ(*answer, *other)) missed.push_back(overrides.front());
    }
  return missed;
}

TEST(ProblemOptions, ChangeTheTheoremOrAreRefused) {
  EXPECT_THAT(missed_keys(proof_of(consumers::proof)), testing::IsEmpty());
}

TEST(ProblemOptions, ChangeTheEnclosuresOrAreRefused) {
  EXPECT_THAT(missed_keys(enclosures()), testing::IsEmpty());
}

TEST(ProblemOptions, ChangeTheExpansionOrAreRefused) {
  EXPECT_THAT(missed_keys(expansion()), testing::IsEmpty());
}

TEST(ProblemOptions, ChangeThePredictedConstantsOrAreRefused) {
  EXPECT_THAT(missed_keys(predictions()), testing::IsEmpty());
}

TEST(ProblemOptions, ChangeTheStiffnessOrAreRefused) {
  EXPECT_THAT(missed_keys(search()), testing::IsEmpty());
}

// Negative control: with one option added to what the theorem covers, it is missed.
TEST(ProblemOptions, AreMissedByAConsumerThatIgnoresThem) {
  for (const auto& [option, text] :
       {std::pair(ProblemOption::stretched_time, "time.stretch=0.25"),
        std::pair(ProblemOption::sliding_start, "initial.project=true")}) {
    ProblemConsumer spoilt = consumers::proof;
    spoilt.covered.push_back(option);
    EXPECT_THAT(missed_keys(proof_of(spoilt)), testing::Contains(text));
  }
}

// A new key belongs to the problem, with a value that is tried above, or it does not.
TEST(ProblemOptions, HaveAPlaceForEveryKey) {
  std::set<std::string> known = other_keys();
  for (const auto& [key, values] : problem_keys()) known.insert(key);
  for (const KeyTableInfo& table : tables_of_rolling_studies()) {
    // Solvers, expectations and bounds do not change the problem.
    if (table.name.starts_with("solvers") || table.name.starts_with('[')) continue;
    for (const KeyInfo& key : table.keys)
      EXPECT_TRUE(known.contains(table.name + " " + key.name)) << table.name << " " << key.name;
  }
}

// docs/certified.md has a row for each option, which begins with its key, and a column for each
// consumer.
TEST(ProblemOptions, AreInTheTableOfTheDocuments) {
  std::ifstream page(test::in_repository("docs/certified.md"));
  std::string line;
  while (std::getline(page, line) && !line.starts_with("| option |")) {
  }
  std::getline(page, line);  // the rule below the headers
  for (const ProblemOption option : all_problem_options) {
    std::getline(page, line);
    EXPECT_THAT(line, testing::StartsWith(std::string("| ") + key_of(option)));
    std::string cells;
    for (const ProblemConsumer* consumer :
         {&consumers::proof, &consumers::theorem, &consumers::enclosure, &consumers::expansion,
          &consumers::stiffness, &consumers::ensemble})
      cells += std::ranges::count(consumer->covered, option) > 0 ? " covered |" : " refused |";
    EXPECT_THAT(line, testing::EndsWith(" |" + cells));
  }
}

// Every option is in use in some variant above, and in none of the base.
TEST(ProblemOptions, AreAllTried) {
  for (const ProblemOption option : all_problem_options) {
    EXPECT_EQ(in_use(option, study_with({})), "");
    bool tried = false;
    for (const auto& [key, variants] : problem_keys())
      for (const Texts& overrides : variants)
        tried = tried || !in_use(option, study_with(overrides)).empty();
    EXPECT_TRUE(tried) << key_of(option);
  }
}

}  // namespace
}  // namespace rigidlimit
