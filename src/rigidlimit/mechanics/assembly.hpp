// Many bodies, each a system of its own, and forces between some of them: M and G are block
// diagonal, and a force couples two bodies only.
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "rigidlimit/core/expression.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// A force between two parts in the numbers S; sizes are those of the parts.
template <class S>
class LinkEquations {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;

  LinkEquations() = default;
  LinkEquations(const LinkEquations&) = delete;
  LinkEquations& operator=(const LinkEquations&) = delete;
  virtual ~LinkEquations() = default;

  /// Adds the generalised forces on the first and on the second part.
  virtual void add_forces(In q_first, In v_first, In q_second, In v_second, Out on_first,
                          Out on_second) const = 0;
  /// P in joule.
  virtual S potential(In q_first, In q_second) const = 0;
};

/// A force between the parts number `first` and `second`. Copies share what never changes.
struct Link {
  Index first = 0;
  Index second = 0;

  template <class S>
  const LinkEquations<S>& in() const {
    return *std::get<std::shared_ptr<const LinkEquations<S>>>(equations);
  }

  std::tuple<std::shared_ptr<const LinkEquations<double>>,
             std::shared_ptr<const LinkEquations<Directions>>,
             std::shared_ptr<const LinkEquations<Expression>>>
      equations;
};

namespace detail {

template <class Author, class S>
class LinkEquationsOf final : public LinkEquations<S> {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;
  explicit LinkEquationsOf(const Author& author) : author_(author) {}

  void add_forces(In q_first, In v_first, In q_second, In v_second, Out on_first,
                  Out on_second) const override {
    const std::pair<V, V> forces = author_.forces(Q(q_first), V(v_first), Q(q_second), V(v_second));
    on_first += forces.first;
    on_second += forces.second;
  }
  S potential(In q_first, In q_second) const override {
    return author_.potential(Q(q_first), Q(q_second));
  }

 private:
  using Q = Vector<S, Author::nq>;
  using V = Vector<S, Author::n>;
  Author author_;
};

}  // namespace detail

/// From an author's struct with the sizes nq, n of either part and, for any scalar S,
///
///   forces(q_first, v_first, q_second, v_second) -> std::pair of two forces (n each)
///   potential(q_first, q_second) -> P
template <class Author>
Link make_link(const Author& author, Index first, Index second) {
  using detail::LinkEquationsOf;
  return {first,
          second,
          {std::make_shared<LinkEquationsOf<Author, double>>(author),
           std::make_shared<LinkEquationsOf<Author, Directions>>(author),
           std::make_shared<LinkEquationsOf<Author, Expression>>(author)}};
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

/// The assembly as a system with dense matrices, for everything that knows no sparse ones: M of N
/// bodies costs N² to write and N³ to factorise.
System system_of(const Assembly& assembly);

}  // namespace rigidlimit
