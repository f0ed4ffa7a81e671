// The methods of the catalogue that step in time, for tests on problems without an expansion.
#pragma once

#include <vector>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/composite.hpp"

namespace rigidlimit::test {

inline std::vector<OdeMethod> stepping_methods() {
  std::vector<OdeMethod> methods;
  for (const OdeMethod& method : ode_methods())
    if (method.function != solve_composite_6) methods.push_back(method);
  return methods;
}

}  // namespace rigidlimit::test
