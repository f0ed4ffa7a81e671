#include "rigidlimit/mechanics/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

AssemblyOffsets::AssemblyOffsets(const Assembly& assembly) : q{0}, v{0}, w{0} {
  for (const System& part : assembly.parts) {
    q.push_back(q.back() + part.nq);
    v.push_back(v.back() + part.n);
    w.push_back(w.back() + part.m);
  }
}

void require_valid(const Assembly& assembly) {
  const auto count = static_cast<Index>(assembly.parts.size());
  if (count == 0) throw InputError("an assembly without parts");
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

/// The equations of all parts, written into the blocks of dense matrices.
template <class S>
class AssembledEquations final : public Equations<S> {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;
  using OutMatrix = MatrixOutOf<S>;

  explicit AssembledEquations(std::shared_ptr<const Assembly> assembly)
      : assembly_(std::move(assembly)), at_(*assembly_) {}

  void coordinate_rate(In q, In v, Out q_rate) const override {
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.coordinate_rate(of(q, at_.q, i), of(v, at_.v, i), of(q_rate, at_.q, i));
    });
  }
  void restoring_rate(In, Out q_rate) const override { q_rate.setZero(); }
  void invariants(In, Out) const override {}

  void mass_matrix(In q, OutMatrix M) const override {
    M.setZero();
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.mass_matrix(of(q, at_.q, i), block(M, at_.v, i));
    });
  }
  void inertia_force(In q, In a, Out force) const override {
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.inertia_force(of(q, at_.q, i), of(a, at_.v, i), of(force, at_.v, i));
    });
  }
  void force(In q, In v, const S& t, Out F) const override {
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.force(of(q, at_.q, i), of(v, at_.v, i), t, of(F, at_.v, i));
    });
    for (const Link& link : assembly_->links) {
      const auto a = static_cast<std::size_t>(link.first);
      const auto b = static_cast<std::size_t>(link.second);
      link.in<S>().add_forces(of(q, at_.q, a), of(v, at_.v, a), of(q, at_.q, b), of(v, at_.v, b),
                              of(F, at_.v, a), of(F, at_.v, b));
    }
  }
  S potential(In q) const override {
    S sum(0);
    for_parts(
        [&](const Equations<S>& part, std::size_t i) { sum += part.potential(of(q, at_.q, i)); });
    for (const Link& link : assembly_->links)
      sum += link.in<S>().potential(of(q, at_.q, static_cast<std::size_t>(link.first)),
                                    of(q, at_.q, static_cast<std::size_t>(link.second)));
    return sum;
  }

  void constraints(In q, OutMatrix rows) const override {
    rows.setZero();
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.constraints(of(q, at_.q, i),
                       rows.block(at_.w[i], at_.v[i], at_.w[i + 1] - at_.w[i], size(at_.v, i)));
    });
  }
  void constraint_drift(In q, In q_rate, In v, Out drift) const override {
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.constraint_drift(of(q, at_.q, i), of(q_rate, at_.q, i), of(v, at_.v, i),
                            of(drift, at_.w, i));
    });
  }
  void quasi_velocities(In q, OutMatrix rows) const override {
    rows.setZero();
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.quasi_velocities(of(q, at_.q, i),
                            rows.block(at_.v[i] - at_.w[i], at_.v[i], free(i), size(at_.v, i)));
    });
  }
  void quasi_velocity_drift(In q, In q_rate, In v, Out drift) const override {
    for_parts([&](const Equations<S>& part, std::size_t i) {
      part.quasi_velocity_drift(of(q, at_.q, i), of(q_rate, at_.q, i), of(v, at_.v, i),
                                drift.segment(at_.v[i] - at_.w[i], free(i)));
    });
  }

 private:
  using Offsets = std::vector<Index>;

  template <class Body>
  void for_parts(const Body& body) const {
    for (std::size_t i = 0; i < assembly_->parts.size(); ++i)
      body(assembly_->parts[i].template in<S>(), i);
  }
  static Index size(const Offsets& at, std::size_t i) { return at[i + 1] - at[i]; }
  Index free(std::size_t i) const { return size(at_.v, i) - size(at_.w, i); }
  static In of(const In& all, const Offsets& at, std::size_t i) {
    return all.segment(at[i], size(at, i));
  }
  static Out of(Out& all, const Offsets& at, std::size_t i) {
    return all.segment(at[i], size(at, i));
  }
  static OutMatrix block(OutMatrix& all, const Offsets& at, std::size_t i) {
    return all.block(at[i], at[i], size(at, i), size(at, i));
  }

  std::shared_ptr<const Assembly> assembly_;
  AssemblyOffsets at_;
};

}  // namespace

System system_of(const Assembly& assembly) {
  require_valid(assembly);
  const auto shared = std::make_shared<const Assembly>(assembly);
  const AssemblyOffsets at(assembly);
  const auto every = [&](auto fact) { return std::ranges::all_of(assembly.parts, fact); };
  System system{
      .nq = at.q.back(),
      .n = at.v.back(),
      .m = at.w.back(),
      .explicit_time = std::ranges::any_of(assembly.parts, &System::explicit_time),
      .natural_velocities = every(&System::natural_velocities),
      .lagrange_coordinates = every(&System::lagrange_coordinates),
      .lagrangian = false,
      // A part without a potential has none that is missing if it is the links' energy alone.
      .has_potential = every(&System::has_potential) || !assembly.links.empty(),
      .dissipation = {},
      .closed_form = {},
      .equations = {std::make_shared<AssembledEquations<double>>(shared),
                    std::make_shared<AssembledEquations<Along>>(shared),
                    std::make_shared<AssembledEquations<AlongTwice>>(shared),
                    std::make_shared<AssembledEquations<Directions>>(shared),
                    std::make_shared<AssembledEquations<Quad>>(shared)}};
  if (assembly.parts.size() == 1) system.closed_form = assembly.parts.front().closed_form;
  return system;
}

}  // namespace rigidlimit
