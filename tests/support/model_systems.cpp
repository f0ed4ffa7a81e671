#include "support/model_systems.hpp"

namespace rigidlimit {

template System make_system(const test::NonholonomicParticle&);
template System make_system(const test::DrivenPendulum&);
template System make_system(const test::BodyFrameSkate&);
template System make_system(const test::TwoContacts&);

}  // namespace rigidlimit
