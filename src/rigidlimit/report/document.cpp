#include "rigidlimit/report/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
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

Json json_of(const DataTable& table) {
  Json list = Json::array();
  for (const Record& record : table.records) list.push_back(json_of(record));
  return list;
}

Json json_of(const Document& document) {
  Json object = Json::object();
  for (const Item& item : document)
    if (const auto* value = std::get_if<Value>(&item.content))
      place_of(object, item.name) = std::visit(JsonValue{}, value->any());
    else
      place_of(object, item.name) = json_of(std::get<DataTable>(item.content));
  return object;
}

std::string text_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

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

std::string csv_lines(const DataTable& table) {
  std::string text;
  for (const Record& record : table.records)
    add_line(text, table.of_all, record,
             [](const Field& field) { return std::visit(CsvField{}, field.value.any()); });
  return text;
}

std::string json_text(const Document& document) {
  return text_of(json_of(document));
}

std::string json_text(const std::vector<Document>& documents,
                      const std::vector<std::string>& parts) {
  Json list = Json::array();
  for (Document document : documents) {
    if (!parts.empty())
      std::erase_if(document, [&](const Item& item) {
        return std::ranges::find(parts, item.name) == parts.end();
      });
    list.push_back(json_of(document));
  }
  return text_of(list);
}

}  // namespace rigidlimit
