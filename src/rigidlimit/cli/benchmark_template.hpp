// Template of benchmarks.
#pragma once

#include <string>

namespace rigidlimit {

/// A commented work-precision benchmark of van der Pol's oscillator, with every key.
std::string benchmark_template(const std::string& name);

}  // namespace rigidlimit
