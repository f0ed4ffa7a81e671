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
    R"(A study is a TOML file that states a system, its start, a contact, values of eps and
the expected orders of the errors. The smallest study that is judged:

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

[initial] sets q and v; [contact] sets law, stiffness, damping and preparation;
[solvers] sets methods and tolerances. [[bound]] states a bound K eps^p on an error.
An [[expect]] about steps limits how many more steps a solve takes for each decade of
eps. With time.grid = "end" there is no output in between, which would change them:

  [[expect]]
  quantity = "steps"
  growth_at_most = 30.0          # or growth_at_least
  epsilon = [1e-6, 1e-2]         # default: all

To write a file with every key, commented, for any system:

  rigidlimit init my_study --system rolling_disk

Error messages name the file, line, column, key, value and the valid range. --set
overrides any key; quote the values in a shell:

  rigidlimit run my_study.toml --set contact.damping_ratio=0.5
  rigidlimit run my_study.toml --set 'solvers.compliant=["cvode_bdf"]'

rigidlimit run decides the kind of a file by its tables. A file with [benchmark] is a
benchmark of methods. A file with [history], or with friction in [contact], is a
friction study. [sweep] runs a study for all combinations of the listed values, and
[[sweep.zip]] lists keys that change together:

  [sweep]
  contact.damping_ratio = [0.5, 1.0, 2.0]
  solvers.rtol = {from = 1e-12, to = 1e-6, count = 7}

  [[sweep.zip]]
  keys = ["initial.v", "time.end"]
  values = [[[1.0, 0.0, 0.5], 1.0], [[2.0, 0.0, 0.5], 0.5]]
  name = "start"                 # optional: one column in tables, with labels
  labels = ["slow", "fast"]

Tables of [[expect]] and [[bound]] with `where` apply at some points only, and
[[least]] finds the value with the least error, here beside the error at 1:

  [[expect]]
  quantity = "v"
  order = 1.0
  where = {contact.damping_ratio = [0.5, 1.0]}

  [[least]]
  over = "contact.damping_ratio"
  beside = 1.0)";

constexpr const char* epsilon =
    R"(eps is the small parameter of the contact. Its stiffness is C/eps^2 and its
damping D/eps^beta, with beta = 1 unless contact.damping_exponent says otherwise:

  M(q) v' = F(q, v, t) - G(q)^T lambda,   y' = G(q) v
  lambda  = (C/eps^2) y + (D/eps^beta) y'

As eps -> 0 the motion tends to ideal rolling, G(q) v = 0. In a layer 0 < t < O(eps)
the spring takes up its load. After it the difference is O(eps^2) in q, v and lambda;
over all t it is O(eps^2) in q, O(eps) in v and O(1) in lambda: orders 2, 1, 0.

Choose eps in geometric progression over at least two decades. At the largest eps the
contact should be several times as fast as the system. The tolerances bound the
smallest eps: the error of q falls as eps^2 and must stay ten times above them.

  rigidlimit run FILE.toml --set epsilon.from=1e-2 --set epsilon.to=1e-5
  rigidlimit run FILE.toml --set 'epsilon.values=[1e-2, 5e-3, 2e-3, 1e-3]'

Other laws define eps differently: rigidlimit list laws.)";

constexpr const char* errors = R"(Every row has three errors:

  model error      effect of eps: distance between the compliant and the rigid
                   motion, in one quantity, norm and window
  solver error     effect of the tolerance: distance to a second solve at
                   tolerances {0:g} times as large, over 1 - {0:g}
  reference error  accuracy of the rigid motion: distance to a rigid motion from
                   another formulation and another method, or a closed form

A row is evidence if its model error is at least {1:g} times each of the other two. Other
rows have the status solver_limited or reference_limited and are not used in a fit. A
row that changes by a tenth without every other sample is sampling_limited. Two
motions that agree to rounding are equal.

q, v and lambda are judged separately, in the maximum over the samples (sup) and in
the mean square (l2), over all t and over t > after.

  rigidlimit explain solver_limited)";

constexpr const char* orders =
    R"(The order between two neighbouring eps is log(e1/e2)/log(eps1/eps2), with its sign.
The fit uses the longest run of the smallest eps in which all neighbour orders lie
within the tolerance of the fit: at least {0} rows of evidence, or 3 of 3. The fitted
order has the standard error of the straight line. "For eps -> 0" is the limit of the
neighbour orders by extrapolation.

  [[expect]]
  quantity = "v"
  order = 1.0
  within = {1:g}                  # the default
  window = "after"               # t > time.after; or "all"
  norm = "l2"                    # or "sup", the default

If the leading term is predicted (beta = 1, a start that rolls), the constant can
also be judged: ratio = 1.0 expects that measured/predicted tends to 1.

  rigidlimit run experiments/prediction/knife_edge_prediction.toml
  rigidlimit help verdicts)";

constexpr const char* output =
    R"(run prints a table for each pair of solvers, norm and window, then the verdicts. A
rolling study writes to results/NAME/ (--results DIR):

  table.txt, .csv, .json, .md, .tex  the same numbers; 17 digits in CSV and JSON
  study.toml                         the study with every default filled in
  results.db                         every solve, in SQLite
  steps.csv                          steps of every solve, with a claim on steps

The other kinds write the same formats under other names:

  friction study  friction.txt, ...; CSV of errors, events and motions; modes.csv
                  with claims on modes
  sweep           sweep.txt, ...; points.csv; CSV of all its studies, in which
                  the swept values are columns; least.csv with [[least]]
  benchmark       bench.txt, ...; the store also has the times

A second run solves only what is missing. query and export read the store; merge
combines several stores into one.

With --format csv, standard output is the first table: table.csv, errors.csv,
bench.csv or, with time.grid = "end", steps.csv. table.csv has one line per law,
pair of solvers, eps, quantity, norm and window. A table with more than 200 rows has
40 of them in .txt, .md and .tex. Numbers depend neither on --jobs nor on the locale.
Progress and messages go to standard error, tables to standard output:

  rigidlimit run experiments/convergence/wheel.toml --format csv > errors.csv
  rigidlimit export results/knife_edge --format latex --table orders
  rigidlimit check experiments/convergence/*.toml --junit report.xml)";

constexpr const char* environment =
    R"(NO_COLOR or TERM=dumb turns colours off, as does output to a file or pipe.

  NO_COLOR=1 rigidlimit run experiments/convergence/knife_edge.toml

Equations of a user-defined system are compiled after many evaluations, by the C
compiler cc or the one named in RIGIDLIMIT_CC. An empty RIGIDLIMIT_CC= or --no-compile
disables compilation. The compiled code is cached in $XDG_CACHE_HOME/rigidlimit/code or
~/.cache/rigidlimit/code, which may be removed at any time. Without a compiler or a
private cache directory, an interpreter evaluates the equations: two to five times
slower, with the same digits. RIGIDLIMIT_INTERPRET=1 interprets all equations.

  RIGIDLIMIT_CC=clang rigidlimit run my_study.toml)";

std::string exit_statuses() {
  return fmt::format(
      "  {:<5} every expectation and bound held, or none was stated\n"
      "  {:<5} an expectation or a bound did not hold\n"
      "  {:<5} could not run: bad input, or a file that cannot be written\n"
      "  {:<5} interrupted (Ctrl-C); finished results are printed and stored\n"
      "\n"
      "With several files, the largest status. A second Ctrl-C ends the program at once.\n"
      "\n"
      "  rigidlimit check my_study.toml && echo held",
      exit_status::held, exit_status::not_held, exit_status::could_not, exit_status::interrupted);
}

std::string verdicts() {
  std::string text = "Each series of errors has one verdict, the first of these that holds:\n\n";
  for (const Explanation& e : explained_verdicts()) text += hanging(e.name, e.means, 18);
  return text +
         "\nA study is held if every expectation is confirmed and every bound is held. explain\n"
         "also covers the statuses of rows, bounds and failed solves:\n"
         "\n"
         "  rigidlimit explain refuted\n"
         "  rigidlimit explain";
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{
      {"study-files", "Contents of a study file", study_files},
      {"epsilon", "The small parameter and the choice of its values", epsilon},
      {"errors", "The three errors of every row",
       fmt::format(fmt::runtime(errors), SolverSpec{}.tighten, evidence_factor)},
      {"orders", "How orders are fitted and expected",
       fmt::format(fmt::runtime(orders), FitOptions{}.min_points, Expectation{}.within)},
      {"verdicts", "Meaning of the verdicts", verdicts()},
      {"output", "Printed tables and written files", output},
      {"exit-status", "Exit statuses for scripts", exit_statuses()},
      {"environment", "Environment variables", environment}};
  return all;
}

}  // namespace rigidlimit
