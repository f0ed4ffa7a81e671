#include "rigidlimit/result/result.hpp"

#include <algorithm>
#include <utility>

namespace rigidlimit {

const Table* Result::find(std::string_view table) const {
  const auto at = std::ranges::find(tables, table, &Table::name);
  return at == tables.end() ? nullptr : &*at;
}

std::optional<CaptionedTable> shown(const Result& result, const View& view) {
  const Table* const table = result.find(view.table);
  if (table == nullptr) return std::nullopt;
  CaptionedTable found{view.key, view.caption, text_table(*table, view)};
  if (found.table.rows.empty()) return std::nullopt;
  return found;
}

}  // namespace rigidlimit
