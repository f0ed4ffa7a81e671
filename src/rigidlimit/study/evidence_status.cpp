#include "rigidlimit/study/evidence_status.hpp"

namespace rigidlimit {

const char* evidence_status(double model_error, double solver_error, double reference_error,
                            double sampling_error) {
  // Not "<", which would let a NaN pass.
  const auto hidden_by = [&](double error) { return !(model_error >= evidence_factor * error); };
  if (hidden_by(solver_error)) return "solver_limited";
  if (hidden_by(reference_error)) return "reference_limited";
  if (hidden_by(sampling_error)) return "sampling_limited";
  return "ok";
}

FloorSource source_named_by(std::string_view status) {
  if (status == "solver_limited") return FloorSource::solver;
  if (status == "reference_limited") return FloorSource::reference;
  return status == "sampling_limited" ? FloorSource::sampling : FloorSource::unnamed;
}

}  // namespace rigidlimit
