#include "rigidlimit/systems/entry_of.hpp"

#include <fmt/format.h>

namespace rigidlimit::detail {

namespace {

void complete_components(std::vector<Component>& components, const char* letter, int count) {
  for (int i = static_cast<int>(components.size()); i < count; ++i)
    components.push_back({fmt::format("{}{}", letter, i + 1), "1"});
}

void complete_values(std::vector<double>& values, int count) {
  values.resize(static_cast<std::size_t>(count), 0.0);
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

void complete(SystemInfo& info, int nq, int n, int m) {
  complete_components(info.coordinates, "q", nq);
  complete_components(info.velocities, "v", n);
  complete_components(info.contacts, "w", m);
  complete_values(info.initial_q, nq);
  complete_values(info.initial_v, n);
}

InitialState initial_state(const SystemInfo& info) {
  return {as_vector(info.initial_q), as_vector(info.initial_v)};
}

}  // namespace rigidlimit::detail
