#include "rigidlimit/experiment/plan/solve_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "rigidlimit/core/word_hash.hpp"

namespace rigidlimit {

namespace {

/// Compares bits: NaN equals NaN, and 0 differs from −0.
bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  // Empty matrices have no address to compare at.
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(),
                                       sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

std::array<long, 8> counts(const Work& w) {
  return {w.steps,          w.rejected_steps,    w.rhs_evaluations, w.jacobian_evaluations,
          w.factorisations, w.newton_iterations, w.linear_solves,   w.factor_nonzeros};
}

}  // namespace

const char* name_of(SolveIdentity::Kind kind) {
  switch (kind) {
    case SolveIdentity::Kind::rigid: return "rigid";
    case SolveIdentity::Kind::compliant: return "compliant";
    case SolveIdentity::Kind::rigid_work: return "rigid_work";
    case SolveIdentity::Kind::comparison: return "comparison";
    case SolveIdentity::Kind::event_driven: return "event_driven";
    case SolveIdentity::Kind::moreau_jean: return "moreau_jean";
    case SolveIdentity::Kind::reference: return "reference";
    case SolveIdentity::Kind::trial: return "trial";
    case SolveIdentity::Kind::timing: return "timing";
    case SolveIdentity::Kind::ensemble: return "ensemble";
  }
  return "unknown";
}

bool SolveRecord::has(const std::string& name) const {
  return std::ranges::find(samples, name, &NamedSamples::name) != samples.end();
}

MatrixXd SolveRecord::take_optional(const std::string& name, Index rows, Index columns) {
  const auto at = std::ranges::find(samples, name, &NamedSamples::name);
  if (at == samples.end()) return {};
  MatrixXd values = std::move(at->values);
  if ((rows == any_size || values.rows() == rows) &&
      (columns == any_size || values.cols() == columns))
    return values;
  const auto text = [](Index size) { return size == any_size ? "any" : fmt::format("{}", size); };
  throw DamagedRecord(fmt::format("the samples {} are {} × {} and not {} × {}", name, values.rows(),
                                  values.cols(), text(rows), text(columns)));
}

MatrixXd SolveRecord::take(const std::string& name, Index rows, Index columns) {
  if (!has(name)) throw DamagedRecord(fmt::format("the samples {} are missing", name));
  return take_optional(name, rows, columns);
}

int whole_number(double stored, const char* what, int largest) {
  if (!(stored >= 0.0 && stored <= largest && stored == std::floor(stored)))
    throw DamagedRecord(
        fmt::format("{} is {} and not a whole number up to {}", what, stored, largest));
  return static_cast<int>(stored);
}

std::string hash_of_samples(const SolveRecord& record) {
  if (!record.samples_hash.empty()) return record.samples_hash;
  WordHash hash;
  for (const NamedSamples& samples : record.samples) {
    hash.add(samples.name.data(), samples.name.size());
    hash.add(static_cast<std::int64_t>(samples.values.rows()));
    hash.add(static_cast<std::int64_t>(samples.values.cols()));
    hash.add(samples.values.data(),
             sizeof(double) * static_cast<std::size_t>(samples.values.size()));
  }
  return fmt::format("{:016x}", hash.value());
}

SolveRecord without_samples(const SolveRecord& record) {
  return {record, record.seconds, {}, hash_of_samples(record)};
}

bool same_result(const SolveRecord& a, const SolveRecord& b) {
  if (a.outcome != b.outcome || a.message != b.message || a.t_reached != b.t_reached ||
      a.last_step != b.last_step || counts(a.work) != counts(b.work))
    return false;
  if (!a.samples_hash.empty() || !b.samples_hash.empty())
    return hash_of_samples(a) == hash_of_samples(b);
  return std::ranges::equal(a.samples, b.samples, [](const NamedSamples& x, const NamedSamples& y) {
    return x.name == y.name && same_bits(x.values, y.values);
  });
}

}  // namespace rigidlimit
