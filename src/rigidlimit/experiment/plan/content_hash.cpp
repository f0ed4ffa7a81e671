#include "rigidlimit/experiment/plan/content_hash.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace rigidlimit {

std::string content_hash(std::string_view bytes) {
  // The name space of this project: a random UUID, version 4.
  constexpr boost::uuids::uuid name_space{{0x6f, 0x0c, 0x5b, 0x1a, 0x3d, 0x52, 0x4e, 0x0b, 0x9a,
                                           0x77, 0x2c, 0x84, 0xd1, 0xe3, 0x96, 0x58}};
  return to_string(boost::uuids::name_generator_sha1(name_space)(bytes.data(), bytes.size()));
}

}  // namespace rigidlimit
