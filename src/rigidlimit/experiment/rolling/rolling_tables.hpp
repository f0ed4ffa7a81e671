// The result of a rolling study as tables and views of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/result/result.hpp"
#include "rigidlimit/result/view.hpp"

namespace rigidlimit {

SeriesNames names_of(const RollingStudy& study);

using SharedRolling = std::shared_ptr<const RollingResult>;

/// A part of a result, which stays alive with the part.
template <class Part>
std::shared_ptr<const Part> part_of(const SharedRolling& result, Part RollingResult::*part) {
  return {result, &(*result.*part)};
}

/// "bounds": a row for each (bound, solver pair), with the ε of the study that is nearest to the
/// limit or exceeds it most.
Table bound_rows(const SharedRolling& result);

/// "energy": the balance of the compliant motions, with the unaccounted rest.
Table energy_rows(const SharedRolling& result);
/// "enclosures": the radii of certified motions.
Table enclosure_rows(const SharedRolling& result);

/// "rigid": the rigid motions: distance to their reference, drift, energy error, steps.
Table rigid_rows(const SharedRolling& result);

/// "failures": solves that did not reach the end.
Table failure_rows(const SharedRolling& result);

/// "comparison_of_laws": a row for each law and pair of solvers: the meaning of its small
/// parameter, the fitted and expected orders of q, v and λ (sup norm, all t), the errors and steps
/// at the smallest ε, and whether all demands of the study on the law held. No rows for a study
/// with one law.
Table law_rows(const SharedRolling& result);

/// The views of these tables, "errors", "series", "steps" and "growth":
///
///   rigid         the rigid motions: distance from their references, drift, energy
///   errors-…      model errors and orders, a line for each ε; one for each (law, solvers, norm,
///                 window)
///   ratios-…      predicted coefficients and ratios to them, likewise
///   energy        the energy of the compliant motions
///   orders        fitted and expected orders and their verdicts
///   coefficients  the verdicts on measured over predicted coefficients
///   bounds        the bounds and the errors nearest to them
///   steps         steps of the first solves, if they are reported (RollingStudy::counts_steps)
///   growth        the claims on the growth of the steps
///   laws          comparison of the laws
std::vector<View> rolling_views(const RollingResult& result);

/// "q sup all t ≤ 10 ε^2.5 for ε ≤ 0.01", "solver error of q sup all t ≤ 1e-08".
std::string claim_text(const RollingStudy& study, const BoundSpec& spec);

/// "bound CLAIM broken at ε = 0.001 (cvode_bdf / ida): error … is 55.8 times the limit 3.162e-07".
std::string bound_line(const RollingStudy& study, const BoundReport& report);

/// A claim for each (expectation, solver pair) and each (bound, solver pair).
std::vector<JudgedClaim> claims_of(const RollingResult& result);

/// The verdict on one law and pair of solvers: "does not converge, as expected", "held", ….
std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver);

/// "viscoelastic: C = 1, damping ratio 1, …": a law with the values of the contact that it uses.
std::string contact_text(const ContactSpec& contact, const LawInfo& law);

Result in_tables(RollingResult found);

/// The claims are the orders and bounds of the study that the theorem concerns.
Result in_tables(const StudyProof& proof);

/// The claim of each order: layer and outer motion match (SeriesExpansion::matching_defect()).
Result in_tables(SeriesTerms terms);

/// A row for each time and component of the terms: study, damping_ratio (nan if the study gives D),
/// quantity, component, order, part ("outer", "layer"), largest_epsilon of the order, time (t, or
/// τ = t/ε, s) and value.
Table curve_rows(const SeriesTerms& terms, std::vector<TermCurve> curves);

}  // namespace rigidlimit
