// Tests that mistakes in an author's system are found before the first solve, with function and
// point.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/systems/author_check.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

enum class Mistake { none, skew, indefinite, infinite_force, not_a_number, wide };

/// A knife edge with one mistake at a time.
struct Faulty {
  static constexpr int nq = 3, n = 3, m = 1;
  Mistake mistake = Mistake::none;

  static SystemInfo info() { return {.name = "faulty", .initial_v = {1.0, 0.0, 0.5}}; }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    Matrix<S, n, n> M = Matrix<S, n, n>::Identity();
    if (mistake == Mistake::skew) M(0, 1) = S(0.1);
    if (mistake == Mistake::indefinite) M(2, 2) = S(-0.5);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    const double x =
        mistake == Mistake::infinite_force ? std::numeric_limits<double>::infinity() : 1.0;
    return {S(x), S(0), S(0)};
  }
  /// Of run-time size, so that the compiler cannot detect the wrong width.
  template <class S>
  MatrixX<S> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    MatrixX<S> G = MatrixX<S>::Zero(1, mistake == Mistake::wide ? 4 : 3);
    G(0, 0) = -sin(q(2));
    G(0, 1) = mistake == Mistake::not_a_number ? S(std::nan("")) : cos(q(2));
    return G;
  }
};

/// K* of fourth degree in v.
struct NoCoenergy {
  static constexpr int nq = 2, n = 2, m = 1;
  static SystemInfo info() { return {.name = "no_coenergy", .initial_v = {1.0, 0.0}}; }

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return 0.5 * (v(0) * v(0) + v(1) * v(1)) + 0.1 * v(0) * v(0) * v(0) * v(0);
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return q(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(1));
  }
};

/// A point on a circle (E v = 0) with an invariant that the motion changes.
struct WrongInvariant {
  static constexpr int nq = 3, n = 3, m = 1;
  double offset = 0.0;  ///< offset of e(q)
  static SystemInfo info() {
    return {.name = "wrong_invariant", .initial_q = {1.0, 0.0, 0.0}, .initial_v = {0.0, 1.0, 1.0}};
  }
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>::Identity();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(0), S(0), S(1)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(-1), S(1));
  }
  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(q(0), q(1), S(0));
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    Vector<S, 1> e;
    e(0) = q(0) * q(0) + (offset == 0.0 ? q(1) * q(1) : q(1)) - 1.0;
    return e;
  }
};

std::string complaint_about(const System& system, const char* name, const InitialState& start) {
  try {
    check_system(system, name, start);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_about(Mistake mistake) {
  const InitialState start{Eigen::Vector3d(0.0, 0.0, 0.25), Eigen::Vector3d(1.0, 0.0, 0.5)};
  return complaint_about(make_system(Faulty{.mistake = mistake}), "faulty", start);
}

TEST(AuthorMistakes, ACorrectSystemPasses) {  // negative control
  EXPECT_EQ(complaint_about(Mistake::none), "");
}

TEST(AuthorMistakes, AsymmetricMassMatrixIsReported) {
  EXPECT_THAT(complaint_about(Mistake::skew),
              AllOf(HasSubstr("faulty: mass_matrix(q)"), HasSubstr("|M - M^T| = 0.1"),
                    HasSubstr("at q = [0, 0, 0.25]")));
}

TEST(AuthorMistakes, AMassMatrixThatIsNotPositiveDefinite) {
  EXPECT_THAT(
      complaint_about(Mistake::indefinite),
      AllOf(HasSubstr("mass_matrix(q)"), HasSubstr("eigenvalue -0.5"), HasSubstr("at q = [")));
}

TEST(AuthorMistakes, NonFiniteForceIsReported) {
  EXPECT_THAT(complaint_about(Mistake::infinite_force),
              AllOf(HasSubstr("force(q, v)"), HasSubstr("finite"), HasSubstr("at q = ["),
                    HasSubstr("v = [1, 0, 0.5]")));
}

TEST(AuthorMistakes, AConstraintThatIsNotFinite) {
  EXPECT_THAT(complaint_about(Mistake::not_a_number),
              AllOf(HasSubstr("constraint(q)"), HasSubstr("finite")));
}

TEST(AuthorMistakes, ConstraintOfTheWrongWidthIsReported) {
  EXPECT_NO_THROW(detail::check_shapes(Faulty{}, "faulty"));
  try {
    detail::check_shapes(Faulty{.mistake = Mistake::wide}, "faulty");
    ADD_FAILURE() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("faulty: constraint(q)"), HasSubstr("1 x 4"),
                                    HasSubstr("m x n = 1 x 3")));
  }
}

TEST(AuthorMistakes, NonQuadraticKineticCoenergyIsReported) {
  const InitialState start{Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1.0, 0.0)};
  EXPECT_THAT(complaint_about(make_system(NoCoenergy{}), "no_coenergy", start),
              AllOf(HasSubstr("kinetic_coenergy(q, v)"), HasSubstr("quadratic")));
}

TEST(AuthorMistakes, InvariantChangedByTheMotionIsReported) {
  const InitialState start{Eigen::Vector3d(1.0, 0.0, 0.0), Eigen::Vector3d(0.0, 1.0, 1.0)};
  EXPECT_EQ(complaint_about(make_system(WrongInvariant{}), "point", start), "");
  EXPECT_THAT(complaint_about(make_system(WrongInvariant{.offset = 1.0}), "point", start),
              AllOf(HasSubstr("invariants(q)"), HasSubstr("q' = T v"), HasSubstr("rate 1")));
}

TEST(AuthorMistakes, StartOffTheExactConstraintIsReported) {
  const InitialState across{Eigen::Vector3d(1.0, 0.0, 0.0), Eigen::Vector3d(0.2, 1.0, 1.0)};
  EXPECT_THAT(complaint_about(make_system(WrongInvariant{}), "point", across),
              AllOf(HasSubstr("exact_constraint(q)"), HasSubstr("E v = [0.2]")));
  const InitialState outside{Eigen::Vector3d(1.1, 0.0, 0.0), Eigen::Vector3d(0.0, 1.0, 1.0)};
  EXPECT_THAT(complaint_about(make_system(WrongInvariant{}), "point", outside),
              AllOf(HasSubstr("invariants(q)"), HasSubstr("[0.21]")));
}

/// Structs that the catalogue refuses: a static_assert names the missing function.
namespace incomplete {

struct Sized {
  static constexpr int nq = 2, n = 2, m = 1;
};
struct Rows : Sized {
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>& q) const {
    return {q(0), S(1)};
  }
};
struct Massive : Rows {
  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity();
  }
};
struct Moving : Rows {
  template <class S>
  S kinetic_coenergy(const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return v.dot(v) / 2.0;
  }
};
struct Whole : Moving {
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return q(0);
  }
};
/// v is not q', so that Lagrange's equations of K*(q, v) differ from the equations of motion.
struct Mapped : Whole {
  template <class S>
  Matrix<S, 2, 2> velocity_map(const Vector<S, 2>& q) const {
    Matrix<S, 2, 2> T = Matrix<S, 2, 2>::Identity();
    T(0, 1) = q(0);
    return T;
  }
};
struct Held : Whole {
  std::vector<ContactPoint> contacts() const { return {{.name = "floor"}}; }
};
struct OfDoubles : Moving {
  double potential(const Vector<double, 2>& q) const { return q(0); }
};
struct RowsOfDoubles : Whole {
  Matrix<double, 1, 2> constraint(const Vector<double, 2>& q) const { return {q(0), 1.0}; }
};
struct Stretched : Whole {
  static constexpr int nq = 3;
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 3>& q) const {
    return {q(0), S(1)};
  }
  template <class S>
  S kinetic_coenergy(const Vector<S, 3>&, const Vector<S, 2>& v) const {
    return v.dot(v) / 2.0;
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return q(0);
  }
};

}  // namespace incomplete

TEST(AuthorMistake, IsFoundBeforeTheTemplatesAreInstantiated) {
  using detail::author_mistake;
  using detail::AuthorMistake;
  using namespace incomplete;
  EXPECT_EQ(author_mistake<std::string>(), AuthorMistake::sizes);
  EXPECT_EQ(author_mistake<Sized>(), AuthorMistake::constraint);
  EXPECT_EQ(author_mistake<Rows>(), AuthorMistake::equations);
  EXPECT_EQ(author_mistake<Massive>(), AuthorMistake::force);
  EXPECT_EQ(author_mistake<Moving>(), AuthorMistake::potential);
  EXPECT_EQ(author_mistake<Stretched>(), AuthorMistake::velocity_map);
  EXPECT_EQ(author_mistake<OfDoubles>(), AuthorMistake::potential_scalar);
  EXPECT_EQ(author_mistake<RowsOfDoubles>(), AuthorMistake::constraint_scalar);
  EXPECT_EQ(author_mistake<Mapped>(), AuthorMistake::none);
  EXPECT_EQ(author_mistake<Held>(), AuthorMistake::gap);
  EXPECT_EQ(author_mistake<Whole>(), AuthorMistake::none);
  EXPECT_EQ(author_mistake<Faulty>(), AuthorMistake::none) << "its values are wrong, not its form";
}

}  // namespace
}  // namespace rigidlimit
