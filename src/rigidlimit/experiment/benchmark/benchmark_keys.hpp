// The keys of a benchmark.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The benchmark of a problem, for the keys of the problem while they are read.
struct ProblemContext {
  Benchmark::Kind kind = Benchmark::Kind::work_precision;
  const SystemCatalogue* systems = nullptr;
};

/// Tables of a benchmark, each with the members that it fills.
namespace benchmark_keys {
const KeyTable<Benchmark>& benchmark();
const KeyTable<Benchmark>& tolerance();
const KeyTable<Benchmark>& step();
const KeyTable<Benchmark>& judge();
const KeyTable<Benchmark>& limit();
const KeyTable<Benchmark>& timing();
/// [[problem]] with study. Without a context to be written or described, not read.
KeyTable<ContactSet> contact(const ProblemContext& of = {});
const KeyTable<ChainSet>& chain();          ///< [[problem]] with chain
const KeyTable<ClassicalSet>& classical();  ///< [[problem]] with classical
KeyTableInfo grid();                        ///< KEY = {from, to, count or per_decade}
}  // namespace benchmark_keys

/// Every table in the order of the resolved file.
std::vector<KeyTableInfo> tables_of_benchmarks();

/// Reads a key whose value is a list of numbers in the range, or a geometric grid {from, to, count}
/// or {from, to, per_decade}: decreasing, without duplicates.
std::vector<double> read_values(Section& section, const std::string& key, const Range& valid);

}  // namespace rigidlimit
