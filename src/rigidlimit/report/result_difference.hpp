// The comparison of a stored result with one of the same experiment.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/result/result.hpp"
#include "rigidlimit/result/table_difference.hpp"

namespace rigidlimit {

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

/// Throws InputError with `name` and the path of the member unless `json` is a result.json: an
/// object with `name`, `provenance` and `claims` of the right forms, within the limits of
/// bounded_json().
void require_result(const std::string& json, const std::string& name);

/// Compares a text of result.json with a result, table by table (result/table_difference.hpp). The
/// columns are those of the result; what the text lacks of them is not compared. Throws InputError
/// if the text is no result; `then_name` is its place.
ResultDifference difference_of_results(const std::string& then_json, const Result& now,
                                       const std::string& then_name);

/// The rows of a list of objects in a JSON text as a table with the columns of another, without
/// those that no object has. Throws InputError unless it is such a list.
Table table_in(const std::string& json, const Table& like);

}  // namespace rigidlimit
