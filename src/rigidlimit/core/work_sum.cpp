#include "rigidlimit/core/work_sum.hpp"

namespace rigidlimit {

void add(Work& sum, const Work& part) {
  sum.steps += part.steps;
  sum.rejected_steps += part.rejected_steps;
  sum.rhs_evaluations += part.rhs_evaluations;
  sum.jacobian_evaluations += part.jacobian_evaluations;
  sum.factorisations += part.factorisations;
  sum.newton_iterations += part.newton_iterations;
  sum.linear_solves += part.linear_solves;
  sum.factor_nonzeros = part.factor_nonzeros;
}

}  // namespace rigidlimit
