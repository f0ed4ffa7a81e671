#include "rigidlimit/cli/for_each_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

int for_each_experiment(const FileArguments& arguments, bool quick, Reporter& reporter,
                        const std::function<int(const FromFile&)>& handle) {
  int status = exit_status::held;
  std::vector<std::string> complaints;
  const auto refuse = [&](const std::string& why) {
    fmt::print(stderr, "rigidlimit: {}\n", printable(why));
    complaints.push_back(why);
    status = std::max(status, exit_status::could_not);
  };
  const std::vector<FromFile> all = read_experiments(arguments, quick, refuse);
  const InterruptGuard interrupt;
  for (const FromFile& next : all) {
    try {
      status = std::max(status, handle(next));
    } catch (const std::exception& e) {
      refuse(fmt::format("{}: {}", next.experiment.name, e.what()));
    }
    if (!InterruptGuard::requested()) continue;
    status = exit_status::interrupted;
    break;
  }
  reporter.finish(complaints);
  return status;
}

}  // namespace rigidlimit
