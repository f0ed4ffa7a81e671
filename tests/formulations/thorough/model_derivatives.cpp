// See support/model_derivatives.hpp.
#include "rigidlimit/formulations/every_derivative.hpp"
#include "support/model_systems.hpp"

namespace rigidlimit {

template struct Derivatives<test::BodyFrameSkate>;
template struct Derivatives<test::TwoContacts>;

}  // namespace rigidlimit
