// A rolling study's result in machine-readable form.
#pragma once

#include <memory>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// One record for each number (solver pair, ε, quantity, norm, window).
DataTable error_rows(const std::shared_ptr<const RollingResult>& result);

/// The same plus judgements, rigid reports, failures, the resolved study and provenance.
Document document_of(const std::shared_ptr<const RollingResult>& result);

}  // namespace rigidlimit
