// Joints of rigid bodies by name: each writes rows of constraint_position as formulas.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/systems/text/system_text.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// [[system.bodies]] and [[system.joints]].
KeyTableInfo body_keys();
KeyTableInfo joint_keys();

/// Reads [[system.bodies]]. Throws InputError, at the key, for a repeated or invalid name, and for
/// bodies in the plane beside bodies in space.
std::vector<SystemText::Body> read_bodies(Section& system);

/// Reads [[system.joints]] and gives `add` the rows of each joint, which are positions g(q, t).
/// Let d = r_c + A_c s_c − r_p − A_p s_p, m, in the axes of the ground: the vector from the anchor
/// s_p of the parent to the anchor s_c of the child; u the unit axis in the frame of the parent, n,
/// b1 and b2 unit vectors across u; a the angle and e the Euler parameters of a body.
///
///   plane  pin       d                                              m
///          slider    (A_p n)·d                                      m
///                    a_c − a_p − offset                             rad
///          weld      d; a_c − a_p − offset                          m; rad
///          distance  |d| − length                                   m
///          gear      a_c + ratio a_p − offset                       rad
///          screw     (A_p u)·d − pitch (a_c − a_p) − offset         m
///   space  ball      d                                              m
///          hinge     d; (A_p b1)·(A_c u_c), (A_p b2)·(A_c u_c)      m; 1
///          slider    (A_p b1)·d, (A_p b2)·d; θ                      m; rad
///          weld      d; θ                                           m; rad
///          distance  |d| − length                                   m
///
/// with θ = 2 vec(ē_p ∘ e_c ∘ ō), the rotation vector of the child in the axes of the parent from
/// the orientation o, for small angles and up to the sign of e. Adds the formulas of the bodies and
/// the joints with their units to text.joint_parts. Throws InputError, at the key, for an unknown
/// body or kind, a body joined with itself, a list of another length than the dimension, and a key
/// or a dimension that the kind does not have.
void read_joints(Section& system, SystemText& text,
                 const std::function<void(const Section& joint, SystemText::Contact row)>& add);

}  // namespace rigidlimit
