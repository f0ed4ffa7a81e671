// The keys of a benchmark.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// Tables of a benchmark, each with the members that it fills.
namespace benchmark_keys {
const KeyTable<Benchmark>& benchmark();
const KeyTable<Benchmark>& tolerance();
const KeyTable<Benchmark>& step();
const KeyTable<Benchmark>& judge();
const KeyTable<Benchmark>& limit();
const KeyTable<Benchmark>& timing();
const KeyTable<ContactSet>& contact();      ///< [[problem]] with study
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
