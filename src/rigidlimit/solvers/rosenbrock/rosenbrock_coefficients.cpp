#include "rigidlimit/solvers/rosenbrock/rosenbrock_coefficients.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

using Entries = std::initializer_list<double>;

VectorXd vector_of(Entries entries) {
  VectorXd v(static_cast<Index>(entries.size()));
  Index i = 0;
  for (const double entry : entries) v(i++) = entry;
  return v;
}

/// s × s; omitted entries are zero.
MatrixXd triangle(Index s, std::initializer_list<Entries> rows) {
  MatrixXd M = MatrixXd::Zero(s, s);
  Index i = 0;
  for (const Entries& row : rows) {
    Index j = 0;
    for (const double entry : row) M(i, j++) = entry;
    ++i;
  }
  return M;
}

MatrixXd rows_of(std::initializer_list<Entries> rows) {
  MatrixXd M(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const Entries& row : rows) M.row(i++) = vector_of(row).transpose();
  return M;
}

/// From γ, a, c, m, m_error to k.
void complete_in_k(RosenbrockTableau& t) {
  const Index s = t.m.size();
  t.Gamma = inverse_of(MatrixXd::Identity(s, s) / t.gamma - t.c);
  t.alpha = t.a * t.Gamma;
  t.b = t.Gamma.transpose() * t.m;
  t.b_embedded = t.Gamma.transpose() * (t.m - t.m_error);
}

/// From γ, alpha, Gamma, b, b_embedded to u.
void complete_in_u(RosenbrockTableau& t) {
  const Index s = t.b.size();
  const MatrixXd inverse = inverse_of(t.Gamma);
  t.a = t.alpha * inverse;
  t.c = MatrixXd::Identity(s, s) / t.gamma - inverse;
  t.m = inverse.transpose() * t.b;
  t.m_error = t.m - inverse.transpose() * t.b_embedded;
}

/// Four stages: b(θ) = Σ_p θ^p C_p from the four conditions of order 3,
/// V b(θ) = (θ, θ²/2, θ³/3, θ³/6) with the rows 1, β, α², (α + Γ)β of V.
MatrixXd extension_of_order_3(const RosenbrockTableau& t) {
  const MatrixXd B = t.alpha + t.Gamma;
  const VectorXd beta = B.rowwise().sum();
  Eigen::Matrix4d V;
  V.row(0).setOnes();
  V.row(1) = beta.transpose();
  V.row(2) = t.alpha.rowwise().sum().array().square().transpose();
  V.row(3) = (B * beta).transpose();
  Eigen::Matrix<double, 4, 2> powers;  // of θ², θ³
  powers << 0.0, 0.0, 0.5, 0.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 6.0;
  // In u; then C₁ = m + H₀, C₂ = −H₀ + H₁, C₃ = −H₁ for the rows H of `between`.
  const MatrixXd C = inverse_of(t.Gamma).transpose() * V.inverse() * powers;
  MatrixXd between(2, 4);
  between.row(1) = -C.col(1).transpose();
  between.row(0) = between.row(1) - C.col(0).transpose();
  return between;
}

/// Published with 16 digits: allows a rounding of each term, and of the inverse of Γ.
constexpr double published = 1e-13;

RosenbrockTableau checked(RosenbrockTableau tableau) {
  check_rosenbrock_tableau(tableau, published);
  return tableau;
}

/// The last stage's argument is the embedded solution: m and â are its row and 1, the error is u_s.
void embed_in_last_stage(RosenbrockTableau& t) {
  const Index s = t.a.rows();
  t.m = t.a.row(s - 1).transpose();
  t.m(s - 1) = 1.0;
  t.m_error = VectorXd::Unit(s, s - 1);
  complete_in_k(t);
}

RosenbrockTableau make_rodas4() {
  RosenbrockTableau t{.name = "rodas4",
                      .order = 4,
                      .embedded_order = 3,
                      .continuous_order = 4,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.25};
  t.a = triangle(
      6, {{},
          {1.544},
          {0.9466785280815826, 0.2557011698983284},
          {3.314825187068521, 2.896124015972201, 0.9986419139977817},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0}});
  t.c = triangle(6, {{},
                     {-5.6688},
                     {-2.430093356833875, -0.2063599157091915},
                     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
                     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
                     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
                      -6.058818238834054}});
  t.alpha_sum = vector_of({0.0, 0.386, 0.21, 0.63, 1.0, 1.0});
  t.gamma_sum = vector_of({0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0});
  t.between = rows_of({{10.12623508344586, -7.487995877610167, -34.80091861555747,
                        -7.992771707568823, 1.025137723295662, 0.0},
                       {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                        24.76722511418386, -6.594389125716872, 0.0}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_rodasp() {
  RosenbrockTableau t{.name = "rodasp",
                      .order = 4,
                      .embedded_order = 3,
                      .continuous_order = 4,
                      .prothero_robinson_order = 3,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.25};
  t.a = triangle(
      6, {{},
          {3.0},
          {1.831036793486759, 0.4955183967433795},
          {2.304376582692669, -0.05249275245743001, -1.176798761832782},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 1.0}});
  t.c = triangle(6, {{},
                     {-12.0},
                     {-8.791795173947035, -2.207865586973518},
                     {10.81793056857153, 6.780270611428266, 19.53485944642410},
                     {34.19095006749676, 15.49671153725963, 54.74760875964130, 14.16005392148534},
                     {34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095,
                      -5.714285714285717}});
  t.alpha_sum = vector_of({0.0, 0.75, 0.21, 0.63, 1.0, 1.0});
  t.gamma_sum = vector_of({0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0});
  t.between = rows_of(
      {{25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133, 0.0, 0.0},
       {1.638054557396973, -0.7373619806678748, 8.477918219238990, 15.99253148779520,
        -1.882352941176471, 0.0}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_rodas5p() {
  RosenbrockTableau t{.name = "rodas5p",
                      .order = 5,
                      .embedded_order = 4,
                      .continuous_order = 5,
                      .prothero_robinson_order = 3,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.21193756319429014};
  t.a = triangle(
      8, {{},
          {3.0},
          {2.849394379747939, 0.45842242204463923},
          {-6.954028509809101, 2.489845061869568, -10.358996098473584},
          {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
           0.030198172008377946}});
  for (const Index i : {6, 7}) t.a.row(i).head(5) = t.a.row(5).head(5);
  t.a(6, 5) = t.a(7, 5) = t.a(7, 6) = 1.0;
  t.c =
      triangle(8, {{},
                   {-14.155112264123755},
                   {-17.97296035885952, -2.859693295451294},
                   {147.12150275711716, -1.41221402718213, 71.68940251302358},
                   {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
                   {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
                    -0.6610691825249471},
                   {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
                    -19.097331116725623, -28.087943162872662},
                   {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
                    -40.06618937091002, -54.66780262877968, -9.48861652309627}});
  t.alpha_sum = vector_of({0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716,
                           0.4288403609558664, 1.0, 1.0, 1.0});
  t.gamma_sum = vector_of({0.21193756319429014, -0.42387512638858027, -0.3384627126235924,
                           1.8046452872882734, 2.325825639765069, 0.0, 0.0, 0.0});
  t.between =
      rows_of({{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
                0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
               {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
                20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
               {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
                -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_ros34pw2() {
  const double g = 0.43586652150845900;
  RosenbrockTableau t{.name = "ros34pw2",
                      .order = 3,
                      .embedded_order = 2,
                      .continuous_order = 3,
                      .prothero_robinson_order = 2,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = g};
  t.alpha = triangle(
      4, {{}, {0.87173304301691801}, {0.84457060015369423, -0.11299064236484185}, {0.0, 0.0, 1.0}});
  t.Gamma = triangle(4, {{g},
                         {-0.87173304301691801, g},
                         {-0.90338057013044082, 0.054180672388095326, g},
                         {0.24212380706095346, -1.2232505839045147, 0.54526025533510214, g}});
  t.b = vector_of({0.24212380706095346, -1.2232505839045147, 1.5452602553351020, g});
  t.b_embedded = vector_of({0.37810903145819369, -0.096042292212423178, 0.5, 0.21793326075422950});
  t.alpha_sum = t.alpha.rowwise().sum();
  t.gamma_sum = t.Gamma.rowwise().sum();
  complete_in_u(t);
  t.between = extension_of_order_3(t);
  return checked(t);
}

/// Checks each property of one tableau and names the failing one.
struct Check {
  const RosenbrockTableau& t;
  double tolerance;

  void small(const char* condition, int k, double value, double size) const {
    if (!(std::abs(value) <= tolerance * size))
      throw std::logic_error(
          fmt::format("{}: {} ({}) is violated by {:.3g}", t.name, condition, k, value));
  }

  void trees(const char* condition, const VectorXd& b, int order) const {
    for (int p = 1; p <= order; ++p)
      for (const RootedTree& tree : rooted_trees(p)) {
        const ConditionResidual residual = order_condition(t, b, tree);
        small(condition, p, residual.value, residual.size);
      }
  }
};

}  // namespace

void check_rosenbrock_tableau(const RosenbrockTableau& t, double tolerance) {
  const Check check{t, tolerance};
  const auto s = static_cast<int>(t.stages());
  const VectorXd alpha = t.alpha.rowwise().sum(), gamma = t.Gamma.rowwise().sum();
  const MatrixXd forward = MatrixXd::Identity(s, s) / t.gamma - t.c;
  const MatrixXd both = t.Gamma * forward;
  for (int i = 0; i < s; ++i) {
    const double size = 1.0 + t.Gamma.row(i).cwiseAbs().dot(forward.cwiseAbs().rowwise().sum());
    check.small("row sum alpha", i, alpha(i) - t.alpha_sum(i), size);
    check.small("row sum gamma", i, gamma(i) - t.gamma_sum(i), size);
    check.small("diagonal of Gamma", i, t.Gamma(i, i) - t.gamma, 1.0);
    for (int j = 0; j < s; ++j)
      check.small("c = I/gamma - 1/Gamma", i, both(i, j) - (i == j ? 1.0 : 0.0), size);
    const double last = t.alpha(s - 1, i) + t.Gamma(s - 1, i);
    if (t.stiffly_accurate) check.small("stiff accuracy", i, t.b(i) - last, size);
  }
  check.trees("condition of order", t.b, t.order);
  check.trees("embedded condition of order", t.b_embedded, t.embedded_order);
  if (t.stiffly_accurate) check.small("alpha_s = 1", s, alpha(s - 1) - 1.0, 1.0);
  // Sums of s terms with an inverse: a hundred roundings.
  if (t.l_stable) check.small("R(infinity) = 0", 0, stability_at_infinity(t, t.b), 1e2);
  for (int q = 2; q <= t.prothero_robinson_order; ++q)
    for (const double z : {-0.5, -3.0, -40.0})
      check.small("Prothero-Robinson, q", q, prothero_robinson_defect(t, q, z), 1e2);
}

const RosenbrockTableau& rodas4_tableau() {
  static const RosenbrockTableau tableau = make_rodas4();
  return tableau;
}
const RosenbrockTableau& rodasp_tableau() {
  static const RosenbrockTableau tableau = make_rodasp();
  return tableau;
}
const RosenbrockTableau& rodas5p_tableau() {
  static const RosenbrockTableau tableau = make_rodas5p();
  return tableau;
}
const RosenbrockTableau& ros34pw2_tableau() {
  static const RosenbrockTableau tableau = make_ros34pw2();
  return tableau;
}

namespace {

/// Adds to `made` every tree with these `branches` and further ones of `left` vertices in total.
/// The further branches start at tree number `first` of size `size`, so that each multiset occurs
/// once.
void complete(std::vector<RootedTree>& branches, int left, int size, std::size_t first,
              std::vector<RootedTree>& made) {
  if (left == 0) {
    made.push_back({branches});
    return;
  }
  for (; size <= left; ++size, first = 0) {
    const std::vector<RootedTree> candidates = rooted_trees(size);
    for (std::size_t k = first; k < candidates.size(); ++k) {
      branches.push_back(candidates[k]);
      complete(branches, left - size, size, k, made);
      branches.pop_back();
    }
  }
}

int vertices(const RootedTree& tree) {
  int count = 1;
  for (const RootedTree& branch : tree.branches) count += vertices(branch);
  return count;
}

/// γ(t): the number of vertices times that of every branch.
double density(const RootedTree& tree) {
  double product = vertices(tree);
  for (const RootedTree& branch : tree.branches) product *= density(branch);
  return product;
}

/// Φ(tree), s numbers, with the two matrices or with their moduli.
VectorXd weights(const MatrixXd& alpha, const MatrixXd& beta, const RootedTree& tree) {
  VectorXd product = VectorXd::Ones(alpha.rows());
  const MatrixXd& matrix = tree.branches.size() == 1 ? beta : alpha;
  for (const RootedTree& branch : tree.branches)
    product = product.cwiseProduct(matrix * weights(alpha, beta, branch)).eval();
  return product;
}

double factorial(int q) {
  return std::tgamma(q + 1.0);
}

}  // namespace

std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> made, branches;
  complete(branches, order - 1, 1, 0, made);
  return made;
}

ConditionResidual order_condition(const RosenbrockTableau& tableau, const VectorXd& b,
                                  const RootedTree& tree) {
  const MatrixXd& alpha = tableau.alpha;
  const double target = 1.0 / density(tree);
  const double sum = b.dot(weights(alpha, alpha + tableau.Gamma, tree));
  const double size = b.cwiseAbs().dot(
      weights(alpha.cwiseAbs(), alpha.cwiseAbs() + tableau.Gamma.cwiseAbs(), tree));
  return {.value = sum - target, .size = size + target};
}

double stability_function(const RosenbrockTableau& tableau, const VectorXd& b, double z) {
  const Index s = tableau.stages();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * (tableau.alpha + tableau.Gamma);
  return 1.0 + z * b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(s))));
}

double stability_at_infinity(const RosenbrockTableau& tableau, const VectorXd& b) {
  const MatrixXd matrix = tableau.alpha + tableau.Gamma;
  return 1.0 - b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(tableau.stages()))));
}

double prothero_robinson_defect(const RosenbrockTableau& tableau, int q, double z) {
  const Index s = tableau.stages();
  const MatrixXd B = tableau.alpha + tableau.Gamma;
  const VectorXd alpha = tableau.alpha.rowwise().sum();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * B;
  VectorXd right = -z * alpha.array().pow(q) / factorial(q);
  if (q == 2)
    right += B.rowwise().sum();
  else
    right += (alpha.array().pow(q - 1) / factorial(q - 1)).matrix();
  return tableau.b.dot(LuFactors<double>(matrix).solve(right)) - 1.0 / factorial(q);
}

}  // namespace rigidlimit
