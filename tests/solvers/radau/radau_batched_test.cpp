// Tests the batched Radau IIA method with eight stages: order 15, stiff problems, no allocations.
#include "rigidlimit/solvers/radau/radau_batched.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace {

long allocations = 0;

}  // namespace

// Counts the allocations of the whole test program.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace rigidlimit {
namespace {

/// x₁' = x₂, x₂' = −x₁: no fast part.
class Oscillator final : public BatchedRate {
 public:
  Oscillator() : BatchedRate(2, MatrixXd(0, 0), MatrixXd(0, 0), 0.0) {}
  void rates(Chart, const Pack&, const Pack* x, const Pack*, Pack* f) const override {
    f[0] = x[1];
    f[1] = -x[0];
  }
  Chart response(const double*, MatrixOut) const override { return {}; }
};

/// A driven oscillator x with a stiff component: w' = cos x₁ − A(x) λ, A = 2 + sin x₂. λ acts on x₂
/// with P_x = ½. `right`: the response is correct, otherwise zero.
class SlowFast final : public BatchedRate {
 public:
  SlowFast(double epsilon, bool right)
      : BatchedRate(2, MatrixXd::Constant(1, 1, 1.5), MatrixXd::Constant(1, 1, 2.0 / epsilon),
                    1.0 / (epsilon * epsilon)),
        right_(right) {}
  template <class S>
  static void write(const S* y, const S& lambda, S* f) {
    using std::cos, std::sin;
    f[0] = y[1];
    f[1] = -y[0] + 0.1 * cos(y[2]) - 0.5 * lambda;
    f[2] = cos(y[0]) - (2.0 + sin(y[1])) * lambda;
  }
  void rates(Chart, const Pack&, const Pack* y, const Pack* lambda, Pack* f) const override {
    write(y, lambda[0], f);
  }
  Chart response(const double* y, MatrixOut P) const override {
    P << 0.0, right_ ? 0.5 : 0.0, right_ ? 2.0 + std::sin(y[1]) : 0.0;
    return {};
  }

 private:
  bool right_;
};

OdeProblem oscillator() {
  OdeProblem p;
  p.name = "oscillator";
  p.y0 = Eigen::Vector2d(1.0, 0.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f << y(1), -y(0); };
  p.batched = std::make_shared<const Oscillator>();
  return p;
}

OdeProblem slow_fast(double epsilon, bool right = true) {
  OdeProblem p;
  p.name = "slow-fast";
  p.y0 = Eigen::Vector4d(0.3, 1.0, 0.0, 0.0);
  p.rhs = [epsilon](double, VectorIn y, VectorOut f) {
    SlowFast::write(y.data(), 1.5 * y(3) + 2.0 / epsilon * y(2), f.data());
    f(3) = y(2) / (epsilon * epsilon);
  };
  p.jacobian = [epsilon](double, VectorIn y, MatrixOut J) {
    const double D = 2.0 / epsilon, lambda = 1.5 * y(3) + D * y(2), A = 2.0 + std::sin(y(1));
    J << 0.0, 1.0, 0.0, 0.0,                                          //
        -1.0, 0.0, -0.1 * std::sin(y(2)) - 0.5 * D, -0.75,            //
        -std::sin(y(0)), -std::cos(y(1)) * lambda, -A * D, -1.5 * A,  //
        0.0, 0.0, 1.0 / (epsilon * epsilon), 0.0;
  };
  p.batched = std::make_shared<const SlowFast>(epsilon, right);
  return p;
}

double oscillator_error(double h, double end) {
  SolveOptions options;
  options.fixed_step = h;
  const Solution s = solve_radau_iia_batched(oscillator(), {end}, options);
  EXPECT_EQ(s.outcome, Outcome::success) << s.message;
  return std::hypot(s.states(0, 0) - std::cos(end), s.states(1, 0) + std::sin(end));
}

// The method's error on y' = i y is 8! 7!/(15! 16!) h¹⁵ t: 2.6e-9 at h = 4, t = 24. Between h = 4
// and 3 the next term is a few per cent; at 2 the error is near round-off. ±0.5 excludes a wrong
// order.
TEST(RadauBatched, HasOrder15) {
  const double coarse = oscillator_error(3.0, 24.0), fine = oscillator_error(2.0, 24.0);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), 15.0, 0.5) << coarse << " " << fine;
}

class RadauBatchedStiff : public testing::TestWithParam<double> {};

// At rtol 1e-10 the end values of both methods are within some ten tolerances of the solution.
TEST_P(RadauBatchedStiff, AgreesWithSevenStages) {
  const OdeProblem problem = slow_fast(GetParam());
  SolveOptions options;
  options.rtol = 1e-13;
  options.atol = 1e-14;
  const std::vector<double> times{0.01, 0.5, 3.0};
  const Solution reference = solve_radau_iia_7(problem, times, options);
  ASSERT_EQ(reference.outcome, Outcome::success) << reference.message;
  options.rtol = 1e-10;
  options.atol = 1e-11;
  const Solution batched = solve_radau_iia_batched(problem, times, options);
  ASSERT_EQ(batched.outcome, Outcome::success) << batched.message;
  EXPECT_LE((batched.states - reference.states).topRows(3).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE(batched.work.steps, 200);
}

// Without the response Newton's matrix is I: steps longer than the layer do not converge, and
// without a Jacobian there is no other matrix to go on with.
TEST_P(RadauBatchedStiff, NeedsTheResponse) {
  SolveOptions options;
  options.max_steps = 300;
  OdeProblem without = slow_fast(GetParam(), false);
  without.jacobian = nullptr;
  const Solution blind = solve_radau_iia_batched(without, {3.0}, options);
  const Solution seeing = solve_radau_iia_batched(slow_fast(GetParam()), {3.0}, options);
  EXPECT_EQ(seeing.outcome, Outcome::success);
  EXPECT_GT(blind.work.steps + blind.work.rejected_steps,
            3 * (seeing.work.steps + seeing.work.rejected_steps));
}

INSTANTIATE_TEST_SUITE_P(Epsilons, RadauBatchedStiff, testing::Values(1e-2, 1e-4, 1e-6, 1e-8),
                         [](const auto& test) {
                           return "at_1em" +
                                  std::to_string(static_cast<int>(-std::log10(test.param) + 0.5));
                         });

// Twice the time needs more steps, but no more allocations.
TEST(RadauBatched, AStepAllocatesNothing) {
  const OdeProblem problem = slow_fast(1e-4);
  const auto cost = [&](double end) {
    const long before = allocations;
    const Solution s = solve_radau_iia_batched(problem, {end}, {});
    EXPECT_EQ(s.outcome, Outcome::success);
    return std::pair(s.work.steps, allocations - before);
  };
  cost(1.0);  // computes the tableau
  const auto [steps, count] = cost(10.0);
  const auto [more_steps, more_count] = cost(20.0);
  EXPECT_GE(more_steps, steps + 5);
  EXPECT_EQ(more_count, count);
}

// Negative control: the counter detects allocations.
TEST(RadauBatched, TheCounterDetectsAllocations) {
  const long before = allocations;
  const VectorXd one(1000);
  EXPECT_NE(one.data(), nullptr);
  const auto* vector = new std::vector<int>(10);
  EXPECT_EQ(allocations, before + 2);
  delete vector;
}

// x' = x cos t, x = exp(sin t). If all stages had the time of the step's start, the solution would
// begin as exp(cos(0) t).
TEST(RadauBatched, UsesTheTimeOfEachStage) {
  class Swelling final : public BatchedRate {
   public:
    Swelling() : BatchedRate(1, MatrixXd(0, 0), MatrixXd(0, 0), 0.0) {}
    void rates(Chart, const Pack& t, const Pack* x, const Pack*, Pack* f) const override {
      f[0] = x[0] * cos(t);
    }
    Chart response(const double*, MatrixOut) const override { return {}; }
  };
  OdeProblem p;
  p.name = "x' = x cos t";
  p.y0 = VectorXd::Ones(1);
  p.rhs = [](double t, VectorIn y, VectorOut f) { f = y * std::cos(t); };
  p.batched = std::make_shared<const Swelling>();
  SolveOptions options;
  options.rtol = 1e-10;
  const Solution s = solve_radau_iia_batched(p, {1.0, 4.0}, options);
  ASSERT_EQ(s.outcome, Outcome::success) << s.message;
  EXPECT_NEAR(s.states(0, 0), std::exp(std::sin(1.0)), 1e-8);  // between two steps
  EXPECT_NEAR(s.states(0, 1), std::exp(std::sin(4.0)), 1e-9);
}

/// The oscillator in (scale · x₁, x₂); the scale changes after each step.
class Rescaled final : public BatchedRate {
 public:
  explicit Rescaled(std::shared_ptr<double> scale)
      : BatchedRate(2, MatrixXd(0, 0), MatrixXd(0, 0), 0.0), scale_(std::move(scale)) {}
  void rates(Chart, const Pack&, const Pack* y, const Pack*, Pack* f) const override {
    f[0] = Pack(*scale_) * y[1];
    f[1] = -y[0] / Pack(*scale_);
  }
  Chart response(const double*, MatrixOut) const override { return {}; }

 private:
  std::shared_ptr<double> scale_;
};

TEST(RadauBatched, ContinuesInRechosenCoordinates) {
  const auto scale = std::make_shared<double>(1.0);
  int chosen = 0;
  MovingCoordinatesOf<double> coordinates;
  coordinates.reset = [scale] { *scale = 1.0; };
  coordinates.output_size = 2;
  coordinates.output = [scale](const double&, VectorIn y, VectorOut x) {
    x << y(0) / *scale, y(1);
  };
  coordinates.output_of_eight = [scale](const Pack* y, Pack* x) {
    x[0] = y[0] / Pack(*scale);
    x[1] = y[1];
  };
  coordinates.rechoose = [scale, &chosen](double, MatrixOut y, MatrixOut change) {
    const double factor = ++chosen % 2 == 0 ? 0.2 : 5.0;
    *scale *= factor;
    y.row(0) *= factor;
    change << factor, 0.0, 0.0, 1.0;
    return true;
  };
  OdeProblem p = oscillator();
  p.batched = std::make_shared<const Rescaled>(scale);
  p.coordinates = std::make_shared<const MovingCoordinatesOf<double>>(coordinates);
  SolveOptions options;
  options.rtol = 1e-10;
  const Solution s = solve_radau_iia_batched(p, {0.37, 5.0}, options);
  const Solution fixed = solve_radau_iia_batched(oscillator(), {0.37, 5.0}, options);
  ASSERT_EQ(s.outcome, Outcome::success) << s.message;
  for (Index k = 0; k < 2; ++k)
    EXPECT_NEAR(s.states(0, k), std::cos(s.times[static_cast<std::size_t>(k)]), 1e-8);
  EXPECT_GT(chosen, 1);
  // The last step's polynomial is transformed too, so that predictions stay as good.
  EXPECT_LE(s.work.rhs_evaluations, fixed.work.rhs_evaluations * 5 / 4);
}

TEST(RadauBatched, ReportsTheTimeOfAFailure) {
  class Bursting final : public BatchedRate {
   public:
    Bursting() : BatchedRate(1, MatrixXd(0, 0), MatrixXd(0, 0), 0.0) {}
    void rates(Chart, const Pack&, const Pack* x, const Pack*, Pack* f) const override {
      f[0] = x[0] * x[0];
    }
    Chart response(const double*, MatrixOut) const override { return {}; }
  };
  OdeProblem p;
  p.name = "x' = x^2";
  p.y0 = VectorXd::Ones(1);
  p.rhs = [](double, VectorIn y, VectorOut f) { f = y.cwiseAbs2(); };
  p.batched = std::make_shared<const Bursting>();
  const Solution s = solve_radau_iia_batched(p, {0.5, 2.0}, {});  // infinite at t = 1
  EXPECT_NE(s.outcome, Outcome::success);
  EXPECT_NEAR(s.t_reached, 1.0, 1e-2);
  EXPECT_NEAR(s.states(0, 0), 2.0, 1e-6);
  EXPECT_FALSE(s.message.empty());
}

}  // namespace
}  // namespace rigidlimit
