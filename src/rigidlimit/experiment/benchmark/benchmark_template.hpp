// The template of a benchmark, for `init`.
#pragma once

#include <string>

namespace rigidlimit {

/// The study whose compliant contact a benchmark solves.
struct BenchmarkedStudy {
  std::string file;    ///< relative to the folder of the benchmark
  std::string name;    ///< of the problem in tables
  std::string system;  ///< its name
  double end = 0.0;    ///< of the motion, s
};

/// A work-precision benchmark of van der Pol's oscillator.
std::string benchmark_template(const std::string& name);

/// The same of the compliant contact of a study, with a few methods of each library.
std::string benchmark_template(const std::string& name, const BenchmarkedStudy& study);

}  // namespace rigidlimit
