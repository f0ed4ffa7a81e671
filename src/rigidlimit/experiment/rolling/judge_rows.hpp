// Motions → rows with error bars → verdicts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// A rigid motion minus its reference, on Solves::times; without times if one of the two failed.
std::shared_ptr<const Motion> distance_from_reference(const Solves& solves,
                                                      const JudgedRigid& rigid);

/// Judges the compliant motions of one law and solver against one rigid solver, ε by ε, so that the
/// motions of an ensemble need not be in memory together.
class RowJudge {
 public:
  /// `off_reference`: distance_from_reference(). Refers to the first two arguments. To be made once
  /// the solves of the rigid side and of the prediction are done.
  RowJudge(const RollingStudy& study, const Solves& solves, const JudgedRigid& rigid,
           std::shared_ptr<const Motion> off_reference, const std::string& law,
           const std::string& compliant_solver);

  /// One row for each measure (quantities × norms × windows); empty without a finished first solve.
  std::vector<Row> rows_at(std::size_t epsilon) const;

  /// The judged series, one for each measure. `rows`: rows_at() of every ε.
  std::vector<Series> series(std::vector<std::vector<Row>> rows) const;

 private:
  struct Compared;

  std::optional<Compared> compared_at(std::size_t epsilon) const;
  Row row_of(const Measure& measure, double predicted_order, const Compared& c) const;

  const RollingStudy& study_;
  const Solves& solves_;
  const RigidSolve& judged_;
  const RigidMotion* rigid_;  ///< nullptr if it failed
  std::shared_ptr<const Motion> off_reference_;
  const LawInfo& law_;
  std::string solver_;
  std::vector<Measure> measures_;
  std::vector<double> orders_;  ///< predicted power of ε of each measure; NaN: none
};

}  // namespace rigidlimit
