#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

const char* name_of(ContactSpec::Preparation preparation) {
  using Preparation = ContactSpec::Preparation;
  switch (preparation) {
    case Preparation::unloaded: return "unloaded";
    case Preparation::prepared: return "prepared";
    case Preparation::given: return "given";
  }
  return "unknown";
}

const char* name_of(Formulation formulation) {
  return formulation == Formulation::natural ? "natural" : "adapted";
}
const char* name_of(Precision precision) {
  return precision == Precision::binary64 ? "double" : "quad";
}

const char* name_of(Against against) {
  return against == Against::rigid ? "rigid" : "composite";
}

const char* name_of(KeptSamples kept) {
  switch (kept) {
    case KeptSamples::automatic: return "auto";
    case KeptSamples::all: return "all";
    case KeptSamples::none: return "none";
  }
  return "unknown";
}

}  // namespace rigidlimit
