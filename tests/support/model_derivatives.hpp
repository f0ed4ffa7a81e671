// The derivatives of two model systems in all formulations, compiled once for all tests of
// formulations/ (model_derivatives.cpp there) instead of once a file, half a minute each.
#pragma once

#include "rigidlimit/formulations/derivatives.hpp"
#include "support/model_systems.hpp"

namespace rigidlimit {

extern template struct Derivatives<test::BodyFrameSkate>;
extern template struct Derivatives<test::TwoContacts>;

}  // namespace rigidlimit
