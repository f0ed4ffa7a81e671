#include "rigidlimit/experiment/plan/solve_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace rigidlimit {

namespace {

/// Compares bits: NaN equals NaN, and 0 differs from −0.
bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

/// FNV-1a over words of 64 bits instead of bytes: SHA-1 would take half the time of a short solve.
class WordHash {
 public:
  void add(std::int64_t number) { mix(static_cast<std::uint64_t>(number)); }
  void add(const void* bytes, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (; size > 0;) {
      std::uint64_t word = 0;
      const std::size_t now = std::min(size, sizeof word);
      std::memcpy(&word, at, now);
      mix(word);
      at += now;
      size -= now;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 32;  // a product moves bits up only
  }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

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
  }
  return "unknown";
}

MatrixXd SolveRecord::take(const std::string& name) {
  const auto at = std::ranges::find(samples, name, &NamedSamples::name);
  return at == samples.end() ? MatrixXd() : std::move(at->values);
}

std::string hash_of_samples(const SolveRecord& record) {
  if (!record.samples_hash.empty()) return record.samples_hash;
  WordHash hash;
  for (const NamedSamples& samples : record.samples) {
    hash.add(samples.name.data(), samples.name.size());
    hash.add(samples.values.rows());
    hash.add(samples.values.cols());
    hash.add(samples.values.data(),
             sizeof(double) * static_cast<std::size_t>(samples.values.size()));
  }
  return fmt::format("{:016x}", hash.value());
}

SolveRecord without_samples(const SolveRecord& record) {
  return {.outcome = record.outcome,
          .message = record.message,
          .t_reached = record.t_reached,
          .last_step = record.last_step,
          .work = record.work,
          .seconds = record.seconds,
          .samples_hash = hash_of_samples(record)};
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
