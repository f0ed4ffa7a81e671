#include "rigidlimit/mechanics/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"

namespace rigidlimit {

LinkTapes::LinkTapes(Tape forces, Tape potential)
    : forces_(std::move(forces)), potential_(std::move(potential)) {}

const Evaluator<double>& LinkTapes::force_derivatives() const {
  return force_derivatives_.made([this] {
    return tape_of(
        [this](const ExpressionVector& x) { return jacobian_of(inlined(forces_.tape(), x), x); },
        forces_.tape().inputs);
  });
}

AssemblyOffsets::AssemblyOffsets(const Assembly& assembly) : q{0}, v{0}, w{0} {
  for (const System& part : assembly.parts) {
    q.push_back(q.back() + part.nq);
    v.push_back(v.back() + part.n);
    w.push_back(w.back() + part.m);
  }
}

void require_valid(const Assembly& assembly) {
  const auto count = static_cast<Index>(assembly.parts.size());
  if (count == 0) throw InputError("an assembly needs at least one part");
  for (Index i = 0; i < count; ++i) {
    const System& part = assembly.parts[static_cast<std::size_t>(i)];
    if (part.ne > 0 || part.ni > 0)
      throw InputError(fmt::format("part {} of the assembly has exact rows or invariants", i));
  }
  for (const Link& link : assembly.links)
    if (std::min(link.first, link.second) < 0 || std::max(link.first, link.second) >= count ||
        link.first == link.second)
      throw InputError(
          fmt::format("a link joins the parts {} and {} of {}", link.first, link.second, count));
}

namespace {

/// Block diagonal apart from the forces of the links. Its parts are already tapes.
class AssembledSystem final : public AuthoredSystem {
  using Q = const ExpressionVector&;

 public:
  explicit AssembledSystem(const Assembly& assembly) : assembly_(assembly), at_(assembly) {
    nq = at_.q.back();
    n = at_.v.back();
    m = at_.w.back();
    lagrange_coordinates = all(&System::lagrange_coordinates);
    explicit_time = std::ranges::any_of(assembly.parts, &System::explicit_time);
    natural_velocities = all(&System::natural_velocities);
    // With links, the potential is complete even if a part has none: all energy is in the links.
    has_potential = all(&System::has_potential) || !assembly.links.empty();
  }

  ExpressionMatrix mass_matrix(Q q) const override {
    ExpressionMatrix M = ExpressionMatrix::Zero(n, n);
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      M.block(at_.v[i], at_.v[i], part.n, part.n) =
          inlined(part.mass_matrix, of(q, at_.q, i)).reshaped(part.n, part.n);
    });
    return M;
  }
  ExpressionVector force(Q q, const ExpressionVector& v, const Expression& t) const override {
    ExpressionVector F(n);
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      F.segment(at_.v[i], part.n) = inlined(
          part.force, joined(of(q, at_.q, i), of(v, at_.v, i), ExpressionVector::Constant(1, t)));
    });
    for (const Link& link : assembly_.links) {
      const auto a = static_cast<std::size_t>(link.first);
      const auto b = static_cast<std::size_t>(link.second);
      const ExpressionVector forces =
          inlined(link.tapes->forces().tape(),
                  joined(of(q, at_.q, a), of(v, at_.v, a), of(q, at_.q, b), of(v, at_.v, b)));
      F.segment(at_.v[a], size(at_.v, a)) += forces.head(size(at_.v, a));
      F.segment(at_.v[b], size(at_.v, b)) += forces.tail(size(at_.v, b));
    }
    return F;
  }
  Expression potential(Q q) const override {
    Expression sum = 0;
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      sum += inlined(part.potential, of(q, at_.q, i))(0);
    });
    for (const Link& link : assembly_.links)
      sum += inlined(link.tapes->potential(),
                     joined(of(q, at_.q, static_cast<std::size_t>(link.first)),
                            of(q, at_.q, static_cast<std::size_t>(link.second))))(0);
    return sum;
  }
  ExpressionMatrix velocity_map(Q q) const override {
    ExpressionMatrix T = ExpressionMatrix::Zero(nq, n);
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      for (Index k = 0; k < part.n; ++k)
        T.block(at_.q[i], at_.v[i] + k, part.nq, 1) = inlined(
            part.coordinate_rate, joined(of(q, at_.q, i), ExpressionVector::Unit(part.n, k)));
    });
    return T;
  }
  ExpressionMatrix constraints(Q q) const override {
    ExpressionMatrix G = ExpressionMatrix::Zero(m, n);
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      G.block(at_.w[i], at_.v[i], part.m, part.n) =
          inlined(part.constraints, of(q, at_.q, i)).reshaped(part.m, part.n);
    });
    return G;
  }
  ExpressionMatrix quasi_velocities(Q q) const override {
    if (!natural_velocities) return ExpressionMatrix(0, n);
    ExpressionMatrix S = ExpressionMatrix::Zero(n - m, n);
    for_parts([&](const RecordedSystem& part, std::size_t i) {
      const Index free = part.n - part.m;
      S.block(at_.v[i] - at_.w[i], at_.v[i], free, part.n) =
          inlined(part.quasi_velocities, of(q, at_.q, i)).reshaped(free, part.n);
    });
    return S;
  }

  // Functions that an assembly does not have.
  Expression kinetic_coenergy(Q, const ExpressionVector&) const override { return 0; }
  Expression dissipation(const ExpressionVector&) const override { return 0; }
  ExpressionVector applied_force(Q, const ExpressionVector&, const Expression&) const override {
    return ExpressionVector::Zero(n);
  }
  ExpressionVector invariants(Q) const override { return ExpressionVector(0); }
  ExpressionVector gap(Q) const override { return ExpressionVector(0); }
  ExpressionVector normal_force(Q, const ExpressionVector&, const Expression&) const override {
    return ExpressionVector(0);
  }

 private:
  using Offsets = std::vector<Index>;

  bool all(bool System::*fact) const { return std::ranges::all_of(assembly_.parts, fact); }
  template <class Body>
  void for_parts(const Body& body) const {
    for (std::size_t i = 0; i < assembly_.parts.size(); ++i) body(*assembly_.parts[i].recorded, i);
  }
  static Index size(const Offsets& at, std::size_t i) { return at[i + 1] - at[i]; }
  static ExpressionVector of(const ExpressionVector& all, const Offsets& at, std::size_t i) {
    return all.segment(at[i], size(at, i));
  }

  const Assembly& assembly_;
  AssemblyOffsets at_;
};

}  // namespace

System system_of(const Assembly& assembly) {
  require_valid(assembly);
  System system = system_of(AssembledSystem(assembly));
  if (assembly.parts.size() == 1) system.closed_form = assembly.parts.front().closed_form;
  return system;
}

}  // namespace rigidlimit
