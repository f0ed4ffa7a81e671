// The choice between two numbers, in every scalar.
#pragma once

#include <concepts>

namespace rigidlimit {

/// What an author writes for `condition ? yes : no`: where equations are recorded
/// (core/expression.hpp) a comparison of q is neither true nor false yet.
template <class S>
S select(std::same_as<bool> auto condition, const S& yes, const S& no) {
  return condition ? yes : no;
}

}  // namespace rigidlimit
