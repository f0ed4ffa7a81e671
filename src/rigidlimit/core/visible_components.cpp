#include "rigidlimit/core/visible_components.hpp"

namespace rigidlimit {

std::vector<Index> visible_rows(const std::vector<Component>& all) {
  std::vector<Index> rows;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].is_clock) rows.push_back(static_cast<Index>(k));
  return rows;
}

std::vector<Component> visible(const std::vector<Component>& all) {
  std::vector<Component> seen;
  for (const Component& one : all)
    if (!one.is_clock) seen.push_back(one);
  return seen;
}

VectorXd visible(const std::vector<Component>& all, const VectorXd& values) {
  if (values.size() == 0) return values;
  return values(visible_rows(all));
}

VectorXd completed(const std::vector<Component>& all, const VectorXd& given, VectorXd values) {
  const std::vector<Index> rows = visible_rows(all);
  if (given.size() == std::ssize(all)) return given;
  if (given.size() != std::ssize(rows)) return {};
  values(rows) = given;
  return values;
}

}  // namespace rigidlimit
