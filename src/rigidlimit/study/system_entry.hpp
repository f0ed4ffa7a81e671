// A system as the catalogue knows it: its texts, its parameters and how to make its pair.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

struct SystemEntry {
  SystemInfo info;
  std::vector<ParameterInfo> parameters;
  bool has_closed_form = false;
  /// The pair with these parameter values, one for each of `parameters`.
  std::unique_ptr<Pair> (*make_pair)(const std::vector<double>& values) = nullptr;
  /// The asymptotic expansion of its pair (asymptotics/expansion_of.hpp).
  Expansion (*expand)(const std::vector<double>& values, const InitialState& start,
                      const ViscoelasticLaw& law, const VectorXd& eta0) = nullptr;
};

}  // namespace rigidlimit
