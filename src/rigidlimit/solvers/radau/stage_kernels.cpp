#include "rigidlimit/solvers/radau/stage_kernels.hpp"

#include <algorithm>

#pragma GCC diagnostic ignored "-Wpsabi"  // of functions that are inlined

namespace rigidlimit {
namespace {

#define RIGIDLIMIT_LANES 2
namespace sse2 {
#include "rigidlimit/solvers/radau/stage_kernels.inc"
}  // namespace sse2
#undef RIGIDLIMIT_LANES
#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2")
#define RIGIDLIMIT_LANES 4
namespace avx2 {
#include "rigidlimit/solvers/radau/stage_kernels.inc"
}  // namespace avx2
#undef RIGIDLIMIT_LANES
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")
#define RIGIDLIMIT_LANES 8
namespace avx512 {
#include "rigidlimit/solvers/radau/stage_kernels.inc"
}  // namespace avx512
#undef RIGIDLIMIT_LANES
#pragma GCC pop_options
#endif

}  // namespace

StageMatrix::StageMatrix(const MatrixXd& matrix) {
  for (std::size_t j = 0; j < Pack::lanes; ++j)
    column[j] = Pack::load(matrix.col(static_cast<Index>(j)).data());
}

const StageKernels& stage_kernels(VectorInstructions instructions) {
#if defined(__x86_64__)
  switch (std::min(instructions, best_vector_instructions())) {
    case VectorInstructions::avx512: return avx512::kernels;
    case VectorInstructions::avx2: return avx2::kernels;
    case VectorInstructions::sse2: break;
  }
#endif
  return sse2::kernels;
}

}  // namespace rigidlimit
