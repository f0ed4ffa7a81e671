// Initial value problems defined by formulas, in their own file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/experiment/spec/key_table.hpp"

namespace rigidlimit {

/// The keys of [problem].
std::vector<KeyTableInfo> tables_of_written_problems();

/// The problem that [problem] of a document defines. Throws InputError for any mistake
/// (classical/problem_text.hpp) and for a name of the catalogue.
std::shared_ptr<const ClassicalEntry> problem_in(Section root);
std::shared_ptr<const ClassicalEntry> problem_in_file(const std::string& path);

/// Whether a file has a table [problem], which is no list; an unreadable file has none.
bool has_problem(const std::string& path);

}  // namespace rigidlimit
