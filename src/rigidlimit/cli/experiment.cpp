#include "rigidlimit/cli/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

namespace rigidlimit {

namespace {

/// Whether it is a friction study: the file has keys of contacts that slip, or its system cannot
/// roll.
bool is_of_friction(const TomlDocument& document, const SystemCatalogue& systems) {
  Section root = document.root();
  if (root.has_table("history")) return true;
  Section contact = root.section("contact");
  for (const char* key : {"friction", "tangential_stiffness", "normal_stiffness",
                          "tangential_power", "plastic_exponent", "creep"})
    if (contact.has(key)) return true;
  const SystemEntry* system = find_system(systems, root.section("system").text("name", ""));
  return system != nullptr && !system->rolls();
}

/// A hint with files of the same name in nearby folders, since experiments move between folders.
/// Searches three folders deep, and at most a few thousand entries.
std::string same_name_nearby(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path folder = file.parent_path();
  while (!folder.empty() && !fs::is_directory(folder, failure)) folder = folder.parent_path();
  if (folder == file.root_path() && !folder.empty()) return "";
  std::vector<std::string> found;
  fs::recursive_directory_iterator entry(folder.empty() ? "." : folder, failure);
  for (int seen = 0; !failure && entry != fs::recursive_directory_iterator() && seen < 5000;
       entry.increment(failure), ++seen) {
    if (entry.depth() == 2) entry.disable_recursion_pending();
    if (entry->path().filename() == file.filename() && entry->is_regular_file(failure))
      found.push_back(entry->path().lexically_normal().string());
  }
  std::ranges::sort(found);
  if (found.empty()) return "";
  return fmt::format("; there {} {}", found.size() == 1 ? "is" : "are", fmt::join(found, ", "));
}

void require_file(const std::string& file) {
  std::error_code failure;
  if (std::filesystem::exists(file, failure) || failure) return;  // opening it gives the error
  throw InputError("cannot be read: No such file or directory" + same_name_nearby(file),
                   printable(file));
}

struct Demands {
  bool operator()(const RollingStudy& study) const { return study.demands_something(); }
  bool operator()(const Benchmark&) const { return false; }
  template <class Kind>
  bool operator()(const Sweep<Kind>& sweep) const {
    return std::ranges::any_of(sweep.points, [&](const Kind& point) { return (*this)(point); });
  }
  template <class Other>
  bool operator()(const Other&) const {
    return true;  // at least that every motion succeeds
  }
};

/// The kind of a sweep's studies, from its first point.
Experiment sweep_in(const TomlDocument& document, const SystemCatalogue& systems) {
  const SweepGrid grid = read_sweep_grid(document);
  if (is_of_friction(document_at(document, grid, 0), systems))
    return read_sweep(
        document, [&](const TomlDocument& point) { return read_friction_study(point, systems); });
  return read_sweep(document,
                    [&](const TomlDocument& point) { return read_rolling_study(point, systems); });
}

}  // namespace

std::string name_of(const Experiment& experiment) {
  return std::visit([](const auto& one) { return one.name; }, experiment);
}

bool demands_something(const Experiment& experiment) {
  return std::visit(Demands{}, experiment);
}

Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems) {
  Section root = document.root();
  if (root.has_table("benchmark")) return read_benchmark(document, systems);
  if (root.has_table("map")) {
    const bool modes = root.section("map").has("half_angles");
    root.fail("map", modes ? "is now a sweep: [sweep] with system.slope, system.half_angle and "
                             "system.friction_left, and [[expect]] with quantity = \"modes\" (see "
                             "experiments/friction/two_point_ball.toml)"
                           : "is now a sweep: [sweep] with contact.damping_ratio = [...] and "
                             "contact.damping_exponent = [...], and [[least]] with over = "
                             "\"contact.damping_ratio\" (rigidlimit init NAME --kind sweep)");
  }
  if (is_sweep(document)) return sweep_in(document, systems);
  if (is_of_friction(document, systems)) return read_friction_study(document, systems);
  return read_rolling_study(document, systems);
}

Experiment read_experiment(const std::string& file, const FileArguments& arguments, bool quick) {
  require_file(file);
  const TomlDocument document =
      TomlDocument::from_file(file, arguments.overrides, alternative_keys());
  if (document.root().has_table("benchmark"))
    return read_benchmark(file, {arguments.overrides, quick}, *arguments.systems);
  return read_experiment(document, *arguments.systems);
}

std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse) {
  std::vector<FromFile> all;
  for (const std::string& file : arguments.files) try {
      Experiment next = read_experiment(file, arguments, quick);
      const std::string name = name_of(next);
      if (std::ranges::any_of(
              all, [&](const FromFile& other) { return name_of(other.experiment) == name; }))
        throw InputError(
            fmt::format("study.name = \"{}\": another file has the same name, so their "
                        "results would share a directory; change one of them",
                        name),
            file);
      all.push_back({std::move(next), file});
    } catch (const InputError& e) {
      refuse(e.what());
    }
  return all;
}

}  // namespace rigidlimit
