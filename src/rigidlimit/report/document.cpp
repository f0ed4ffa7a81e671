#include "rigidlimit/report/document.hpp"

#include <fmt/format.h>

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
  const std::string text = (is_formula(cell) ? "'" : "") + printable(cell);
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

template <class TextOf>
void add_line(std::string& text, const Record& of_all, const Record& record,
              const TextOf& text_of) {
  bool first = true;
  for (const Record* fields : {&of_all, &record})
    for (const Field& field : *fields) {
      if (!first) text += ',';
      first = false;
      text += text_of(field);
    }
  text += '\n';
}

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

Json json_of(const Record& record) {
  Json object = Json::object();
  for (const Field& field : record)
    place_of(object, field.name) = std::visit(JsonValue{}, field.value.any());
  return object;
}

std::string text_of(const Json& json) {
  return with_escapes(json.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// Documents as text. A tree of all records of a long table would take a hundred times the memory
/// of its numbers: in the tree a mark stands for the table, and the records are written one by one.
class JsonWriter {
 public:
  /// The tree of a document that is nested in `depth` lists.
  Json tree_of(const Document& document, std::size_t depth) {
    Json object = Json::object();
    for (const Item& item : document)
      if (const auto* value = std::get_if<Value>(&item.content)) {
        place_of(object, item.name) = std::visit(JsonValue{}, value->any());
      } else {
        const auto dots = static_cast<std::size_t>(std::ranges::count(item.name, '.'));
        place_of(object, item.name) = '\1' + std::to_string(tables_.size()) + '\1';
        tables_.push_back({&std::get<DataTable>(item.content), depth + 1 + dots});
      }
    return object;
  }

  /// Writes a tree of such trees.
  void write(std::ostream& out, const Json& tree) const {
    const std::string whole = text_of(tree);
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
    const DataTable* table;
    std::size_t indent;  ///< of the line that begins the list
  };
  /// A mark is a text of control characters around the number of the table; so it looks in JSON.
  static constexpr std::string_view opening = "\"\\u0001", closing = "\\u0001\"";

  static void write(std::ostream& out, const Marked& marked) {
    const std::string indent(marked.indent, ' ');
    const Records& records = marked.table->records;
    if (records.empty()) {
      out << "[]";
      return;
    }
    out << '[';
    for (std::size_t k = 0; k < records.size(); ++k) {
      out << (k == 0 ? "\n" : ",\n");
      const std::string lines = text_of(json_of(records[k]));
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

std::string column_name(const Field& field) {
  return field.name.substr(field.name.rfind('.') + 1);
}

std::string csv_header(const DataTable& table) {
  std::string text;
  add_line(text, table.of_all, table.columns,
           [](const Field& field) { return column_name(field); });
  return text;
}

namespace {

void write_lines(std::ostream& out, const DataTable& table) {
  std::string line;
  for (std::size_t k = 0; k < table.records.size(); ++k) {
    line.clear();
    add_line(line, table.of_all, table.records[k],
             [](const Field& field) { return std::visit(CsvField{}, field.value.any()); });
    out << line;
  }
}

template <class Write>
std::string written(const Write& write) {
  std::ostringstream text;
  write(text);
  return std::move(text).str();
}

}  // namespace

std::string csv_lines(const DataTable& table) {
  return written([&](std::ostream& out) { write_lines(out, table); });
}

void write_csv(std::ostream& out, const DataTable& table) {
  out << csv_header(table);
  write_lines(out, table);
}

void write_json(std::ostream& out, const Document& document) {
  JsonWriter writer;
  const Json tree = writer.tree_of(document, 0);
  writer.write(out, tree);
}

std::string json_text(const Document& document) {
  return written([&](std::ostream& out) { write_json(out, document); });
}

std::string json_text(const std::vector<Document>& documents,
                      const std::vector<std::string>& parts) {
  Json list = Json::array();
  JsonWriter writer;
  std::vector<Document> chosen;  // the writer refers to their tables
  if (!parts.empty()) chosen = documents;
  for (Document& document : chosen)
    std::erase_if(document, [&](const Item& item) {
      return std::ranges::find(parts, item.name.substr(0, item.name.find('.'))) == parts.end();
    });
  for (const Document& document : parts.empty() ? documents : chosen)
    list.push_back(writer.tree_of(document, 1));
  return written([&](std::ostream& out) { writer.write(out, list); });
}

}  // namespace rigidlimit
