#include "rigidlimit/cli/reporter.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/report/output.hpp"

namespace rigidlimit {

void add_junit(Command& command, OutputArguments& arguments) {
  command.option("--junit", arguments.junit, "write a JUnit XML report").value("FILE");
}

void add_output(Command& command, OutputArguments& arguments) {
  command.option("--format", arguments.format, "format of the output")
      .value("FORMAT")
      .one_of(names_of_formats())
      .shows_default();
  command
      .option("-o,--output", arguments.output, "write all tables to this file, not to the terminal")
      .value("FILE");
  const OptionDeclaration full =
      command.flag("--full", arguments.full, "print all tables (result.txt has them as well)");
  command
      .flag("--brief", arguments.brief,
            "print the verdict, one table of errors and one of orders (default)")
      .excludes(full);
  add_junit(command, arguments);
}

Reporter::Reporter(const OutputArguments& arguments, bool quiet)
    : arguments_(arguments),
      format_(format_named(arguments.format)),
      quiet_(quiet),
      at_once_(format_ == Format::table && arguments.output.empty()) {
  if (arguments.brief && format_ != Format::table)
    throw InputError(fmt::format("--brief prints a table: omit --format {}", arguments.format));
  require_writable(arguments.output);
  require_writable(arguments.junit);
}

void Reporter::take(Result report, const std::string& file,
                    std::chrono::steady_clock::time_point begin) {
  if (quiet_ && !report.verdict.empty())
    print_text(folded(report.verdict, STDERR_FILENO) + "\n", Stream::error);
  else if (!quiet_ && at_once_)
    print_toned((arguments_.full ? formatted({report}, format_, output_screen())
                                 : brief_text(report, output_screen())) +
                    "\n",
                colour_wanted());
  flush_output();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  suites_.push_back(junit_suite(report));
  suites_.back().file = file;
  suites_.back().seconds = spent.count();
  if (!at_once_)
    reports_.push_back(std::move(report));
  else if (const Table* const summary = report.find("summary"))
    summaries_.push_back(*summary);
}

void Reporter::finish(const std::vector<std::string>& complaints) {
  if (!arguments_.junit.empty()) write_file(arguments_.junit, junit_document(suites_, complaints));
  if (at_once_ && !quiet_)
    print_toned(summary_text(summaries_, format_, output_screen()), colour_wanted());
  if (reports_.empty()) return;
  if (!arguments_.output.empty())
    write_file(arguments_.output, formatted(reports_, format_));
  else if (!quiet_)
    print_toned(formatted(reports_, format_, {false, output_screen().width}), false);
}

void write_and_say(const Result& report, const std::string& directory, bool quiet) {
  if (report.interrupted && !report.has_numbers) return;
  write_report(report, directory);
  if (!quiet) print_message("written to {} (all tables: result.txt)\n", directory);
}

int status_of(const Result& report) {
  switch (report.conclusion) {
    case Conclusion::nothing_expected:
    case Conclusion::held: return exit_status::held;
    case Conclusion::not_held: return exit_status::not_held;
    case Conclusion::could_not: break;
    case Conclusion::interrupted:
      if (InterruptGuard::requested()) return exit_status::interrupted;
      break;
  }
  return exit_status::could_not;
}

}  // namespace rigidlimit
