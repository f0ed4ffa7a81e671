// Reference of all keys: `rigidlimit help keys`, docs/keys.md.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The keys of one kind of file.
struct FileKeys {
  std::string name;   ///< "benchmark"
  std::string title;  ///< "Benchmark"
  std::vector<KeyTableInfo> tables;
};

/// Every kind, with the tables from which its reader reads.
std::vector<FileKeys> keys_of_files();

/// "time.after=", for each key of a table that a file has once: what may follow --set.
std::vector<std::string> keys_to_set();

/// Tables of 100 columns. `subject`: empty (everything), a kind of file or a table, with or without
/// brackets. Throws InputError for another word.
std::string keys_text(const std::string& subject);

/// docs/keys.md.
std::string keys_page();

}  // namespace rigidlimit
