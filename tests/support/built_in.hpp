// A built-in system with values of its parameters, for tests of its equations.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit::test {

/// A test of one system derives a struct from it, with the name of that system.
class BuiltIn {
 public:
  using Values = std::map<std::string, double>;

  BuiltIn(const char* name, const Values& values) : entry_(*find_system(builtin_systems(), name)) {
    std::size_t found = 0;
    for (const ParameterInfo& p : entry_.frictional_parameters()) {
      const auto at = values.find(p.name);
      values_.push_back(at == values.end() ? p.default_value : at->second);
      if (at != values.end()) ++found;
    }
    if (found != values.size()) throw std::invalid_argument("no such parameter");
    if (entry_.rolls()) rolling_ = entry_.make(rolling_values());
    if (entry_.slips()) slipping_ = entry_.make_frictional(values_);
  }

  const SystemEntry& entry() const { return entry_; }
  /// The value of a parameter.
  double operator()(const std::string& name) const {
    const auto all = entry_.frictional_parameters();
    const auto at = std::ranges::find(all, name, &ParameterInfo::name);
    return values_.at(static_cast<std::size_t>(at - all.begin()));
  }
  /// Of all parameters, those of contacts last.
  const std::vector<double>& values() const { return values_; }
  InitialState start() const {
    return entry_.rolls() ? entry_.start(rolling_values()) : entry_.frictional_start(values_);
  }

  const System& rolling() const { return rolling_ ? *rolling_ : slipping_->smooth; }
  const FrictionalSystem& slipping() const { return slipping_.value(); }

  auto closed_form(const InitialState& from, const std::vector<double>& times) const {
    return rolling().closed_form(from, times);
  }
  auto closed_history(const InitialState& from, const std::vector<double>& times) const {
    return slipping().closed_history(from, times);
  }
  /// T v.
  VectorXd coordinate_rate(const VectorXd& q, const VectorXd& v) const {
    VectorXd rate(rolling().nq);
    rolling().in<double>().coordinate_rate(q, v, rate);
    return rate;
  }
  MatrixXd mass_matrix(const VectorXd& q) const {
    MatrixXd M(rolling().n, rolling().n);
    rolling().in<double>().mass_matrix(q, M);
    return M;
  }
  VectorXd force(const VectorXd& q, const VectorXd& v, double t = 0.0) const {
    VectorXd F(rolling().n);
    rolling().in<double>().force(q, v, t, F);
    return F;
  }
  /// [E; G].
  MatrixXd constraint(const VectorXd& q) const {
    MatrixXd rows(rolling().ne + rolling().m, rolling().n);
    rolling().in<double>().constraints(q, rows);
    return rows;
  }

 private:
  std::vector<double> rolling_values() const {
    return {values_.begin(),
            values_.begin() + static_cast<std::ptrdiff_t>(entry_.parameters.size())};
  }

  const SystemEntry& entry_;
  std::vector<double> values_;
  std::optional<System> rolling_;
  std::optional<FrictionalSystem> slipping_;
};

inline const System& system_of(const BuiltIn& system) {
  return system.rolling();
}
inline const FrictionalSystem& frictional_system_of(const BuiltIn& system) {
  return system.slipping();
}

}  // namespace rigidlimit::test
