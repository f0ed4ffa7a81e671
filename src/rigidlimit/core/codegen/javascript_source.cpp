#include "rigidlimit/core/codegen/javascript_source.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/codegen/source_file.hpp"

namespace rigidlimit {

std::string javascript_source(const WrittenProblem& problem,
                              const std::vector<std::string>& origin) {
  SourceFile file(problem, SourceLanguage::javascript);
  file.head(origin);
  file.tolerance_note();
  file.comment("An ES module: import it, or run it with node FILE.mjs.");
  file.line();
  file.line(fmt::format("export const N = {};  // size of y", file.size()));
  file.line(fmt::format("export const t0 = {}, t1 = {};", file.number(problem.t0),
                        file.number(problem.t1)));
  file.numbers("export const y0 = [", problem.y0, "];", file.components());
  if (file.has_parameters())
    file.numbers("export const p0 = [", problem.parameters, "];", file.parameters());
  file.line();
  file.comment("f of y' = f(t, y), or of M y' = f(t, y), written into f.");
  file.raw("export function rhs(t, y, f = new Float64Array(N)@p) {\n  f.fill(0.0);\n", ", p = p0");
  file.lines("  ", file.rate().lines);
  file.line("  return f;\n}\n");
  file.comment("J[i * N + k] = df_i/dy_k, written into J.");
  file.raw("export function jacobian(t, y, J = new Float64Array(N * N)@p) {\n  J.fill(0.0);\n",
           ", p = p0");
  file.lines("  ", file.jacobian().lines);
  file.line("  return J;\n}\n");
  if (file.has_mass()) {
    file.index_note();
    file.line("export function mass(M = new Float64Array(N * N)) {\n  M.fill(0.0);");
    file.lines("  ", file.mass());
    file.line("  return M;\n}\n");
  }
  file.values("export const ", "[", "];");
  file.raw(R"(
// The number of values that differ from those of rigidlimit.
export function check() {
  const f = rhs(check_t, check_y), J = jacobian(check_t, check_y);
  const sums = new Float64Array(N), of_f = check_f.map(Math.abs), of_sums = new Float64Array(N);
  for (let i = 0; i < N; ++i)
    for (let k = 0; k < N; ++k) {
      const x = J[i * N + k];
      sums[i] += x;
      of_sums[i] += Math.abs(x);
      of_f[i] += Math.abs(x * check_y[k]);
    }
  let count = 0;
  for (const [name, value, expected, terms] of [["f", f, check_f, of_f],
                                                ["row sum of J", sums, check_row_sums, of_sums]])
    for (let i = 0; i < N; ++i) {
      if (Math.abs(value[i] - expected[i]) <= 1e-12 * (terms[i] + 1e-3 * Math.max(...terms))) continue;
      console.log(`${name}[${i}] = ${value[i]} differs from ${expected[i]}`);
      ++count;
    }
  console.log(`${count} of ${2 * N} values differ`);
  return count;
}

// The program part.
if (globalThis.process?.argv?.[1]) {
  const { realpathSync } = await import("node:fs"), { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) process.exitCode = check() === 0 ? 0 : 1;
}
)");
  return std::move(file).text();
}

}  // namespace rigidlimit
