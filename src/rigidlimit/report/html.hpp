// A report as HTML: for pages and notebooks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// A complete document in XML syntax after its first line, "<!doctype html>". Its title is
/// "NAME: held", or names all reports. Its body has their sections as in html_fragment(), without
/// the style, and then `more`, a fragment.
std::string html_document(const std::vector<Result>& reports, std::string_view more);

/// The same of a fragment.
std::string html_document(std::string_view title, std::string_view body);

/// The content of <body> of a text of html_document().
std::string html_body(std::string_view document);

/// For a notebook or a page: one <section class="rigidlimit"> with its style: verdict, claims,
/// heading, tables and remarks. A table is a <details> with its caption as <summary>. Open are
/// those that answer the question (orders, coefficients, points of a sweep, winners, laws, events),
/// which come first, and the first table of errors. Texts are escaped, and have raised powers of
/// units: kg m². Classes: "number" for columns of numbers, in which 1.75e-03
/// is 1.75·10<sup>−3</sup>; "phrase" for texts that are broken into lines in a table wider than the
/// page, and "long" for those of several lines; "good", "bad", "open" (doubtful) and "faint" for
/// tones. A table is compacted(): columns of one text are in its caption. A table wider than 1000
/// CSS pixels is split by parts_of().
std::string html_fragment(const Result& report);

/// One table, as in html_fragment().
std::string html_text(const CaptionedTable& table, bool open);

}  // namespace rigidlimit
