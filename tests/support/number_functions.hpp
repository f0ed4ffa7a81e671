// The functions that a number type of tapes needs.
#pragma once

#include <concepts>

#include "rigidlimit/core/tape/number_operators.hpp"

namespace rigidlimit::test {

// clang-format off
/// Every function of the table, and sqrt, take a number T and return one.
#define RIGIDLIMIT_REQUIRED(name, ...) { name(x) } -> std::same_as<T>;
template <class T>
concept HasFunctionsOfTapes = requires(const T& x) {
  { sqrt(x) } -> std::same_as<T>;
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_REQUIRED)
};
#undef RIGIDLIMIT_REQUIRED
// clang-format on

}  // namespace rigidlimit::test
