// Tests that classical problems and sleigh chains run as built-in machine code.
#include <gtest/gtest.h>

#include <algorithm>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

namespace rigidlimit {
namespace {

/// Counts the double evaluators made by `work`, and those without built-in code.
struct Served {
  int evaluators = 0, without = 0;
};
template <class Work>
Served served(const Work& work) {
  Served count;
  const CodeCollector collector([&count](const TapeForm& form, bool packs) {
    if (packs || form.steps.empty()) return;
    ++count.evaluators;
    const auto has_code = [key = key_of(form)](const BuiltinCode& code) {
      return code.key == key && code.lanes == 1;
    };
    if (!std::ranges::any_of(builtin_codes(), has_code)) ++count.without;
  });
  work();
  return count;
}

void evaluate(const OdeProblem& problem) {
  VectorXd f(problem.y0.size());
  problem.rhs(problem.t0, problem.y0, f);
  if (problem.sparse_jacobian) {
    VectorXd values(problem.sparse_jacobian->pattern.nonzeros());
    problem.sparse_jacobian->values(problem.t0, problem.y0, values);
  } else {
    MatrixXd J(f.size(), f.size());
    problem.jacobian(problem.t0, problem.y0, J);
  }
}

// A change of all parameters by 3 % needs no other code: parameters are data.
TEST(ClassicalCodes, EveryProblemHasBuiltInCodeForAllParameters) {
  for (const ClassicalEntry& entry : classical_problems())
    for (const double factor : {1.0, 1.03}) {
      std::vector<double> values = entry.default_values();
      for (double& value : values) value *= factor;
      const Served count = served([&] {
        const ClassicalIn<double> problem = entry.make(values).real;
        evaluate(problem.dae ? *problem.dae : problem.ode);
      });
      EXPECT_GE(count.evaluators, 2) << entry.name;
      EXPECT_EQ(count.without, 0) << entry.name << " * " << factor;
    }
}

TEST(ClassicalCodes, SleighChainsOfEveryLengthHaveBuiltInCode) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  const auto without = [&](Index count, double stiffness) {
    const SleighChain chain{.count = count, .sleigh = {}, .hitch = {}};
    const Assembly assembly = assembly_of(chain);
    return served([&] {
             evaluate(rigid_assembly(assembly, start_of(chain)).problem);
             evaluate(compliant_assembly(assembly, start_of(chain),
                                         {.stiffness = stiffness * one, .damping = 2.0 * one}, 1e-3,
                                         VectorXd::Zero(count))
                          .problem);
           })
        .without;
  };
  EXPECT_EQ(without(2, 1.0), 0);
  EXPECT_EQ(without(7, 1.0), 0);
  EXPECT_GT(without(2, 1.5), 0) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
