#include "rigidlimit/solvers/radau/lane_kernels.hpp"

#include <algorithm>

#pragma GCC diagnostic ignored "-Wpsabi"  // of functions that are inlined

namespace rigidlimit {
namespace {

#define RIGIDLIMIT_LANES 2
namespace lanes_sse2 {
#include "rigidlimit/solvers/radau/lane_kernels.inc"
}  // namespace lanes_sse2
#undef RIGIDLIMIT_LANES
#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2")
#define RIGIDLIMIT_LANES 4
namespace lanes_avx2 {
#include "rigidlimit/solvers/radau/lane_kernels.inc"
}  // namespace lanes_avx2
#undef RIGIDLIMIT_LANES
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")
#define RIGIDLIMIT_LANES 8
namespace lanes_avx512 {
#include "rigidlimit/solvers/radau/lane_kernels.inc"
}  // namespace lanes_avx512
#undef RIGIDLIMIT_LANES
#pragma GCC pop_options
#endif

}  // namespace

const LaneKernels& lane_kernels(VectorInstructions instructions) {
#if defined(__x86_64__)
  switch (std::min(instructions, best_vector_instructions())) {
    case VectorInstructions::avx512: return lanes_avx512::kernels;
    case VectorInstructions::avx2: return lanes_avx2::kernels;
    case VectorInstructions::sse2: break;
  }
#endif
  return lanes_sse2::kernels;
}

}  // namespace rigidlimit
