// Output of the reports of a command: to a terminal or a file in one of the formats, and to JUnit.
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
  bool full = false;   ///< print all tables
  bool brief = false;  ///< the default
};

/// Adds --format, -o, --full, --brief and --junit.
void add_output(Command& command, OutputArguments& arguments);
void add_junit(Command& command, OutputArguments& arguments);  ///< adds only --junit

class Reporter {
 public:
  /// Throws InputError if a file could not be written, before any solve. `quiet`: print only the
  /// verdicts, to standard error.
  Reporter(const OutputArguments& arguments, bool quiet);

  /// Adds a report. The table format is printed at once; every other format is one document,
  /// printed at the end. `file`: of the experiment; `begin`: its start.
  void take(Result report, const std::string& file, std::chrono::steady_clock::time_point begin);

  /// Prints the document or the summary, and writes the JUnit file with an error for each
  /// complaint.
  void finish(const std::vector<std::string>& complaints);

 private:
  OutputArguments arguments_;
  Format format_;
  bool quiet_;
  bool at_once_;
  std::vector<Result> reports_;   ///< to write at the end
  std::vector<Table> summaries_;  ///< of those that are printed at once
  std::vector<JunitSuite> suites_;
};

/// Writes the report's files to `directory` and prints its name. An interrupted run without numbers
/// leaves earlier files unchanged.
void write_and_say(const Result& report, const std::string& directory, bool quiet);

/// Exit status of a result, with or without a verdict (then `held` is true): 130 if the user
/// stopped it, 2 if no solve succeeded or it stopped for another reason, 1 if it does not hold.
int status_of(const Result& report);

}  // namespace rigidlimit
