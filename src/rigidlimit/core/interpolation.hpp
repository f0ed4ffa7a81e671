// Interpolation between samples.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Interpolates samples at `nodes` to values at `times`, by the polynomial of degree 7 through the
/// eight nodes around each time (all nodes if there are fewer). With nodes h apart the error for a
/// function f is at most h⁸ max|f⁽⁸⁾| / 900 in the middle of the nodes and h⁸ max|f⁽⁸⁾| / 60 beside
/// an end. At a time that is a node, the value is the sample itself, bit by bit.
class Interpolation {
 public:
  static constexpr std::size_t points = 8;

  /// Both strictly increasing; `times` within the nodes (else std::logic_error).
  Interpolation(const std::vector<double>& nodes, const std::vector<double>& times);

  /// Maps one column per node to one column per time.
  MatrixXd operator()(const MatrixXd& samples) const;

 private:
  struct Place {
    Index first;    ///< first of the nodes around it; the node itself if t is a node
    Index weights;  ///< offset of its weights; -1: t is a node
  };
  std::vector<Place> places_;
  std::vector<double> weights_;
  Index points_;  ///< nodes around each time
};

/// The largest distance of the samples of each row (one column per time, an odd number of them)
/// from the interpolation of every second one. At equal distances, the interpolation of all samples
/// has an error of about a 256th of that.
VectorXd distance_from_half(const MatrixXd& samples, const std::vector<double>& times);

}  // namespace rigidlimit
