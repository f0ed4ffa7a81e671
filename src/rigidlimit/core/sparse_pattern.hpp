// Pattern of the possibly nonzero entries of a large matrix. Valid C++17 (core/problem.hpp includes
// it).
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// The possibly nonzero entries of an N × N matrix, column by column: those of column k are in the
/// rows rows[starts[k]] … rows[starts[k + 1] − 1], ascending. Values of a pattern are listed in the
/// same order.
struct SparsePattern {
  Index size = 0;             ///< N
  std::vector<Index> starts;  ///< N + 1
  std::vector<Index> rows;    ///< one per nonzero

  Index nonzeros() const { return static_cast<Index>(rows.size()); }
  Index start(Index column) const { return starts[static_cast<std::size_t>(column)]; }
  Index row(Index nonzero) const { return rows[static_cast<std::size_t>(nonzero)]; }
};

/// The pattern of these entries and of the diagonal, which 1 − γ ∂f/∂y always has. rows_of_column
/// has N entries, each in any order, with repetitions.
SparsePattern pattern_with_diagonal(std::vector<std::vector<Index>> rows_of_column);

}  // namespace rigidlimit
