#include "rigidlimit/experiment/spec/system_tables.hpp"

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

namespace {

struct GivenParameter {
  ParameterInfo info;
  double value;
};

struct Named {
  Component component;
  double start = 0.0;
};

std::vector<Named> visible_of(const std::vector<Component>& components, const VectorXd* start) {
  std::vector<Named> all;
  for (const Index i : visible_rows(components))
    all.push_back({components[static_cast<std::size_t>(i)], start == nullptr ? 0.0 : (*start)(i)});
  return all;
}

Columns<Named> component_columns() {
  return {{"name", "", [](const Named& one) { return one.component.name; }},
          {"unit", "", [](const Named& one) { return one.component.unit; }}};
}

Table started(std::string name, const std::vector<Component>& components, const VectorXd& start) {
  Columns<Named> columns = component_columns();
  columns.push_back({"start", "", &Named::start});
  return table_of(std::move(name), columns, visible_of(components, &start)).kept(Kept::in_document);
}

}  // namespace

Fields system_facts(const SystemEntry& system) {
  return {{"system.name", system.info.name},
          {"system.title", system.info.title},
          {"system.built_in", is_builtin(system)},
          {"system.written_in", written_in(system)},
          {"system.equations", system.info.equations},
          {"system.source", system.info.source},
          {"system.closed_form", system.info.closed_form}};
}

std::vector<Table> system_tables(const SystemEntry& system,
                                 const std::vector<ParameterInfo>& parameters,
                                 const std::vector<double>& values, const InitialState& initial) {
  std::vector<GivenParameter> all;
  for (std::size_t i = 0; i < values.size(); ++i) all.push_back({parameters[i], values[i]});
  return {table_of<GivenParameter>(
              "system.parameters",
              {{"name", "", [](const GivenParameter& p) { return p.info.name; }},
               {"value", "", &GivenParameter::value},
               {"unit", "", [](const GivenParameter& p) { return p.info.unit; }},
               {"meaning", "", [](const GivenParameter& p) { return p.info.text; }}},
              std::move(all))
              .kept(Kept::in_document),
          started("system.coordinates", system.info.coordinates, initial.q),
          started("system.velocities", system.info.velocities, initial.v)};
}

Table components_of(std::string name, const std::vector<Component>& components) {
  return table_of(std::move(name), component_columns(), visible_of(components, nullptr))
      .kept(Kept::in_document);
}

std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string unit = parameters[i].unit;
    texts.push_back(
        fmt::format("{} = {:.6g}{}", parameters[i].name, values[i], unit == "1" ? "" : " " + unit));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
