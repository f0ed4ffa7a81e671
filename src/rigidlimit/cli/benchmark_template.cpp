#include "rigidlimit/cli/benchmark_template.hpp"

#include "rigidlimit/cli/template_page.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

void write_head(TemplatePage& page, const std::string& name, const std::string& title) {
  page.line(fmt::format("# {}.", title));
  page.line("#");
  for (const auto& [command, effect] :
       {std::pair{fmt::format("rigidlimit run {}.toml", name), "runs it"},
        {"scripts/plot bench results/" + name, "draws it (in a clone of rigidlimit)"},
        {"rigidlimit list", "methods and problems"},
        {"rigidlimit help keys benchmark", "every key with its valid values"}})
    page.line(fmt::format("#   {:<40} {}", command, effect));
  page.line("#");
  page.line(
      "# The file has every key. A line \"#key = value\" gives a default: remove the # to change");
  page.line("# it. Errors are compared with a reference; times are taken last, one at a time.");
}

void write_setting(TemplatePage& page, const std::string& name,
                   const std::vector<std::string>& methods) {
  page.table("benchmark");
  page.key("name", toml_text(name));
  page.key("kind", "\"work_precision\"");
  page.usual("question", "\"\"");
  page.usual("source", "\"\"");
  if (methods.size() == 1) {
    page.key("methods", fmt::format("[{}]", toml_text(methods.front())),
             "names of `list solvers`, or the groups stiff and all");
  } else {
    page.line("methods = [", "names of `list solvers`, or the groups stiff and all (long runs)");
    for (const std::string& method : methods) page.line(fmt::format("  {},", toml_text(method)));
    page.line("]");
  }
  page.line("#without = [\"cvode_bdf\"]", "methods of a group that are left out");
  page.line("#quick = \"\"\"", "the short form, --quick: overrides, one per line");
  page.line("#tolerance.rtol = [1e-4, 1e-7]");
  page.line("#\"\"\"");
  page.table("tolerance", "kind order_reduction has [step] h = {from, to, count}, s, instead");
  page.key("rtol", "{from = 1e-3, to = 1e-9, per_decade = 1}", "one, a list, or a geometric grid");
  page.usual("atol_factor", "0.01");
  page.table("judge");
  page.usual("at", "\"end\"");
  page.table("limit");
  page.usual("steps", "100000");
  page.table("timing");
  page.usual("repeats", "5");
  page.usual("most_seconds", "2.0");
}

}  // namespace

std::string benchmark_template(const std::string& name) {
  TemplatePage page("benchmark");
  write_head(page, name, "Error against cost of stiff methods");
  write_setting(page, name, {"stiff"});
  page.list_entry("problem");
  page.key("classical", "\"van_der_pol\"");
  page.usual("name", "\"van_der_pol\"");
  page.line("#parameters = {}", "defaults: rigidlimit describe van_der_pol");
  page.usual("reference", "\"quad\"");
  page.line("");
  page.prose("Or the compliant contact of a rolling study, in each formulation at each eps:");
  page.line("#[[problem]]");
  page.line("#study = \"my_study.toml\"", "path relative to this file");
  page.line("#epsilon = [1e-2, 1e-4]", "default: those of the study");
  page.line("#formulations = [\"natural\", \"adapted\"]");
  return page.text();
}

std::string benchmark_template(const std::string& name, const BenchmarkedStudy& study) {
  TemplatePage page("benchmark");
  write_head(page, name, "Error against cost of methods on the contact of " + study.system);
  write_setting(page, name,
                {"radau_iia", "radau_iia_5", "rosenbrock4", "cvode_bdf",
                 "arkode_dirk_kvaerno_5_3_4", "dopri5"});
  page.list_entry("problem");
  page.key("study", toml_text(study.file), "system, start, contact and end; relative to this file");
  page.key("name", toml_text(study.name), "name of the problem in tables");
  page.key("epsilon", "[1e-2, 1e-4]", "a list or a grid; 0 is ideal rolling");
  page.usual("formulations", "[\"natural\", \"adapted\"]");
  page.usual("end", toml_text(study.end), "s, end of the motion; default time.end of the study");
  page.line("");
  page.prose("More tables [[problem]] are further problems: studies, or classical stiff problems:");
  page.line("#[[problem]]");
  page.line("#classical = \"van_der_pol\"", "a name of `rigidlimit list problems`");
  return page.text();
}

}  // namespace rigidlimit
