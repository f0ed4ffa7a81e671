// The report of each kind of result.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// The long tables of the report refer to the result.
Report report_of(RollingResult result);
Report report_of(const FrictionResult& result);
Report report_of(const BenchmarkResult& result);

/// "mass = 1 kg, slope = 0.3 rad": every parameter of the system.
std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values);

}  // namespace rigidlimit
