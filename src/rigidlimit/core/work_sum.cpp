#include "rigidlimit/core/work_sum.hpp"

namespace rigidlimit {

namespace {

long counter_sum(long a, long b) {
  return a < 0 || b < 0 ? -1 : a + b;
}

}  // namespace

void add(Work& sum, const Work& part) {
  for (long Work::*count :
       {&Work::steps, &Work::rejected_steps, &Work::rhs_evaluations, &Work::jacobian_evaluations,
        &Work::factorisations, &Work::newton_iterations, &Work::linear_solves})
    sum.*count = counter_sum(sum.*count, part.*count);
  sum.factor_nonzeros = part.factor_nonzeros;
}

}  // namespace rigidlimit
