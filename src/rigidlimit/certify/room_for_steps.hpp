// The memory that a proof may take.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

namespace rigidlimit {

/// A proof keeps its steps. Throws std::domain_error with the reason if `steps` of them, each with
/// `values` Taylor models of this order, take more than 2 GB, at 35 bytes for a coefficient
/// (measured along a proof of 290 s of the knife edge). `reached` of `end`: seconds.
inline void require_room(std::size_t steps, std::size_t values, long order, double reached,
                         double end) {
  constexpr double coefficient = 35.0, most = 2e9;  // bytes
  if (coefficient * static_cast<double>(steps) * static_cast<double>(values) *
          static_cast<double>(order + 1) >
      most)
    throw std::domain_error(fmt::format(
        "a proof keeps its steps, and they take {:.0f} GB up to t = {:.4g} s of {:.4g} s: shorten "
        "the interval",
        most / 1e9, reached, end));
}

}  // namespace rigidlimit
