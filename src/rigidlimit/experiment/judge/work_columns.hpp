// The columns of the counters of a solve.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/core/table.hpp"

namespace rigidlimit {

/// The counters of a solve in data files.
inline constexpr std::array<std::pair<const char*, long Work::*>, 6> work_counters{
    {{"steps", &Work::steps},
     {"rejected_steps", &Work::rejected_steps},
     {"rhs_evaluations", &Work::rhs_evaluations},
     {"jacobian_evaluations", &Work::jacobian_evaluations},
     {"factorisations", &Work::factorisations},
     {"newton_iterations", &Work::newton_iterations}}};

/// The columns, and those of the counters of a solve: "work.steps", …. `work_of` gives its Work.
template <class Row, class WorkOf>
Columns<Row> with_work(Columns<Row> columns, WorkOf work_of) {
  for (const auto& [name, count] : work_counters)
    columns.push_back({std::string("work.") + name, "",
                       [work_of, counter = count](const Row& row) {
                         const Work& work = std::invoke(work_of, row);
                         return count_value(work.*counter);
                       },
                       of_counts});
  return columns;
}

}  // namespace rigidlimit
