// Numbers as text, and orders of convergence.

export const powerOfTen = (k) => `10${String(k).replace("-", "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d])}`;

export function scientific(x) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const [mantissa, exponent] = x.toExponential(2).split("e");
  return exponent === "+0" ? mantissa : `${mantissa}·${powerOfTen(Number(exponent))}`;
}

export const short = (x) => String(+x.toPrecision(3)).replace("-", "−");

/** Two decimals, without the sign of a zero. */
export const decimals = (x) => x.toFixed(2).replace("-0.00", "0.00").replace("-", "−");

/** Slope of the line of least squares through (log x, log y) of the `count` points of smallest x; NaN with fewer. */
export function fittedOrder(points, count = 4) {
  const few = [...points].sort((a, b) => a[0] - b[0]).slice(0, count).map((p) => p.map(Math.log));
  if (few.length < count) return NaN;
  const mean = [0, 1].map((i) => few.reduce((sum, p) => sum + p[i], 0) / count);
  const over = few.reduce((sum, p) => sum + (p[0] - mean[0]) * (p[1] - mean[1]), 0);
  return over / few.reduce((sum, p) => sum + (p[0] - mean[0]) ** 2, 0);
}
