// Comparison of two results of the same experiment, made by different programs or on different
// machines.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace rigidlimit {

/// The largest difference of a column.
struct WorstCell {
  std::string row;  ///< the texts that identify its row
  std::string then, now;
  double relative = std::nan("");  ///< |now − then| / |then|; NaN unless both are numbers
  double bars = std::nan("");      ///< |now − then| / error bar; NaN without an error bar
};

/// One column of a table in both results.
struct ColumnDifference {
  std::string table, column;
  bool numbers = false;   ///< otherwise texts and booleans
  bool has_bars = false;  ///< its numbers have an error bar
  int cells = 0;          ///< in rows that both results have
  int differing = 0;
  /// Numbers of evidence (status ok in both, or no status) that differ by more than `most_bars` of
  /// their error bars.
  int beyond = 0;
  WorstCell worst = {};  ///< by bars, else by relative difference
};

struct ResultDifference {
  std::vector<ColumnDifference> columns;    ///< of every table, in the order of the first result
  std::vector<std::string> missing, extra;  ///< rows of the first and of the second result alone
  int claims = 0, changed_claims = 0;       ///< changed: held in one result only
  int with_bars = 0, beyond = 0;            ///< numbers with an error bar
  int cells = 0, differing = 0;             ///< numbers and texts
  std::vector<std::string> changed;         ///< names of the changed claims
  /// version, commit, compiler, …: key, then, now.
  struct Origin {
    std::string key, then, now;
  };
  std::vector<Origin> origins;

  /// Every claim has its verdict, every number of evidence its value within `most_bars` error bars,
  /// and both results have the same rows.
  bool reproduced() const {
    return changed_claims == 0 && beyond == 0 && missing.empty() && extra.empty();
  }
};

/// An error bar is an estimate: two results may differ by three of them.
inline constexpr double most_bars = 3.0;

/// Throws InputError with `name` and the path of the member unless `json` is a result.json: an
/// object with `name`, `provenance` and `claims` of the right forms, within the limits of
/// bounded_json().
void require_result(const std::string& json, const std::string& name);

/// Compares two texts of result.json. Rows are matched by their texts and the numbers of the
/// experiment file (ε, tolerances, steps). Sentences and times are not compared. The bar of a model
/// error is the sum of its solver, reference and sampling errors, the larger one of both results.
/// Throws InputError if a text is not a result; `then_name` is the place of the first.
ResultDifference difference_of_results(const std::string& then_json, const std::string& now_json,
                                       const std::string& then_name);

}  // namespace rigidlimit
