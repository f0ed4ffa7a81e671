// The compliant and rigid problems of an assembly with sparse Jacobians: the cost of a step grows
// linearly with the number of bodies.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/sparse_pattern.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/assembly.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// Viscoelastic rolling in y = (q₁, u₁, w₁, η₁, q₂, …): part by part the equations of
/// compliant_adapted (formulations/compliant/adapted.hpp) with natural quasi-velocities and the
/// link forces in F. The contacts of every part obey `law` (C and D of the size of one part's
/// contacts); eta0 has all m of the assembly. The problem has a sparse Jacobian and no dense one.
///
/// A column of Solution::states is y; `motion` gives (q, v, λ) in the order of system_of(assembly).
/// Throws InputError unless every part has natural quasi-velocities and sizes fit. The callbacks
/// own workspace: only one solve at a time.
MotionProblem<OdeProblem> compliant_assembly(const Assembly& assembly, const InitialState& start,
                                             const ViscoelasticLaw& law, double epsilon,
                                             const VectorXd& eta0);

/// Ideal rolling in y = (q₁, u₁, q₂, …), part by part the equations of rigid_reduced. The part of
/// the velocity of `start` that violates G v = 0 is dropped. Otherwise as above.
MotionProblem<OdeProblem> rigid_assembly(const Assembly& assembly, const InitialState& start);

/// Positions of each part's blocks in y = (q₁, u₁, w₁, η₁, q₂, …); rigid: (q₁, u₁, q₂, …). The
/// blocks of a part are contiguous, so that neighbours in a chain are neighbours in y.
struct AssemblyLayout {
  AssemblyLayout(const Assembly& assembly, bool compliant);

  struct Part {
    Index q, u, w, eta;    ///< starts of the blocks
    Index nq, free, m, n;  ///< sizes: of q, of u, of w and η, and n = free + m
    Index v, lambda;       ///< starts of v and λ in those of the assembly
    Index end;             ///< end of the part's block in y

    Index size() const { return end - q; }
    Index moving() const { return eta - q; }      ///< of (q, u, w)
    Index velocities() const { return eta - u; }  ///< of (u, w)
  };
  std::vector<Part> parts;
  bool compliant;
  Index nq = 0, n = 0, m = 0;  ///< sizes of the assembly
  Index size() const { return parts.back().end; }
};

/// The equations of one part as tapes, with the constants of the law; y is its block of the state.
/// Immutable: threads and equal parts may share it.
class PartTapes {
 public:
  PartTapes(std::shared_ptr<const RecordedSystem> system, std::optional<LawAt<double>> law);

  /// As functions of (t, y): v = B⁻¹(u, w), B = [S; G], and the part's force F without links (n).
  const Evaluator<double>& velocity_and_force() const { return velocity_and_force_; }
  /// As functions of (y, v, F), F with the link forces: the rates of y, then λ (rigid: Λ).
  const Evaluator<double>& rates() const { return rates_; }
  /// As functions of (t, y, F): ∂y'/∂y at fixed link forces, ∂y'/∂F, and ∂v/∂(q, u, w), each column
  /// by column.
  const Evaluator<double>& derivatives() const;

 private:
  class Recorder;
  std::shared_ptr<const RecordedSystem> system_;
  std::optional<LawAt<double>> law_;
  Evaluator<double> velocity_and_force_, rates_;
  Lazy<Evaluator<double>> derivatives_;
};

/// f(t, y). Stores results of the last call.
class AssemblyRate {
 public:
  /// Rigid if no law is given.
  AssemblyRate(std::shared_ptr<const Assembly> assembly, const std::optional<LawAt<double>>& law);

  void operator()(double t, VectorIn y, VectorOut f);
  /// Computes only the velocities and all forces, including those of links.
  void move(double t, VectorIn y);

  const Assembly& assembly() const { return *assembly_; }
  const AssemblyLayout& layout() const { return layout_; }
  const PartTapes& tapes(std::size_t part) const { return *tapes_[part]; }
  // Results of the last call, in the order of the assembly.
  const VectorXd& velocity() const { return velocity_; }
  const VectorXd& force() const { return force_; }
  const VectorXd& multiplier() const { return lambda_; }  ///< λ, or Λ of the rigid problem

 private:
  std::shared_ptr<const Assembly> assembly_;
  AssemblyLayout layout_;
  std::vector<std::shared_ptr<const PartTapes>> tapes_;
  VectorXd velocity_, force_, lambda_;
};

/// ∂f/∂y: a block for each part, and two for each link. Stores results of the last call.
class AssemblyJacobian {
 public:
  explicit AssemblyJacobian(AssemblyRate rate);

  const SparsePattern& pattern() const { return pattern_; }
  /// Writes the entries of the pattern.
  void operator()(double t, VectorIn y, VectorOut values);

 private:
  /// Results of the tapes of a part.
  struct Block {
    MatrixXd own;       ///< ∂y'/∂y
    MatrixXd force;     ///< ∂y'/∂F
    MatrixXd velocity;  ///< ∂v/∂(q, u, w)
  };
  /// Places in the pattern of the entries of a block, column by column; −1: not in the pattern. A
  /// block is a part, or the effect of another part on it.
  using Places = std::vector<Index>;
  struct LinkPlaces {
    Places of_second_on_first, of_first_on_second;
  };

  void evaluate_part(std::size_t i, double t, const VectorIn& y);
  void add_link(std::size_t i, const VectorIn& y, VectorOut& values);

  AssemblyRate rate_;
  SparsePattern pattern_;
  std::vector<Places> part_places_;
  std::vector<LinkPlaces> link_places_;
  std::vector<Block> blocks_;
};

}  // namespace rigidlimit
