#include "rigidlimit/mechanics/return_check.hpp"

#include "rigidlimit/mechanics/recorded_equations.hpp"

namespace rigidlimit {
namespace {

Tape tape_of_functions(const RecordedSystem& system, const Switches* switches) {
  return tape_of(
      [&](const ExpressionVector& x) {
        const ExpressionVector g = inlined(system.gap, ExpressionVector(x.segment(1, system.nq)));
        if (switches == nullptr) return g;
        ExpressionVector all(g.size() + switches->count());
        all << g, inlined(switches->tape(), x);
        return all;
      },
      1 + system.nq + system.n);
}

Tape tape_of_rates(const Tape& functions) {
  const auto arguments = static_cast<Index>(functions.inputs);
  return tape_of(
      [&](const ExpressionVector& x, const ExpressionVector& dx) {
        return tangents_of(inlined(functions, x), x, dx);
      },
      arguments, arguments);
}

}  // namespace

ReturnCheck::ReturnCheck(const RecordedSystem& system, const Switches* switches)
    : ReturnCheck(tape_of_functions(system, switches)) {}

ReturnCheck::ReturnCheck(const Tape& functions)
    : values_(functions), rates_(tape_of_rates(functions)) {}

std::vector<bool> ReturnCheck::operator()(const Ranges& at, const Ranges& rates) const {
  const Ranges value = values_(at);
  const Index arguments = at.low.size();
  Ranges both{VectorXd(2 * arguments), VectorXd(2 * arguments)};
  both.low << at.low, rates.low;
  both.high << at.high, rates.high;
  std::vector<bool> may;
  bool any = false;
  for (Index k = 0; k < value.low.size(); ++k) {
    may.push_back(value.low(k) <= 0.0 && value.high(k) >= 0.0);
    any = any || may.back();
  }
  if (!any) return may;
  const Ranges rate = rates_(both);
  for (Index k = 0; k < rate.low.size(); ++k)
    may[static_cast<std::size_t>(k)] =
        may[static_cast<std::size_t>(k)] && rate.low(k) <= 0.0 && rate.high(k) >= 0.0;
  return may;
}

}  // namespace rigidlimit
