#include "rigidlimit/report/result_document.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

namespace {

DataTable claims_of(const Report& report) {
  DataTable list;
  for (const JunitCase& claim : report.claims) {
    Record record = claim.swept;
    record.insert(record.end(), {{"name", claim.name},
                                 {"group", claim.group},
                                 {"held", claim.held()},
                                 {"message", claim.message}});
    list.records.push_back(std::move(record));
  }
  return list;
}

DataTable parameters_of(const std::vector<ParameterInfo>& parameters,
                        const std::vector<double>& values) {
  DataTable list;
  for (std::size_t i = 0; i < values.size(); ++i)
    list.records.push_back({{"name", parameters[i].name},
                            {"value", values[i]},
                            {"unit", parameters[i].unit},
                            {"meaning", parameters[i].text}});
  return list;
}

}  // namespace

void append(Document& document, Document more) {
  std::ranges::move(more, std::back_inserter(document));
}

DataTable components_of(const std::vector<Component>& components, const VectorXd* start) {
  DataTable list;
  for (const Index i : visible_rows(components)) {
    const Component& one = components[static_cast<std::size_t>(i)];
    Record record{{"name", one.name}, {"unit", one.unit}};
    if (start != nullptr) record.push_back({"start", (*start)(i)});
    list.records.push_back(std::move(record));
  }
  return list;
}

Document system_document(const SystemEntry& system, const std::vector<ParameterInfo>& parameters,
                         const std::vector<double>& values, const InitialState& initial,
                         DataTable contacts) {
  const SystemInfo& info = system.info;
  return {{"system.name", Value(info.name)},
          {"system.title", Value(info.title)},
          {"system.built_in", Value(is_builtin(system))},
          {"system.written_in", Value(written_in(system))},
          {"system.parameters", parameters_of(parameters, values)},
          {"system.coordinates", components_of(info.coordinates, &initial.q)},
          {"system.velocities", components_of(info.velocities, &initial.v)},
          {"system.contacts", std::move(contacts)}};
}

Document result_document(const Report& report, Document own) {
  Document document{{"name", Value(report.name)},
                    {"kind", Value(report.kind)},
                    {"sweep", Value(report.is_sweep)},
                    {"question", Value(report.question)},
                    {"source", Value(report.source)},
                    {"held", Value(report.held())},
                    {"interrupted", Value(report.interrupted)},
                    {"claims", claims_of(report)}};
  append(document, std::move(own));
  document.push_back({"notes", Value(report.notes)});
  for (const auto& [key, value] : build_provenance())
    document.push_back({"provenance." + key, Value(value)});
  document.push_back({"provenance.hash", Value(content_hash(report.resolved))});
  document.push_back({"provenance.resolved", Value(report.resolved)});
  return document;
}

}  // namespace rigidlimit
