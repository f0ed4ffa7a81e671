#include "rigidlimit/experiment/benchmark/benchmark_template.hpp"

#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"

namespace rigidlimit {

namespace {

/// All tables but [[problem]].
void write_setting(TemplatePage& page, const std::string& name, const std::string& title,
                   const std::vector<std::string>& methods) {
  Benchmark b;
  b.name = name;
  page.head(title,
            {{fmt::format("rigidlimit run {}.toml", name), "runs it"},
             {"scripts/plot bench results/" + name, "draws it (in a clone of rigidlimit)"},
             {"rigidlimit list", "methods and problems"},
             {"rigidlimit help keys benchmark", "every key with its valid values"}},
            "Errors are compared with a reference; times are taken last, one at a time.");
  const KeyTable<Benchmark>& keys = benchmark_keys::benchmark();
  page.heading("benchmark");
  for (const char* key : {"name", "kind", "question", "source"}) {
    const KeyRow<Benchmark>& row = keys.row(key);
    page.key(row.info, row.toml(b), row.usual(b));
  }
  page.key(keys.row("methods").info, keys::text_of_value(methods), std::nullopt);
  page.key(keys.row("without").info, std::nullopt, std::nullopt);
  page.key(keys.row("quick").info, std::nullopt, std::nullopt);
  page.heading("tolerance", "kind order_reduction has [step] h = {from, to, count}, s, instead");
  page.line("rtol = {from = 1e-3, to = 1e-9, per_decade = 1}", "one, a list, or a geometric grid");
  const KeyRow<Benchmark>& factor = benchmark_keys::tolerance().row("atol_factor");
  page.key(factor.info, factor.toml(b), factor.usual(b));
  page.table(benchmark_keys::judge(), b);
  page.table(benchmark_keys::limit(), b);
  page.table(benchmark_keys::timing(), b);
}

}  // namespace

std::string benchmark_template(const std::string& name) {
  TemplatePage page;
  write_setting(page, name, "Error against cost of stiff methods", {"stiff"});
  ClassicalSet set;
  set.entry = shared_classical_problem("van_der_pol");
  set.name = set.entry->name;
  for (const ClassicalParameter& p : set.entry->parameters)
    set.parameters.push_back(p.default_value);
  set.end = set.entry->make(set.parameters).end;
  page.table(benchmark_keys::classical(), set);
  page.line("");
  page.prose("Or the compliant contact of a rolling study, in each formulation at each eps:");
  page.line("#[[problem]]");
  page.line("#study = \"my_study.toml\"", "path relative to this file");
  page.line("#epsilon = [1e-2, 1e-4]", "default: those of the study");
  page.line("#formulations = [\"natural\", \"adapted\"]");
  page.further(tables_of_benchmarks());
  return page.text();
}

std::string benchmark_template(const std::string& name, const BenchmarkedStudy& study) {
  TemplatePage page;
  write_setting(page, name, "Error against cost of methods on the contact of " + study.system,
                {"radau_iia", "radau_iia_5", "rosenbrock4", "cvode_bdf",
                 "arkode_dirk_kvaerno_5_3_4", "dopri5"});
  page.heading("[problem]");
  page.line("study = " + toml_text(study.file),
            "system, start, contact and end; relative to this file");
  page.line("name = " + toml_text(study.name), "name of the problem in tables");
  page.line("epsilon = [1e-2, 1e-4]", "a list or a grid; 0 is ideal rolling");
  page.line("#formulations = [\"natural\", \"adapted\"]");
  page.line("#end = " + toml_text(study.end),
            "s, end of the motion; default time.end of the study");
  page.line("");
  page.prose("More tables [[problem]] are further problems: studies, or classical stiff problems:");
  page.line("#[[problem]]");
  page.line("#classical = \"van_der_pol\"", "a name of `rigidlimit list problems`");
  page.further(tables_of_benchmarks());
  return page.text();
}

}  // namespace rigidlimit
