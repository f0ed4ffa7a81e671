#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

const char* name_of(Formulation formulation) {
  return formulation == Formulation::natural ? "natural" : "adapted";
}
const char* name_of(Precision precision) {
  return precision == Precision::binary64 ? "double" : "quad";
}
const char* name_of(Convergence convergence) {
  switch (convergence) {
    case Convergence::of_order: return "of_order";
    case Convergence::none: return "none";
    case Convergence::exact: return "exact";
  }
  return "?";
}
const char* name_of(Against against) {
  return against == Against::rigid ? "rigid" : "composite";
}

}  // namespace rigidlimit
