// Initial value problems defined by formulas, in their own file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/classical/problem_text.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The keys of [problem].
std::vector<KeyTableInfo> tables_of_written_problems();

/// The table [problem] of a text of the program. `name`: of the text, in messages.
ProblemText problem_text_in(const std::string& toml, const std::string& name);

/// The problem that [problem] of a document defines. Throws InputError for any mistake
/// (classical/problem_text.hpp) and for a name of the catalogue.
std::shared_ptr<const ClassicalEntry> problem_in(Section root);
std::shared_ptr<const ClassicalEntry> problem_in_file(const std::string& path);

/// The problem in a file with a table [problem]. nullptr: the file has no such table, or cannot be
/// read.
std::shared_ptr<const ClassicalEntry> problem_if_in_file(const std::string& path);

}  // namespace rigidlimit
