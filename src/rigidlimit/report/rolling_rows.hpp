// A rolling study's result in machine-readable form.
#pragma once

#include <memory>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// One record for each number (solver pair, ε, quantity, norm, window).
DataTable error_rows(const std::shared_ptr<const RollingResult>& result);

/// The parts of the document that only rolling studies have.
Document document_of(const std::shared_ptr<const RollingResult>& result, DataTable errors);

}  // namespace rigidlimit
