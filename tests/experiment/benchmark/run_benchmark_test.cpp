// Tests running a benchmark: trials, errors by group, failures with reasons, times, references.
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "support/sample_benchmark.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

const BenchmarkResult& sample_result() {
  static const BenchmarkResult result =
      run_benchmark(test::benchmark_from(test::sample_benchmark_text), test::two_at_a_time());
  return result;
}

const Trial& trial(const BenchmarkResult& result, double epsilon, const std::string& formulation,
                   const std::string& method, double rtol) {
  return *std::ranges::find_if(result.trials, [&](const Trial& t) {
    const BenchmarkProblem& p = result.problems[t.problem];
    return p.epsilon == epsilon && p.formulation == formulation && t.method->name == method &&
           t.setting.rtol == rtol;
  });
}

TEST(RunBenchmark, SolvesEveryProblemWithEveryMethodAndSetting) {
  const BenchmarkResult& result = sample_result();
  ASSERT_EQ(result.problems.size(), 4u) << "2 ε × 2 formulations";
  ASSERT_EQ(result.trials.size(), 4u * 3u * 2u);
  EXPECT_EQ(result.references.size(), 2u) << "formulations of one motion share theirs";
  const Trial& good = trial(result, 1e-2, "adapted", "radau_iia", 1e-6);
  EXPECT_EQ(good.outcome, Outcome::success);
  for (const GroupError& e : good.errors) {
    EXPECT_EQ(e.status, TrialStatus::ok);
    // The error estimate of order s meets 1e-6; the method is far better, but not exact.
    EXPECT_LT(e.error, 1e-4);
    EXPECT_GT(e.error, 1e-13);
  }
}

TEST(RunBenchmark, ATighterToleranceGivesSmallerErrorsInEveryGroup) {
  for (const double epsilon : {1e-2, 1e-4})
    for (std::size_t g = 0; g < 3; ++g)
      EXPECT_LT(trial(sample_result(), epsilon, "adapted", "cvode_bdf", 1e-6).errors[g].error,
                trial(sample_result(), epsilon, "adapted", "cvode_bdf", 1e-3).errors[g].error)
          << epsilon << ", group " << g;
}

TEST(RunBenchmark, AFailedTrialHasItsReasonAndLastStep) {
  const Trial& bad = trial(sample_result(), 1e-4, "adapted", "dopri5", 1e-6);
  EXPECT_EQ(bad.outcome, Outcome::max_steps) << "explicit steps are of the size of ε: T/ε = 20000";
  EXPECT_THAT(bad.message, HasSubstr("max_steps"));
  EXPECT_GT(bad.t_reached, 0.0);
  EXPECT_LT(bad.t_reached, 2.0);
  EXPECT_GT(bad.last_step, 0.0);
  EXPECT_EQ(bad.errors[0].status, TrialStatus::failed);
  EXPECT_TRUE(std::isnan(bad.errors[0].error));
  EXPECT_TRUE(std::isnan(bad.seconds)) << "what did not arrive is not timed";
}

TEST(RunBenchmark, MeasuresTheTimeOfFinishedSolves) {
  const Trial& good = trial(sample_result(), 1e-2, "adapted", "radau_iia", 1e-6);
  EXPECT_GT(good.seconds, 0.0);
  EXPECT_GE(good.seconds_median, good.seconds);
  EXPECT_GE(good.repeats, 1);
}

TEST(RunBenchmark, UnsupportedMethodsGiveRows) {
  const BenchmarkResult result =
      run_benchmark(test::equal_steps({"cvode_bdf", "radau_iia_3"}), test::logistic(1.0));
  EXPECT_THAT(result.trials.front().message, testing::HasSubstr("equal steps"));
  EXPECT_EQ(result.trials.front().errors[0].status, TrialStatus::failed);
  EXPECT_EQ(result.trials.back().outcome, Outcome::success);
}

TEST(RunBenchmark, AnExceptionInAProblemAffectsNoOtherRow) {
  BenchmarkProblems problems = test::logistic(1.0);
  BenchmarkProblem broken = problems.problems[0];
  broken.name = "broken";
  broken.pose = []() -> PosedProblem { throw std::runtime_error("no, not this one"); };
  problems.problems.insert(problems.problems.begin(), broken);
  const BenchmarkResult result = run_benchmark(test::equal_steps({"radau_iia_3"}), problems);
  EXPECT_EQ(result.trials.front().message, "no, not this one");
  EXPECT_EQ(result.trials.back().outcome, Outcome::success);
}

TEST(RunBenchmark, WithoutAReferenceThereIsNoError) {
  BenchmarkProblems problems = test::logistic(1.0);
  problems.references[0].find = [](const auto&) { return BenchmarkReference{.message = "none"}; };
  const BenchmarkResult result = run_benchmark(test::equal_steps({"radau_iia_3"}), problems);
  EXPECT_EQ(result.trials[0].outcome, Outcome::success);
  EXPECT_EQ(result.trials[0].message, "no reference: none");
  EXPECT_EQ(result.trials[0].errors[0].status, TrialStatus::failed);
}

TEST(ContactReference, HasAnErrorBarFromTwoArithmetics) {
  const Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  const auto& set = std::get<ContactSet>(benchmark.problems[0]);
  const ContactReference reference = contact_reference(*set.study, 1e-2, {2.0});
  ASSERT_EQ(reference.message, "");
  ASSERT_EQ(reference.distances.size(), 2u);
  // rtol 1e-13 over some fifty steps; λ ~ 1 is no worse. Above 0, because the solves differ.
  for (const double bar : reference.error_bar()) {
    EXPECT_LT(bar, 1e-11);
    EXPECT_GT(bar, 0.0);
  }
  // Negative control: the motion at another ε lies outside the error bar.
  const ContactReference other = contact_reference(*set.study, 1.1e-2, {2.0});
  EXPECT_GT((other.motion.q - reference.motion.q).cwiseAbs().maxCoeff(), 1e-5);
}

// Both ideal problems are solved to the same motion, which the compliant one approaches: at ε =
// 1e-3 its error in q is about C ε² with C of order 1 to 10 (docs/theory.md, section 3).
TEST(ContactReference, OfIdealRollingIsTheLimit) {
  const Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  const auto& set = std::get<ContactSet>(benchmark.problems[0]);
  const ContactReference ideal = contact_reference(*set.study, 0.0, {2.0});
  ASSERT_EQ(ideal.message, "");
  for (const double bar : ideal.error_bar()) EXPECT_LT(bar, 1e-11);
  SolveOptions options;
  options.rtol = 1e-9;
  options.atol = 1e-11;
  for (const Formulation formulation : {Formulation::natural, Formulation::adapted}) {
    const auto problem = contact_problem(*set.study, formulation, 0.0);
    const Solution solution = find_ode_method("radau_iia")->solve(problem.problem, {2.0}, options);
    EXPECT_LT((problem.motion(solution).q - ideal.motion.q).cwiseAbs().maxCoeff(), 1e-7);
  }
  const auto distance = [&](double epsilon) {
    const ContactReference near = contact_reference(*set.study, epsilon, {2.0});
    return (near.motion.q - ideal.motion.q).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(distance(1e-3), 1e-4);
  EXPECT_GT(distance(1e-1), 1e-4) << "negative control";
}

TEST(ContactReference, StatesWhyItStopped) {
  const Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  const auto& set = std::get<ContactSet>(benchmark.problems[0]);
  const ContactReference stopped = contact_reference(*set.study, 1e-2, {2.0}, [] { return true; });
  EXPECT_THAT(stopped.message, HasSubstr("interrupted"));
  EXPECT_EQ(stopped.motion.q.size(), 0);
}

TEST(Winners, AreTheCheapestMethodsWithoutLuckyErrors) {
  BenchmarkResult result;
  result.problems = {{.name = "made", .system = "made", .times = {1.0}, .groups = {"all"}}};
  const auto add = [&](const char* method, double rtol, double error, double seconds, long rhs) {
    Trial t{.method = find_ode_method(method), .setting = {.rtol = rtol}};
    t.outcome = Outcome::success;
    t.seconds = seconds;
    t.work.rhs_evaluations = rhs;
    // One component of size 1e3: the relative errors decide.
    t.errors = {{.error = 1e3 * error,
                 .scd = -std::log10(error),
                 .reference_error = 1e-12,
                 .status = TrialStatus::ok}};
    result.trials.push_back(t);
  };
  add("cvode_bdf", 1e-4, 1e-9, 1.0, 10);  // lucky: the next error is larger
  add("cvode_bdf", 1e-6, 1e-5, 2.0, 20);
  add("radau_iia", 1e-4, 1e-3, 3.0, 15);
  add("radau_iia", 1e-6, 1e-7, 4.0, 12);
  const std::vector<Winner> all = winners(result);
  ASSERT_EQ(all.size(), error_bands.size());
  const auto name = [&](std::size_t k) { return std::string(all[k].fewest_rhs->method->name); };
  EXPECT_EQ(all[0].band, 1e-2);
  EXPECT_EQ(all[0].fastest->seconds, 1.0);
  EXPECT_EQ(all[0].reached, 2);
  EXPECT_EQ(name(1), "cvode_bdf") << "1e-4: 1e-9 and its neighbour 1e-5 are both in";
  EXPECT_EQ(name(2), "radau_iia") << "1e-6: the neighbour of 1e-9 is not";
  EXPECT_EQ(all[2].contestants, 2);
  EXPECT_EQ(all[2].reached, 1);
  EXPECT_EQ(all[3].fastest, nullptr) << "no method reaches 1e-8";

  result.trials.clear();
  add("cvode_bdf", 1e-6, 1e-7, 1.0, 0);  // a count that the method does not report
  add("radau_iia", 1e-6, 1e-7, 2.0, 30);
  const Winner unknown = winners(result)[0];
  EXPECT_EQ(unknown.fastest->seconds, 1.0);
  EXPECT_EQ(unknown.fewest_rhs->work.rhs_evaluations, 30);
}

TEST(LibraryOf, IsKnownForEveryMethodOfTheCatalogue) {
  for (const OdeMethod& method : ode_methods())
    EXPECT_THAT(library_of(method), testing::AnyOf("sundials", "odeint", "own")) << method.name;
}

}  // namespace
}  // namespace rigidlimit
