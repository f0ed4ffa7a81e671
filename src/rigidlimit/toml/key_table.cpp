#include "rigidlimit/toml/key_table.hpp"

#include <algorithm>

namespace rigidlimit {

std::shared_ptr<const TablesOfKeys> tables_of_keys(const std::vector<KeyTableInfo>& tables) {
  auto all = std::make_shared<TablesOfKeys>();
  for (const KeyTableInfo& table : tables) {
    if (table.name.find_first_of(".{ ") != std::string::npos) continue;
    for (const KeyInfo& key : table.keys) {
      std::vector<std::string>& names = (*all)[key.name];
      if (std::ranges::find(names, table.name) == names.end()) names.push_back(table.name);
    }
  }
  return all;
}

}  // namespace rigidlimit

namespace rigidlimit::keys {

std::string text_of_value(const VectorXd& x) {
  return toml_list(x);
}

std::string text_of_value(const MatrixXd& X) {
  if (X.isDiagonal(0.0) && X.size() > 0) {
    const VectorXd diagonal = X.diagonal();
    const bool equal = (diagonal.array() == diagonal(0)).all();
    return equal ? toml_text(diagonal(0)) : toml_list(diagonal);
  }
  std::vector<std::string> rows;
  for (Index i = 0; i < X.rows(); ++i) rows.push_back(toml_list(VectorXd(X.row(i))));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t most = 8;
  if (words.size() > most) return fmt::format("{} names", words.size());
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(toml_text(word));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

}  // namespace rigidlimit::keys
