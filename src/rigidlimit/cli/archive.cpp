// The subcommand `archive`: a result as one file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "rigidlimit/archive/write_archive.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/report/output.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

namespace {

constexpr const char* archive_footer =
    "The zip file has the experiment as written (results/NAME/study, which 'rigidlimit\n"
    "run' leaves) and with every default filled in, the judged result in every format,\n"
    "the store with all solves, the page and figures if 'rigidlimit report' made them,\n"
    "and their metadata as an RO-Crate (ro-crate-metadata.json), which repositories of\n"
    "data read. It is an attachment of a paper, or a dataset of its own.\n"
    "\n"
    "'rigidlimit reproduce NAME.zip' runs the experiment again, on any machine, and\n"
    "prints what differs and by how much.\n"
    "\n"
    "An older archive of that name is replaced, any other file is not.\n"
    "\n"
    "Exit status: 0 written, 2 not: solves are missing, or the system of the study is\n"
    "not built into this program.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit archive results/knife_edge\n"
    "  rigidlimit archive results/knife_edge -o paper/knife_edge.zip \\\n"
    "      --author 'A. Author <https://orcid.org/0000-0000-0000-0000>' \\\n"
    "      --licence https://creativecommons.org/licenses/by/4.0/";

struct ArchiveArguments {
  const SystemCatalogue* systems = nullptr;
  std::string result;
  ArchiveRequest request;
};

int archive(const ArchiveArguments& arguments) {
  ArchiveRequest request = arguments.request;
  request.store = store_named(arguments.result);
  require_writable(request.output);
  const WrittenArchive written = write_archive(request, *arguments.systems);
  TextTable table{{"file", "bytes", "contents"}, {true, false, true}, {}};
  std::size_t figures = 0, bytes = 0;
  for (const CrateFile& file : written.files) {
    const bool is_figure = file.name.starts_with("figures/");
    figures += is_figure ? 1 : 0;
    bytes += is_figure ? file.size : 0;
    if (!is_figure)
      table.rows.push_back({{file.name}, {fmt::format("{}", file.size)}, {file.about}});
  }
  if (figures > 0)
    table.rows.push_back({{fmt::format("figures/: {} files", figures)},
                          {fmt::format("{}", bytes)},
                          {about_file("figures/")}});
  print_list(table);
  if (!written.has_study)
    print_message(
        "rigidlimit: no experiment file as written: 'rigidlimit run FILE' leaves it beside "
        "the tables\n");
  if (!written.has_figures)
    print_message("rigidlimit: no figures: 'rigidlimit report {}' makes them\n", arguments.result);
  print_output("written to {}\n", written.path);
  return exit_status::held;
}

}  // namespace

Subcommand add_archive(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "archive",
                  "Write a result with its study, store, figures and metadata as one file",
                  archive_footer);
  const auto arguments = std::make_shared<ArchiveArguments>();
  arguments->systems = &systems;
  ArchiveRequest& request = arguments->request;
  command.option("RESULT", arguments->result, "results/NAME or a store (.db)").required();
  command.option("-o,--output", request.output, "the zip file (default: NAME.zip)").value("FILE");
  command.option("--author", request.authors, "author of the result; repeatable")
      .value("'NAME <ORCID>'")
      .one_at_a_time();
  command.option("--licence", request.licence, "licence of the archive, an address or a name")
      .value("LICENCE");
  command
      .option("--pages", request.pages,
              "pages and figures of 'rigidlimit report' (default: report/ beside RESULT)")
      .value("DIR");
  return {command, [arguments] { return archive(*arguments); }};
}

}  // namespace rigidlimit
