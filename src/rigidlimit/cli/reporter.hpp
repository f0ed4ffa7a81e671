// Where the reports of a command go: to the screen or a file in one of the formats, and to JUnit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

struct OutputArguments {
  std::string format = "table";
  std::string output;  ///< -o; empty: standard output
  std::string junit;   ///< file for the JUnit XML; empty: none
  bool brief = false;  ///< print orders and verdicts only
};

/// --format, -o, --brief and --junit
void add_output(Command& command, OutputArguments& arguments);
void add_junit(Command& command, OutputArguments& arguments);  ///< --junit alone

class Reporter {
 public:
  /// Throws InputError where a file could not be written: to be asked before an hour of solving.
  /// Quiet, it says the verdicts alone, on standard error.
  Reporter(const OutputArguments& arguments, bool quiet);

  /// The table for people is shown at once; every other format is one document, at the end. `file`:
  /// that the experiment was read from; `begin`: when it was begun.
  void take(Report report, const std::string& file, std::chrono::steady_clock::time_point begin);

  /// The document or the summary, and the JUnit with an error for each complaint.
  void finish(const std::vector<std::string>& complaints);

 private:
  OutputArguments arguments_;
  Format format_;
  bool quiet_;
  bool at_once_;
  std::vector<Report> reports_;
  std::vector<JunitSuite> suites_;
};

/// Writes the report's files to `directory` and says so; what was interrupted without a number
/// leaves the files of an earlier run alone.
void write_and_say(const Report& report, const std::string& directory, bool quiet);

/// Of a result without a verdict (`held` is true) as of one with: 130 where the user stopped it, 2
/// where nothing arrived or it stopped otherwise, 1 where it does not hold.
int status_of(const Report& report);

}  // namespace rigidlimit
