#include "rigidlimit/classical/problem_pieces.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace rigidlimit {
namespace {

/// The pieces of a solve, and the one that it has reached.
struct Reached {
  std::vector<ClassicalProblem> pieces;
  std::size_t current = 0;

  const OdeProblem& ode() const { return pieces[current].real.ode; }
};

std::vector<RootFunctions::Instant> instants_of(const std::shared_ptr<Reached>& reached,
                                                double end) {
  std::vector<RootFunctions::Instant> all;
  for (std::size_t k = 1; k < reached->pieces.size(); ++k) {
    const ClassicalProblem& piece = reached->pieces[k];
    if (piece.t0 >= end) break;
    all.push_back({piece.t0, [reached, k](VectorOut y) {
                     reached->current = k;
                     const auto& begin = reached->pieces[k].real.begin;
                     if (begin) y = begin(y);
                   }});
  }
  return all;
}

}  // namespace

std::vector<ClassicalProblem> pieces_of(const ClassicalProblem& problem) {
  std::vector<ClassicalProblem> all;
  if (problem.pieces) all = problem.pieces(problem.end);
  if (all.empty()) all.push_back(problem);
  return all;
}

OdeProblem ode_with_instants(const ClassicalProblem& problem) {
  const auto reached = std::make_shared<Reached>();
  reached->pieces = pieces_of(problem);
  OdeProblem ode = reached->ode();
  if (reached->pieces.size() == 1) return ode;
  ode.rhs = {[reached](double t, VectorIn y, VectorOut dydt) { reached->ode().rhs(t, y, dydt); },
             [reached](const Pack& t, const Pack* y, Pack* dydt) {
               reached->ode().rhs.eight()(t, y, dydt);
             }};
  ode.jacobian = [reached](double t, VectorIn y, MatrixOut dfdy) {
    reached->ode().jacobian(t, y, dfdy);
  };
  if (std::ranges::any_of(reached->pieces, [](const ClassicalProblem& piece) {
        return static_cast<bool>(piece.real.ode.time_derivative);
      }))
    ode.time_derivative = [reached](double t, VectorIn y, VectorOut dfdt) {
      dfdt.setZero();
      if (const auto& of_piece = reached->ode().time_derivative) of_piece(t, y, dfdt);
    };
  ode.recorded = {};  // the tapes of one piece are not those of the next
  RootFunctions roots;
  roots.instants = [reached](double end) {
    reached->current = 0;  // a solve begins
    return instants_of(reached, end);
  };
  ode.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return ode;
}

}  // namespace rigidlimit
