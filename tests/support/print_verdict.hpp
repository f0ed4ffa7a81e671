// Verdicts by name in the messages of a failed test.
#pragma once

#include <ostream>

#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

inline void PrintTo(Verdict verdict, std::ostream* out) {
  *out << name_of(verdict);
}

}  // namespace rigidlimit
