// Compiled in place of all other files of this module if Arb has not been found.
#include <stdexcept>

#include "rigidlimit/certify/pair_proof.hpp"

namespace rigidlimit {

PairTheorem proved(const ProofQuestion&) {
  throw std::domain_error(
      "this program has been built without Arb, the library of ball arithmetic: install "
      "libflint-arb-dev (Debian 12) or "
      "libflint-dev, and configure again");
}

}  // namespace rigidlimit
