// From the rows of a series to its judgement, whatever was measured.
#pragma once

#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/study/evidence_status.hpp"

namespace rigidlimit {

/// The model errors of `rows` (Row, SlipRow), largest ε first, above their floors.
template <class Row>
std::vector<SeriesPoint> points_of(const std::vector<Row>& rows) {
  std::vector<SeriesPoint> points;
  for (const Row& row : rows)
    points.push_back({.epsilon = row.epsilon,
                      .error = row.model_error,
                      .floor = row.floor(),
                      .usable = !row.status.starts_with("failed"),
                      .source = source_named_by(row.status)});
  return points;
}

/// judge(points_of(rows)); its verdict and the orders between neighbours are told to every row.
template <class Row, class Judge>
Judgement judged(std::vector<Row>& rows, const Judge& judge) {
  const std::vector<SeriesPoint> points = points_of(rows);
  Judgement judgement = judge(points);
  const std::vector<double> orders = neighbour_orders(points);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].order = orders[k];
    rows[k].verdict = judgement.verdict;
  }
  return judgement;
}

}  // namespace rigidlimit
