// The texts of the topics.
#include <fmt/format.h>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/cli/topics.hpp"
#include "rigidlimit/cli/wrapped_text.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

namespace {

constexpr const char* study_files =
    R"(A study is a TOML file: a system, its start, a contact, values of eps, and what is
expected of the errors. The smallest one that is judged:

  [study]
  name = "first"                 # results/first/
  [system]
  name = "knife_edge"            # parameters: rigidlimit describe knife_edge
  [epsilon]
  from = 1e-1                    # geometric; or values = [...]
  to = 1e-4
  count = 10
  [time]
  end = 2.0                      # s
  [[expect]]
  quantity = "q"                 # q, v or lambda
  order = 2.0

[initial] gives q and v, [contact] law, stiffness, damping and preparation,
[solvers] methods and tolerances; [[bound]] is a gate for those who know a constant.
All of it, commented, for any system:

  rigidlimit init my_study --system rolling_disk

Whatever is wrong is said with file, line and column, the value, and what would
be valid. Any value can be overridden, in a shell that is best quoted:

  rigidlimit run my_study.toml --set contact.damping_ratio=0.5
  rigidlimit run my_study.toml --set 'solvers.compliant=["cvode_bdf"]'

A file with [map] is a map over dampings or of modes, one with [benchmark] puts methods
on trial, one with [history] or friction in [contact] is of friction and impacts: what
a file is decides what rigidlimit run does with it. [sweep] makes of one study as many
as its values have combinations:

  [sweep]
  contact.damping_ratio = [0.5, 1.0, 2.0]
  solvers.rtol = {from = 1e-12, to = 1e-6, count = 7})";

constexpr const char* epsilon =
    R"(eps is the small parameter of the contact. Its stiffness is C/eps^2 and its
damping D/eps^beta, with beta = 1 unless contact.damping_exponent says otherwise:

  M(q) v' = F(q, v, t) - G(q)^T lambda,   y' = G(q) v
  lambda  = (C/eps^2) y + (D/eps^beta) y'

As eps -> 0 the motion tends to ideal rolling, G(q) v = 0. After a layer 0 < t < O(eps),
in which the spring takes up its load, the difference is O(eps^2) in q, v and lambda;
over all t it is O(eps^2) in q, O(eps) in v and O(1) in lambda: orders 2, 1, 0.

Take eps that fall by equal ratios, over two decades at least. The largest should
make the contact several times as fast as the system; the smallest is bounded by
the tolerances: the error of q falls as eps^2 and must stay ten times above them.

  rigidlimit run FILE.toml --set epsilon.from=1e-2 --set epsilon.to=1e-5
  rigidlimit run FILE.toml --set 'epsilon.values=[1e-2, 5e-3, 2e-3, 1e-3]'

Other laws call something else eps: rigidlimit list laws. In a map over stiffness c
and damping d, eps = sqrt(1/c).)";

constexpr const char* errors = R"(Every row has three errors, never one.

  model error      what eps does: the distance of the compliant from the rigid
                   motion, in one quantity, norm and window
  solver error     what the tolerance does: the distance to a second solve at
                   tolerances {0:g} times as large, over 1 - {0:g}
  reference error  how well the rigid motion is known: the distance to one from
                   another formulation and another method, or a closed form

A row whose model error is less than {1:g} times one of the other two is no evidence: it
says solver_limited or reference_limited and takes no part in a fit. So does a row
that would change by a tenth if every other sample were left out: sampling_limited.
Two motions that agree to rounding are equal.

q, v and lambda are judged apart, in the largest value over the samples (sup) and in
the mean square (l2), over all t and over t > after.

  rigidlimit explain solver_limited)";

constexpr const char* orders =
    R"(The order between two neighbouring eps is log(e1/e2)/log(eps1/eps2), sign kept. The
fitted order is over the longest run of the smallest eps in which all neighbour
orders lie within the tolerance of the fit: {0} rows of evidence at least, or 3 of 3. It
comes with the standard error of the straight line. "For eps -> 0" is the neighbour
orders continued to their limit.

  [[expect]]
  quantity = "v"
  order = 1.0
  within = {1:g}                  # the default
  window = "after"               # t > time.after; or "all"
  norm = "l2"                    # or "sup", the default

Where the leading term is predicted (beta = 1, a start that rolls) the constant can
be judged as well: ratio = 1.0 expects that measured over predicted tends to 1.

  rigidlimit run experiments/prediction/knife_edge_prediction.toml
  rigidlimit help verdicts)";

constexpr const char* output =
    R"(run prints a table for each pair of solvers, norm and window, then verdicts. Files
go to results/NAME/ (--results DIR):

  table.txt, .csv, .json, .md, .tex  the same numbers; 17 digits in CSV and JSON
  study.toml                         the study with every default filled in
  results.db                         every solve, in SQLite

Of friction they are called friction.txt and so on, with CSV of errors, events and motions;
of a map over dampings map.txt and so on, with best_damping.csv and its solves in
solves.db; of a sweep sweep.txt and so on, with points.csv and the CSV of all its
studies, in which the swept values are columns; of a map of modes modes.txt, of a benchmark bench.txt, without a store.

run again continues what is there: only what is missing is solved. query and export
read the store, merge makes one of several.

CSV on standard output is the first of the tables: table.csv, errors.csv, map.csv,
modes.csv, bench.csv. table.csv has one line for each law, pair of solvers, eps,
quantity, norm and window. Numbers depend neither on --jobs nor on the locale. Progress
and messages go to standard error, tables to standard output:

  rigidlimit run experiments/convergence/wheel.toml --format csv > errors.csv
  rigidlimit export results/knife_edge --format latex --table orders
  rigidlimit check experiments/convergence/*.toml --junit report.xml)";

constexpr const char* environment =
    R"(NO_COLOR or TERM=dumb turns colours off; so does an output that is no terminal.

  NO_COLOR=1 rigidlimit run experiments/convergence/knife_edge.toml

Equations of a system that is not built in are compiled once they have been
evaluated so often that it pays, by the C compiler cc or the one that RIGIDLIMIT_CC
names; with RIGIDLIMIT_CC= (empty), as with --no-compile, by none. What was compiled
is kept in $XDG_CACHE_HOME/rigidlimit/code or ~/.cache/rigidlimit/code, which may be
removed at any time. Without a compiler, or a directory of one's own to keep things
in, an interpreter evaluates: two to five times slower, to the same last digit.
RIGIDLIMIT_INTERPRET=1 has the interpreter evaluate everything.

  RIGIDLIMIT_CC=clang rigidlimit run my_study.toml)";

std::string exit_statuses() {
  return fmt::format(
      "  {:<5} every expectation and bound held, or nothing was expected\n"
      "  {:<5} an expectation or a bound did not hold\n"
      "  {:<5} could not run: bad input, or a file that cannot be written\n"
      "  {:<5} interrupted (Ctrl-C); what was finished is printed and kept\n"
      "\n"
      "Of several studies the largest. A second Ctrl-C ends the program at once.\n"
      "\n"
      "  rigidlimit check my_study.toml && echo held",
      exit_status::held, exit_status::not_held, exit_status::could_not, exit_status::interrupted);
}

std::string verdicts() {
  std::string text = "One word for each series of errors, the first of these that holds:\n\n";
  for (const Explanation& e : explained_verdicts()) text += hanging(e.name, e.means, 18);
  return text +
         "\nA study is held if every expectation is confirmed and every bound held. Words for\n"
         "rows, bounds and failed solves are explained in the same way:\n"
         "\n"
         "  rigidlimit explain refuted\n"
         "  rigidlimit explain";
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{
      {"study-files", "What a study file holds", study_files},
      {"epsilon", "The small parameter, and which values to take", epsilon},
      {"errors", "The three errors of every row",
       fmt::format(fmt::runtime(errors), SolverSpec{}.tighten, evidence_factor)},
      {"orders", "How orders are fitted and expected",
       fmt::format(fmt::runtime(orders), FitOptions{}.min_points, Expectation{}.within)},
      {"verdicts", "What the verdicts say", verdicts()},
      {"output", "What is printed and written", output},
      {"exit-status", "What scripts may rely on", exit_statuses()},
      {"environment", "Variables that are read", environment}};
  return all;
}

}  // namespace rigidlimit
