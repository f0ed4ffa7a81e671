// A report as HTML: for pages and notebooks.
#pragma once

#include <string>

#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// One <section class="rigidlimit"> with its style: verdict, claims, heading, tables and remarks. A
/// table is a <details> with its caption as <summary>. Open are those that answer the question
/// (orders, coefficients, points of a sweep, winners, laws, events), which come first, and the
/// first table of errors. Texts are escaped. Classes: "number" for columns of numbers, in
/// which 1.75e-03 is 1.75·10<sup>−3</sup>; "phrase" for texts that are broken into lines in a table
/// wider than the page, and "long" for those of several lines; "good", "bad", "open"
/// (doubtful) and "faint" for tones. A table is compacted(): columns of one text are in its
/// caption. A table wider than 1000 CSS pixels is split by parts_of().
std::string html_text(const Result& report);

/// One table, as in html_text().
std::string html_text(const CaptionedTable& table, bool open);

}  // namespace rigidlimit
