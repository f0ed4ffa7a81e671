// The right-hand sides of both problems of an assembly, part by part.
#pragma once

#include <memory>
#include <optional>

#include "rigidlimit/core/elimination.hpp"
#include "rigidlimit/mechanics/assembly.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// C, D ε^(−β) and 1/ε² of the law that every part's contacts obey.
struct AssemblyLaw {
  AssemblyLaw(const ViscoelasticLaw& law, double epsilon);
  MatrixXd stiffness;
  MatrixXd damping;
  double per_deflection_scale;
};

/// Where y = (q₁, u₁, w₁, η₁, q₂, …) has the blocks of each part; rigid: (q₁, u₁, q₂, …). Parts
/// stand together, so that neighbours in a chain are neighbours in y.
struct AssemblyLayout {
  AssemblyLayout(const Assembly& assembly, bool compliant);

  struct Part {
    Index q, u, w, eta;    ///< where the blocks begin
    Index nq, free, m, n;  ///< sizes: of q, of u, of w and η, and n = free + m
    Index v, lambda;       ///< where v and λ begin in those of the assembly
    Index end;             ///< of the part's block in y
  };
  std::vector<Part> parts;
  bool compliant;
  Index nq = 0, n = 0, m = 0;  ///< of the assembly
  Index size() const { return parts.back().end; }
};

/// f(t, y) in the numbers S. Changes what it remembers of the last call.
template <class S>
class AssemblyRate {
 public:
  /// Without a law: rigid.
  AssemblyRate(std::shared_ptr<const Assembly> assembly, std::optional<AssemblyLaw> law)
      : assembly_(std::move(assembly)),
        law_(std::move(law)),
        layout_(*assembly_, law_.has_value()),
        velocity_(layout_.n),
        force_(layout_.n),
        lambda_(layout_.m) {
    for (const AssemblyLayout::Part& p : layout_.parts)
      frames_.push_back(MatrixX<S>::Zero(p.n, p.n));
  }

  void operator()(const S& t, VectorInOf<S> y, VectorOutOf<S> f) {
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) move_part(i, t, y, f);
    for (const Link& link : assembly_->links) add_link(link, y);
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) accelerate_part(i, y, f);
  }

  const AssemblyLayout& layout() const { return layout_; }
  // Of the last call, in the order of the assembly.
  const VectorX<S>& velocity() const { return velocity_; }
  const VectorX<S>& multiplier() const { return lambda_; }  ///< λ, or Λ of the rigid problem

 private:
  const Equations<S>& terms(std::size_t i) const { return assembly_->parts[i].template in<S>(); }

  /// B = [S; G], v = B⁻¹(u, w), q' = T v, and the part's own forces.
  void move_part(std::size_t i, const S& t, const VectorInOf<S>& y, VectorOutOf<S>& f) {
    const AssemblyLayout::Part& p = layout_.parts[i];
    MatrixX<S>& B = frames_[i];
    terms(i).quasi_velocities(y.segment(p.q, p.nq), B.topRows(p.free));
    terms(i).constraints(y.segment(p.q, p.nq), B.bottomRows(p.m));
    VectorX<S> uw(p.n);
    uw.head(p.free) = y.segment(p.u, p.free);
    if (law_)
      uw.tail(p.m) = y.segment(p.w, p.m);
    else
      uw.tail(p.m).setZero();
    velocity_.segment(p.v, p.n) = solved_by_elimination<S>(B, uw);
    const auto v = velocity_.segment(p.v, p.n);
    terms(i).coordinate_rate(y.segment(p.q, p.nq), v, f.segment(p.q, p.nq));
    terms(i).force(y.segment(p.q, p.nq), v, t, force_.segment(p.v, p.n));
  }

  void add_link(const Link& link, const VectorInOf<S>& y) {
    const AssemblyLayout::Part& a = layout_.parts[static_cast<std::size_t>(link.first)];
    const AssemblyLayout::Part& b = layout_.parts[static_cast<std::size_t>(link.second)];
    link.in<S>().add_forces(y.segment(a.q, a.nq), velocity_.segment(a.v, a.n), y.segment(b.q, b.nq),
                            velocity_.segment(b.v, b.n), force_.segment(a.v, a.n),
                            force_.segment(b.v, b.n));
  }

  /// (u, w)' = B a + (∂q B[q']) v and ε² η' = w.
  void accelerate_part(std::size_t i, const VectorInOf<S>& y, VectorOutOf<S>& f) {
    const AssemblyLayout::Part& p = layout_.parts[i];
    const auto q = y.segment(p.q, p.nq);
    const auto v = velocity_.segment(p.v, p.n);
    VectorX<S> drift(p.n);
    terms(i).quasi_velocity_drift(q, f.segment(p.q, p.nq), v, drift.head(p.free));
    terms(i).constraint_drift(q, f.segment(p.q, p.nq), v, drift.tail(p.m));
    const VectorX<S> a =
        law_ ? compliant_acceleration(i, y) : rigid_acceleration(i, y, drift.tail(p.m));
    drift.noalias() += frames_[i].lazyProduct(a);
    f.segment(p.u, p.free) = drift.head(p.free);
    if (!law_) return;
    f.segment(p.w, p.m) = drift.tail(p.m);
    f.segment(p.eta, p.m) = S(law_->per_deflection_scale) * y.segment(p.w, p.m);
  }

  /// M a = F − Gᵀλ, λ = C η + D ε^(−β) w.
  VectorX<S> compliant_acceleration(std::size_t i, const VectorInOf<S>& y) {
    const AssemblyLayout::Part& p = layout_.parts[i];
    auto lambda = lambda_.segment(p.lambda, p.m);
    lambda = law_->stiffness.template cast<S>().lazyProduct(y.segment(p.eta, p.m));
    lambda += law_->damping.template cast<S>().lazyProduct(y.segment(p.w, p.m));
    MatrixX<S> M(p.n, p.n);
    terms(i).mass_matrix(y.segment(p.q, p.nq), M);
    VectorX<S> load = force_.segment(p.v, p.n);
    load -= frames_[i].bottomRows(p.m).transpose().lazyProduct(lambda);
    return solved_by_elimination<S>(std::move(M), std::move(load));
  }

  /// [M Gᵀ; G 0] (a, Λ) = (F, −drift).
  VectorX<S> rigid_acceleration(std::size_t i, const VectorInOf<S>& y, const VectorInOf<S>& drift) {
    const AssemblyLayout::Part& p = layout_.parts[i];
    MatrixX<S> K = MatrixX<S>::Zero(p.n + p.m, p.n + p.m);
    terms(i).mass_matrix(y.segment(p.q, p.nq), K.topLeftCorner(p.n, p.n));
    K.bottomLeftCorner(p.m, p.n) = frames_[i].bottomRows(p.m);
    K.topRightCorner(p.n, p.m) = frames_[i].bottomRows(p.m).transpose();
    VectorX<S> right(p.n + p.m);
    right << force_.segment(p.v, p.n), -drift;
    const VectorX<S> solution = solved_by_elimination<S>(std::move(K), std::move(right));
    lambda_.segment(p.lambda, p.m) = solution.tail(p.m);
    return solution.head(p.n);
  }

  std::shared_ptr<const Assembly> assembly_;
  std::optional<AssemblyLaw> law_;
  AssemblyLayout layout_;
  std::vector<MatrixX<S>> frames_;  ///< B of each part
  VectorX<S> velocity_, force_, lambda_;
};

}  // namespace rigidlimit
