#include "rigidlimit/experiment/rolling/viscoelastic_expansion.hpp"

#include <algorithm>

#include "rigidlimit/asymptotics/expansion_of.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/piecewise.hpp"

namespace rigidlimit {

void require_expandable(const RollingStudy& study) {
  if (std::ranges::count(study.contact.laws, "viscoelastic") == 0)
    throw InputError("the expansion exists only for the viscoelastic law");
  if (!is_consistent(study.model, study.initial)) throw InputError("the start slides");
}

Expansion viscoelastic_expansion(const RollingStudy& study, const InitialState& start) {
  return expansion_of(system_at_start(study.model, start), start, law_of(study),
                      initial_deflection(study));
}

}  // namespace rigidlimit
