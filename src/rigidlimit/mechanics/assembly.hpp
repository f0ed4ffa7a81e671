// An assembly of many bodies, each a system, with forces between some of them. M and G are block
// diagonal, and each force couples only two bodies.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// A force between two parts as tapes of (q, v) of the first and of the second. Immutable: threads
/// and equal links may share it.
class LinkTapes {
 public:
  /// `forces` of (q, v, q, v), first on part one, then on part two; `potential` of (q, q).
  LinkTapes(Tape forces, Tape potential);

  /// The generalised forces on the first part, then those on the second.
  const Evaluator<double>& forces() const { return forces_; }
  /// Their derivatives with respect to all arguments, column by column.
  const Evaluator<double>& force_derivatives() const;
  /// P in joule.
  const Tape& potential() const { return potential_; }

 private:
  Evaluator<double> forces_;
  Tape potential_;
  Lazy<Evaluator<double>> force_derivatives_;
};

/// A force between the parts number `first` and `second`. Copies share the tapes, so copy one link
/// to make many of a kind.
struct Link {
  Index first = 0;
  Index second = 0;
  std::shared_ptr<const LinkTapes> tapes;
};

/// Makes a link from an author's struct with the sizes nq, n of either part and, for any scalar S,
///
///   forces(q_first, v_first, q_second, v_second) -> std::pair of two forces (n each)
///   potential(q_first, q_second) -> P
template <class Author>
Link make_link(const Author& author, Index first, Index second) {
  using Q = Vector<Expression, Author::nq>;
  using V = Vector<Expression, Author::n>;
  using All = const ExpressionVector&;
  Tape forces = tape_of(
      [&](All q_first, All v_first, All q_second, All v_second) {
        const std::pair<V, V> both =
            author.forces(Q(q_first), V(v_first), Q(q_second), V(v_second));
        ExpressionVector all(2 * Author::n);
        all << both.first, both.second;
        return all;
      },
      Author::nq, Author::n, Author::nq, Author::n);
  Tape potential = tape_of(
      [&](All q_first, All q_second) {
        return ExpressionVector::Constant(1, author.potential(Q(q_first), Q(q_second)));
      },
      Author::nq, Author::nq);
  return {first, second,
          std::make_shared<const LinkTapes>(std::move(forces), std::move(potential))};
}

/// The parts have no exact rows and no invariants; q, v, w and λ of the assembly are those of its
/// parts one after the other.
struct Assembly {
  std::vector<System> parts;
  std::vector<Link> links;
};

/// Where the coordinates, velocities and contacts of each part begin; one entry more than parts,
/// the last one the sum.
struct AssemblyOffsets {
  explicit AssemblyOffsets(const Assembly& assembly);
  std::vector<Index> q, v, w;
};

/// Throws InputError unless there are parts, none has exact rows or invariants, and every link
/// joins two of them.
void require_valid(const Assembly& assembly);

/// The assembly as a system with dense matrices, for code without sparse ones. Writing M of N
/// bodies costs N², factorising it N³.
System system_of(const Assembly& assembly);

}  // namespace rigidlimit
