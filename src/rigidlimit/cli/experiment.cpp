#include "rigidlimit/cli/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"

namespace rigidlimit {

std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse) {
  std::vector<FromFile> all;
  for (const std::string& file : arguments.files) try {
      Experiment next = read_experiment(file, arguments.overrides, *arguments.systems, quick);
      const std::string& name = next.name;
      if (std::ranges::any_of(all,
                              [&](const FromFile& other) { return other.experiment.name == name; }))
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
