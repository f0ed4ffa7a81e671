#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {

template void Evaluator<double>::run(std::span<const Instruction>, double*) const;
template void Evaluator<Quad>::run(std::span<const Instruction>, Quad*) const;

}  // namespace rigidlimit
