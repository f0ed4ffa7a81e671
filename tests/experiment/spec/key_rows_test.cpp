// Tests that every key of a study and of a benchmark is read by its own row.
#include <gmock/gmock.h>

#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"

namespace rigidlimit {
namespace {

/// Names of the keys whose row does not read them.
template <class... Spec>
std::vector<std::string> unread(const KeyTable<Spec>&... tables) {
  std::vector<std::string> names;
  const auto add = [&](const auto& table) {
    for (const auto& row : table.rows)
      if (!row.read) names.push_back(table.name + "." + row.info.name);
  };
  (add(tables), ...);
  return names;
}

TEST(KeyRows, ReadTheirKeys) {
  namespace r = rolling_keys;
  namespace f = friction_keys;
  namespace b = benchmark_keys;
  EXPECT_THAT(unread(r::study(), r::initial(), r::tangent(), r::contact(), r::time(), r::solvers(),
                     r::solver(), r::output(), r::composite(), r::expectation(), r::steps(),
                     r::bound(), epsilon_keys()),
              testing::IsEmpty());
  EXPECT_THAT(unread(f::study(), f::initial(), f::contact(), f::time(), f::solvers(),
                     f::inequality(), f::history(), f::expectation(), f::modes()),
              testing::IsEmpty());
  EXPECT_THAT(unread(b::benchmark(), b::tolerance(), b::step(), b::judge(), b::limit(), b::timing(),
                     b::contact(), b::chain(), b::classical()),
              testing::IsEmpty());
  const KeyTable<Benchmark> described{"table", {{.info = {.name = "key", .unit = "", .text = ""}}}};
  EXPECT_THAT(unread(described), testing::ElementsAre("table.key")) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
