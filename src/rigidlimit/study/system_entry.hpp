// A system as the catalogue knows it: its texts, its parameters and how to make its pair.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

class QuadPair;  // formulations/quad_pair.hpp, which only those who want it include

struct SystemEntry {
  SystemInfo info;
  std::vector<ParameterInfo> parameters;
  bool has_closed_form = false;
  /// The pair with these parameter values, one for each of `parameters`.
  std::unique_ptr<Pair> (*make_pair)(const std::vector<double>& values) = nullptr;
  /// The asymptotic expansion of its pair (asymptotics/expansion_of.hpp).
  Expansion (*expand)(const std::vector<double>& values, const InitialState& start,
                      const ViscoelasticLaw& law, const VectorXd& eta0) = nullptr;
  /// The same problems in 113-bit numbers.
  std::unique_ptr<QuadPair> (*make_quad_pair)(const std::vector<double>& values) = nullptr;
};

}  // namespace rigidlimit
