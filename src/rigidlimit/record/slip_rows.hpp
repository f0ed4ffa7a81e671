// The result of a study of friction and impacts as rows of CSV, and as JSON. Numbers have 17
// digits. Columns q1, q2, … are the coordinates of the system in its order (slip.json names them),
// v1, … its velocities, lambda1, … the m components of friction and p1, … the normal forces of its
// contacts.
#pragma once

#include <string>

#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// The rigid events: study,event,t,kind,contacts,modes,energy_lost,q…,v…_before,v…_after,
/// impulse_lambda…,impulse_p….
std::string slip_events_csv(const SlipResult& result);

/// Those of Moreau and Jean's motions: study,step,event,… as above.
std::string slip_step_events_csv(const SlipResult& result);

/// study,event,kind,contacts,t_rigid,law,tangential_power,solver,epsilon,t,difference,solver_error,
/// order.
std::string slip_event_times_csv(const SlipResult& result);

/// study,system,law,tangential_power,solver,epsilon,quantity,events,norm,window,model_error,
/// solver_error,reference_error,sampling_error,order,verdict,status.
std::string slip_errors_csv(const SlipResult& result);

/// motion,solver,epsilon,t,q…,v…,lambda…,p…,modes: rigid (epsilon 0) and compliant motions.
std::string slip_motions_csv(const SlipResult& result);

/// Everything but the motions, with where it comes from.
std::string slip_json(const SlipResult& result);

}  // namespace rigidlimit
