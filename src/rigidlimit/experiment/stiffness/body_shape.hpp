// The shape of the body behind the contact rows of a system.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// A contact row G v has no shape: the lateral row of a skate and that of a disc are both a sum of
/// velocities. The shape is known for systems that come with the program; a file does not state it.
struct BodyShape {
  bool is_known = false;
  std::string name = {};   ///< "disc", "ball": one such body on one surface; empty: another
  std::string words = {};  ///< "a skate": of a known body that is neither
};

BodyShape shape_of(const SystemEntry& entry);

/// Of shape_of() where `given` is empty, else `given`. Throws InputError at `body` for a name other
/// than "disc" and "ball", and for one that contradicts a known shape.
BodyShape shape_of(const SystemEntry& entry, const std::string& given);

std::vector<std::string> names_of_shapes();  ///< "disc", "ball"

}  // namespace rigidlimit
