// Claims of a rolling study on orders and constants over all t, as TOML.
#pragma once

#include <fmt/format.h>

#include <string>

namespace rigidlimit::test {

/// These orders of q, v and λ, and measured/predicted = 1 to 2e-3.
inline std::string ratio_claims(int q, int v, int lambda) {
  const auto claim = [](const char* quantity, int order) {
    return fmt::format(
        "[[expect]]\nquantity = \"{}\"\norder = {}\nratio = 1.0\nratio_within = 2e-3\n", quantity,
        order);
  };
  return "\n" + claim("q", q) + claim("v", v) + claim("lambda", lambda);
}

}  // namespace rigidlimit::test
