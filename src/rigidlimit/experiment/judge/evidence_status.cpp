#include "rigidlimit/experiment/judge/evidence_status.hpp"

namespace rigidlimit {

const char* evidence_status(const Row& row) {
  // Not "<": a NaN must not pass.
  const auto hidden_by = [&](double error) {
    return !(row.model_error >= evidence_factor * error);
  };
  if (hidden_by(row.rounding)) return "equal";
  if (hidden_by(row.solver_error)) return "solver_limited";
  if (hidden_by(row.reference_error)) return "reference_limited";
  if (hidden_by(row.sampling_error)) return "sampling_limited";
  return "ok";
}

FloorSource source_named_by(std::string_view status) {
  if (status == "equal") return FloorSource::rounding;
  if (status == "solver_limited") return FloorSource::solver;
  if (status == "reference_limited") return FloorSource::reference;
  return status == "sampling_limited" ? FloorSource::sampling : FloorSource::unnamed;
}

}  // namespace rigidlimit
