// The tangent lift of a system: its motion together with a directional derivative of the motion.
//
// Let δ be the derivative along a direction (δq, δv) of the start, or along parameters. With X any
// of the rows E and G, and multipliers ν of X, the lift of
//
//   q' = T(q) v,   M(q) v' = F(q, v, t) − X(q)ᵀ ν,   w = X(q) v
//
// is its own derivative written before it: a system of the same form, in q* = (q, δq),
// v* = (v, δv), ν* = (ν, δν), w* = (δw, w), with
//
//   M* = [ δM  M ]    F* = ( δF )    X* = [ δX  X ]    T* v* = (T v, δ(T v)),
//        [ M   0 ]         ( F  )         [ X   0 ]
//
//   M* v*' = (δM v' + M δv', M v') = F* − X*ᵀ ν* = (δF − δXᵀν − Xᵀδν, F − Xᵀν),
//
// δM = ∂M/∂q [δq], and so on. The contact law λ = C y + D y' lifts to
// λ* = C* y* + D* y*' with y* = (δy, y), C* = [0 C; C 0], D* = [0 D; D 0]. Invariants e, the
// potential P and the rows S lift to (e, δe), δP and [S 0; δS S]; ½ v*ᵀM*v* is δ(½ vᵀM v).
// M*, C* and D* are symmetric and indefinite. M* is regular exactly where M is, and
//
//   M*⁻¹ = [ 0    M⁻¹          ]    G* M*⁻¹ G*ᵀ = [ δA  A ]    A = G M⁻¹Gᵀ.
//          [ M⁻¹  −M⁻¹ δM M⁻¹ ],                  [ A   0 ],
//
// The spectrum of the contact, of [0 I; −A*C* −A*D*], is that of the system, each eigenvalue twice.
// Source: Yano and Ishihara, Tangent and Cotangent Bundles (1973), chapter 1, for complete lifts.
#pragma once

#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Parameters as the last coordinates of a system, which are constant along its motions.
struct ParameterDirection {
  VectorXd value{};      ///< p
  VectorXd direction{};  ///< δp
};

/// The tangent lift of `system`, with 2 nq coordinates, 2 n velocities, 2 m contact components, and
/// so on. If `along` holds k parameters, the last k coordinates of the system are p; they become
/// constants with the derivative δp, and the lift has 2 (nq − k) coordinates. Without closed form.
/// Throws InputError if the equations have switches, where the derivative of a motion may jump.
System tangent_of(const System& system, const ParameterDirection& along = {});

/// The start (q, δq), (v, δv) of a lift. δq is projected on the tangent space of the invariants,
/// δe = 0, by the least change. If `rolling`, v* is projected on ker [E*; G*]: v must satisfy E v =
/// 0 and G v = 0, and δv becomes the nearest solution, in M, of E δv = −δE v and G δv = −δG v.
InitialState tangent_start(const System& lift, const InitialState& start, const VectorXd& dq,
                           const VectorXd& dv, bool rolling = true);

/// [0 C; C 0], [0 D; D 0] and the same exponent.
ViscoelasticLaw tangent_of(const ViscoelasticLaw& law);

/// C of an X = [0 C; C 0], else X: the lift of a law is valid where the law is.
MatrixXd under_lift(const MatrixXd& X);

/// The second half of each block of a motion of a lift: (δq, δv, δλ).
Motion derivative_in(const Motion& of_lift);

}  // namespace rigidlimit
