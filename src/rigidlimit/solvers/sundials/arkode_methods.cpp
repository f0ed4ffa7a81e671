// Table data of the ARKODE methods in the catalogue.
#include <cstdio>  // the next headers need it but do not include it

#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>

#include "rigidlimit/solvers/sundials/arkode.hpp"

namespace rigidlimit {
namespace {

template <int implicit, int explicit_>
Solution solve_with_table(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options) {
  return solve_arkode(problem, times, options,
                      {.implicit_part = implicit, .explicit_part = explicit_});
}

/// Properties of a catalogue entry beyond its table. Names end as the library's enumerators do:
/// stages, order of the embedded formula, order.
struct Facts {
  const char* name;
  const char* title;
  int order;
  int stages;
  const char* source;
};

constexpr OdeMethod method(const Facts& facts, const char* stability, bool stiff) {
  return {.name = facts.name,
          .title = facts.title,
          .order = facts.order,
          .stages = facts.stages,
          .stability = stability,
          .source = facts.source,
          .stiff = stiff,
          .exact_jacobian = false,
          .fixed_step = true,
          .dense_output = false};
}

template <ARKODE_ERKTableID table>
constexpr OdeMethod erk(const Facts& facts) {
  OdeMethod entry = method(facts, "explicit", false);
  entry.function = solve_with_table<ARKODE_DIRK_NONE, table>;
  return entry;
}

template <ARKODE_DIRKTableID table>
constexpr OdeMethod dirk(const Facts& facts, const char* stability = "L-stable") {
  OdeMethod entry = method(facts, stability, true);
  entry.function = solve_with_table<table, ARKODE_ERK_NONE>;
  return entry;
}

template <ARKODE_DIRKTableID implicit, ARKODE_ERKTableID explicit_>
constexpr OdeMethod imex(const Facts& facts) {
  OdeMethod entry = method(facts, "L-stable in the stiff part, explicit in the rest", true);
  entry.splits = true;
  entry.function = solve_with_table<implicit, explicit_>;
  return entry;
}

constexpr const char* kennedy_carpenter_2003 =
    "ARKODE; Kennedy & Carpenter, Appl. Numer. Math. 44 (2003)";
constexpr const char* kennedy_carpenter_2016 =
    "ARKODE; Kennedy & Carpenter, NASA/TM-2016-219173 (2016)";
constexpr const char* kennedy_carpenter_2019 =
    "ARKODE; Kennedy & Carpenter, Appl. Numer. Math. 136 (2019)";
constexpr const char* kvaerno_2004 = "ARKODE; Kvaerno, BIT 44 (2004)";
constexpr const char* cash_1979 = "ARKODE; Cash, J. ACM 26 (1979)";

// Omitted diagonally implicit tables: SDIRK 2-1-2, whose error estimate has order 1 and makes it
// slow (30 000 steps where others take 100). Also tables with a stage beyond the end of the step,
// which would evaluate f beyond the last output time: Billington 3-3-2 (c = 1.29), Kvaerno 7-4-5
// (1.23), ESDIRK436L2SA, QESDIRK436L2SA, ESDIRK547L2SA (1.04). Cash's two tables have a stage at t
// - 0.7 h, before the start, and coefficients of 11 digits.
constexpr OdeMethod the_methods[] = {
    erk<ARKODE_BOGACKI_SHAMPINE_4_2_3>({"arkode_erk_bogacki_shampine_4_2_3",
                                        "ARKODE, Bogacki & Shampine's pair of order 3(2)", 3, 4,
                                        "ARKODE; Bogacki & Shampine (1989)"}),
    erk<ARKODE_ZONNEVELD_5_3_4>({"arkode_erk_zonneveld_5_3_4",
                                 "ARKODE, Zonneveld's pair of order 4(3)", 4, 5,
                                 "ARKODE; Zonneveld (1963)"}),
    erk<ARKODE_CASH_KARP_6_4_5>({"arkode_erk_cash_karp_6_4_5",
                                 "ARKODE, Cash & Karp's pair of order 5(4)", 5, 6,
                                 "ARKODE; Cash & Karp, ACM TOMS 16 (1990)"}),
    erk<ARKODE_DORMAND_PRINCE_7_4_5>({"arkode_erk_dormand_prince_7_4_5",
                                      "ARKODE, Dormand & Prince's pair of order 5(4)", 5, 7,
                                      "ARKODE; Dormand & Prince (1980)"}),
    erk<ARKODE_VERNER_8_5_6>({"arkode_erk_verner_8_5_6", "ARKODE, Verner's pair of order 6(5)", 6,
                              8, "ARKODE; Verner (1978)"}),
    erk<ARKODE_FEHLBERG_13_7_8>({"arkode_erk_fehlberg_13_7_8",
                                 "ARKODE, Fehlberg's pair of order 8(7)", 8, 13,
                                 "ARKODE; Fehlberg, NASA TR R-287 (1968)"}),

    dirk<ARKODE_TRBDF2_3_3_2>({"arkode_dirk_trbdf2_3_3_2", "ARKODE, TR-BDF2, order 2(3)", 2, 3,
                               "ARKODE; Bank et al. (1985), Hosea & Shampine (1996)"}),
    dirk<ARKODE_KVAERNO_4_2_3>(
        {"arkode_dirk_kvaerno_4_2_3", "ARKODE, Kvaerno's ESDIRK 3(2)", 3, 4, kvaerno_2004}),
    dirk<ARKODE_ARK324L2SA_DIRK_4_2_3>({"arkode_dirk_ark324l2sa_4_2_3",
                                        "ARKODE, the implicit half of ARK3(2)4L[2]SA", 3, 4,
                                        kennedy_carpenter_2003}),
    dirk<ARKODE_ESDIRK324L2SA_4_2_3>({"arkode_dirk_esdirk324l2sa_4_2_3",
                                      "ARKODE, ESDIRK3(2)4L[2]SA", 3, 4, kennedy_carpenter_2019}),
    dirk<ARKODE_ESDIRK325L2SA_5_2_3>({"arkode_dirk_esdirk325l2sa_5_2_3",
                                      "ARKODE, ESDIRK3(2)5L[2]SA", 3, 5, kennedy_carpenter_2016}),
    dirk<ARKODE_ESDIRK32I5L2SA_5_2_3>({"arkode_dirk_esdirk32i5l2sa_5_2_3",
                                       "ARKODE, ESDIRK3(2I)5L[2]SA", 3, 5, kennedy_carpenter_2016}),
    dirk<ARKODE_CASH_5_2_4>(
        {"arkode_dirk_cash_5_2_4", "ARKODE, Cash's SDIRK 4(2)", 4, 5, cash_1979}),
    dirk<ARKODE_CASH_5_3_4>(
        {"arkode_dirk_cash_5_3_4", "ARKODE, Cash's SDIRK 4(3)", 4, 5, cash_1979}),
    dirk<ARKODE_SDIRK_5_3_4>({"arkode_dirk_sdirk_5_3_4", "ARKODE, SDIRK4 of Hairer & Wanner, 4(3)",
                              4, 5, "ARKODE; Hairer & Wanner, Solving ODEs II, IV.6"}),
    dirk<ARKODE_KVAERNO_5_3_4>(
        {"arkode_dirk_kvaerno_5_3_4", "ARKODE, Kvaerno's ESDIRK 4(3)", 4, 5, kvaerno_2004},
        "A-stable"),
    dirk<ARKODE_ARK436L2SA_DIRK_6_3_4>({"arkode_dirk_ark436l2sa_6_3_4",
                                        "ARKODE, the implicit half of ARK4(3)6L[2]SA", 4, 6,
                                        kennedy_carpenter_2003}),
    dirk<ARKODE_ARK437L2SA_DIRK_7_3_4>({"arkode_dirk_ark437l2sa_7_3_4",
                                        "ARKODE, the implicit half of ARK4(3)7L[2]SA", 4, 7,
                                        kennedy_carpenter_2019}),
    dirk<ARKODE_ESDIRK43I6L2SA_6_3_4>({"arkode_dirk_esdirk43i6l2sa_6_3_4",
                                       "ARKODE, ESDIRK4(3I)6L[2]SA", 4, 6, kennedy_carpenter_2016}),
    dirk<ARKODE_ESDIRK437L2SA_7_3_4>({"arkode_dirk_esdirk437l2sa_7_3_4",
                                      "ARKODE, ESDIRK4(3)7L[2]SA", 4, 7, kennedy_carpenter_2019}),
    dirk<ARKODE_ARK548L2SA_DIRK_8_4_5>({"arkode_dirk_ark548l2sa_8_4_5",
                                        "ARKODE, the implicit half of ARK5(4)8L[2]SA", 5, 8,
                                        kennedy_carpenter_2003}),
    dirk<ARKODE_ARK548L2SAb_DIRK_8_4_5>({"arkode_dirk_ark548l2sab_8_4_5",
                                         "ARKODE, the implicit half of ARK5(4)8L[2]SA_2", 5, 8,
                                         kennedy_carpenter_2019}),
    dirk<ARKODE_ESDIRK547L2SA2_7_4_5>({"arkode_dirk_esdirk547l2sa2_7_4_5",
                                       "ARKODE, ESDIRK5(4)7L[2]SA2", 5, 7, kennedy_carpenter_2019}),

    imex<ARKODE_ARK324L2SA_DIRK_4_2_3, ARKODE_ARK324L2SA_ERK_4_2_3>(
        {"arkode_imex_ark324l2sa_4_2_3", "ARKODE, additive pair ARK3(2)4L[2]SA", 3, 4,
         kennedy_carpenter_2003}),
    imex<ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ARK436L2SA_ERK_6_3_4>(
        {"arkode_imex_ark436l2sa_6_3_4", "ARKODE, additive pair ARK4(3)6L[2]SA", 4, 6,
         kennedy_carpenter_2003}),
    imex<ARKODE_ARK437L2SA_DIRK_7_3_4, ARKODE_ARK437L2SA_ERK_7_3_4>(
        {"arkode_imex_ark437l2sa_7_3_4", "ARKODE, additive pair ARK4(3)7L[2]SA", 4, 7,
         kennedy_carpenter_2019}),
    imex<ARKODE_ARK548L2SA_DIRK_8_4_5, ARKODE_ARK548L2SA_ERK_8_4_5>(
        {"arkode_imex_ark548l2sa_8_4_5", "ARKODE, additive pair ARK5(4)8L[2]SA", 5, 8,
         kennedy_carpenter_2003}),
    imex<ARKODE_ARK548L2SAb_DIRK_8_4_5, ARKODE_ARK548L2SAb_ERK_8_4_5>(
        {"arkode_imex_ark548l2sab_8_4_5", "ARKODE, additive pair ARK5(4)8L[2]SA_2", 5, 8,
         kennedy_carpenter_2019}),
};

}  // namespace

std::span<const OdeMethod> arkode_methods() {
  return the_methods;
}

}  // namespace rigidlimit
