// Experiments: read, changed, run.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "bindings.hpp"
#include "progress.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

ReadExperiment read(TomlDocument document) {
  Experiment experiment = read_experiment(document, builtin_systems());
  return {std::move(document), std::move(experiment)};
}

ReadExperiment load(const std::string& path, const std::vector<std::string>& overrides) {
  return read(TomlDocument::from_file(path, overrides, alternative_keys()));
}

ReadExperiment loads(const std::string& text, const std::string& name,
                     const std::vector<std::string>& overrides) {
  return read(TomlDocument::from_text(text, name, overrides, alternative_keys()));
}

ReadExperiment changed(const ReadExperiment& base, const std::vector<std::string>& overrides) {
  std::vector<ValueText> values;
  for (const std::string& text : overrides) values.push_back({text, text});
  return read(base.document.with(values));
}

struct How {
  std::optional<std::string> results;
  int jobs;
  bool solve, recompute, fresh, write;
};

RunResult run_with_store(const Experiment& experiment, const How& how, RunOptions options) {
  const std::string path = store_to_write(experiment, *how.results);
  Store store(path, Store::Access::write);
  if (how.fresh) store.clear();
  StoredRun run = stored_run_of(experiment);
  run.jobs = how.jobs;
  store.begin_run(run);
  StoredResult found = run_in_store(experiment, store, std::move(options));
  Result& report = found.judged;
  if (how.write && !store.read_only() && (report.has_numbers || !report.interrupted))
    write_report(report, directory_of(*how.results, report));
  return {std::move(report), std::move(found.end), path};
}

RunResult run(const ReadExperiment& read, const How& how, const nb::object& progress) {
  Progress news;
  RunOptions options = news.options(how.jobs);
  options.recompute = how.recompute;
  options.solve = how.solve;
  return without_gil(
      [&]() -> RunResult {
        if (how.results) return run_with_store(read.experiment, how, options);
        return {result_of(read.experiment, options), {}, ""};
      },
      [&] { news.tell(progress); }, [&] { news.stop(); });
}

RunResult stiffness(const ReadExperiment& read, const std::vector<std::string>& wanted,
                    const std::vector<std::string>& methods, const std::string& engine,
                    const EngineBody& body, int jobs, const nb::object& progress) {
  const PairStudy study = pair_study_of(read.experiment);
  StiffnessQuestion question{.wanted = {}, .methods = methods_named(methods), .body = body};
  for (const std::string& text : wanted) question.wanted.push_back(wanted_error_of(text, study));
  if (!engine.empty()) question.engine = &engine_named(engine);
  Progress news;
  const RunOptions options = news.options(jobs);
  return without_gil(
      [&]() -> RunResult {
        return {in_tables(find_stiffness(study, question, options)), {}, ""};
      },
      [&] { news.tell(progress); }, [&] { news.stop(); });
}

/// Throws InputError for a name that is not in the catalogue.
void check_builtin(const std::string& name) {
  if (find_system(builtin_systems(), name) == nullptr)
    throw InputError(
        fmt::format("'{}' is not a system{}", name,
                    suggestion(name, names_of(builtin_systems()), "rigidlimit list systems")),
        "name");
}

RunResult prove(const ReadExperiment& read, double largest_epsilon, const nb::object& progress) {
  const std::shared_ptr<const RollingStudy> study = rolling_study(read.experiment);
  if (study == nullptr)
    throw InputError("is a sweep, friction study or benchmark; a rolling study has a theorem",
                     read.experiment.name);
  Progress news;
  const RunOptions options = news.proof_options();
  return without_gil(
      [&]() -> RunResult {
        return {in_tables(study_proof(consumers::proof, *study, largest_epsilon, options)), {}, ""};
      },
      [&] { news.tell(progress); }, [&] { news.stop(); });
}

}  // namespace

void bind_experiments(nb::module_& module) {
  nb::class_<ReadExperiment>(
      module, "Experiment",
      "A rolling study, friction study, sweep or benchmark, all defaults filled in.")
      .def_prop_ro("name", [](const ReadExperiment& e) { return e.experiment.name; })
      .def_prop_ro("question", [](const ReadExperiment& e) { return e.experiment.question; })
      .def_prop_ro(
          "kind", [](const ReadExperiment& e) { return e.experiment.kind->name; },
          "\"rolling\", \"friction\" or \"benchmark\"")
      .def_prop_ro("is_sweep", [](const ReadExperiment& e) { return e.experiment.is_sweep(); })
      .def_prop_ro("systems", [](const ReadExperiment& e) { return e.experiment.systems; })
      .def_prop_ro(
          "resolved", [](const ReadExperiment& e) { return e.experiment.resolved; },
          "The file with every default filled in, TOML.")
      .def("changed", changed, nb::arg("overrides"), nb::call_guard<nb::gil_scoped_release>(),
           "A copy with overrides \"dotted.key=TOML value\".")
      .def(
          "run",
          [](const ReadExperiment& experiment, std::optional<std::string> results, int jobs,
             bool solve, bool recompute, bool fresh, bool write, const nb::object& progress) {
            return run(experiment, {std::move(results), jobs, solve, recompute, fresh, write},
                       progress);
          },
          nb::arg("results").none(), nb::kw_only(), nb::arg("jobs"), nb::arg("solve"),
          nb::arg("recompute"), nb::arg("fresh"), nb::arg("write"), nb::arg("progress").none(),
          "Solves what the store below `results` lacks, and judges. Without results nothing is "
          "stored.");
  const auto parts = [](NamedFile named) {
    return std::pair(std::move(named.path), std::move(named.notice));
  };
  module.def(
      "named_study", [parts](const std::string& word) { return parts(named_study(word)); },
      nb::arg("word"),
      "The path of a study that is named by its path or by its name, and a notice if a file of the "
      "current folder hides a study that comes with the package.");
  module.def(
      "named_system", [parts](const std::string& word) { return parts(named_system(word)); },
      nb::arg("word"), "The same for a system.");
  module.def("check_builtin", check_builtin, nb::arg("name"),
             "Raises InputError for a name that is not in the catalogue, with similar ones.");
  module.def(
      "studies", [] { return names_of(shipped_studies()); },
      "The names of the studies that come with the package.");
  module.def(
      "stiffness",
      [](const ReadExperiment& experiment, const std::vector<std::string>& wanted,
         const std::vector<std::string>& methods, const std::string& engine, double mass,
         double normal_force, const std::string& body, int jobs, const nb::object& progress) {
        return stiffness(experiment, wanted, methods, engine, {mass, normal_force, body}, jobs,
                         progress);
      },
      nb::arg("experiment"), nb::arg("wanted"), nb::arg("methods"), nb::arg("engine"),
      nb::arg("mass"), nb::arg("normal_force"), nb::arg("body"), nb::arg("jobs"),
      nb::arg("progress").none(),
      "The softest contact that keeps the wanted errors \"q.sup.all=1e-4\".");
  module.def(
      "prove",
      [](const ReadExperiment& experiment, double largest_epsilon, const nb::object& progress) {
        return prove(experiment, largest_epsilon, progress);
      },
      nb::arg("experiment"), nb::arg("largest_epsilon"), nb::arg("progress").none(),
      "The theorems of a rolling study for all epsilon up to the largest; 0: that of the study.");
  module.def("load", load, nb::arg("path"), nb::arg("overrides"),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("loads", loads, nb::arg("text"), nb::arg("name"), nb::arg("overrides"),
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace rigidlimit::python
