// Tests the scalar types of a system's equations: all types for an author's system, and an error
// for an empty one.
#include <gmock/gmock.h>

#include <stdexcept>

#include "rigidlimit/mechanics/frictional_system_of.hpp"

namespace rigidlimit {
namespace {

/// A block on a floor, q = (x, y), M = 2 I.
struct Block {
  static constexpr int nq = 2, n = 2, m = 1;

  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity() * S(2.0);
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&) const {
    return Vector<S, 2>::Zero();
  }
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>&) const {
    return Matrix<S, 1, 2>(S(1), S(0));
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "floor", .normal = Normal::bilateral}};
  }
  template <class S>
  Vector<S, 1> gap(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q(1));
  }
};

/// M₁₁ in the scalar type S.
template <class S>
S first_mass(const System& system) {
  MatrixX<S> M(2, 2);
  system.in<S>().mass_matrix(VectorX<S>(VectorX<S>::Zero(2)), M);
  return M(0, 0);
}

TEST(Numbers, SystemSupportsAllScalarTypes) {
  const System system = make_system(Block{});
  EXPECT_EQ(first_mass<double>(system), 2.0);
  EXPECT_EQ(first_mass<Quad>(system), Quad(2.0));
}

TEST(Numbers, FrictionalSystemSupportsTheSameScalarTypes) {
  const FrictionalSystem block = make_frictional_system(Block{});
  EXPECT_EQ(first_mass<double>(block.smooth), 2.0);
  EXPECT_EQ(first_mass<Quad>(block.smooth), Quad(2.0));
}

TEST(Numbers, EmptySystemThrows) {
  EXPECT_THROW(System{}.in<double>(), std::logic_error);
  EXPECT_THROW(System{}.in<Quad>(), std::logic_error);
}

}  // namespace
}  // namespace rigidlimit
