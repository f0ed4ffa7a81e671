// Tests the texts of wanted errors.
#include <gtest/gtest.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/wanted_error.hpp"

namespace rigidlimit {
namespace {

TEST(WantedError, NamesAQuantityANormAndAWindow) {
  EXPECT_EQ(wanted_error_of("q=1e-4").measure, (Measure{Quantity::q, Norm::sup, Window::all}));
  EXPECT_EQ(wanted_error_of("q=1e-4").size, 1e-4);
  EXPECT_EQ(wanted_error_of("lambda.after=2").measure,
            (Measure{Quantity::lambda, Norm::sup, Window::after}));
  // In any order.
  EXPECT_EQ(wanted_error_of("v.after.l2=2").measure, wanted_error_of("v.l2.after=2").measure);
}

TEST(WantedError, RefusesOtherTexts) {
  for (const char* text : {"", "q", "=1", "q=", "q=0", "q=-1", "q=nan", "q=inf", "q=1x", "w=1",
                           "q.sup.later=1", "q..after=1", "event_time=1"})
    EXPECT_THROW(wanted_error_of(text), InputError) << text;
}

}  // namespace
}  // namespace rigidlimit
