// The leading terms that theory gives for the compliant motions of a study.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// The leading terms of compliant minus rigid motion under one law.
struct PredictedTerms {
  std::shared_ptr<const LeadingTerms> terms;  ///< nullptr: nothing is predicted
  std::string reason;                         ///< why not
};

/// `crossings`: of the switches of the force by the rigid motion.
PredictedTerms predicted_terms(const RollingStudy& study, const LawInfo& law,
                               const std::vector<SwitchCrossing>& crossings,
                               const std::function<bool()>& stop_requested = {});

/// Whether the law has leading terms for some starts and numbers.
bool can_be_predicted(const LawInfo& law);

}  // namespace rigidlimit
