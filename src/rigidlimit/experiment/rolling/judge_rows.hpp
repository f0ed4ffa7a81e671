// Comparisons → rows with error bars → verdicts.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Sets K = `predicted`/ε^`order` of a row, and if the predicted term exceeds the error bar also
/// measured/predicted with its error bar. `own_error`: of the prediction, relative. NaN: not
/// predicted.
void compare_with_prediction(double predicted, double order, double own_error, Row& row);

/// A compliant solve and its comparison with a rigid motion.
struct JudgedSolve {
  const RollingPair* pair;
  const Comparison* comparison;
};

/// The judged series of one law, compliant solver and rigid solver, one for each of
/// rolling_measures(). `ladder`: largest ε first.
std::vector<Series> judged_series(const RollingStudy& study, const Solves& solves,
                                  const RigidSolve& rigid, const std::vector<JudgedSolve>& ladder);

}  // namespace rigidlimit
