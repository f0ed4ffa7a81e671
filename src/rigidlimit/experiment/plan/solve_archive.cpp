#include "rigidlimit/experiment/plan/solve_archive.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace rigidlimit {

namespace {

/// Compares bits: NaN equals NaN, and 0 differs from −0.
bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

std::array<long, 8> counts(const Work& w) {
  return {w.steps,          w.rejected_steps,    w.rhs_evaluations, w.jacobian_evaluations,
          w.factorisations, w.newton_iterations, w.linear_solves,   w.factor_nonzeros};
}

}  // namespace

const char* name_of(SolveIdentity::Kind kind) {
  switch (kind) {
    case SolveIdentity::Kind::rigid: return "rigid";
    case SolveIdentity::Kind::compliant: return "compliant";
    case SolveIdentity::Kind::prediction: return "prediction";
    case SolveIdentity::Kind::rigid_work: return "rigid_work";
    case SolveIdentity::Kind::event_driven: return "event_driven";
    case SolveIdentity::Kind::moreau_jean: return "moreau_jean";
    case SolveIdentity::Kind::reference: return "reference";
    case SolveIdentity::Kind::trial: return "trial";
    case SolveIdentity::Kind::timing: return "timing";
  }
  return "unknown";
}

MatrixXd SolveRecord::take(const std::string& name) {
  const auto at = std::ranges::find(samples, name, &NamedSamples::name);
  return at == samples.end() ? MatrixXd() : std::move(at->values);
}

bool same_result(const SolveRecord& a, const SolveRecord& b) {
  return a.outcome == b.outcome && a.message == b.message && a.t_reached == b.t_reached &&
         a.last_step == b.last_step && counts(a.work) == counts(b.work) &&
         std::ranges::equal(a.samples, b.samples, [](const NamedSamples& x, const NamedSamples& y) {
           return x.name == y.name && same_bits(x.values, y.values);
         });
}

}  // namespace rigidlimit
