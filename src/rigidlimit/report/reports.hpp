// The report of each kind of result, and of an experiment of any kind.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

// The tables of a report refer to its result, which lives as long as they do.
Report report_of(RollingResult result);
Report report_of(FrictionResult result);
Report report_of(BenchmarkResult result);

/// "mass = 1 kg, slope = 0.3 rad": every parameter of the system.
/// "viscoelastic: C = 1, damping ratio 1, …": a law with the values of the contact that it uses.
std::string contact_text(const ContactSpec& contact, const LawInfo& law);

std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values);

/// The result of any kind.
struct JudgedExperiment {
  Report report;
  SolveCounts counts;
  std::vector<Curve> curves;  ///< of a rolling study, if RunOptions::curves
};

JudgedExperiment judged_experiment(ExperimentResult result);

/// Runs the solves on options.jobs threads, or takes them from options.archive, and judges them.
/// The result does not depend on either.
JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options);

Report report_of(StiffnessResult result);

/// The claims are the orders and bounds of the study that the theorem concerns.
Report report_of(const StudyProof& proof);

/// The claim of each order: layer and outer motion match (SeriesExpansion::matching_defect()).
Report report_of(SeriesTerms terms);

/// A row for each time and component of the terms: study, damping_ratio (nan if the study gives D),
/// quantity, component, order, part ("outer", "layer"), largest_epsilon of the order, time (t, or
/// τ = t/ε, s) and value.
Table curve_rows(const SeriesTerms& terms, std::vector<TermCurve> curves);

}  // namespace rigidlimit
