// The result of an experiment of any kind: tables, views of them for people, and claims.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/result/claim.hpp"
#include "rigidlimit/result/curve.hpp"
#include "rigidlimit/result/solve_counts.hpp"
#include "rigidlimit/result/view.hpp"

namespace rigidlimit {

using Lines = std::vector<std::string>;

/// The end of an experiment, from the states of its claims.
enum class Conclusion {
  nothing_expected,  ///< it has numbers, and claims nothing
  held,              ///< every claim holds
  not_held,          ///< every claim is judged, and one fails
  could_not,         ///< a claim is unjudged, or no number exists
  interrupted
};

/// A kind of experiment fills it where it judges; the store, the writers and the commands read
/// nothing else. Its tables may refer to the numbers behind them, which live as long as they do.
struct Result {
  std::string name;
  std::string kind;  ///< "rolling", "friction", "benchmark"
  bool is_sweep = false;
  std::string question;
  std::string source = {};
  Lines heading;      ///< the experiment
  Fields facts = {};  ///< single values, in JSON
  /// At least one, whose CSV stands for the result. One named "summary" has a row for a table of
  /// several results.
  std::vector<Table> tables;
  std::vector<View> views = {};  ///< in the order of the page
  Lines remarks = {};            ///< failures, notes, advice
  Lines notes = {};              ///< of the result
  std::string verdict = {};      ///< "NAME: held, …", and a line for each failed claim
  Conclusion conclusion = Conclusion::nothing_expected;  ///< set by conclude()
  bool interrupted = false;
  bool has_numbers = true;
  std::vector<JudgedClaim> claims;
  std::string plain_csv = {};  ///< name of the table that is plain CSV; empty: the first
  std::string resolved;        ///< the experiment's text with every default filled in
  SolveCounts counts = {};
  std::vector<Curve> curves = {};  ///< of a rolling study, if RunOptions::curves

  /// Whether no claim failed and nothing is missing.
  bool held() const {
    return conclusion == Conclusion::held || conclusion == Conclusion::nothing_expected;
  }
  /// nullptr: there is no such table.
  const Table* find(std::string_view table) const;
};

/// A view with its rows as texts; nullopt: it has none.
std::optional<CaptionedTable> shown(const Result& result, const View& view);

}  // namespace rigidlimit
