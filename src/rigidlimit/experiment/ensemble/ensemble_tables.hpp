// The result of an ensemble as tables, views and claims.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/experiment/ensemble/judge_ensemble.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

using SharedEnsemble = std::shared_ptr<const EnsembleResult>;

/// "ensemble": a row for each ε, quantity and window, with quantiles of the errors of all members;
/// "ensemble_orders": likewise of the orders; "ensemble_bounds"; "members": the varied numbers,
/// the errors at the smallest ε and the orders of each member.
std::vector<Table> ensemble_tables(const SharedEnsemble& result, const SeriesNames& names);

/// The views of these tables, without that of the members: ensemble-…, ensemble_orders,
/// ensemble_bounds.
std::vector<View> ensemble_views(const EnsembleResult& result, const SeriesNames& names);

/// A claim for each expectation and each bound, on every member; and one that member 0 is the
/// study's own motion within the error bars.
std::vector<JudgedClaim> claims_of(const EnsembleResult& result, const SeriesNames& names);

/// "10001 members: …".
std::string ensemble_remark(const EnsembleResult& result);

}  // namespace rigidlimit
