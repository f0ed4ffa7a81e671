// Whether a number is evidence, beside the errors that it has.
#pragma once

namespace rigidlimit {

/// "ok" where the model error exceeds every other tenfold (evidence_factor), else the first that it
/// does not: "solver_limited", "reference_limited", "sampling_limited". An error that is NaN,
/// because it is not known, limits as well.
const char* evidence_status(double model_error, double solver_error, double reference_error,
                            double sampling_error);

}  // namespace rigidlimit
