// Texts of another program, shown as data in each format.
#pragma once

#include <string>

#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// The stored texts of another program from which each format is shown: its plain table, its CSV
/// and its JSON. Stored HTML, LaTeX and Markdown could run when they are opened.
const char* source_of_foreign(Format format);  ///< "table", "csv" or "json"

/// `text` of source_of_foreign() in this format. Nothing of it is markup: HTML and LaTeX show the
/// escaped lines of the plain table, Markdown has them as code; CSV cells and JSON are read and
/// written again. Control characters are blanks. Throws InputError with the place `where` for JSON
/// that is damaged or beyond the limits of bounded_json().
std::string foreign_text(const std::string& text, Format format, const std::string& where);

}  // namespace rigidlimit
