// Tests that all equations of built-in systems run as machine code with the interpreter's bits.
// Special parameter values are excepted.
#include "rigidlimit/systems/builtin_codes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

using Forms = std::map<std::pair<ContentKey, bool>, TapeForm>;  ///< by key, and whether in packs

/// Forms of the evaluators that are created when a system is created and moves.
Forms forms_of(const SystemEntry& entry, const std::vector<double>& values) {
  Forms forms;
  const CodeCollector collector([&forms](const TapeForm& form, bool packs) {
    forms.try_emplace({key_of(form), packs}, form);
  });
  const System system = entry.make(values);
  const InitialState start = entry.start(values);
  const MatrixXd one = MatrixXd::Identity(system.m, system.m);
  const OdeProblem problem = compliant_adapted(system, start, {.stiffness = one, .damping = one},
                                               1e-2, VectorXd::Zero(system.m))
                                 .problem;
  VectorXd rate = problem.y0;
  MatrixXd J(rate.size(), rate.size());
  problem.rhs(0.0, problem.y0, rate);
  problem.jacobian(0.0, problem.y0, J);
  const BatchedRate& batched = *problem.batched;
  const Index moving = batched.slow + batched.fast;
  MatrixXd P(moving, batched.fast);
  std::vector<Pack> state(rate.begin(), rate.begin() + moving), rates(state);
  const std::vector<Pack> forces(static_cast<std::size_t>(batched.fast));
  batched.rates(batched.response(problem.y0.data(), P), Pack(0.0), state.data(), forces.data(),
                rates.data());
  return forms;
}

/// Forms of the evaluators of contacts that may slip, all of them pressed.
Forms forms_of_contacts(const SystemEntry& entry, const std::vector<double>& values) {
  Forms forms;
  const CodeCollector collector([&forms](const TapeForm& form, bool packs) {
    forms.try_emplace({key_of(form), packs}, form);
  });
  const FrictionalSystem system = entry.make_frictional(values);
  const VectorXd one = VectorXd::Ones(system.nc());
  const FrictionalLaw law{.tangential_stiffness = one, .normal_stiffness = one};
  const OdeProblem problem =
      frictional_compliant(system, entry.frictional_start(values), law, 1e-2).problem;
  const auto unilateral =
      std::ranges::count(system.contacts, Normal::unilateral, &ContactPoint::normal);
  VectorXd y = problem.y0, rate = y, roots(problem.roots->count);
  y.tail(2 * unilateral).setConstant(-0.1);
  MatrixXd J(y.size(), y.size());
  problem.rhs(0.0, y, rate);
  problem.jacobian(0.0, y, J);
  if (problem.time_derivative) problem.time_derivative(0.0, y, rate);
  problem.roots->values(0.0, y, roots);
  return forms;
}

std::vector<BuiltinCode> codes_of(ContentKey key) {
  std::vector<BuiltinCode> found;
  std::ranges::copy_if(builtin_codes(), std::back_inserter(found),
                       [key](const BuiltinCode& code) { return code.key == key; });
  return found;
}

bool can_run(int lanes) {
#if defined(__x86_64__)
  if (lanes == 4) return __builtin_cpu_supports("avx2");
  if (lanes == 8)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
  return true;
}

/// Checks that each form has code, in double or in packs of every width, with the right results.
void expect_code(const Forms& forms) {
  for (const auto& [key, form] : forms) {
    int in_double = 0, in_packs = 0;
    for (const BuiltinCode& code : codes_of(key.first)) {
      ++(code.lanes == 1 ? in_double : in_packs);
      if (can_run(code.lanes)) EXPECT_TRUE(computes(code.function, form, code.lanes));
    }
    EXPECT_GT(key.second ? in_packs : in_double, 0) << form.steps.size() << " steps";
  }
}

/// Parameter values unknown at build time: no zeros, no equal values, and no products that are
/// short numbers.
std::vector<double> other_values(const SystemEntry& entry) {
  const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
  std::vector<double> values = entry.frictional_default_values();
  double factor = 1.0 + 1.0 / 300.0;
  for (std::size_t i = 0; i < values.size(); ++i, factor *= 1.0 + 1.0 / 70.0) {
    const double value = values[i] == 0.0 ? factor / 50.0 : factor * values[i];
    if (parameters[i].range.contains(value)) values[i] = value;
  }
  return values;
}

class CodesOf : public testing::TestWithParam<std::string> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
};

TEST_P(CodesOf, DefaultParametersAreBuiltIn) {
  const Forms forms = forms_of(entry, entry.default_values());
  EXPECT_FALSE(forms.empty());
  expect_code(forms);
}

TEST_P(CodesOf, OtherParametersAreBuiltIn) {
  expect_code(forms_of(entry, other_values(entry)));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CodesOf,
                         testing::ValuesIn(names_of(builtin_systems(), &SystemEntry::rolls)),
                         [](const auto& info) { return info.param; });

TEST(BuiltinCodes, CoverContactsThatSlip) {
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.slips()) continue;
    SCOPED_TRACE(entry.info.name);
    const Forms forms = forms_of_contacts(entry, entry.frictional_default_values());
    EXPECT_GE(forms.size(), 2u);  // the balance and its derivatives
    expect_code(forms);
    expect_code(forms_of_contacts(entry, other_values(entry)));
  }
}

// Negative controls: equations that were not built in have no code, and code of a system does not
// run for another one.
TEST(BuiltinCodes, BelongToTheirSystem) {
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        return ExpressionMatrix(ExpressionVector::Constant(1, tan(x(0)) - sinh(x(1)) * x(0)));
      },
      2);
  EXPECT_TRUE(codes_of(key_of(form_of(tape))).empty());
  const auto largest = [](const char* system) {
    const SystemEntry& entry = *find_system(builtin_systems(), system);
    TapeForm form;
    for (const auto& [key, each] : forms_of(entry, entry.default_values()))
      if (!key.second && each.steps.size() > form.steps.size()) form = each;
    return form;
  };
  const TapeForm disk = largest("rolling_disk"), coin = largest("rolling_coin");
  ASSERT_GT(disk.outputs.size(), 0u);
  TapeForm other = disk;
  other.steps.back().operation = Operation::divide;  // was a product or a sum
  ASSERT_NE(key_of(disk), key_of(other));
  const CodeFunction code = codes_of(key_of(disk)).at(0).function;
  EXPECT_TRUE(computes(code, disk, 1));
  EXPECT_FALSE(computes(code, other, 1));
  EXPECT_NE(key_of(disk), key_of(coin));
}

}  // namespace
}  // namespace rigidlimit
