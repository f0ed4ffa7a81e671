// Tests ensembles: members are the studies with their numbers, and claims are on every member.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/ensemble/judge_ensemble.hpp"
#include "rigidlimit/experiment/ensemble/members.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/memory_archive.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string study_text(const std::string& system, const std::string& more) {
  return fmt::format(R"toml(
[study]
name = "many"
[system]
{}
[epsilon]
values = [1e-2, 5e-3, 2.5e-3]
{}
)toml",
                     system, more);
}

RollingStudy read_ensemble_study(const std::string& text,
                                 const std::vector<std::string>& overrides = {}) {
  return read_rolling_study(TomlDocument::from_text(text, "many.toml", overrides),
                            builtin_systems());
}

std::string refusal_of_text(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
  try {
    read_ensemble_study(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

struct Case {
  const char* name;
  std::string text;
};

const std::string usual =
    "[time]\nend = 1.0\nafter = 0.25\n[solvers]\ncompliant = [\"radau_iia\"]\n";

std::vector<Case> cases_of_ensembles() {
  const std::string speeds =
      "[[ensemble.vary]]\nkey = \"initial.v.x'\"\nuniform = [0.5, 0.9]\n"
      "[[ensemble.vary]]\nkey = \"initial.v.phi'\"\nnormal = [1.3, 0.2]\n";
  return {
      {"starts", study_text("name = \"knife_edge\"", usual + "[ensemble]\nmembers = 9\n" + speeds)},
      {"parameters_and_dampers",
       study_text(
           "name = \"knife_edge\"",
           usual + "[ensemble]\nmembers = 9\nseed = 5\n" + speeds +
               "[[ensemble.vary]]\nkey = \"system.mass\"\nlog_uniform = [0.5, 2.0]\n"
               "[[ensemble.vary]]\nkey = \"system.slope\"\nuniform = [0.0, 0.5]\n"
               "[[ensemble.vary]]\nkey = \"contact.damping_ratio\"\nuniform = [0.4, 2.0]\n")},
      {"constant_rows",
       study_text("name = \"rolling_disk\"",
                  usual + "[ensemble]\n[[ensemble.vary]]\nkey = \"initial.q.tilt\"\nvalues = "
                          "[0.1, 0.2, 0.3, 0.4]\n")},
      {"prepared",
       study_text("name = \"chaplygin_sleigh\"",
                  usual + "[contact]\npreparation = \"prepared\"\n[ensemble]\nmembers = 5\n"
                          "[[ensemble.vary]]\nkey = \"initial.v.phi'\"\nuniform = [0.5, 1.5]\n")},
      {"joint", study_text(R"toml(name = "pinned"
coordinates = [{name = "x", unit = "m", start = 1.0, start_rate = 0.0},
               {name = "y", unit = "m", start = 0.0, start_rate = 0.0}]
kinetic_coenergy = "mass/2*(x'^2 + y'^2)"
potential = "mass*gravity*y"
constraint_position = [{name = "pin", unit = "m", value = "sqrt(x^2 + y^2) - 1"}]
[system.parameters]
mass = {default = 1.0, unit = "kg", above = 0.0}
gravity = {default = 9.81, unit = "m/s^2"})toml",
                           usual + "[ensemble]\nmembers = 6\n[[ensemble.vary]]\nkey = "
                                   "\"system.gravity\"\nuniform = [5.0, 12.0]\n")}};
}

/// The file with the numbers of a member and without [ensemble].
RollingStudy member_alone(const Case& one, const RollingStudy& study, Index member) {
  std::vector<std::string> overrides;
  const MatrixXd numbers = drawn_numbers(study);
  InitialState start = member_with(study, numbers.col(member)).start;
  for (std::size_t k = 0; k < study.ensemble->vary.size(); ++k) {
    const VariedNumber& number = study.ensemble->vary[k];
    if (number.of == VariedNumber::Of::parameter || number.of == VariedNumber::Of::damping_ratio)
      overrides.push_back(
          fmt::format("{}={:.17g}", number.key, numbers(static_cast<Index>(k), member)));
  }
  overrides.push_back(
      fmt::format("initial.q=[{:.17g}]", fmt::join(start.q.head(study.model.nq), ", ")));
  overrides.push_back(fmt::format("initial.v=[{:.17g}]", fmt::join(start.v, ", ")));
  return read_ensemble_study(one.text.substr(0, one.text.find("[ensemble]")), overrides);
}

void run_all(EnsembleTasks& tasks) {
  std::deque<Task> planned;
  tasks.plan(planned);
  for (Task& task : planned) task.take({task.solves.front().run()});
}

double bars_of(const ErrorSizes& s) {
  return s.solver + s.reference + s.sampling + s.rounding;
}

TEST(Ensemble, MembersAreTheStudiesWithTheirNumbers) {
  for (const Case& one : cases_of_ensembles()) {
    const RollingStudy study = read_ensemble_study(one.text);
    EnsembleTasks tasks(study, {});
    run_all(tasks);
    ASSERT_TRUE(tasks.is_complete());
    const std::vector<Measure> measures = ensemble_measures(study);
    double farthest_of_other = 0.0;
    for (const Index member : {Index{0}, Index{2}, static_cast<Index>(study.ensemble->members)}) {
      const RollingResult alone = run_rolling_study(member_alone(one, study, member), {});
      for (const Series& series : alone.series)
        for (std::size_t e = 0; e < series.rows.size(); ++e) {
          const Row& row = series.rows[e];
          const auto k = std::ranges::find(measures, row.measure);
          if (k == measures.end()) continue;
          const std::size_t at =
              e * measures.size() + static_cast<std::size_t>(k - measures.begin());
          const ErrorSizes& here = tasks.members()[static_cast<std::size_t>(member)].sizes[at];
          const double bars = bars_of(here) + bars_of(row.sizes);
          EXPECT_LE(std::abs(here.model - row.model_error()), bars)
              << one.name << ", member " << member << ", " << text_of(row.measure) << ", ε "
              << row.epsilon;
          EXPECT_LT(bars, 0.05 * row.model_error() + 1e-7) << one.name << text_of(row.measure);
          const ErrorSizes& other = tasks.members()[1].sizes[at];
          farthest_of_other =
              std::max(farthest_of_other, std::abs(other.model - row.model_error()) / bars);
        }
    }
    EXPECT_GT(farthest_of_other, 100.0) << one.name << ": negative control, another member";
  }
}

TEST(Ensemble, ClaimsAreOnEveryMember) {
  const std::string claims =
      "[[expect]]\nquantity = \"q\"\norder = 2.0\n[[bound]]\nquantity = \"q\"\npower = "
      "2.0\nconstant = ";
  const auto result_with = [&](const char* constant, const char* speeds) {
    return run_rolling_study(
        read_ensemble_study(
            study_text("name = \"knife_edge\"", usual + claims + constant +
                                                    "\n[ensemble]\n[[ensemble.vary]]\nkey = "
                                                    "\"initial.v.x'\"\nvalues = " +
                                                    speeds)),
        {});
  };
  const RollingResult all_hold = result_with("12.0", "[0.6, 0.7, 0.65]");
  ASSERT_TRUE(all_hold.ensemble);
  EXPECT_TRUE(all_hold.held());
  EXPECT_TRUE(all_hold.ensemble->check.agrees());
  EXPECT_GT(all_hold.ensemble->check.compared, 10u);
  // A fourfold speed has an error beyond the bound.
  const RollingResult one_breaks = result_with("12.0", "[0.6, 9.0, 0.65]");
  EXPECT_FALSE(one_breaks.held());
  EXPECT_FALSE(one_breaks.ensemble->members[2].held);
  EXPECT_TRUE(one_breaks.ensemble->members[3].held);
  ASSERT_EQ(one_breaks.ensemble->bounds.size(), 1u);
  EXPECT_EQ(one_breaks.ensemble->bounds[0].worst, 2u);
  EXPECT_EQ(one_breaks.ensemble->bounds[0].held, 3u);
  const Result report = in_tables(one_breaks);
  EXPECT_EQ(report.conclusion, Conclusion::not_held);
  EXPECT_TRUE(std::ranges::any_of(report.claims, [](const JudgedClaim& claim) {
    return !claim.held() && claim.type == "ensemble_bound" &&
           claim.message.find("member 2") != std::string::npos;
  }));
}

TEST(Ensemble, AStudyWithAnotherNumberContradictsMemberZero) {
  const RollingStudy study = read_ensemble_study(cases_of_ensembles()[0].text);
  EnsembleTasks tasks(study, {});
  run_all(tasks);
  std::vector<Series> series = run_rolling_study(study, {}).series;
  EXPECT_TRUE(judged_ensemble(study, tasks, series).check.agrees());
  for (Series& one : series)
    for (Row& row : one.rows) row.sizes.model *= 1.01;
  EXPECT_FALSE(judged_ensemble(study, tasks, series).check.agrees());
  EXPECT_FALSE(judged_ensemble(study, tasks, {}).check.agrees()) << "nothing to compare";
}

TEST(Ensemble, AnArchiveAndThreadsGiveTheSameResult) {
  const RollingStudy study =
      read_ensemble_study(cases_of_ensembles()[1].text, {"ensemble.members=150"});
  test::MemoryArchive archive;
  RunOptions options{.jobs = 1, .archive = &archive};
  const RollingResult first = run_rolling_study(study, options);
  const int begun = archive.begun;
  options.jobs = 2;
  const RollingResult again = run_rolling_study(study, options);
  EXPECT_EQ(archive.begun, begun) << "everything is in the archive";
  const RollingResult fresh = run_rolling_study(study, {.jobs = 2});
  for (const RollingResult* other : {&again, &fresh}) {
    ASSERT_EQ(other->ensemble->errors.size(), first.ensemble->errors.size());
    for (std::size_t i = 0; i < first.ensemble->errors.size(); ++i)
      EXPECT_EQ(other->ensemble->errors[i].errors.values, first.ensemble->errors[i].errors.values);
  }
  RollingStudy later = study;
  later.ensemble->seed = 6;
  EXPECT_NE(run_rolling_study(later, options).ensemble->errors[0].errors.values,
            first.ensemble->errors[0].errors.values)
      << "negative control: other members are other solves";
}

/// Means and standard deviations of N draws err by σ/√N and about σ/√(2N): five of these.
TEST(Ensemble, NumbersHaveTheirDistributions) {
  using Spread = VariedNumber::Spread;
  constexpr std::size_t count = 20000;
  const auto moments = [](const VariedNumber& number, bool logarithm) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t k = 1; k <= count; ++k) {
      const double x = number.drawn(3, k), y = logarithm ? std::log(x) : x;
      sum += y;
      squares += y * y;
    }
    const double mean = sum / count;
    return std::pair(mean, std::sqrt(squares / count - mean * mean));
  };
  const double root = 5.0 / std::sqrt(double(count));
  const auto [u_mean, u_deviation] =
      moments({.key = "a", .spread = Spread::uniform, .numbers = {2.0, 5.0}}, false);
  EXPECT_NEAR(u_mean, 3.5, root * 3.0 / std::sqrt(12.0));
  EXPECT_NEAR(u_deviation, 3.0 / std::sqrt(12.0), root);
  const auto [n_mean, n_deviation] =
      moments({.key = "a", .spread = Spread::normal, .numbers = {-1.0, 0.5}}, false);
  EXPECT_NEAR(n_mean, -1.0, root * 0.5);
  EXPECT_NEAR(n_deviation, 0.5, root * 0.5);
  const auto [l_mean, l_deviation] =
      moments({.key = "b", .spread = Spread::log_uniform, .numbers = {0.1, 10.0}}, true);
  EXPECT_NEAR(l_mean, 0.0, root * std::log(100.0) / std::sqrt(12.0));
  EXPECT_GT(l_deviation, 1.0);
}

TEST(Ensemble, AMemberStaysTheSameAmongMoreMembersAndNumbers) {
  const std::string text = cases_of_ensembles()[0].text;
  const MatrixXd few = drawn_numbers(read_ensemble_study(text));
  const std::string more = text + "[[ensemble.vary]]\nkey = \"system.mass\"\nuniform = [1, 2]\n";
  const MatrixXd many = drawn_numbers(read_ensemble_study(more, {"ensemble.members=40"}));
  EXPECT_EQ(many.topLeftCorner(few.rows(), few.cols()), few);
  const MatrixXd other = drawn_numbers(read_ensemble_study(text, {"ensemble.seed=2"}));
  EXPECT_GT((other - few).rightCols(9).cwiseAbs().minCoeff(), 0.0) << "negative control";
}

TEST(Ensemble, TheResolvedStudyHasTheSameMembers) {
  for (const Case& one : cases_of_ensembles()) {
    const RollingStudy study = read_ensemble_study(one.text);
    const RollingStudy again = read_ensemble_study(resolved_toml(study));
    EXPECT_EQ(drawn_numbers(again), drawn_numbers(study)) << one.name;
    EXPECT_EQ(resolved_toml(again), resolved_toml(study)) << one.name;
  }
}

const std::string vary_speed =
    "[ensemble]\nmembers = 3\n[[ensemble.vary]]\nkey = \"initial.v.x'\"\nuniform = [0.5, 0.9]\n";

TEST(Ensemble, RefusesWhatItDoesNotCover) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> options = {
      {"contact.law", {"contact.law=[\"viscoelastic\", \"elastic\"]"}},
      {"contact.law", {"contact.law=\"viscous\"", "contact.damping=1.0"}},
      {"time.stretch", {"time.stretch=0.5"}},
      {"study.against", {"study.against=\"composite\""}},
      {"tangent", {"tangent.v={x = 1.0}"}},
      {"initial.project", {"initial.project=true", "initial.v={y = 0.3}"}},
      {"quad", {"solvers.precision=\"quad\"", "solvers.rigid=[\"radau_iia\"]"}},
      {"certified", {"solvers.certified=true"}},
      {"steps", {"solvers.steps=100", "solvers.compliant=[\"radau_iia_5\"]"}},
      {"time.grid", {"time.grid=\"end\""}}};
  for (const auto& [words, option] : options)
    EXPECT_THAT(refusal_of_text(study_text("name = \"knife_edge\"", usual + vary_speed), option),
                AllOf(HasSubstr("ensemble"), HasSubstr(words)))
        << words;
  const std::pair<const char*, const char*> claims[] = {
      {"norm = \"l2\"", "[[expect]]\nquantity = \"q\"\nnorm = \"l2\"\norder = 2.0\n"},
      {"ratio", "[[expect]]\nquantity = \"q\"\norder = 2.0\nratio = 1.0\n"},
      {"steps", "[[expect]]\nquantity = \"steps\"\ngrowth_at_most = 9.0\n"},
      {"norm = \"l2\"",
       "[[bound]]\nquantity = \"q\"\nnorm = \"l2\"\nconstant = 1.0\npower = 2.0\n"},
      {"proved", "[[bound]]\nquantity = \"q\"\nconstant = 1.0\npower = 2.0\nproved = \"all\"\n"}};
  for (const auto& [words, claim] : claims)
    EXPECT_THAT(refusal_of_text(study_text("name = \"knife_edge\"", usual + claim + vary_speed)),
                AllOf(HasSubstr("ensemble"), HasSubstr(words)))
        << claim;
  EXPECT_THAT(
      refusal_of_text(study_text(
          "name = \"epicyclic_gear\"",
          usual + "[ensemble]\nmembers = 2\n[[ensemble.vary]]\nkey = \"contact.damping_ratio\"\n"
                  "uniform = [0.5, 1.0]\n")),
      AllOf(HasSubstr("ensemble"), HasSubstr("rank")));
  EXPECT_EQ(refusal_of_text(study_text("name = \"knife_edge\"", usual + vary_speed)), "")
      << "negative control";
}

TEST(Ensemble, RefusesBadTables) {
  const auto refusal = [](const std::string& table, const std::string& more = "") {
    return refusal_of_text(
        study_text("name = \"knife_edge\"",
                   usual + more + "[ensemble]\nmembers = 5\n[[ensemble.vary]]\n" + table));
  };
  EXPECT_THAT(refusal("key = \"initial.v.u\"\nuniform = [1, 2]\n"),
              AllOf(HasSubstr("many.toml:"), HasSubstr("initial.v.x'")));
  EXPECT_THAT(refusal("key = \"system.mas\"\nuniform = [1, 2]\n"), HasSubstr("system.mass"));
  EXPECT_THAT(refusal("key = \"system.mass\"\n"), HasSubstr("log_uniform"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nuniform = [1, 2]\nnormal = [1, 2]\n"),
              HasSubstr("two distributions"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nuniform = [2, 1]\n"), HasSubstr("uniform"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nuniform = [1, 2, 3]\n"), HasSubstr("3"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nlog_uniform = [0, 1]\n"), HasSubstr("> 0"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nvalues = [1, 2]\n"), HasSubstr("5 members"));
  EXPECT_THAT(refusal("key = \"system.mass\"\nnormal = [0.1, 1.0]\n"),
              AllOf(HasSubstr("member"), HasSubstr("system.mass = -")));
  EXPECT_THAT(
      refusal("key = \"contact.damping_ratio\"\nuniform = [1, 2]\n", "[contact]\ndamping = 1.0\n"),
      HasSubstr("no number of this study"));
  EXPECT_THAT(
      refusal_of_text(study_text("name = \"knife_edge\"", usual + "[ensemble]\nmembers = 3\n")),
      HasSubstr("ensemble.vary"));
  // Invariants of a quaternion: its entries are not free.
  EXPECT_THAT(
      refusal_of_text(study_text("name = \"rolling_disk_quaternion\"",
                                 usual + "[ensemble]\nmembers = 3\n[[ensemble.vary]]\nkey = "
                                         "\"initial.q.p0\"\nuniform = [0.5, 0.9]\n")),
      HasSubstr("invariants"));
}

}  // namespace
}  // namespace rigidlimit
