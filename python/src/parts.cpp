// Parts of an experiment, for executors: each part is solved into a store of its own, which the
// store of the experiment takes.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "bindings.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/store/store_rows.hpp"
#include "rigidlimit/store/stored_run.hpp"
#include "without_gil.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

/// A part and its solves that the store lacks.
struct MissingPart {
  int index, solves;
};

/// The parts 1 to `most`, or fewer if the experiment has fewer solves, that lack solves in the
/// store below `results`.
struct MissingParts {
  int count;  ///< of all parts
  std::vector<MissingPart> missing;
};

MissingParts missing_parts(const ReadExperiment& read, const std::string& results, int most) {
  ReadOnlyStore kept(store_of(read.experiment, results));
  RunOptions options{.archive = &kept};
  MissingParts parts{.count = std::clamp(plan_of(read.experiment, options).solves, 1, most)};
  for (int k = 1; k <= parts.count; ++k) {
    options.shard = {k, parts.count};
    const PlanSummary plan = plan_of(read.experiment, options);
    if (plan.kept < plan.solves) parts.missing.push_back({k, plan.solves - plan.kept});
  }
  if (const std::string why = kept.complaint(); !why.empty()) throw InputError(why);
  return parts;
}

/// Solves a part and returns the path of its store below `results`.
std::string solve_part(const ReadExperiment& read, const std::string& results, int index,
                       int count) {
  const Shard shard{index, count};
  const std::string path = store_to_write(read.experiment, results, shard);
  return interruptible([&](const std::function<bool()>& stop_requested) {
    Store store(path, Store::Access::write);
    StoredRun run = stored_run_of(read.experiment);
    run.shard = shard;
    store.begin_run(run);
    const RunOptions options = kept_in(store, {.stop_requested = stop_requested, .shard = shard});
    const auto plan = plan_for(read.experiment, options);
    const RunEnd end = ended_run(store, do_plan(*plan, options));
    if (!end.failure.empty()) throw InputError(end.failure);
    return path;
  });
}

/// Copies the solves of the store at `path` into that of the experiment; returns their number.
int take_part(const ReadExperiment& read, const std::string& results, const std::string& path) {
  Store store(store_to_write(read.experiment, results), Store::Access::write);
  store.begin_run(stored_run_of(read.experiment));
  const int taken = store.take_from(path);
  if (const std::vector<Finding> found = store.findings(); !found.empty())
    throw InputError("two workers have different results: " + found.front().what,
                     found.front().solve);
  return taken;
}

/// Equal in two processes if their solves have the same keys in a store.
std::string solver_key() {
  using Kind = SolveIdentity::Kind;
  return store_key({.kind = Kind::rigid}) + store_key({.kind = Kind::comparison});
}

}  // namespace

void bind_parts(nb::module_& module) {
  nb::class_<MissingPart>(module, "MissingPart")
      .def_ro("index", &MissingPart::index)
      .def_ro("solves", &MissingPart::solves, "The number of its solves that the store lacks.");
  nb::class_<MissingParts>(module, "MissingParts")
      .def_ro("count", &MissingParts::count, "The number of all parts.")
      .def_ro("missing", &MissingParts::missing);
  const nb::call_guard<nb::gil_scoped_release> released;
  module.def("missing_parts", missing_parts, nb::arg("experiment"), nb::arg("results"),
             nb::arg("most"), released,
             "The parts, at most `most`, that lack solves in the store below `results`.");
  module.def("solve_part", solve_part, nb::arg("experiment"), nb::arg("results"), nb::arg("index"),
             nb::arg("count"), "Solves a part and returns the path of its store below `results`.");
  module.def("take_part", take_part, nb::arg("experiment"), nb::arg("results"), nb::arg("path"),
             released, "Copies the solves of a part's store; returns their number.");
  module.def("solver_key", solver_key,
             "Equal in two processes if their solves are interchangeable.");
}

}  // namespace rigidlimit::python
