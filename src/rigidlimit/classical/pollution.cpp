#include <array>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// One reaction: its educts, one molecule of each, and its products. Species are numbered from 1 as
/// in Verwer's paper; 0: none.
struct Reaction {
  double rate;  ///< per minute, or per minute and ppm
  std::array<int, 2> from;
  std::array<int, 3> to;
};

/// Verwer's tables 1 and 2. A species listed twice in `to` is produced twice.
constexpr std::array<Reaction, 25> reactions = {{
    {0.35, {1}, {2, 3}},       {26.6, {2, 4}, {1}},        {1.23e4, {5, 2}, {6, 1}},
    {8.6e-4, {7}, {5, 5, 8}},  {8.2e-4, {7}, {8}},         {1.5e4, {7, 6}, {5, 8}},
    {1.3e-4, {9}, {5, 8, 10}}, {2.4e4, {9, 6}, {11}},      {1.65e4, {11, 2}, {1, 10, 12}},
    {9e3, {11, 1}, {13}},      {2.2e-2, {13}, {11, 1}},    {1.2e4, {10, 2}, {14, 1}},
    {1.88, {14}, {7, 5}},      {1.63e4, {1, 6}, {15}},     {4.8e6, {3}, {4}},
    {3.5e-4, {4}, {16}},       {1.75e-2, {4}, {3}},        {1e8, {16}, {6, 6}},
    {4.44e11, {16}, {3}},      {1.24e3, {17, 6}, {5, 18}}, {2.1, {19}, {2}},
    {5.78, {19}, {1, 3}},      {4.74e-2, {1, 4}, {19}},    {1.78e3, {19, 1}, {20}},
    {3.12, {20}, {19, 1}},
}};

/// c: the rates of the reactions.
struct Pollution {
  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector& c,
                  ExpressionVector& dydt) const {
    dydt.setZero();
    Index r = 0;
    for (const Reaction& reaction : reactions) {
      Expression speed = c[r++] * y[reaction.from[0] - 1];
      if (reaction.from[1] > 0) speed *= y[reaction.from[1] - 1];
      for (const int species : reaction.from)
        if (species > 0) dydt[species - 1] -= speed;
      for (const int species : reaction.to)
        if (species > 0) dydt[species - 1] += speed;
    }
  }
};

}  // namespace

ClassicalEntry pollution() {
  return {
      .name = "pollution",
      .title = "Pollution: 25 reactions of 20 species in air, one hour",
      .source = "Verwer (1994), SIAM J. Sci. Comput. 15, 1243-1250",
      .parameters = {{"photolysis", 0.35, "rate of NO2 -> NO + O, per minute", positive}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{
            .name = "pollution",
            .unknowns = {"NO2",  "NO",  "O3P", "O3",   "HO2",  "OH",  "HCHO", "CO",  "ALD", "MEO2",
                         "C2O3", "CO2", "PAN", "CH3O", "HNO3", "O1D", "SO2",  "SO4", "NO3", "N2O5"},
            .end = 60.0,
            .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(20, 1e-12)}};
        problem.tolerance.atol[15] = 1e-22;  // O1D ends at 4e-18
        std::vector<double> y0(20, 0.0);
        y0[1] = 0.2;
        y0[3] = 0.04;
        y0[6] = 0.1;
        y0[7] = 0.3;
        y0[8] = 0.01;
        y0[16] = 0.007;
        std::vector<double> rates;
        for (const Reaction& reaction : reactions) rates.push_back(reaction.rate);
        rates[0] = values[0];
        set_equations(problem, Pollution{}, y0, rates);
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), pollu: RADAU5 on "
                       "a Cray C90, rtol = atol = 1.1e-18, round-off 1.01e-19",
             .values = printed(
                 {"0.5646255480022769e-1",  "0.1342484130422339e0",  "0.4139734331099427e-8",
                  "0.5523140207484359e-2",  "0.2018977262302196e-6", "0.1464541863493966e-6",
                  "0.7784249118997964e-1",  "0.3245075353396018e0",  "0.7494013383880406e-2",
                  "0.1622293157301561e-7",  "0.1135863833257075e-7", "0.2230505975721359e-2",
                  "0.2087162882798630e-3",  "0.1396921016840158e-4", "0.8964884856898295e-2",
                  "0.4352846369330103e-17", "0.6899219696263405e-2", "0.1007803037365946e-3",
                  "0.1772146513969984e-5",  "0.5682943292316392e-4"}),
             .confirmed = {16, 16, 16, 15, 16, 16, 16, 16, 16, 15,
                           16, 15, 16, 16, 16, 15, 16, 16, 15, 15}}};
        return problem;
      }};
}

}  // namespace rigidlimit
