#include "rigidlimit/toml/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

namespace {

/// Maximum number of files in a chain of bases. A reader can hardly follow a value through more
/// than three.
constexpr std::size_t most_files = 16;

/// Maximum length of a quotation from a file in a message, bytes.
constexpr std::size_t most_of_name = 60;

[[noreturn]] void refuse_at(const toml::node& node, const std::string& message) {
  refuse(message, place(node.source()));
}

/// The kind of a file, which must agree between a file and its base; empty: a fragment.
std::string kind_of(const toml::table& table) {
  if (table.contains("benchmark")) return "a benchmark";
  if (table.contains("coordinates")) return "a system";
  if (table.contains("study")) return "a study";
  return "";
}

/// Whether a file with a base is a system: a system has a name at the top, a study in [study].
bool completes_system(const toml::table& table) {
  return table.contains("coordinates") || table.contains("name");
}

/// The table that contains the last of the keys, and that key; empty if there is no such key.
struct Found {
  toml::table* table;
  std::string key;
};

std::optional<Found> found(toml::table& root, const std::string& path) {
  toml::table* table = &root;
  std::string rest = path;
  for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
    toml::node* inner = table->get(rest.substr(0, dot));
    if (!inner || !inner->is_table()) return std::nullopt;
    table = inner->as_table();
    rest.erase(0, dot + 1);
  }
  if (!table->contains(rest)) return std::nullopt;
  return Found{table, rest};
}

/// The dotted keys of a table and its sub-tables.
void list_keys(const toml::table& table, const std::string& before, std::vector<std::string>& all) {
  for (const auto& [key, value] : table) {
    all.push_back(before + std::string(key.str()));
    if (value.is_table()) list_keys(*value.as_table(), all.back() + ".", all);
  }
}

void drop(const toml::node& without, toml::table& base) {
  const toml::array* list = without.as_array();
  const auto is_text = [](const toml::node& entry) { return entry.is_string(); };
  if (!list || !std::ranges::all_of(*list, is_text))
    refuse_at(without, "without: must be a list of keys of the base, in quotes: [\"expect\"]");
  for (const toml::node& entry : *list) {
    const std::string path = entry.as_string()->get();
    if (const std::optional<Found> there = found(base, path)) {
      there->table->erase(there->key);
      continue;
    }
    std::vector<std::string> keys;
    list_keys(base, "", keys);
    refuse_at(entry, fmt::format("without: the base has no key '{}'{}",
                                 shortened(path, most_of_name), suggestion(path, keys)));
  }
}

/// Merges `base` under `table`: existing values stay, with their places.
void lay_under(toml::table& table, toml::table&& base) {
  for (auto&& [key, value] : std::move(base)) {
    toml::node* over = table.get(key.str());
    if (!over)
      table.insert(key, std::move(value));
    else if (over->is_table() && value.is_table())
      lay_under(*over->as_table(), std::move(*value.as_table()));
  }
}

/// The folder of the relative paths in a file. The folder of a file descriptor of this process
/// (/dev/fd) says nothing about the file behind it.
std::optional<std::filesystem::path> folder_of(const std::string& name) {
  for (const char* of_descriptors : {"/dev/", "/proc/"})
    if (name.starts_with(of_descriptors)) return std::nullopt;
  return std::filesystem::path(name).parent_path();
}

class Chain {
 public:
  Chain(const TextOfPath& text_of, const Alternatives& alternatives, TomlDocument::Content& content)
      : text_of_(text_of), alternatives_(alternatives), content_(content) {}

  toml::table read(const std::string& text, const std::string& name) {
    content_.texts[name] = text;
    ++files_;
    size_ += text.size();
    open_.push_back(std::filesystem::path(name).lexically_normal().string());
    toml::table table = parsed(text, name);
    const toml::node *base = table.get(base_key), *without = table.get(without_key);
    if (base) {
      toml::table under = read_bases(*base, name, table);
      if (without) drop(*without, under);
      lay_over(under, table);
    } else if (without) {
      refuse_at(*without, "without: removes keys of a base, but this file has no base");
    }
    table.erase(base_key);
    table.erase(without_key);
    open_.pop_back();
    return table;
  }

 private:
  /// Merges each base over those before it.
  toml::table read_bases(const toml::node& base, const std::string& name,
                         const toml::table& table) {
    std::vector<const toml::node*> named{&base};
    if (const toml::array* list = base.as_array()) {
      named.clear();
      for (const toml::node& entry : *list) named.push_back(&entry);
    }
    const ShippedKind kind = completes_system(table) ? ShippedKind::system : ShippedKind::base;
    toml::table all;
    for (const toml::node* one : named) {
      toml::table next = read_base(*one, name, kind);
      require_one_kind(*one, table, next);
      lay_over(all, next);
      all = std::move(next);
    }
    return all;
  }

  toml::table read_base(const toml::node& base, const std::string& name, ShippedKind kind) {
    const std::string path = path_of(base, name, kind);
    const auto fail = [&](const std::string& message) {
      refuse_at(base, fmt::format("base: {} {}", shortened(path, 400), message));
    };
    const std::string normal = std::filesystem::path(path).lexically_normal().string();
    if (normal == open_.back()) fail("is this file itself");
    if (std::ranges::count(open_, normal) > 0) fail("has this file as its own base");
    if (files_ == most_files)
      fail(fmt::format("exceeds the limit of {} files for one experiment", most_files));
    std::string text;
    try {
      text = text_of_(path);
    } catch (const InputError& error) {
      fail(error.message());
    }
    if (size_ + text.size() > longest_text)
      fail(fmt::format("and the files above it have more than {} bytes, the limit", longest_text));
    return read(text, path);
  }

  std::string path_of(const toml::node& base, const std::string& name, ShippedKind kind) const {
    const auto file = base.value_exact<std::string>();
    if (!file || file->empty())
      refuse_at(
          base,
          "base: must be a file path in quotes, relative to the directory of this file, or the "
          "name of a shipped study, or a list of them");
    if (file->find('\0') != std::string::npos)
      refuse_at(base,
                fmt::format("base: {} has a NUL character", shortened(printable(*file), 400)));
    if (!text_of_)
      refuse_at(base,
                "base: this text has no directory to which the path could be relative; write it to "
                "a file beside its base, or insert the keys of the base");
    const std::optional<std::filesystem::path> folder = folder_of(name);
    if (!folder && !file->starts_with('/'))
      refuse_at(base, fmt::format("base: {} has no directory to which {} could be relative; give "
                                  "an absolute path, or name the file directly",
                                  name, shortened(*file, most_of_name)));
    const std::filesystem::path path = named_path(base, folder.value_or("").string(), *file, kind);
    // A shorter name for messages, if it names the same file: with symbolic links it may not.
    const std::filesystem::path normal = path.lexically_normal();
    std::error_code ignored;
    return (std::filesystem::equivalent(path, normal, ignored) ? normal : path).string();
  }

  static bool is_named_in(const std::string& folder, const std::string& file, ShippedKind kind) {
    try {
      file_named_in(folder, file, kind);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  static std::string named_path(const toml::node& base, const std::string& folder,
                                const std::string& file, ShippedKind kind) {
    try {
      return file_named_in(folder, file, kind);
    } catch (const InputError& error) {
      // A name at the top, which belongs in [study], does not make a study a system.
      if (kind == ShippedKind::system && is_named_in(folder, file, ShippedKind::base))
        return file_named_in(folder, file, ShippedKind::base);
      refuse_at(base, fmt::format("base: {} {}", shortened(error.where(), 400), error.message()));
    }
  }

  static void require_one_kind(const toml::node& base, const toml::table& table,
                               const toml::table& under) {
    const std::string here = kind_of(table), there = kind_of(under);
    if (here.empty() || there.empty() || here == there) return;
    refuse_at(base,
              fmt::format("base: {} is {}, but this file is {}",
                          shortened(base.value<std::string>().value_or(""), 400), there, here));
  }

  /// Removes from `base` the alternatives of the keys of `over`, and merges the rest under it.
  void lay_over(toml::table& base, toml::table& over) const {
    for (const auto& [key, replaced] : alternatives_) {
      if (!found(over, key)) continue;
      for (const std::string& other : replaced)
        if (const std::optional<Found> there = found(base, other)) there->table->erase(there->key);
    }
    lay_under(over, std::move(base));
  }

  const TextOfPath& text_of_;
  const Alternatives& alternatives_;
  TomlDocument::Content& content_;
  std::vector<std::string> open_;  ///< from the first file to the current one
  std::size_t files_ = 0, size_ = 0;
};

}  // namespace

KeyTableInfo layer_keys() {
  return {"",
          {{.name = base_key,
            .unit = "",
            .text = "files whose keys this file completes or overrides, relative to its folder",
            .values = "file path or name of a shipped study, or list of them",
            .otherwise = "none",
            .is_computed = true},
           {.name = without_key,
            .unit = "",
            .text = "keys and tables of the base that are dropped",
            .values = "list of dotted keys and tables",
            .otherwise = "none",
            .is_computed = true}}};
}

toml::table table_with_base(const std::string& text, const std::string& name,
                            const TextOfPath& text_of, const Alternatives& alternatives,
                            TomlDocument::Content& content) {
  return Chain(text_of, alternatives, content).read(text, name);
}

}  // namespace rigidlimit
