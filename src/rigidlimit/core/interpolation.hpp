// Values between samples.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// From samples at `nodes` to values at `times`, by the polynomial of degree 7 through the eight
/// nodes about each time (all nodes where there are fewer). With nodes h apart a function f is
/// missed by at most h⁸ max|f⁽⁸⁾| / 900 in the midst of them and h⁸ max|f⁽⁸⁾| / 60 beside an end.
/// At a time that is a node, bit by bit, the value is the sample itself.
class Interpolation {
 public:
  static constexpr std::size_t points = 8;

  /// Both strictly increasing; `times` within the nodes (else std::logic_error).
  Interpolation(const std::vector<double>& nodes, const std::vector<double>& times);

  /// One column a node, to one column a time.
  MatrixXd operator()(const MatrixXd& samples) const;

 private:
  struct Place {
    Index first;    ///< of the nodes about it; of a node itself that node
    Index weights;  ///< where its weights begin; -1: it is a node
  };
  std::vector<Place> places_;
  std::vector<double> weights_;
  Index points_;  ///< that a time has about it
};

}  // namespace rigidlimit
