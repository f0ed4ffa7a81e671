#include "rigidlimit/cli/benchmark_template.hpp"

#include "rigidlimit/cli/template_page.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

std::string benchmark_template(const std::string& name) {
  TemplatePage page("benchmark");
  page.line("# Error against cost of stiff methods.");
  page.line("#");
  page.line(fmt::format("#   {:<40} runs it", fmt::format("rigidlimit run {}.toml", name)));
  page.line(fmt::format("#   {:<40} methods and problems", "rigidlimit list"));
  page.line("#   rigidlimit help keys benchmark           every key with its valid values");
  page.line("#");
  page.line(
      "# The file has every key. A line \"#key = value\" gives a default: remove the # to change");
  page.line("# it. Errors are compared with a reference; times are taken last, one at a time.");
  page.table("benchmark");
  page.key("name", toml_text(name));
  page.key("kind", "\"work_precision\"");
  page.usual("question", "\"\"");
  page.usual("source", "\"\"");
  page.key("methods", "[\"stiff\"]");
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

}  // namespace rigidlimit
