#include "rigidlimit/report/reference_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/bounded_json.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

Json list_of(const VectorXd& x) {
  return std::vector<double>(x.begin(), x.end());
}

/// The entries that identify a problem.
Json identity(const WrittenProblem& problem) {
  return {{"problem", problem.name}, {"title", problem.title},   {"facts", problem.facts},
          {"t0", problem.t0},        {"t1", problem.t1},         {"names", problem.names},
          {"units", problem.units},  {"y0", list_of(problem.y0)}};
}

bool has_all(const Json& record, const Json& wanted) {
  return record.is_object() && std::ranges::all_of(wanted.items(), [&](const auto& item) {
           return record.contains(item.key()) && record[item.key()] == item.value();
         });
}

VectorXd numbers(const Json& record, const char* key, Index size, const std::string& file) {
  const Json list = record.value(key, Json());
  if (!list.is_array() || std::ssize(list) != size ||
      !std::ranges::all_of(list, [](const Json& x) { return x.is_number(); }))
    throw InputError(fmt::format("the record '{}' needs {} numbers in '{}'",
                                 record.value("problem", ""), size, key),
                     file);
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = list[static_cast<std::size_t>(i)].get<double>();
  return x;
}

}  // namespace

std::string reference_record(const WrittenProblem& problem) {
  Json record = identity(problem);
  record["reference"] = problem.reference ? list_of(problem.reference->y) : Json();
  record["reference_error"] = problem.reference ? list_of(problem.reference->error) : Json();
  record["how"] = problem.reference_text;
  return with_escapes(record.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

void read_reference(WrittenProblem& problem, const std::string& file) {
  const Json records = bounded_json(text_of_file(file, longest_json), file);
  if (!records.is_array()) throw InputError("is not a JSON array of references", file);
  const Json wanted = identity(problem);
  const auto found =
      std::ranges::find_if(records, [&](const Json& record) { return has_all(record, wanted); });
  if (found == records.end())
    throw InputError(
        fmt::format("has no record of '{}' with these parameters, this start and end, and these "
                    "components",
                    problem.name),
        file);
  const Json how = found->value("how", Json());
  if (!how.is_string())
    throw InputError(fmt::format("the record '{}' needs a text in 'how'", problem.name), file);
  problem.reference =
      ReferenceEnd{.y = numbers(*found, "reference", problem.size(), file),
                   .error = numbers(*found, "reference_error", problem.size(), file)};
  problem.reference_text =
      fmt::format("{}; read from a file of references", how.get<std::string>());
}

}  // namespace rigidlimit
