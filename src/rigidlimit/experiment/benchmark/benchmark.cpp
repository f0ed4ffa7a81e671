#include "rigidlimit/experiment/benchmark/benchmark.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace rigidlimit {

const char* name_of(Benchmark::Kind kind) {
  switch (kind) {
    case Benchmark::Kind::work_precision: return "work_precision";
    case Benchmark::Kind::order_reduction: return "order_reduction";
    case Benchmark::Kind::cost_epsilon: return "cost_epsilon";
    case Benchmark::Kind::cost_count: return "cost_count";
  }
  return "unknown";
}

std::vector<Setting> settings_of(const Benchmark& benchmark, double end) {
  std::vector<Setting> settings;
  if (benchmark.kind != Benchmark::Kind::order_reduction) {
    for (const double rtol : benchmark.rtol)
      settings.push_back({.rtol = rtol, .atol = benchmark.atol_factor * rtol});
    return settings;
  }
  for (const double h : benchmark.steps) {
    const double whole = end / std::max(1.0, std::round(end / h));
    if (settings.empty() || whole < settings.back().h)
      // Equal steps need no tolerance, but an iteration may stop by one.
      settings.push_back({.rtol = 1e-12, .atol = 1e-14, .h = whole});
  }
  return settings;
}

const char* name_of(TrialStatus status) {
  switch (status) {
    case TrialStatus::ok: return "ok";
    case TrialStatus::reference_limited: return "reference_limited";
    case TrialStatus::plateau: return "plateau";
    case TrialStatus::failed: return "failed";
  }
  return "unknown";
}

Agreement PublishedValue::agreement() const {
  if (!(Quad(bar) < abs(printed.value()) + printed.half_unit())) return Agreement::unresolved;
  return printed.explains(std::abs(difference), bar) ? Agreement::agrees : Agreement::differs;
}

const char* PublishedValue::verdict() const {
  switch (agreement()) {
    case Agreement::agrees: return "agrees";
    case Agreement::differs: return "differs";
    case Agreement::unresolved: break;
  }
  return "unresolved";
}

double PublishedValue::digits() const {
  const Quad value = printed.value();
  if (value == 0 || agreement() == Agreement::unresolved) return std::nan("");
  return agreeing_digits(value + difference, printed);
}

bool Trial::has_error() const {
  return outcome == Outcome::success && std::ranges::any_of(errors, [](const GroupError& e) {
           return e.status != TrialStatus::failed;
         });
}

bool BenchmarkResult::has_numbers() const {
  return std::ranges::any_of(trials, [](const Trial& t) { return t.has_error(); });
}

std::size_t BenchmarkResult::ended() const {
  return static_cast<std::size_t>(std::ranges::count_if(trials, [](const Trial& t) {
    return t.outcome != Outcome::interrupted &&
           (t.outcome != Outcome::not_run || t.message != never_begun);
  }));
}

SolveOptions options_of(const Benchmark& benchmark, const PosedProblem& posed,
                        const Setting& setting) {
  SolveOptions options;
  options.rtol = setting.rtol;
  if (posed.atol_over_rtol.empty()) options.atol = setting.atol;
  for (const double ratio : posed.atol_over_rtol) options.atol_of.push_back(ratio * setting.rtol);
  options.fixed_step = setting.h;
  options.max_steps = benchmark.most_steps;
  return options;
}

std::string library_of(const OdeMethod& method) {
  const std::string_view source = method.source;
  if (source.starts_with("Boost.Odeint")) return "odeint";
  if (source.starts_with("ARKODE")) return "sundials";
  std::string word(source.substr(0, source.find_first_of(" ;,")));
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

}  // namespace rigidlimit
