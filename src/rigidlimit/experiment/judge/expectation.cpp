#include "rigidlimit/experiment/judge/expectation.hpp"

#include <fmt/format.h>

namespace rigidlimit {

std::string text_of(const LawName& law) {
  return law.tangential_power ? fmt::format("{}, κ = {:.4g}", law.name, *law.tangential_power)
                              : law.name;
}

const char* name_of(Convergence convergence) {
  switch (convergence) {
    case Convergence::of_order: return "of_order";
    case Convergence::none: return "none";
    case Convergence::exact: return "exact";
    case Convergence::bounded: return "bounded";
  }
  return "unknown";
}

bool ExpectationSpec::concerns(const LawName& of, const Measure& measured) const {
  // A law without κ has the value 1, as its contact force has.
  return measured == measure && (!law || *law == of.name) &&
         (!tangential_power || *tangential_power == of.tangential_power.value_or(1.0));
}

}  // namespace rigidlimit
