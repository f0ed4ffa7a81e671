#include "rigidlimit/systems/entry_of.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit::detail {

namespace {

/// Sets the length of `list` to `count`. Returns "" if it had it or was empty, else the mistake.
template <class T, class Make>
std::string completed(std::vector<T>& list, const char* key, const char* size, int count,
                      const Make& make) {
  const auto wanted = static_cast<std::size_t>(count), found = list.size();
  list.resize(wanted);
  for (std::size_t i = found; i < wanted; ++i) list[i] = make(i);
  if (found == 0 || found == wanted) return {};
  return fmt::format(
      "info().{} has {} entr{}, but the struct has {} = {}: give {} entries, or none", key, found,
      found == 1 ? "y" : "ies", size, count, count);
}

std::string completed(std::vector<Component>& list, const char* key, const char* size, int count,
                      const char* letter) {
  return completed(list, key, size, count, [&](std::size_t i) {
    return Component{fmt::format("{}{}", letter, i + 1), "1"};
  });
}

std::string completed(std::vector<double>& list, const char* key, const char* size, int count) {
  return completed(list, key, size, count, [](std::size_t) { return 0.0; });
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

std::string complete(SystemInfo& info, int nq, int n, int m, bool has_clock) {
  for (const std::string& mistake : {completed(info.coordinates, "coordinates", "nq", nq, "q"),
                                     completed(info.velocities, "velocities", "n", n, "v"),
                                     completed(info.contacts, "contacts", "m", m, "w"),
                                     completed(info.initial_q, "initial_q", "nq", nq),
                                     completed(info.initial_v, "initial_v", "n", n)})
    if (!mistake.empty()) return fmt::format("system '{}': {}", info.name, mistake);
  if (has_clock) info.coordinates.back().is_clock = info.velocities.back().is_clock = true;
  return {};
}

void refuse(const std::string& mistake) {
  if (!mistake.empty()) throw InputError(mistake);
}

InitialState initial_state(const SystemInfo& info) {
  return {as_vector(info.initial_q), as_vector(info.initial_v)};
}

}  // namespace rigidlimit::detail
