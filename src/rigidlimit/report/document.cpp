#include "rigidlimit/report/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

/// Text that a spreadsheet would compute: a formula, but not a number.
bool is_formula(const std::string& text) {
  if (text.size() < 2 || std::string_view("=+-@").find(text.front()) == std::string_view::npos)
    return false;
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [last, failure] = std::from_chars(text.data() + (text.front() == '+'), end, number);
  return failure != std::errc() || last != end;
}

/// On one line without control characters; an apostrophe before a formula makes it a text.
std::string csv_field(const std::string& cell) {
  std::string text = (is_formula(cell) ? "'" : "") + printable(cell);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_field(double x) {
  return std::isnan(x) ? "nan" : fmt::format("{:.17g}", x);
}

struct CsvField {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool fact) const { return fact ? "true" : "false"; }
  std::string operator()(long count) const { return fmt::format("{}", count); }
  std::string operator()(double x) const { return csv_field(x); }
  std::string operator()(const std::string& text) const { return csv_field(text); }
  template <class Several>
  std::string operator()(const Several& all) const {
    std::string text;
    for (const auto& one : all) text += (text.empty() ? "" : " ") + (*this)(one);
    return text;
  }
};

struct JsonValue {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double x) const { return std::isfinite(x) ? Json(x) : Json(nullptr); }
  Json operator()(const Value::Numbers& all) const {
    Json list = Json::array();
    for (const double x : all) list.push_back((*this)(x));
    return list;
  }
  template <class Other>
  Json operator()(const Other& other) const {
    return other;
  }
};

/// Reference to "work.steps" in `object`.
Json& place_of(Json& object, const std::string& name) {
  Json* at = &object;
  std::size_t begin = 0;
  for (std::size_t dot = 0; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1)
    at = &(*at)[name.substr(begin, dot - begin)];
  return (*at)[name.substr(begin)];
}

Json json_of(const Value& value) {
  return std::visit(JsonValue{}, value.any());
}

Json json_of(const Table& table, std::size_t row) {
  Json object = Json::object();
  for (const Column& column : table.columns()) {
    const Value value = column.value(row);
    if (!column.optional || !value.is_nothing()) place_of(object, column.name) = json_of(value);
  }
  return object;
}

std::string lines_of_json(const Json& json) {
  return with_escapes(json.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// A document as text. A tree of all records of a long table would take a hundred times the memory
/// of its numbers: in the tree a mark stands for the table, and the records are written one by one.
class JsonWriter {
 public:
  Json tree_of(const Document& document) {
    Json object = Json::object();
    for (const Field& field : document.head) place_of(object, field.name) = json_of(field.value);
    for (const Table& table : document.tables) {
      const auto dots = static_cast<std::size_t>(std::ranges::count(table.name(), '.'));
      place_of(object, table.name()) = '\1' + std::to_string(tables_.size()) + '\1';
      tables_.push_back({&table, 1 + dots});
    }
    for (const Field& field : document.tail) place_of(object, field.name) = json_of(field.value);
    return object;
  }

  /// Writes such a tree.
  void write(std::ostream& out, const Json& tree) const {
    const std::string whole = lines_of_json(tree);
    const std::string_view view = whole;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = whole.find(opening, at)) != std::string::npos;) {
      std::size_t number = 0;
      const char* const begin = whole.data() + at + opening.size();
      const auto [end, bad] = std::from_chars(begin, whole.data() + whole.size(), number);
      const auto after = static_cast<std::size_t>(end - whole.data());
      const bool marked = bad == std::errc() && number < tables_.size() &&
                          whole.compare(after, closing.size(), closing) == 0;
      if (!marked) {  // a text of the experiment
        at += opening.size();
        continue;
      }
      out << view.substr(from, at - from);
      write(out, tables_[number]);
      from = at = after + closing.size();
    }
    out << view.substr(from) << '\n';
  }

 private:
  struct Marked {
    const Table* table;
    std::size_t indent;  ///< of the line that begins the list
  };
  /// A mark is a text of control characters around the number of the table; so it looks in JSON.
  static constexpr std::string_view opening = "\"\\u0001", closing = "\\u0001\"";

  static void write(std::ostream& out, const Marked& marked) {
    const std::string indent(marked.indent, ' ');
    const Table& table = *marked.table;
    if (table.empty()) {
      out << "[]";
      return;
    }
    out << '[';
    for (std::size_t k = 0; k < table.size(); ++k) {
      out << (k == 0 ? "\n" : ",\n");
      const std::string lines = lines_of_json(json_of(table, k));
      for (std::size_t from = 0; from < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', from), lines.size() - 1);
        out << indent << ' ' << std::string_view(lines).substr(from, end + 1 - from);
        from = end + 1;
      }
    }
    out << '\n' << indent << ']';
  }

  std::vector<Marked> tables_;
};

}  // namespace

std::string csv_text(const Value& value) {
  return std::visit(CsvField{}, value.any());
}

std::string csv_header(const Table& table) {
  return fmt::format("{}\n", fmt::join(flat_names(table), ","));
}

namespace {

void write_lines(std::ostream& out, const Table& table) {
  std::string common;
  for (const Field& field : table.common()) common += csv_text(field.value) + ",";
  std::string line;
  for (std::size_t row = 0; row < table.size(); ++row) {
    line = common;
    for (std::size_t k = 0; k < table.columns().size(); ++k)
      line += (k == 0 ? "" : ",") + csv_text(table.columns()[k].value(row));
    out << line << '\n';
  }
}

template <class Write>
std::string written(const Write& write) {
  std::ostringstream text;
  write(text);
  return std::move(text).str();
}

}  // namespace

std::string csv_lines(const Table& table) {
  return written([&](std::ostream& out) { write_lines(out, table); });
}

std::string csv_text(const std::vector<Table>& tables) {
  std::string text, last;
  for (const Table& table : tables) {
    const std::string header = csv_header(table);
    if (header != last) text += (text.empty() ? "" : "\n") + header;
    last = header;
    text += csv_lines(table);
  }
  return text;
}

void write_csv(std::ostream& out, const Table& table) {
  out << csv_header(table);
  write_lines(out, table);
}

bool has_own_file(const Table& table) {
  return table.kept() == Kept::everywhere || table.kept() == Kept::in_files ||
         (table.kept() == Kept::with_rows && !table.empty());
}

void write_json(std::ostream& out, const Document& document) {
  JsonWriter writer;
  const Json tree = writer.tree_of(document);
  writer.write(out, tree);
}

std::string json_text(const Document& document) {
  return written([&](std::ostream& out) { write_json(out, document); });
}

Table row_of(std::string name, const Fields& fields) {
  std::vector<Column> columns;
  for (const Field& field : fields)
    columns.push_back({.name = field.name,
                       .value = [value = field.value](std::size_t /*row*/) { return value; }});
  return {std::move(name), std::move(columns), 1};
}

std::string provenance_json() {
  Document document;
  for (const auto& [key, value] : build_provenance()) document.head.push_back({key, value});
  return json_text(document);
}

}  // namespace rigidlimit
