// A sequence that tends to its limit like a power of ε: r(x) = r∞ + a e^{s x}, x = log ε.
#pragma once

namespace rigidlimit {

/// ∫_0^d e^{s u} du
double growth(double s, double d);

/// The s for which growth(s, far) / growth(s, near) = ratio, which increases with s; far > near >
/// 0.
double rate_of(double ratio, double far, double near);

}  // namespace rigidlimit
