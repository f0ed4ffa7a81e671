// Compiled in place of all other files of this module if Arb has not been found.
#include <stdexcept>

#include "rigidlimit/certify/bound_theorem.hpp"
#include "rigidlimit/certify/enclosed_pair.hpp"
#include "rigidlimit/certify/pair_proof.hpp"

namespace rigidlimit {

namespace {

[[noreturn]] void refuse() {
  throw std::domain_error(
      "this program has been built without Arb, the library of ball arithmetic: install "
      "libflint-arb-dev (Debian 12) or "
      "libflint-dev, and configure again");
}

}  // namespace

PairTheorem proved(const ProofQuestion&) {
  refuse();
}

double ErrorTheorem::at_least(double) const {
  refuse();
}

double ErrorTheorem::at_most(double) const {
  refuse();
}

BoundProof judged(const BoundClaim&, const ErrorTheorem&) {
  refuse();
}

EnclosedPair::EnclosedPair(const EnclosureQuestion&) {
  refuse();
}

int EnclosedPair::steps() const {
  refuse();
}

Enclosure EnclosedPair::largest(Quantity, Index, double) const {
  refuse();
}

Enclosure EnclosedPair::mean_square(Quantity, Index, double) const {
  refuse();
}

DistanceBounds EnclosedPair::compliant_distance(const Motion&, const Motion&) const {
  refuse();
}

DistanceBounds EnclosedPair::rigid_distance(const Motion&, const Motion&) const {
  refuse();
}

std::array<double, 3> EnclosedPair::radii() const {
  refuse();
}

}  // namespace rigidlimit
