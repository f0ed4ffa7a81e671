// Selection between two numbers in systems that tests evaluate without recording them.
#pragma once

#include <concepts>

namespace rigidlimit {

/// Replaces `condition ? yes : no` in a system's equations: while equations are recorded
/// (core/tape/expression.hpp), a comparison of q has no value yet.
template <class S>
S select(std::same_as<bool> auto condition, const S& yes, const S& no) {
  return condition ? yes : no;
}

}  // namespace rigidlimit
