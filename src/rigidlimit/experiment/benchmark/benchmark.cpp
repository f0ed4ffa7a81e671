#include "rigidlimit/experiment/benchmark/benchmark.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace rigidlimit
